// This file says where calls lead, and what functions without a body write.

package modref

import (
	"iter"
	"sort"

	"github.com/plumb-project/plumb/internal/callgraph"
	"github.com/plumb-project/plumb/internal/ir"
)

// unresolved reports whether it is not known where a call leads.
func unresolved(c *callgraph.Call) bool { return c.Callee == 0 && len(c.Targets) == 0 }

// ends reports whether control does not come back after a call: then it is nobody's
// concern what was written. An exception does come back, a long jump only to where
// nothing is taken to have stayed as it was.
func (t *Table) ends(c *callgraph.Call) bool {
	return c.Last || c.Doomed && t.p.Funcs[c.Caller].Flags&ir.NoUnwind != 0
}

// targets yields the nodes that a call leads to: functions, or the type of them when the
// pointer may come from outside.
func (t *Table) targets(c *callgraph.Call) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		f := &t.p.Funcs[c.Caller]
		if c.Way == callgraph.Outside && !yield(uint32(len(t.p.Funcs))+f.Values[c.Site].Aux) {
			return
		}
		if c.Callee != 0 && !yield(uint32(c.Callee)) {
			return
		}
		for _, list := range [][]ir.FuncID{c.Targets, c.Many} {
			for _, id := range list {
				if !yield(uint32(id)) {
					return
				}
			}
		}
		for _, p := range c.Passed {
			for _, id := range p.Targets {
				if !yield(uint32(id)) {
					return
				}
			}
		}
		if c.Callee == 0 || !t.p.Funcs[c.Callee].IsDecl() {
			return
		}
		for _, a := range f.ArgsOf(c.Site)[1:] { // a library may call all that it is given
			if x := &f.Values[a]; x.Op == ir.OpFuncAddr && !yield(x.Aux) {
				return
			}
		}
	}
}

// callAt returns a call of the call graph, or nil for assembly.
func (t *Table) callAt(caller ir.FuncID, site ir.ValueID) *callgraph.Call {
	list := t.calls.CallsOf(caller)
	i := sort.Search(len(list), func(i int) bool { return list[i].Site >= site })
	if i == len(list) || list[i].Site != site {
		return nil
	}
	return &list[i]
}

// call tells what call v writes by itself: if it leads out of the program, and by what
// it passes.
func (b *body) call(v ir.ValueID, write func(atom)) {
	t, f := b.t, b.f
	c := t.callAt(b.id, v)
	switch {
	case c == nil: // assembly
		b.pure = false
		b.external(v, 0, write)
		return
	case t.ends(c):
		return
	case c.Callee != 0:
		b.toDecl(v, c.Callee, write)
		b.passes(v, c.Callee, write)
	case len(c.Targets)+len(c.Many) == 0: // nothing of the program, as far as can be seen
		b.pure = false
		b.external(v, 0, write)
	}
	for _, list := range [][]ir.FuncID{c.Targets, c.Many} {
		for _, id := range list {
			b.toDecl(v, id, write)
			b.passes(v, id, write)
		}
	}
	if c.Callee != 0 && t.p.Funcs[c.Callee].IsDecl() {
		for _, a := range f.ArgsOf(v)[1:] {
			if x := &f.Values[a]; x.Op == ir.OpFuncAddr {
				t.unbound(ir.FuncID(x.Aux), write)
			}
		}
	}
	for _, p := range c.Passed {
		for _, id := range p.Targets {
			t.unbound(id, write)
		}
		if len(p.Targets) == 0 && c.Callee != 0 && t.p.Funcs[c.Callee].IsDecl() && f.Values[f.ArgsOf(v)[p.Arg+1]].Op != ir.OpConstNull {
			write(atom{kind: anyBytes}) // it calls nobody knows what
			b.pure = false
		}
	}
}

// toDecl tells what is written by call v if it leads to a function without a body.
func (b *body) toDecl(v ir.ValueID, id ir.FuncID, write func(atom)) {
	callee := &b.t.p.Funcs[id]
	if !callee.IsDecl() || callee.Flags&(ir.ReadOnly|ir.ReadNone) != 0 {
		return
	}
	b.pure = false
	if callee.Flags&ir.Intrinsic == 0 {
		b.external(v, id, write)
	}
}

// external tells what is written by call v of a function of which only the declaration
// is known, or not even that.
func (b *body) external(v ir.ValueID, id ir.FuncID, write func(atom)) {
	t, f := b.t, b.f
	write(atom{kind: library})
	if id == 0 || t.models.Lookup(t.p.Funcs[id].Name) == nil {
		write(atom{kind: elsewhere})
	}
	for i, a := range f.ArgsOf(v)[1:] {
		x := &f.Values[a]
		if x.Type.Kind() != ir.Ptr || x.Op == ir.OpFuncAddr || x.Op == ir.OpGlobalAddr && t.p.Globals[x.Aux].Const || t.leaves(id, i) {
			continue
		}
		b.bytes(a, 0, 0, write)
	}
}

// Leaves reports whether a function has a body, in which case MayWrite says what it
// writes, or does not write what its argument i points to.
func (t *Table) Leaves(id ir.FuncID, i int) bool {
	return id != 0 && (!t.p.Funcs[id].IsDecl() || t.p.Funcs[id].Flags&(ir.ReadOnly|ir.ReadNone) != 0 || t.leaves(id, i))
}

// leaves reports whether a function without a body does not write what its argument i
// points to: that is const, or dead when it returns.
func (t *Table) leaves(id ir.FuncID, i int) bool {
	if id == 0 {
		return false
	}
	f := &t.p.Funcs[id]
	if i < len(f.Params) && f.Params[i]&(ir.ParamConst|ir.ParamReadOnly|ir.ParamFreed) != 0 {
		return true
	}
	m := t.models.Lookup(f.Name)
	return m != nil && !m.WritesParam(i)
}
