// This file finds memory that a global holds until the process ends. It looks at
// the program as a whole and not at paths: a global counts as emptied if any
// function does more with a pointer in it than look at what it points to.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
)

// inGlobals is what one function does with globals that hold memory.
type inGlobals struct {
	emptied []ir.GlobalID // it may release what these hold
	found   []report.Finding
	in      []ir.GlobalID // by finding: what holds the object
}

// reachable returns the objects in globals that nothing empties.
func (e *engine) reachable() []report.Finding {
	emptied := make([]bool, len(e.p.Globals))
	for i := range e.results {
		for _, g := range e.results[i].kept.emptied {
			emptied[g] = true
		}
	}
	for i := range e.p.Globals { // another global may point to it
		for _, c := range e.p.Globals[i].Init {
			emptied[c.Global] = true
		}
	}
	var out []report.Finding
	for i := range e.results {
		for k, f := range e.results[i].kept.found {
			if !emptied[e.results[i].kept.in[k]] {
				out = append(out, f)
			}
		}
	}
	return out
}

// globalOf returns the global that an address lies in, or 0.
func (fn *function) globalOf(addr ir.ValueID) ir.GlobalID {
	if x := &fn.f.Values[fn.baseOf(addr)]; x.Op == ir.OpGlobalAddr {
		return ir.GlobalID(x.Aux)
	}
	return 0
}

// findEmptied notes the globals from which the function may release something.
func (fn *function) findEmptied() {
	if !fn.policy.GlobalsLeak {
		return
	}
	f := fn.f
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		op := f.Values[v].Op
		for k, a := range f.ArgsOf(v) {
			g := fn.globalOf(a)
			switch {
			case g == 0 || op == ir.OpGep && k == 0 || op == ir.OpStore && k == 1:
			case op == ir.OpLoad && (f.Values[v].Type.Kind() != ir.Ptr || fn.onlyRead(v, 0)):
			default:
				fn.kept.emptied = append(fn.kept.emptied, g)
			}
		}
	}
}

// inGlobal notes that the object is stored in a global, and nothing else becomes of it
// in this function.
func (w *walker) inGlobal(s *state, val, addr ir.ValueID) {
	fn := w.fn
	g := fn.globalOf(addr)
	if !fn.policy.GlobalsLeak || g == 0 || w.given || s.before || s.end != 0 || !s.holdsValue(val) || !fn.onlyStored(val) {
		return
	}
	name := fn.p.Globals[g].SourceName()
	n := s.clone()
	n.last = name
	at := addr
	for _, u := range fn.uses.Succs(uint32(val)) {
		if u := ir.ValueID(u); fn.f.Values[u].Op == ir.OpStore && fn.f.ArgsOf(u)[1] == addr {
			at = u
		}
	}
	n.lose(outlived, at, "stored in "+name+", from which nothing releases it")
	f := w.finding(n.loss)
	same := func(o report.Finding) bool { return o.Alloc == f.Alloc && o.Loss == f.Loss }
	if !slices.ContainsFunc(fn.kept.found, same) {
		fn.kept.found = append(fn.kept.found, f)
		fn.kept.in = append(fn.kept.in, g)
	}
}

// onlyStored reports whether v is looked at and stored in globals, and no more.
func (fn *function) onlyStored(v ir.ValueID) bool {
	f := fn.f
	return !slices.ContainsFunc(fn.uses.Succs(uint32(v)), func(u uint32) bool {
		u0 := ir.ValueID(u)
		switch x := &f.Values[u]; x.Op {
		case ir.OpLoad, ir.OpICmp, ir.OpSet, ir.OpMemset:
			return false
		case ir.OpStore:
			return f.ArgsOf(u0)[0] == v && fn.globalOf(f.ArgsOf(u0)[1]) == 0
		case ir.OpGep:
			return !fn.onlyRead(u0, 0)
		case ir.OpCall:
			return !fn.onlyLent(v, u0)
		}
		return true
	})
}
