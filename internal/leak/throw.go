// This file follows exceptions out of functions.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
)

// mayThrow reports whether an exception may leave the function: one that it
// throws itself, or that a function it calls lets out, and that it does not catch.
// Only throw statements of the program count: what the library throws when memory
// is short is no path of interest.
func (fn *function) mayThrow() bool {
	f := fn.f
	if f.Flags&ir.NoUnwind != 0 {
		return false
	}
	for b := ir.BlockID(1); int(b) < len(f.Blocks); b++ {
		for v := f.Blocks[b].First; v < f.Blocks[b].End; v++ {
			if f.Values[v].Op.IsCall() && fn.letsOut(v) {
				return true
			}
		}
	}
	return false
}

// letsOut reports whether an exception from call v leaves the function.
func (fn *function) letsOut(v ir.ValueID) bool {
	sum, flags := fn.callee(v)
	if sum == nil || !sum.throws || flags&ir.NoUnwind != 0 {
		return false
	}
	return fn.f.Values[v].Op != ir.OpInvoke || fn.onlyCleansUp(v)
}

// onlyCleansUp reports whether the landing pad of an invoke catches nothing.
func (fn *function) onlyCleansUp(v ir.ValueID) bool {
	f := fn.f
	to := f.SuccsOf(f.BlockOf(v))[1]
	for i := f.Blocks[to].First; i < f.Blocks[to].End; i++ {
		if f.Values[i].Op == ir.OpLandingPad {
			return f.Values[i].NArgs == 0
		}
	}
	return false
}

// thrownOver reports an object that the function still has when an exception
// from call v leaves it. The ways the call can end must all leave the object with
// the caller.
func (w *walker) thrownOver(s *state, v ir.ValueID, roles [][]act, sum *summary) {
	f := w.fn.f
	if sum == nil || !sum.throws || s.before || s.end != 0 || w.given || f.Name == "main" || f.Values[v].Op != ir.OpCall {
		return
	}
	taken := slices.ContainsFunc(roles, func(r []act) bool {
		return slices.ContainsFunc(r, func(a act) bool { return a.effect != borrows })
	})
	if taken || w.isHeldElsewhere(s) {
		return
	}
	n := s.clone()
	n.last = w.holderName(n)
	n.lose(report.LeakForgotten, v, "an exception from "+sum.name+" leaves the function without releasing it")
	w.report(n.loss)
}

// isHeldElsewhere reports whether something that outlives the frame, or is
// followed on its own, holds the object.
func (w *walker) isHeldElsewhere(s *state) bool {
	return slices.ContainsFunc(s.cells, func(c cell) bool { return w.fn.value(c.base).Op != ir.OpAlloca })
}
