// This file holds what is known of a function from outside: what it does with
// objects it is given, and which objects it makes.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/source"
)

// A summary says what a call can do. For each object there is a list of
// outcomes: what happens to it, together with what the call then returns.
type summary struct {
	name     string
	params   [][]outcome         // by parameter: what happens to what it points to; nil is not known
	rest     []outcome           // the same for variadic arguments
	places   map[place][]outcome // the same for what a pointer in a parameter's memory points to
	inferred bool                // from a body: places not listed are not touched
	modelled bool                // from a model: what it says nothing of stays inside
	spread   []bool              // by parameter: but for these, whose places go by other names
	fresh    bool                // the result is a new object, when it is not null
	mayFail  bool                // and it can be null
	zeroed   bool                // and it is all zeros
	newIf    []guard             // what the arguments are when it is new
	partly   bool                // instead of fresh: it is new when they are like that, and may be anything when not
	object   string              // what is new, when it is not memory
	family   family              // and what releases it
	number   bool                // and it is a number that stands for it
	ifNull   int                 // 1 + the parameter that must be null for it to be new; 0 for none
	outs     []out               // new objects elsewhere
	fills    map[place]bool      // places of parameters in which nothing else is put but null
	calls    *link               // how the result comes from an allocation, when that is not this call
	globals  bool                // from a body: globals not listed in places are not touched
	deep     bool                // from a body: nor are places two levels down
	blurred  map[place]bool      // but what these hold is reached by other names
	ret      interval            // all that it can return
	noReturn bool
	backIf   []guard // what the arguments are when it does return
	throws   bool    // an exception may leave it
	looks    []bool  // by parameter: what it points to is read or written whenever the function returns
	quiet    bool    // it writes no pointers but to its own variables
	getter   bool    // it writes nothing but to its own variables, and asks nobody else
}

// A place is memory that a caller can name: off bytes into what a parameter, or
// the result, points to, or into a global; or some bytes into what is held there.
type place struct {
	param int // -1 is the result, -2 and below are globals
	off   int64
	deep  int64 // 1 + twice the offset into what is held; 0 for the place itself
}

// inner returns the place off bytes into what p, a place that is not deep, holds.
func (p place) inner(off int64) place { return place{p.param, p.off, off<<1 | 1} }

// outer returns the place that holds what the deep place p is in, and the offset there.
func (p place) outer() (place, int64) { return place{param: p.param, off: p.off}, p.deep >> 1 }

const theResult = -1

// inside is added to the offset of a place for what a library keeps there, in a
// field that is its own.
const inside = 1 << 40

// globalPlace returns a place in a global.
func globalPlace(g ir.GlobalID, off int64) place { return place{param: theResult - int(g), off: off} }

// global returns the global that p is in.
func (p place) global() (g ir.GlobalID, ok bool) {
	return ir.GlobalID(theResult - p.param), p.param < theResult
}

// An out is a new object that a function leaves in a place.
type out struct {
	to     place
	also   []place  // where else it may be
	ret    interval // what the function returns then
	guards []guard  // and what its arguments are
	both   bool     // the object is the result as well
	calls  *link    // how it comes from an allocation, when that is not this call
	made   made     // by what
	family family   // what releases it
	number bool     // a number stands for it
}

// A made says which allocation an object comes from, however deep in callees.
type made struct {
	pos    source.Position
	by     string // the allocator
	object string // what it is, when it is not memory
}

// param returns the outcomes for what argument i points to.
func (s *summary) param(i int) []outcome {
	switch {
	case i < len(s.params) && s.params[i] != nil:
		return s.params[i]
	case i >= len(s.params) && s.rest != nil:
		return s.rest
	}
	return unknown
}

// place returns the outcomes for what is held off bytes into argument i.
func (s *summary) place(i int, off int64) []outcome {
	if o := s.places[place{param: i, off: off}]; o != nil {
		return o
	}
	if s.mixes(i, off) {
		return unknown
	}
	if s.inferred && i < len(s.spread) && !s.spread[i] || s.modelled && off >= inside {
		return harmless
	}
	return unknown
}

