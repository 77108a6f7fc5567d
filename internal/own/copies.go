// This file looks for copies of whole structs, which copy the pointers in them.

package own

import (
	"github.com/plumb-project/plumb/internal/ir"
)

// copies looks for memory with the slot in it that is copied as a whole.
func (h *holding) copies() {
	if h.slot.kind != fieldSlot {
		return
	}
	x := h.x
	for id := ir.FuncID(1); int(id) < len(x.p.Funcs) && h.err == nil; id++ {
		f := &x.p.Funcs[id]
		if f.IsDecl() {
			continue
		}
		for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
			switch args := f.ArgsOf(v); {
			case f.Values[v].Op == ir.OpMemcpy:
				from, to := value{id, args[1]}, value{id, args[0]}
				if !h.within(from, f, args[2]) && !h.within(to, f, args[2]) {
					continue
				}
				if !x.isNull(from, h.slot) {
					h.refuse(value{id, v}, "%s is copied with its struct", h.text())
				}
			case f.Values[v].Op.IsCall():
				h.copiedBy(value{id, v})
			case f.Values[v].Op == ir.OpLoad && f.Values[v].Type.Kind() == ir.Agg:
				if h.within(value{id, args[0]}, f, 0) {
					h.refuse(value{id, v}, "%s is copied with its struct", h.text())
				}
			case f.Values[v].Op == ir.OpStore && f.Values[args[0]].Type.Kind() == ir.Agg:
				if h.within(value{id, args[1]}, f, 0) && f.Values[args[0]].Op != ir.OpConstNull {
					h.refuse(value{id, v}, "%s is copied with its struct", h.text())
				}
			case f.Values[v].Op == ir.OpGep && h.piecemeal(value{id, v}):
				h.refuse(value{id, v}, "%s is copied with its struct", h.text())
			}
		}
	}
}

// piecemeal reports whether memory with the slot in it is read or written as if it were
// another struct: that is how a struct is passed in registers.
func (h *holding) piecemeal(gep value) bool {
	x := h.x
	f := &x.p.Funcs[gep.fn]
	g := &f.Geps[f.Values[gep.id].Aux]
	if g.NStep == 0 {
		return false
	}
	as := f.Steps[g.Step].Struct
	base := f.ArgsOf(gep.id)[0]
	if op := f.Values[base].Op; op != ir.OpAlloca && op != ir.OpGlobalAddr {
		return false
	}
	is := x.structAt(value{gep.fn, base})
	return is != 0 && is != as && !x.startsWith(is, as) && x.contains(is, ir.StructID(h.slot.id), 0)
}

// within reports whether the slot is in the memory at an address, as far as a copy of n
// bytes goes; n is 0 for who knows how far.
func (h *holding) within(at value, f *ir.Func, n ir.ValueID) bool {
	x := h.x
	s := x.structAt(at)
	if s == 0 || !x.contains(s, ir.StructID(h.slot.id), 0) {
		return false
	}
	if n == 0 {
		return true
	}
	size, ok := f.ConstInt(n)
	if !ok || s != ir.StructID(h.slot.id) {
		return true
	}
	return size > h.slot.off
}

// structAt returns the struct at an address, or 0.
func (x *Index) structAt(at value) ir.StructID {
	f := &x.p.Funcs[at.fn]
	switch val := &f.Values[at.id]; val.Op {
	case ir.OpGep:
		g := &f.Geps[val.Aux]
		if g.NStep > 0 {
			s := f.Steps[g.Step+g.NStep-1]
			return x.p.Structs[s.Struct].Fields[s.Field].Struct
		}
		return x.structAt(value{at.fn, f.ArgsOf(at.id)[0]})
	case ir.OpGlobalAddr:
		return x.p.Globals[val.Aux].Struct
	case ir.OpAlloca:
		return ir.StructID(f.Ints[val.Aux+1])
	}
	return x.pointee(at)
}

// contains reports whether struct s is, or has in it, struct part.
func (x *Index) contains(s, part ir.StructID, depth int) bool {
	if s == part || depth > 8 {
		return s == part
	}
	for _, fd := range x.p.Structs[s].Fields {
		if fd.Struct != 0 && fd.Struct != s && x.contains(fd.Struct, part, depth+1) {
			return true
		}
	}
	return false
}

// isNull reports whether a slot is null in what is at an address: a constant of the
// program, in which it is.
func (x *Index) isNull(at value, s slot) bool {
	f := &x.p.Funcs[at.fn]
	val := &f.Values[at.id]
	if val.Op != ir.OpGlobalAddr || !x.p.Globals[val.Aux].Const {
		return false
	}
	g := &x.p.Globals[val.Aux]
	for _, c := range g.Init {
		if g.Struct == 0 || x.fieldOf(g.Struct, int64(c.Off)) == s && (c.Kind != ir.CellInt || c.Int != 0) {
			return false
		}
	}
	return true
}

// copiedBy looks at a call that is given memory with the slot in it: one that takes it as
// bytes may copy it.
func (h *holding) copiedBy(call value) {
	x := h.x
	f := &x.p.Funcs[call.fn]
	for i, a := range f.ArgsOf(call.id)[1:] {
		if f.Values[a].Type.Kind() != ir.Ptr || !h.within(value{call.fn, a}, f, 0) {
			continue
		}
		targets, _ := x.targets(call)
		for _, t := range targets {
			if callee := &x.p.Funcs[t]; callee.Params != nil && i < len(callee.Params) && callee.Params[i]&ir.ParamByVal != 0 {
				h.refuse(call, "%s is copied with its struct", h.text())
			} else if x.copiesBytes(t, i, 0) {
				h.refuse(call, "%s may copy %s with its struct", callee.SourceName(), h.text())
			}
		}
	}
}

// copiesBytes reports whether a function copies what parameter i points to without
// knowing what it is.
func (x *Index) copiesBytes(fn ir.FuncID, i, depth int) bool {
	f := &x.p.Funcs[fn]
	if f.IsDecl() || i >= int(f.NParams) || depth > 4 {
		return false
	}
	v := value{fn, ir.ValueID(i + 1)}
	if x.pointee(v) != 0 {
		return false
	}
	for _, u := range x.usesOf(v) {
		switch op := f.Values[u].Op; {
		case op == ir.OpMemcpy:
			return true
		case op.IsCall():
			for k, a := range f.ArgsOf(u)[1:] {
				if a != v.id {
					continue
				}
				targets, _ := x.targets(value{fn, u})
				for _, t := range targets {
					if x.copiesBytes(t, k, depth+1) {
						return true
					}
				}
			}
		}
	}
	return false
}
