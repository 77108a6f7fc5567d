// This file follows pointers to one object.

package slice

import (
	"github.com/plumb-project/plumb/internal/callgraph"
	"github.com/plumb-project/plumb/internal/ir"
)

// A tracer follows the pointers to one object, the nearest first: values, then
// memory with a name, then variables that may own the object.
type tracer struct {
	*Slicer
	seen    map[use]bool // values that point to the object
	memory  map[use]bool // values that point to memory which holds such a pointer
	places  map[place]bool
	reached map[ir.FuncID]bool // functions that see the object
	matters map[ir.FuncID]bool // functions in which references come or go
	passes  [][2]ir.FuncID     // the first gives the object to the second

	values []use
	far    []place
	owners []ir.StructID
}

// value notes that a value points to the object.
func (t *tracer) value(fn ir.FuncID, v ir.ValueID) {
	u := use{fn, v}
	if t.seen[u] || !t.reach(fn) {
		return
	}
	t.seen[u] = true
	t.values = append(t.values, u)
}

// reach notes that a function sees the object, unless there are too many.
func (t *tracer) reach(fn ir.FuncID) bool {
	if !t.reached[fn] && len(t.reached) >= maxFunctions {
		return false
	}
	t.reached[fn] = true
	return true
}

// run follows everything.
func (t *tracer) run() {
	for {
		switch {
		case len(t.values) > 0:
			u := t.values[0]
			t.values = t.values[1:]
			t.follow(u)
		case len(t.far) > 0:
			pl := t.far[0]
			t.far = t.far[1:]
			for _, l := range t.index.loads[pl] {
				t.value(l.fn, l.at)
				if t.seen[l] {
					t.matters[l.fn] = true
				}
			}
			if pl.step.Struct != 0 {
				t.owners = append(t.owners, pl.step.Struct)
			}
		case len(t.owners) > 0:
			st := t.owners[0]
			t.owners = t.owners[1:]
			for _, id := range t.index.types[t.p.Structs[st].Name] {
				if t.reach(id) {
					t.matters[id] = true
				}
			}
		default:
			return
		}
	}
}

// follow goes to the uses of a pointer to the object.
func (t *tracer) follow(u use) {
	f := &t.p.Funcs[u.fn]
	for _, n := range t.usesOf(u.fn).Succs(uint32(u.at)) {
		v := ir.ValueID(n)
		args := f.ArgsOf(v)
		switch x := &f.Values[v]; {
		case x.Op == ir.OpGep || x.Op == ir.OpPhi || x.Op == ir.OpSelect || x.Op == ir.OpFreeze || x.Op == ir.OpBitcast,
			x.Op == ir.OpPtrToInt || x.Op == ir.OpIntToPtr || x.Op == ir.OpAdd || x.Op == ir.OpSub || x.Op == ir.OpAnd || x.Op == ir.OpOr,
			x.Op == ir.OpInsertValue || x.Op == ir.OpExtractValue || x.Op == ir.OpInsertElement || x.Op == ir.OpExtractElement || x.Op == ir.OpShuffle:
			t.value(u.fn, v)
		case x.Op == ir.OpStore && args[0] == u.at:
			t.matters[u.fn] = true
			t.stored(u.fn, args[1])
		case (x.Op == ir.OpCmpXchg || x.Op == ir.OpAtomicRMW) && args[0] != u.at:
			t.matters[u.fn] = true
			t.stored(u.fn, args[0])
		case x.Op == ir.OpRet:
			t.matters[u.fn] = true
			for _, c := range t.index.callers[u.fn] {
				t.value(c.fn, c.at)
				t.matters[c.fn] = t.matters[c.fn] || t.seen[c]
			}
		case x.Op.IsCall():
			t.passed(u, v, args)
		}
	}
}

// passed follows the object into what is called.
func (t *tracer) passed(u use, call ir.ValueID, args []ir.ValueID) {
	for i, a := range args[1:] {
		if a != u.at {
			continue
		}
		t.each(u.fn, call, func(callee ir.FuncID) {
			f := &t.p.Funcs[callee]
			switch {
			case f.IsDecl():
				if t.p.Funcs[u.fn].Values[call].Type.Kind() == ir.Ptr {
					t.value(u.fn, call) // which may be the argument: strcpy
				}
			case i < int(f.NParams):
				t.value(callee, ir.ValueID(i+1))
				t.passes = append(t.passes, [2]ir.FuncID{u.fn, callee})
			}
		})
	}
}

// each calls visit for what a call may lead to.
func (t *tracer) each(fn ir.FuncID, call ir.ValueID, visit func(ir.FuncID)) {
	for _, c := range t.Calls.CallsOf(fn) {
		if c.Site == call {
			for callee := range c.All() {
				visit(callee)
			}
		}
	}
}

// stored notes that the memory at an address holds a pointer to the object.
func (t *tracer) stored(fn ir.FuncID, addr ir.ValueID) {
	f := &t.p.Funcs[fn]
	if pl, ok := placeOf(t.p, f, addr); ok {
		if !t.places[pl] {
			t.places[pl] = true
			t.far = append(t.far, pl)
		}
		return
	}
	_, base := callgraph.PlaceOf(t.p, f, addr)
	t.holds(fn, base)
}

// holds notes that the memory behind a pointer without a name holds the object: what
// is loaded there is it, in this function, in those that the pointer is given to, and
// behind a parameter in those that gave it.
func (t *tracer) holds(fn ir.FuncID, base ir.ValueID) {
	u := use{fn, base}
	if t.memory[u] || !t.reach(fn) {
		return
	}
	t.memory[u] = true
	t.matters[fn] = true
	f := &t.p.Funcs[fn]
	if f.Values[base].Op == ir.OpParam {
		for _, c := range t.index.callers[fn] {
			if args := t.p.Funcs[c.fn].ArgsOf(c.at); int(base) < len(args) {
				t.stored(c.fn, args[base])
			}
		}
	}
	for work := []ir.ValueID{base}; len(work) > 0; work = work[1:] {
		for _, n := range t.usesOf(fn).Succs(uint32(work[0])) {
			v := ir.ValueID(n)
			args := f.ArgsOf(v)
			switch x := &f.Values[v]; {
			case x.Op == ir.OpGep || x.Op == ir.OpBitcast || x.Op == ir.OpFreeze:
				work = append(work, v)
			case x.Op == ir.OpLoad:
				t.value(fn, v)
			case x.Op == ir.OpMemcpy && args[1] == work[0]:
				t.stored(fn, args[0])
			case x.Op.IsCall():
				for i, a := range args[1:] {
					if a != work[0] {
						continue
					}
					t.each(fn, v, func(callee ir.FuncID) {
						if g := &t.p.Funcs[callee]; !g.IsDecl() && i < int(g.NParams) {
							t.holds(callee, ir.ValueID(i+1))
						}
					})
				}
			}
		}
	}
}

// between returns the functions that matter, and those that give the object to one
// of them.
func (t *tracer) between() map[ir.FuncID]bool {
	for more := true; more; {
		more = false
		for _, p := range t.passes {
			if t.matters[p[1]] && !t.matters[p[0]] {
				t.matters[p[0]], more = true, true
			}
		}
	}
	return t.matters
}
