// This file says what has become of the object when the function ends.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// leave is the end of the function by the instruction ret, at the return
// statement that instruction at stands for.
func (w *walker) leave(s *state, ret, at ir.ValueID) {
	if w.prey != nil {
		return
	}
	if s.loss != nil {
		w.report(s, s.loss)
	}
	if s.before || s.loss != nil {
		return
	}
	var val ir.ValueID
	r := everything
	if args := w.fn.f.ArgsOf(ret); len(args) > 0 {
		val = args[0]
		r = w.fn.notAnError(w.bound(s, w.fn.rep[val]), w.rangeOf(s, val, 0))
	}
	if w.atReturn != nil {
		w.atReturn(s, val)
		return
	}
	w.dropParts(s, func(v ir.ValueID) bool { return v == val })
	holds := val != 0 && s.holdsValue(val)
	places := w.outlives(s, val)
	elsewhere := len(places) > 0
	var to place
	if elsewhere {
		to = places[0]
	}
	w.recordReturn(s, at, holds, elsewhere)
	if w.life != nil && w.life.leave(s, at, holds, places) {
		return
	}
	switch {
	case w.given:
		w.ends = merge(w.ends, w.endOf(s, at, r, holds, to, elsewhere))
	case s.end != 0:
		w.shared = w.shared || holds
	case elsewhere:
		w.addOut(out{to: to, also: places[1:], ret: r, guards: w.guards(s), both: holds, calls: w.link(), made: w.made(), family: w.family(), number: w.number})
		w.shared = w.shared || holds
	case holds:
		one := outcome{guards: w.guards(s)}
		if w.returned {
			one.join(&outcome{guards: w.newIf})
		}
		w.returned, w.newIf = true, one.guards
	case w.isHeldElsewhere(s):
		// It goes with what holds it, and that is followed on its own.
	default:
		w.frameEnd(s, at)
	}
}

// outlives returns the places that still hold the object when the function returns val.
func (w *walker) outlives(s *state, val ir.ValueID) []place {
	var out []place
	for _, c := range s.cells {
		if c == w.home {
			continue
		}
		if p, ok := w.placeOf(s, c, val); ok {
			out = append(out, p)
		} else if up, ok := s.linkOf(c.base); ok && up != w.in {
			if p, ok := w.placeOf(s, up, val); ok {
				out = append(out, p.inner(c.off))
			}
		}
	}
	return out
}

// placeOf returns the place that a cell is for the caller, if val is returned.
func (w *walker) placeOf(s *state, c cell, val ir.ValueID) (place, bool) {
	switch x := w.fn.value(c.base); {
	case x.Op == ir.OpParam:
		return place{param: int(x.Aux), off: c.off}, true
	case x.Op == ir.OpGlobalAddr:
		return globalPlace(ir.GlobalID(x.Aux), c.off), true
	case val != 0 && c.base == val && w.fn.isStruct(val):
		return place{param: theResult, off: c.off}, true
	case val != 0:
		obj, off, ok := w.pointee(s, w.bound(s, w.fn.rep[val]))
		if ok && obj == c.base && (isContent(obj) || x.Op.IsCall()) {
			return place{param: theResult, off: c.off - off}, true
		}
	}
	return place{}, false
}

// endOf says what became of a given object.
func (w *walker) endOf(s *state, at ir.ValueID, r interval, holds bool, to place, elsewhere bool) outcome {
	o := outcome{ret: r, effect: borrows, guards: w.guards(s), where: s.where, by: s.by, asked: s.asked}
	switch {
	case s.end != 0:
		o.effect, o.via, o.sure, o.family = s.end, s.via, s.end == consumes && s.sure, s.family
		o.counted = s.end == consumes && s.counted
	case elsewhere:
		o.effect, o.to = stores, to
	case holds:
		o.effect, o.ret = returns, nonzero
	case w.left(s):
		o.effect = drops
		if o.where == nil { // a variable has it until now
			o.where = w.here(at, abandoned, w.holderName(s), "returns without releasing it")
			if _, static := globalOf(w.home.base); static && w.doubtful(s) {
				o.effect = keeps
			}
		}
	}
	o.moves = (o.effect == returns || o.effect == stores) && w.left(s)
	if s.refs > 0 && (o.effect == borrows || o.effect == returns) {
		o.refs = s.refs
		if o.effect == borrows {
			o.where = w.here(at, abandoned, w.holderName(s), "returns without giving up its reference")
		}
	}
	return o
}

// left reports whether the object is no longer in the place it was given in.
func (w *walker) left(s *state) bool { return w.home != cell{} && !slices.Contains(s.cells, w.home) }

// guards returns what is known of the parameters, those with the object aside.
func (w *walker) guards(s *state) []guard {
	var out []guard
	for i := range w.fn.f.NParams {
		v := ir.ValueID(i + 1)
		if r, ok := s.env.fact(v); ok && r != everything && v != w.home.base && v != w.param {
			out = append(out, guard{int(i), r})
		}
	}
	return out
}

// made returns where the object was allocated.
func (w *walker) made() made {
	if w.out != nil && w.out.made.by != "" {
		return w.out.made
	}
	sum, _ := w.fn.callee(w.site)
	return made{w.fn.position(w.site), sum.name, w.object(sum)}
}

// object says what the object of a call is, when it is not memory.
func (w *walker) object(sum *summary) string {
	if w.out != nil {
		return w.out.made.object
	}
	return sum.object
}

// addOut notes where a new object is at a return.
func (w *walker) addOut(o out) { w.outs = addOut(w.outs, o) }

// frameEnd reports an object that the function still has when it ends.
func (w *walker) frameEnd(s *state, v ir.ValueID) {
	if w.fn.f.Name == "main" {
		w.atExit(s, v, nil)
		return
	}
	s.held(w.holderName(s))
	s.lose(abandoned, v, "returns without releasing it")
	w.report(s, s.loss)
}
