// This file holds what can become of an object in a call.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// An outcome is one way in which a call can end for an object.
type outcome struct {
	ret     interval // what the call returns
	effect  effect
	to      place    // for stores
	owner   bool     // for stores and returns: it is the owner that goes there
	refs    int8     // for borrows and returns: how many references more there are
	forgets bool     // and nobody has them
	counted bool     // for consumes: it gives up a reference
	asked   bool     // for drops: the path asked for what held it
	dies    bool     // for drops: the owner is released
	moves   bool     // for stores and returns: the place it was in holds it no more
	by      releaser // for releases: the callee that does it
	guards  []guard  // what the other arguments are then
	via     handed   // who decides instead of effect, when the caller knows it
	where   *where   // for drops and releases: the place in the source, when there is one
	sure    bool     // for consumes: the object is gone, not one reference of several to it
	stays   bool     // for consumes of what a place holds: the place still points there
	family  family   // for consumes: what it takes
}

// A releaser is the function that releases an object, and which parameter it is
// there: what it does with what the object holds, it says itself. The zero releaser is
// a release by the library, which takes no heed of that.
type releaser struct {
	fn    ir.FuncID
	param int
}

// several is the releaser of what is released in more than one way, or in one that is
// not known.
var several = releaser{param: -1}

// A where is a place in a callee at which something happens to an object.
type where struct {
	pos      source.Position
	function string
	kind     report.Kind
	holder   string        // who held it until then, as the callee says it
	text     string        // what happens
	calls    []report.Step // the calls that lead there from the function summarised, outermost first
}

// A guard says what range an argument is in.
type guard struct {
	param int
	r     interval
}

// excludes reports whether no call can end both ways.
func (o *outcome) excludes(p *outcome) bool {
	if o.ret.meet(p.ret).empty() {
		return true
	}
	return slices.ContainsFunc(o.guards, func(g guard) bool {
		return slices.ContainsFunc(p.guards, func(h guard) bool { return g.param == h.param && g.r.meet(h.r).empty() })
	})
}

// same reports whether two outcomes differ in what is returned alone.
func (o *outcome) same(p *outcome) bool {
	return o.alike(p) && slices.Equal(o.guards, p.guards)
}

// alike reports whether the same becomes of the object.
func (o *outcome) alike(p *outcome) bool {
	return o.effect == p.effect && o.to == p.to && o.moves == p.moves && o.via == p.via && o.by == p.by &&
		o.refs == p.refs && o.counted == p.counted && o.forgets == p.forgets
}

// dropGuard takes away the one guard in which o and p differ, if between them any
// argument will do.
func (o *outcome) dropGuard(p *outcome) bool {
	if len(o.guards) != len(p.guards) {
		return false
	}
	differ := -1
	for i, g := range o.guards {
		switch h := p.guards[i]; {
		case g.param != h.param:
			return false
		case g.r == h.r:
		case differ >= 0 || g.r.hull(h.r) != everything:
			return false
		default:
			differ = i
		}
	}
	if differ >= 0 {
		o.guards = slices.Delete(slices.Clone(o.guards), differ, differ+1)
	}
	return differ >= 0
}

// weaken makes o no surer than p.
func (o *outcome) weaken(p *outcome) {
	o.sure, o.stays, o.family = o.sure && p.sure, o.stays && p.stays, o.family.with(p.family)
}

// join makes o say what holds in both.
func (o *outcome) join(p *outcome) {
	o.ret = o.ret.hull(p.ret)
	o.moves = o.moves && p.moves
	o.weaken(p)
	if o.by != p.by {
		o.by = several
	}
	var both []guard
	for _, g := range o.guards {
		for _, h := range p.guards {
			if r := g.r.hull(h.r); g.param == h.param && r != everything {
				both = append(both, guard{g.param, r})
			}
		}
	}
	o.guards = both
}

// An effect is what a function does with an object.
type effect uint8

const (
	borrows  effect = iota + 1 // looks at it
	drops                      // overwrites the place that held it
	stores                     // puts it into another place
	returns                    // returns it
	keeps                      // puts it where we cannot follow
	consumes                   // releases it
)

// maxOutcomes bounds the outcomes of one object.
const maxOutcomes = 6

// unknown is what an object meets in a function that nothing is known of.
var unknown = []outcome{{ret: everything, effect: keeps}}

// harmless is what it meets in one that only looks at it.
var harmless = []outcome{{ret: everything, effect: borrows}}

// merge adds an outcome to a list. Outcomes that differ in what is returned alone
// become one if no other outcome has a result between theirs; past the bound, so
// do those that differ in their guards.
func merge(list []outcome, o outcome) []outcome {
	for i := range list {
		x := &list[i]
		if !x.same(&o) {
			continue
		}
		both := x.ret.hull(o.ret)
		apart := slices.ContainsFunc(list, func(y outcome) bool {
			return !y.same(&o) && !y.ret.meet(both).empty() && y.ret.meet(x.ret).empty() && y.ret.meet(o.ret).empty()
		})
		if !apart {
			x.ret = both
			x.weaken(&o)
			return list
		}
	}
	for i := range list {
		if x := &list[i]; x.ret == o.ret && x.alike(&o) && x.dropGuard(&o) {
			x.weaken(&o)
			return list
		}
	}
	if len(list) >= maxOutcomes {
		i := slices.IndexFunc(list, func(x outcome) bool { return x.effect == o.effect && x.to == o.to && x.via == o.via })
		if i >= 0 {
			list[i].join(&o)
			return list
		}
	}
	return append(list, o)
}
