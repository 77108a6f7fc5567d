// This file decides what a call through a pointer leads to.

package callgraph

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/model"
)

// maxTargets is how many functions a call through a pointer may lead to before
// it counts as unresolved.
const maxTargets = 8

// A Way says how it is known what a call leads to.
type Way uint8

const (
	Direct    Way = iota + 1 // the call names the function
	Field                    // what is stored in the field that the pointer was loaded from
	Virtual                  // what stands in the slot of the virtual tables
	Flow                     // what the pointer can be, followed through the program
	Signature                // any function of the type whose address is taken
	Unknown                  // nothing fits
	Outside                  // it may come from outside the program
	TooMany                  // joined: it may do anything
)

func (w Way) String() string {
	if w == 0 || w > TooMany {
		panic(fmt.Sprintf("callgraph: bad way %d", w))
	}
	return [...]string{"", "direct", "field", "virtual table", "flow", "signature", "unknown", "outside", "too many"}[w]
}

// resolve finds the targets of the calls through pointers.
func (g *Graph) resolve(t *index, models *model.Set) {
	fl := newFlow(t)
	nodes := make([]nodeID, len(g.Calls))
	for i := range g.Calls {
		c := &g.Calls[i]
		if c.Way == 0 && !g.virtual(t, c) {
			nodes[i] = fl.ask(use{c.Caller, c.Site})
		}
	}
	passed := g.askPassed(fl, g.calledParams(t, models))
	fl.solve()
	g.answer(fl, passed)
	for i := range g.Calls {
		if c := &g.Calls[i]; c.Way == 0 {
			fl.decide(c, &fl.nodes[nodes[i]])
		}
	}
	for i := range g.Calls {
		c := &g.Calls[i]
		c.Targets = g.inOrder(c.Targets)
		for k := range c.Passed {
			c.Passed[k].Targets = g.inOrder(c.Passed[k].Targets)
		}
	}
}

// inOrder returns functions in the order of their names: ids depend on the order of
// the units, and what is told of the first of several targets must not.
func (g *Graph) inOrder(list []ir.FuncID) []ir.FuncID {
	if len(list) < 2 {
		return list
	}
	p := g.Program
	return slices.SortedFunc(slices.Values(list), func(a, b ir.FuncID) int {
		f, h := &p.Funcs[a], &p.Funcs[b]
		return cmp.Or(cmp.Compare(f.SourceName(), h.SourceName()), cmp.Compare(p.Files[f.File], p.Files[h.File]), cmp.Compare(f.Line, h.Line), cmp.Compare(a, b))
	})
}

// decide takes what was found at the callee of a call.
func (fl *flow) decide(c *Call, n *node) {
	call := use{c.Caller, c.Site}
	f := &fl.p.Funcs[c.Caller]
	list := slices.DeleteFunc(slices.Clone(n.funcs), func(id ir.FuncID) bool { return !fl.fits(call, id) })
	c.Way = Flow
	if x := &f.Values[n.key.b]; x.Op == ir.OpLoad && fl.address(f, f.ArgsOf(ir.ValueID(n.key.b))[0]).step.Struct != 0 {
		c.Way = Field
	}
	switch {
	case n.doubt&outside != 0:
		c.Way, list = Outside, nil
	case n.doubt&untracked != 0 && fl.whole:
		c.Way, list = Signature, fl.bySig[ir.SigID(f.Values[c.Site].Aux)]
	case n.doubt&untracked != 0:
		c.Way, list = Outside, nil
	}
	c.set(list)
}

// set takes the targets, unless there are none, or too many.
func (c *Call) set(list []ir.FuncID) {
	switch {
	case len(list) > maxTargets:
		c.Way, c.Many = TooMany, list
	case len(list) > 0:
		c.Targets = list
	case c.Way != Outside:
		c.Way = Unknown
	}
}

// virtual resolves a call of a virtual function.
func (g *Graph) virtual(t *index, c *Call) bool {
	f := &g.Program.Funcs[c.Caller]
	callee := f.ArgsOf(c.Site)[0]
	if f.Values[callee].Op != ir.OpLoad || len(t.slots) == 0 {
		return false
	}
	addr := f.ArgsOf(callee)[0]
	slot, ok := virtualSlot(f, addr)
	if !ok || t.address(f, addr).step.Struct != 0 {
		return false
	}
	sig := ir.SigID(f.Values[c.Site].Aux)
	c.Way = Virtual
	c.set(slices.DeleteFunc(slices.Clone(t.slots[slot]), func(id ir.FuncID) bool { return t.p.Funcs[id].Sig != sig }))
	return true
}

// virtualSlot reports whether addr is that of a slot in the virtual table of an
// object: the table's address was loaded from the object itself.
func virtualSlot(f *ir.Func, addr ir.ValueID) (off int64, ok bool) {
	if f.Values[addr].Op == ir.OpGep {
		g := &f.Geps[f.Values[addr].Aux]
		if g.NStride > 0 || g.NStep > 0 {
			return 0, false
		}
		off = g.Off
		addr = f.ArgsOf(addr)[0]
	}
	return off, f.Values[addr].Op == ir.OpLoad && f.Values[addr].Type.Kind() == ir.Ptr
}
