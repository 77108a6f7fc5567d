// This file spells what holds an object as the source would write it.

package leak

import (
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
)

// holdersOf lists what points to the object: variables first, then memory, then
// values that have no variable.
func (w *walker) holdersOf(s *state) []Holder {
	f := w.fn.f
	var out []Holder
	named := map[ir.ValueID]bool{}
	for _, v := range s.vars {
		h := Holder{Name: f.Vars[v].Name, Var: v, Inside: w.varInside(v)}
		for _, a := range s.vals {
			for _, u := range w.fn.uses.Succs(uint32(a)) {
				if x := &f.Values[u]; x.Op == ir.OpSet && x.Var == v || x.Op == ir.OpPhi && x.Var == v {
					named[a] = true
				}
			}
			named[a] = named[a] || f.Values[a].Var == v
		}
		out = append(out, h)
	}
	for _, c := range s.cells {
		out = append(out, w.cellHolder(s, c))
	}
	for _, v := range s.vals {
		if !named[v] && w.fn.f.Values[v].Op != ir.OpGep {
			out = append(out, Holder{Value: v, Inside: w.fn.pointsInside(v, 0)})
		}
	}
	return out
}

func (w *walker) cellHolder(s *state, c cell) Holder {
	h := Holder{Name: w.spell(s, c, 0), Base: c.base, Off: c.off, Many: c.isElement(), Inside: w.cellInside(c)}
	base := c.base
	for range 3 {
		up, ok := s.linkOf(base)
		if !ok {
			break
		}
		base = up.base
	}
	if g, ok := globalOf(base); ok {
		h.Global = g
	} else if x := w.fn.value(base); x.Op == ir.OpParam {
		h.Param = int(x.Aux) + 1
	}
	return h
}

// spell writes a cell as the source would: by the variable that points to what it is
// in, or by the cell that holds that.
func (w *walker) spell(s *state, c cell, depth int) string {
	if depth > 3 {
		return ""
	}
	at, linked := s.linkOf(c.base)
	if isContent(c.base) && !linked {
		at = w.contents[c.base&^contentBit]
		linked = at.off != older
	}
	if name := w.cellName(c); name != "" || !linked {
		if base, ok := strings.CutSuffix(name, "[]"); ok {
			if i := w.indexOf(c); i != "" {
				return base + "[" + i + "]"
			}
			return ""
		}
		switch {
		case w.isSpelled(c, name):
			return name
		case w.fn.value(c.base).Op.IsCall() && name != "":
			return w.fn.fieldOfNew(c, name)
		}
		return ""
	}
	outer := w.spell(s, at, depth+1)
	if outer == "" {
		return ""
	}
	f := w.fn.f
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		if x := &f.Values[v]; x.Op == ir.OpLoad && x.Type.Kind() == ir.Ptr {
			if l, ok := w.fn.spot(f.ArgsOf(v)[0]); ok && l == at {
				if name := w.fieldName(cell{v, c.off}, outer); name != outer {
					return name
				}
			}
		}
	}
	return ""
}

// fieldOfNew spells a cell of what a call makes with the field that the callee uses
// for it, when the variable called name points there.
func (fn *function) fieldOfNew(c cell, name string) string {
	callee := fn.f.Callee(c.base)
	if callee == 0 || fn.p.Funcs[callee].IsDecl() {
		return ""
	}
	f := &fn.p.Funcs[callee]
	makers := fn.madeBy(f)
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		x := &f.Values[v]
		if x.Op != ir.OpGep || !slices.Contains(makers, f.ArgsOf(v)[0]) {
			continue
		}
		g := &f.Geps[x.Aux]
		if g.Off != c.off || g.NStride > 0 || g.NStep == 0 {
			continue
		}
		sep := "->"
		for _, st := range f.Steps[g.Step : g.Step+g.NStep] {
			field := fn.p.Structs[st.Struct].Fields[st.Field].Name
			if field == "" {
				return ""
			}
			name += sep + field
			sep = "."
		}
		return name
	}
	return ""
}

// isSpelled reports whether name says which part of its base a cell is, and not the
// base alone.
func (w *walker) isSpelled(c cell, name string) bool {
	if c.off >= inside {
		return false
	}
	if x := w.fn.value(c.base); x.Op == ir.OpAlloca || x.Op == ir.OpGlobalAddr {
		return true
	}
	return strings.ContainsAny(name, "*>")
}

// indexOf spells the index with which the function stores in an element cell, if it
// is one variable in all places.
func (w *walker) indexOf(c cell) string {
	f := w.fn.f
	name := ""
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		if f.Values[v].Op != ir.OpStore {
			continue
		}
		addr := f.ArgsOf(v)[1]
		base, off, ok := w.fn.elementOf(addr)
		if !ok || w.fn.root(base) != c.base || off != c.off {
			continue
		}
		for f.Values[addr].Op == ir.OpGep && f.Values[addr].NArgs < 2 {
			addr = f.ArgsOf(addr)[0]
		}
		i := w.operand(f.ArgsOf(addr)[1])
		if i == "" || name != "" && i != name {
			return ""
		}
		name = i
	}
	return name
}

// varInside reports whether a variable may be set to a pointer behind the start of
// what it points to.
func (w *walker) varInside(v ir.VarID) bool {
	f := w.fn.f
	for i := f.Blocks[1].First; int(i) < len(f.Values); i++ {
		if x := &f.Values[i]; x.Op == ir.OpSet && x.Var == v && w.fn.pointsInside(f.ArgsOf(i)[0], 0) {
			return true
		}
	}
	return false
}

// cellInside is varInside for a cell.
func (w *walker) cellInside(c cell) bool {
	f := w.fn.f
	for i := f.Blocks[1].First; int(i) < len(f.Values); i++ {
		if f.Values[i].Op != ir.OpStore || f.Values[f.ArgsOf(i)[0]].Type.Kind() != ir.Ptr {
			continue
		}
		if at, ok := w.fn.spot(f.ArgsOf(i)[1]); ok && at == c && w.fn.pointsInside(f.ArgsOf(i)[0], 0) {
			return true
		}
	}
	return false
}

// pointsInside reports whether v may be a pointer that was moved along.
func (fn *function) pointsInside(v ir.ValueID, depth int) bool {
	f := fn.f
	x := &f.Values[v]
	args := f.ArgsOf(v)
	switch x.Op {
	case ir.OpGep:
		g := &f.Geps[x.Aux]
		return g.Off != 0 || g.NStride > 0 || fn.pointsInside(args[0], depth)
	case ir.OpBitcast, ir.OpFreeze:
		return fn.pointsInside(args[0], depth)
	case ir.OpSelect:
		args = args[1:]
	case ir.OpPhi:
		if depth > maxDepth || slices.Contains(fn.chain, v) {
			return false
		}
		fn.chain = append(fn.chain, v)
		defer func() { fn.chain = fn.chain[:len(fn.chain)-1] }()
	default:
		return false
	}
	return slices.ContainsFunc(args, func(a ir.ValueID) bool { return fn.pointsInside(a, depth+1) })
}
