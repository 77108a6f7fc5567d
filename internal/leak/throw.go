// This file follows exceptions out of functions.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// mayThrow reports whether an exception may leave the function: one that it
// throws itself, or that a function it calls lets out, and that it does not catch.
// Only throw statements of the program count: what the library throws when memory
// is short is no path of interest.
func (fn *function) mayThrow(noReturn bool) bool {
	f := fn.f
	if f.Flags&ir.NoUnwind != 0 {
		return noReturn && fn.jumpsOut()
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

// jumpsOut reports whether the function makes a long jump, itself or by a
// function that does nothing else. Those that only may jump are not followed:
// in programs that do so, nearly all may.
func (fn *function) jumpsOut() bool {
	for b := ir.BlockID(1); int(b) < len(fn.f.Blocks); b++ {
		if fn.jumpsFrom(b) {
			return true
		}
	}
	return false
}

// jumpsFrom reports whether b has a call that leaves the function and does not
// end the process.
func (fn *function) jumpsFrom(b ir.BlockID) bool {
	for v := fn.f.Blocks[b].First; v < fn.f.Blocks[b].End; v++ {
		if sum, _ := fn.callee(v); sum != nil && sum.noReturn && sum.throws {
			return true
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
	text := "an exception from " + sum.name + " leaves the function without releasing it"
	if w.fn.p.Units[f.Unit].Lang != ir.LangCXX {
		text = sum.name + " jumps out of the function without releasing it"
	}
	n := s.clone()
	n.held(w.holderName(n))
	n.lose(abandoned, v, text)
	w.report(n, n.loss)
}

// unwinds follows a call that leaves the function by an exception or a long jump.
// It reports whether the function catches that.
func (w *walker) unwinds(s *state, v ir.ValueID, sum *summary) bool {
	if w.fn.f.Values[v].Op == ir.OpInvoke {
		return !w.fn.onlyCleansUp(v)
	}
	w.thrownOver(s, v, w.roles(s, v, sum), sum)
	return false
}

// isHeldElsewhere reports whether something that outlives the frame, or is
// followed on its own, holds the object.
func (w *walker) isHeldElsewhere(s *state) bool {
	return slices.ContainsFunc(s.cells, func(c cell) bool { return w.fn.value(c.base).Op != ir.OpAlloca })
}
