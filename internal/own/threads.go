// This file finds code that runs at other times than the calls of the program say.

package own

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// elsewhen returns the functions that the library calls later, or in other threads; all
// is true if there are some that are not known.
func (x *Index) elsewhen() (funcs []ir.FuncID, all bool) {
	if x.later == nil {
		x.later = []ir.FuncID{}
		for i := range x.calls.Calls {
			c := &x.calls.Calls[i]
			if c.Callee == 0 || !x.p.Funcs[c.Callee].IsDecl() {
				continue
			}
			m := x.models.Lookup(x.p.Funcs[c.Callee].Name)
			if m == nil {
				continue
			}
			for _, k := range m.Calls() {
				if !k.Later {
					continue
				}
				known := false
				for _, p := range c.Passed {
					if p.Arg == k.Func {
						known = known || len(p.Targets) > 0
						x.later = append(x.later, p.Targets...)
					}
				}
				x.laterAny = x.laterAny || !known && !x.isNumber(value{c.Caller, c.Site}, k.Func)
			}
		}
	}
	return x.later, x.laterAny
}

// isNumber reports whether an argument is a constant and no function, such as SIG_IGN.
func (x *Index) isNumber(call value, i int) bool {
	f := &x.p.Funcs[call.fn]
	args := f.ArgsOf(call.id)[1:]
	for i < len(args) && f.Values[args[i]].Op == ir.OpIntToPtr {
		args = slices.Clone(args)
		args[i] = f.ArgsOf(args[i])[0]
	}
	return i < len(args) && (f.Values[args[i]].Op == ir.OpConstInt || f.Values[args[i]].Op == ir.OpConstNull)
}

// raced reports whether code that runs at any time reads the slot, or leads to one of some
// functions.
func (h *holding) raced(leads map[ir.FuncID]bool) bool {
	x := h.x
	readers := h.readers()
	funcs, all := x.elsewhen()
	if all {
		for _, set := range []map[ir.FuncID]bool{readers, leads} {
			for f := range set {
				if x.takenAddress(f) {
					return true
				}
			}
		}
	}
	return slices.ContainsFunc(funcs, func(f ir.FuncID) bool { return readers[f] || leads[f] })
}
