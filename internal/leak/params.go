// This file finds out what a function does with what it is given.

package leak

import (
	"maps"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
)

// maxPlaces bounds the places looked at for one function, maxStatics those in globals,
// maxDeep those in what is held there.
const maxPlaces, maxStatics, maxDeep = 12, 16, 12

// followParams follows what each parameter points to, and what is held there.
func (fn *function) followParams(sum *summary) {
	sum.spread = make([]bool, fn.f.NParams)
	for i := range fn.f.NParams {
		v := ir.ValueID(i + 1)
		sum.spread[i] = fn.isIndexed(v) || fn.isRenamed(v, 0)
		number := isHandle(fn.f.Values[v].Type, true)
		if fn.f.Values[v].Type.Kind() != ir.Ptr && (!number || !fn.numbers) {
			continue
		}
		if number && !fn.passesOn(v, 0) {
			sum.params[i] = harmless
			continue
		}
		sum.params[i] = fn.settle(v, fn.given(v, cell{}, cell{}, number))
		fn.doubtCompared(sum.params[i], v)
		forgetsRefs(sum.params[i])
	}
	fn.followPlaces(sum)
	sum.doubtDrops()
}

// followPlaces follows what is held in the places the function uses. If these are
// too many, it is not said what is not touched.
func (fn *function) followPlaces(sum *summary) {
	var statics, places, deep []place
	used, open, numbers := fn.placesUsed()
	for _, p := range used {
		switch {
		case p.deep != 0:
			deep = append(deep, p)
		case p.param < theResult:
			statics = append(statics, p)
		default:
			places = append(places, p)
		}
	}
	sum.globals, sum.deep = len(statics) <= maxStatics, len(deep) <= maxDeep
	sum.inferred = len(places) <= maxPlaces
	sum.places, sum.blurred = map[place][]outcome{}, fn.blurred()
	if sum.globals {
		fn.givenIn(sum, statics, open, numbers)
	}
	if sum.inferred {
		fn.givenIn(sum, places, open, numbers)
	}
	if sum.deep && sum.inferred && sum.globals {
		fn.givenIn(sum, deep, open, numbers)
	}
	fn.nextInList(sum)
	sum.forgetBorrowed()
}

// forgetBorrowed takes out the places where nothing happens: that is what is said
// of places that are not listed, and callers need not look at them. What is held by
// something that is released, though, would be lost with it.
func (s *summary) forgetBorrowed() {
	for _, deep := range []bool{false, true} {
		maps.DeleteFunc(s.places, func(p place, list []outcome) bool {
			if (p.deep != 0) != deep || p.param >= 0 && (!s.inferred || s.spread[p.param]) || p.param < theResult && !s.globals {
				return false
			}
			if outer, _ := p.outer(); deep && s.places[outer] != nil {
				return false
			}
			return !slices.ContainsFunc(list, func(o outcome) bool { return o.effect != borrows })
		})
	}
}

// givenIn follows what is held in these places.
func (fn *function) givenIn(sum *summary, places []place, open, numbers map[place]bool) {
	for _, p := range places {
		if !open[p] {
			sum.places[p] = unknown // by all it is passed to
			continue
		}
		base := ir.ValueID(p.param + 1)
		if g, ok := p.global(); ok {
			base = ofGlobal(g)
		}
		outer, off := p.outer()
		home, in := cell{base, p.off}, cell{}
		if p.deep != 0 {
			in = cell{base, outer.off}
			home = cell{contentBit, off}
		}
		sum.places[p] = fn.settle(base, fn.given(0, home, in, numbers[p]))
		fn.doubtHeld(home, sum.places[p])
	}
}

// nextInList finds parameters that the function goes through as lists: what it
// does with the first element, it does with all.
func (fn *function) nextInList(sum *summary) {
	for v := fn.f.Blocks[1].First; int(v) < len(fn.f.Values); v++ {
		first, off, ok := fn.cursor(v)
		if !ok || fn.f.Values[first].Op != ir.OpParam {
			continue
		}
		param := int(fn.f.Values[first].Aux)
		list := sum.places[place{param: param, off: off}]
		for i := range list {
			if list[i].effect == consumes {
				list[i].by = releaser{fn.id, param}
			}
		}
	}
}

