// This file finds out what a function does with what it is given.

package leak

import (
	"cmp"
	"maps"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// maxPlaces bounds the places looked at for one function, maxStatics those in globals.
const maxPlaces, maxStatics = 12, 16

// followParams follows what each parameter points to, and what is held there.
func (fn *function) followParams(sum *summary) {
	sum.spread = make([]bool, fn.f.NParams)
	for i := range fn.f.NParams {
		v := ir.ValueID(i + 1)
		sum.spread[i] = fn.isIndexed(v) || fn.isRenamed(v, 0)
		if fn.f.Values[v].Type.Kind() != ir.Ptr {
			continue
		}
		sum.params[i] = fn.settle(v, fn.given(v, cell{}))
		fn.doubtCompared(sum.params[i], v)
	}
	places := fn.placesUsed()
	statics := 0
	for statics < len(places) && places[statics].param < theResult {
		statics++
	}
	if sum.globals = statics <= maxStatics; !sum.globals {
		places = places[statics:] // too many to say what is not touched
		statics = 0
	}
	if len(places)-statics > maxPlaces {
		sum.inferred = false
		places = places[:statics]
	}
	sum.places = map[place][]outcome{}
	for _, p := range places {
		base := ir.ValueID(p.param + 1)
		if g, ok := p.global(); ok {
			base = ofGlobal(g)
		}
		sum.places[p] = fn.settle(base, fn.given(0, cell{base, p.off}))
		fn.doubtHeld(cell{base, p.off}, sum.places[p])
	}
	sum.doubtDrops()
}

// doubtDrops takes back that objects are dropped if the function releases any:
// what it releases may be what was in the place, under another name, as when an
// element is unlinked from the list that it is given with.
func (s *summary) doubtDrops() {
	releases := func(list []outcome) bool {
		return slices.ContainsFunc(list, func(o outcome) bool { return o.effect == consumes })
	}
	found := slices.ContainsFunc(s.params, releases)
	for _, list := range s.places {
		found = found || releases(list)
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
		return o.effect == drops && slices.ContainsFunc(list, func(p outcome) bool { return p.effect == borrows && !p.excludes(&o) })
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
func (fn *function) given(param ir.ValueID, home cell) []outcome {
	if param != 0 && fn.onlyRead(param, 0) {
		return harmless
	}
	w := &walker{fn: fn, given: true, param: param, home: home, limit: fn.states / 8}
	s := &state{block: 1, at: fn.f.Blocks[1].First}
	if param != 0 {
		s.vals = []ir.ValueID{param}
	} else {
		s.cells = []cell{home}
		if _, static := globalOf(home.base); !static {
			s.env.setFact(home.base, nonzero)
		}
	}
	w.from(s)
	if w.over {
		return unknown
	}
	if len(w.ends) == 0 {
		return unknown // it does not return, or on paths that were not understood
	}
	return w.ends
}

// onlyRead reports whether v and pointers into the same object are used to
// look at it only.
func (fn *function) onlyRead(v ir.ValueID, depth int) bool {
	f := fn.f
	for _, u := range fn.uses.Succs(uint32(v)) {
		u := ir.ValueID(u)
		switch f.Values[u].Op {
		case ir.OpLoad, ir.OpICmp, ir.OpSet, ir.OpMemset, ir.OpLifetimeStart, ir.OpLifetimeEnd, ir.OpMemcpy:
		case ir.OpStore:
			if f.ArgsOf(u)[0] == v {
				return false
			}
		case ir.OpGep:
			if f.ArgsOf(u)[0] != v || depth > 8 || !fn.onlyRead(u, depth+1) {
				return false
			}
		case ir.OpCall:
			if !fn.onlyLent(v, u) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isRenamed reports whether what v points to is used through another value that
// is not at a known offset: after a phi, a select, or memory.
func (fn *function) isRenamed(v ir.ValueID, depth int) bool {
	f := fn.f
	for _, u := range fn.uses.Succs(uint32(v)) {
		u := ir.ValueID(u)
		switch f.Values[u].Op {
		case ir.OpPhi, ir.OpSelect:
			if !fn.onlyReturned(u, 0) {
				return true
			}
		case ir.OpStore:
			if f.ArgsOf(u)[0] == v {
				return true
			}
		case ir.OpMemcpy: // what is held there is held by the copy as well
			if f.ArgsOf(u)[1] == v {
				return true
			}
		case ir.OpGep:
			if depth > 8 || fn.isRenamed(u, depth+1) {
				return true
			}
		}
	}
	return false
}

// onlyReturned reports whether v is used by returns and comparisons alone.
func (fn *function) onlyReturned(v ir.ValueID, depth int) bool {
	for _, u := range fn.uses.Succs(uint32(v)) {
		switch fn.f.Values[u].Op {
		case ir.OpRet, ir.OpICmp, ir.OpSet:
		case ir.OpPhi:
			if depth > 4 || !fn.onlyReturned(ir.ValueID(u), depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// placesUsed lists the places in what parameters point to whose pointers the
// function does more with than look at what they point to, itself or through a
// function it calls.
func (fn *function) placesUsed() []place {
	f := fn.f
	used := map[place]bool{}
	add := func(addr ir.ValueID, off int64) {
		base, at, ok := fn.address(addr)
		switch x := &f.Values[base]; {
		case !ok:
		case x.Op == ir.OpParam:
			used[place{int(x.Aux), at + off}] = true
		case x.Op == ir.OpGlobalAddr && fn.owners[x.Aux]:
			used[globalPlace(ir.GlobalID(x.Aux), at+off)] = true
		}
	}
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		x := &f.Values[v]
		args := f.ArgsOf(v)
		switch {
		case x.Op == ir.OpLoad && x.Type.Kind() == ir.Ptr:
			if !fn.onlyRead(v, 0) {
				add(args[0], 0)
			}
		case x.Op == ir.OpStore && f.Values[args[0]].Type.Kind() == ir.Ptr:
			add(args[1], 0)
		case x.Op.IsCall():
			sum, _ := fn.callee(v)
			if sum == nil {
				continue
			}
			for p := range sum.places {
				switch {
				case p.param < theResult:
					used[p] = true
				case p.param < len(args)-1:
					add(args[p.param+1], p.off)
				}
			}
		}
	}
	return slices.SortedFunc(maps.Keys(used), comparePlaces)
}

func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(a.param, b.param), cmp.Compare(a.off, b.off))
}
