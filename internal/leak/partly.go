// This file is about functions that return a new object for some arguments, and for
// others something else: a static buffer, memory of the caller.

package leak

import "github.com/plumb-project/plumb/internal/ir"

// alwaysNew reports whether all that the function returns when its arguments are
// like this is null, or in good. Only then a caller that knows its arguments knows
// what it has.
func (fn *function) alwaysNew(guards []guard, good map[leaf][]guard) bool {
	always := true
	w := &walker{fn: fn, given: true, limit: fn.states / 2}
	w.atReturn = func(s *state, val ir.ValueID) {
		for _, l := range fn.leaves([]leaf{{v: w.bound(s, fn.rep[val])}}) {
			_, isNew := good[l]
			always = always && (fn.isNothing(l) || isNew && w.makesFor(s, l))
		}
	}
	s := &state{block: 1, at: fn.f.Blocks[1].First, end: borrows}
	for _, g := range guards {
		s.env.setFact(ir.ValueID(g.param+1), g.r)
	}
	w.from(s)
	return always && !w.over
}

// makesFor reports whether the arguments of a call that makes something new only for
// some are of these.
func (w *walker) makesFor(s *state, l leaf) bool {
	callee, _ := w.fn.callee(l.v)
	if l.out != nil || !callee.partly {
		return true
	}
	args := w.fn.f.ArgsOf(l.v)[1:]
	for _, g := range callee.newIf {
		if g.param >= len(args) {
			return false
		}
		if r := w.rangeOf(s, args[g.param], 0); r.meet(g.r) != r {
			return false
		}
	}
	return true
}

// isGiven reports whether the caller passes null to a call that makes something new
// only then, for all that is known. One that does not know what it passes has
// something there: testdata/partly_null.c.
func (w *walker) isGiven(s *state, callee *summary) bool {
	f := w.fn.f
	args := f.ArgsOf(w.site)[1:]
	for _, g := range callee.newIf {
		if g.r.isZero() && g.param < len(args) && f.Values[args[g.param]].Type.Kind() == ir.Ptr && !w.rangeOf(s, args[g.param], 0).isZero() {
			return false
		}
	}
	return true
}