// doubtDrops takes back that objects are dropped if the function releases any:
// what it releases may be what was in the place, under another name, as when an
// element is unlinked from the list that it is given with.
func (s *summary) doubtDrops() {
	releases := func(list []outcome) bool {
		return slices.ContainsFunc(list, func(o outcome) bool { return o.effect == consumes })
	}
	found := slices.ContainsFunc(s.params, releases)
	for p, list := range s.places {
		found = found || p.deep == 0 && releases(list) // what is held there is another matter
	}
	if !found {
		return
	}
	for _, list := range s.places {
		for i := range list {
			if list[i].effect == drops {
				list[i].effect = keeps
			}
		}
	}
}

// settle resolves outcomes that a caller cannot tell apart. If the object is kept
// in one of them, the caller must take it for kept. If it is released in one and
// the choice depends on what is in the object itself, or in its owner, it is a
// reference count, or a tag that says what is held: the caller gave up its
// reference either way.
func (fn *function) settle(v ir.ValueID, list []outcome) []outcome {
	if len(list) < 2 {
		return list
	}
	own := fn.testsOwn(v)
	if own {
		list = fn.emptyWhenDropped(list)
	}
	if own && fn.policy.CountedKeeps {
		list = slices.DeleteFunc(list, func(o outcome) bool {
			return o.effect == consumes && slices.ContainsFunc(list, func(p outcome) bool { return p.effect == borrows && !p.excludes(&o) })
		})
	}
	wins := func(o outcome) bool { return o.effect == keeps || o.effect == stores || own && o.effect == consumes }
	strong := slices.DeleteFunc(slices.Clone(list), func(o outcome) bool { return !wins(o) })
	outdone := func(o outcome) bool {
		return !wins(o) && slices.ContainsFunc(strong, func(s outcome) bool { return !s.excludes(&o) })
	}
	for i := range list { // of those that win, none is sure any more
		list[i].sure = list[i].sure && !slices.ContainsFunc(list, func(o outcome) bool { return outdone(o) && !o.excludes(&list[i]) })
	}
	return slices.DeleteFunc(list, outdone)
}

// emptyWhenDropped leaves out that a place is overwritten if on another path it is
// not, and what is in the owner decides: a list's head is set when the list is
// empty.
func (fn *function) emptyWhenDropped(list []outcome) []outcome {
	return slices.DeleteFunc(list, func(o outcome) bool {
		return o.effect == drops && !o.asked && slices.ContainsFunc(list, func(p outcome) bool { return p.effect == borrows && !p.excludes(&o) })
	})
}

// testsOwn reports whether a branch depends on memory that is reached through v.
func (fn *function) testsOwn(v ir.ValueID) bool {
	for d, blocks := range fn.deciders {
		if d := ir.ValueID(d); len(blocks) > 0 && fn.f.Values[d].Op == ir.OpLoad && fn.reachedFrom(d, v) {
			return true
		}
	}
	return false
}

// reachedFrom reports whether a load reads memory reached through v.
func (fn *function) reachedFrom(load, v ir.ValueID) bool {
	f := fn.f
	for range 16 {
		switch f.Values[load].Op {
		case ir.OpLoad, ir.OpGep:
			load = f.ArgsOf(load)[0]
		default:
			return fn.root(load) == v
		}
	}
	return false
}

// given returns what becomes of an object that the caller has: one that a
// parameter points to, or one that the cell home holds.
func (fn *function) given(param ir.ValueID, home, in cell, number bool) []outcome {
	if param != 0 && !number && fn.onlyRead(param, 0) && !fn.countsRefs(param) {
		return harmless
	}
	w := &walker{fn: fn, given: true, number: number, param: param, home: home, in: in, limit: fn.states / 8}
	s := &state{block: 1, at: fn.f.Blocks[1].First}
	if param != 0 {
		s.vals = []ir.ValueID{param}
	} else {
		s.cells = []cell{home}
		top := home.base
		if isContent(top) {
			s.setLink(w.contentOf(in), in)
			top = in.base
		}
		if top < contentBit {
			s.env.setFact(top, nonzero)
		}
	}
	w.from(s)
	w.counted()
	if w.over {
		fn.giveUp(report.TooManyStates, param)
		return unknown
	}
	if len(w.ends) == 0 {
		return unknown // it does not return, or on paths that were not understood
	}
	return w.ends
}
