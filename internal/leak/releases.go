// This file lets others ask what functions release and make.

package leak

import (
	"cmp"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// A Release is an object that a call releases: what argument Arg points to or, if it is
// Held, what a pointer Off bytes into that points to.
type Release struct {
	Arg     int
	Held    bool
	Off     int64
	Always  bool // however the call ends
	Counted bool // it gives up one reference, and the object goes with the last
	Sure    bool // the object is gone then, whatever it is like
	Family  string
	Also    []int64 // for an object that is not held: at which offsets it holds others that go with it
}

// A Made is an object that a call makes.
type Made struct {
	Place  *Place // where it is left; nil for the result
	Family string // the function that releases such objects; "" when that is not known
	Object string // what it is, when it is not memory
	Zeroed bool   // it is all zeros
	Number bool   // a number stands for it
}

// Released returns what the call at site releases, arguments in their order.
func (v *View) Released(caller ir.FuncID, site ir.ValueID) []Release {
	sum, _ := v.function(caller).callee(site)
	return sum.released()
}

// ReleasedBy returns what a call of f releases.
func (v *View) ReleasedBy(f ir.FuncID) []Release { return v.e.sums[f].released() }

// Made returns what the call at site makes.
func (v *View) Made(caller ir.FuncID, site ir.ValueID) []Made {
	fn := v.function(caller)
	sum, _ := fn.callee(site)
	if sum == nil {
		return nil
	}
	var list []Made
	if (sum.fresh || sum.partly) && fn.makesNew(site, sum) {
		list = append(list, Made{Family: string(sum.family), Object: sum.object, Zeroed: sum.zeroed, Number: sum.number})
	}
	for i := range sum.outs {
		o := &sum.outs[i]
		list = append(list, Made{Place: placeFor(o.to), Family: string(o.family), Object: o.made.object, Number: o.number})
	}
	return list
}

// released returns what a call releases, that is, on some way it can end.
func (s *summary) released() []Release {
	if s == nil || s.fresh && len(s.params) > 0 { // what realloc takes comes back
		return nil
	}
	var list []Release
	add := func(r Release, outcomes []outcome) {
		r.Always, r.Sure = true, true
		var f family
		for _, o := range outcomes {
			if o.effect != consumes {
				r.Always = false
				continue
			}
			r.Always = r.Always && len(o.guards) == 0
			r.Counted = r.Counted || o.counted
			r.Sure = r.Sure && o.sure
			if f == "" {
				f = o.family
			}
		}
		r.Family = string(f)
		list = append(list, r)
	}
	takes := func(o outcome) bool { return o.effect == consumes }
	for i, outcomes := range s.params {
		if slices.ContainsFunc(outcomes, takes) {
			add(Release{Arg: i, Also: s.goesToo(i)}, outcomes)
		}
	}
	for p, outcomes := range s.places {
		if p.param >= 0 && p.deep == 0 && p.off < element/2 && slices.ContainsFunc(outcomes, takes) {
			add(Release{Arg: p.param, Held: true, Off: p.off}, outcomes)
		}
	}
	slices.SortFunc(list, func(a, b Release) int {
		switch {
		case a.Arg != b.Arg || a.Held == b.Held:
			return cmp.Or(cmp.Compare(a.Arg, b.Arg), cmp.Compare(a.Off, b.Off))
		case a.Held:
			return 1
		}
		return -1
	})
	return list
}

// goesToo returns where in what parameter i points to there are others that are released.
func (s *summary) goesToo(i int) []int64 {
	var offs []int64
	for p, outcomes := range s.places {
		if p.param == i && p.deep == 0 && slices.ContainsFunc(outcomes, func(o outcome) bool { return o.effect == consumes }) {
			offs = append(offs, p.off)
		}
	}
	slices.Sort(offs)
	return offs
}

// An Argument is what a call can do with what an argument points to.
type Argument struct {
	Releases bool // it may release it
	Returns  bool // its result may point there
	Keeps    bool // it may leave pointers to it in memory, or nothing is known of it
}

// Argument returns what the call at site can do with argument i.
func (v *View) Argument(caller ir.FuncID, site ir.ValueID, i int) Argument {
	fn := v.function(caller)
	sum, _ := fn.callee(site)
	if sum == nil {
		return Argument{Keeps: true}
	}
	var a Argument
	for _, o := range fn.handOver(site, sum.param(i)) {
		switch o.effect {
		case consumes:
			a.Releases = true
		case returns:
			a.Returns = true
		case keeps, stores:
			a.Keeps = true
		}
	}
	return a
}

// Empties reports whether a call of f releases something that argument i holds, at
// whatever depth, but not what it points to.
func (v *View) Empties(f ir.FuncID, i int) bool {
	s := v.e.sums[f]
	if s == nil || !s.inferred || slices.ContainsFunc(s.param(i), func(o outcome) bool { return o.effect == consumes }) {
		return false
	}
	for p, outcomes := range s.places {
		if p.param == i && slices.ContainsFunc(outcomes, func(o outcome) bool { return o.effect == consumes }) {
			return true
		}
	}
	return false
}
