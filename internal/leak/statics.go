// This file makes cells of global variables, so that what they hold is followed
// from function to function.

package leak

import (
	"github.com/plumb-project/plumb/internal/ir"
)

// globalBit marks the base of a cell as a global, which need not be mentioned in
// the function that is looked at.
const globalBit ir.ValueID = 1 << 31

// ofGlobal returns the base of the cells of g.
func ofGlobal(g ir.GlobalID) ir.ValueID { return globalBit | ir.ValueID(g) }

// globalOf returns the global whose cells have this base.
func globalOf(base ir.ValueID) (g ir.GlobalID, ok bool) {
	return ir.GlobalID(base &^ globalBit), base&globalBit != 0
}

// root returns the base of the cells that are reached from v: v itself, unless it
// is the address of a global.
func (fn *function) root(v ir.ValueID) ir.ValueID {
	if v&globalBit == 0 && fn.f.Values[v].Op == ir.OpGlobalAddr {
		return ofGlobal(ir.GlobalID(fn.f.Values[v].Aux))
	}
	return v
}

// value returns what the base of a cell is.
func (fn *function) value(base ir.ValueID) ir.Value {
	if g, ok := globalOf(base); ok {
		return ir.Value{Op: ir.OpGlobalAddr, Aux: uint32(g)}
	}
	if isContent(base) {
		return ir.Value{Op: ir.OpLoad}
	}
	return fn.f.Values[base]
}

// owners finds the globals whose pointers are followed, by GlobalID: those that
// functions store pointers to, at offsets that do not vary, and whose address is
// not to be found in memory.
func owners(p *ir.Program) []bool {
	stored, open := make([]bool, len(p.Globals)), make([]bool, len(p.Globals))
	for i := range p.Globals {
		for _, c := range p.Globals[i].Init {
			open[c.Global] = true
		}
	}
	for i := range p.Funcs {
		f := &p.Funcs[i]
		for v := range f.Values {
			noteOwners(f, ir.ValueID(v), stored, open)
		}
	}
	out := make([]bool, len(p.Globals))
	for i := 1; i < len(out); i++ {
		g := &p.Globals[i]
		out[i] = stored[i] && !open[i] && !g.Decl && !g.Const
	}
	return out
}

// noteOwners notes what instruction v does with the addresses of globals.
func noteOwners(f *ir.Func, v ir.ValueID, stored, open []bool) {
	x := &f.Values[v]
	for k, a := range f.ArgsOf(v) {
		fixed := true
		for f.Values[a].Op == ir.OpGep {
			fixed = fixed && f.Geps[f.Values[a].Aux].NStride == 0
			a = f.ArgsOf(a)[0]
		}
		if f.Values[a].Op != ir.OpGlobalAddr {
			continue
		}
		g := f.Values[a].Aux
		switch {
		case x.Op == ir.OpGep:
		case x.Op == ir.OpStore && k == 1:
			val := &f.Values[f.ArgsOf(v)[0]]
			stored[g] = stored[g] || val.Type.Kind() == ir.Ptr && !val.Op.IsConst()
			open[g] = open[g] || !fixed
		case x.Op == ir.OpLoad, x.Op == ir.OpICmp, x.Op == ir.OpMemset, x.Op == ir.OpSet:
			open[g] = open[g] || !fixed
		case x.Op.IsCall() && k > 0:
			stored[g] = true // perhaps
			open[g] = open[g] || !fixed
		default:
			open[g] = true
		}
	}
}

// doubtful reports whether a branch on the path depends on a global. Programs
// keep in globals whether other globals are set: what one call stores and the
// next overwrites may never be there when it does.
func (w *walker) doubtful(s *state) bool {
	for t := s.trail; t != nil; t = t.prev {
		if t.cond != 0 && w.readsGlobal(t.cond, 0) {
			return true
		}
	}
	return false
}

// readsGlobal reports whether v follows from what is in a global, or from what a
// function without parameters says.
func (w *walker) readsGlobal(v ir.ValueID, depth int) bool {
	f := w.fn.f
	x := &f.Values[v]
	switch {
	case x.Op == ir.OpLoad:
		base := w.fn.baseOf(f.ArgsOf(v)[0])
		return f.Values[base].Op == ir.OpGlobalAddr || f.Values[base].Op == ir.OpLoad && w.readsGlobal(base, depth+1)
	case x.Op.IsCall():
		return x.NArgs == 1
	case depth > 6 || !isPure(x.Op):
		return false
	}
	for _, a := range f.ArgsOf(v) {
		if w.readsGlobal(a, depth+1) {
			return true
		}
	}
	return false
}