// mixes reports whether something is done with places of argument i of which one
// stands for elements of an array and the other, off bytes into it, does not.
func (s *summary) mixes(i int, off int64) bool {
	for p := range s.places {
		if p.param == i && p.deep == 0 && (p.off >= element/2) != (off >= element/2) && (p.off-off)%8 == 0 {
			return true
		}
	}
	return false
}

// nested returns the outcomes for what is held deep bytes into what is held off
// bytes into argument i. What is not said of that follows from what becomes of its
// owner.
func (fn *function) nested(s *summary, i int, off, deep int64) []outcome {
	p := place{param: i, off: off}
	if o := s.places[p.inner(deep)]; o != nil {
		return o
	}
	owner := s.places[p]
	switch {
	case !s.inferred || !s.deep || i >= 0 && (i >= len(s.spread) || s.spread[i]) || s.blurred[p]:
		return unknown
	case owner == nil:
		return harmless
	}
	var list []outcome
	for _, o := range owner {
		switch {
		case o.effect == borrows:
			list = merge(list, o)
		case o.effect == consumes && o.by == releaser{}:
			o.effect, o.dies = drops, true
			list = merge(list, o)
		case o.effect == consumes && o.by != several && fn.sums[o.by.fn] != nil:
			for _, x := range contentOutcomes(fn.sums[o.by.fn], o.by.param, deep) {
				x.ret, x.guards = o.ret, o.guards
				if x.effect == stores || x.effect == returns {
					x.effect = keeps
				}
				list = merge(list, x)
			}
		default:
			list = merge(list, outcome{ret: o.ret, effect: keeps, guards: o.guards})
		}
	}
	return list
}

// global returns the outcomes for what a place in a global holds.
func (s *summary) global(p place) []outcome {
	if o := s.places[p]; o != nil {
		return o
	}
	if s.globals {
		return harmless
	}
	return unknown
}

// eitherOf is the summary of a call that leads to one of several functions.
func eitherOf(sums []*summary) *summary {
	first := sums[0]
	all := &summary{name: first.name, object: first.object, family: first.family, calls: first.calls, ret: first.ret, inferred: true, fresh: true, globals: true, places: map[place][]outcome{}}
	params := 0
	for i, s := range sums {
		all.inferred = all.inferred && s.inferred
		all.fresh = all.fresh && s.fresh && s.ifNull == 0
		one := outcome{guards: first.newIf}
		if i > 0 {
			one = outcome{guards: all.newIf}
			one.join(&outcome{guards: s.newIf})
		}
		all.newIf = one.guards
		all.mayFail = all.mayFail || s.mayFail
		all.family = all.family.with(s.family)
		all.ret = all.ret.hull(s.ret)
		all.throws = all.throws || s.throws
		all.globals = all.globals && s.globals
		params = max(params, len(s.params))
	}
	all.params, all.spread = make([][]outcome, params), make([]bool, params)
	for _, s := range sums {
		for i := range params {
			for _, o := range s.param(i) {
				all.params[i] = merge(all.params[i], o)
			}
			all.spread[i] = all.spread[i] || i >= len(s.spread) || s.spread[i]
		}
		for p := range s.places {
			if p.deep == 0 {
				all.places[p] = nil
			}
		}
	}
	for p := range all.places {
		for _, s := range sums {
			list := s.global(p)
			if p.param >= 0 {
				list = s.place(p.param, p.off)
			}
			for _, o := range list {
				all.places[p] = merge(all.places[p], o)
			}
		}
	}
	for _, o := range first.outs { // left there whichever it is
		if !slices.ContainsFunc(sums, func(s *summary) bool {
			return !slices.ContainsFunc(s.outs, func(x out) bool { return x.to == o.to })
		}) {
			all.outs = append(all.outs, o)
		}
	}
	return all
}
