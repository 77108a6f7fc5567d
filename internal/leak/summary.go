// This file holds what is known of a function from outside: what it does with
// objects it is given, and which objects it makes.

package leak

import (
	"math"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/model"
	"github.com/plumb-project/plumb/internal/report"
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
	newIf    []guard             // what the arguments are when it is new
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
	throws   bool   // an exception may leave it
	looks    []bool // by parameter: what it points to is read or written whenever the function returns
	quiet    bool   // it writes no pointers but to its own variables
	getter   bool   // it writes nothing but to its own variables, and asks nobody else
}

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
			if g.param == h.param {
				both = append(both, guard{g.param, g.r.hull(h.r)})
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

// maxOutcomes bounds the outcomes of one object.
const maxOutcomes = 6

// unknown is what an object meets in a function that nothing is known of.
var unknown = []outcome{{ret: everything, effect: keeps}}

// harmless is what it meets in one that only looks at it.
var harmless = []outcome{{ret: everything, effect: borrows}}

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

// hull returns the smallest interval that has both.
func (r interval) hull(s interval) interval {
	return interval{min(r.lo, s.lo), max(r.hi, s.hi), min(r.ulo, s.ulo), max(r.uhi, s.uhi)}
}

// fromModel makes a summary of what a model says.
//
// A number that is fresh, such as a descriptor, is followed only if that is asked
// for.
func fromModel(m *model.Func, number, follow bool) *summary {
	object, fresh := m.Fresh()
	fresh = fresh && (!number || follow)
	s := &summary{name: m.DisplayName(), modelled: true, ret: everything, noReturn: m.NoReturn, throws: m.Throws, globals: true, fresh: fresh, number: fresh && number, object: object.Noun, family: family(object.For), params: make([][]outcome, len(m.Params)), places: map[place][]outcome{}}
	s.looks = make([]bool, len(m.Params))
	for i := range m.Params {
		s.params[i] = modelParam(m, i, number)
		s.looks[i] = !m.KeepsParam(i)
		for _, off := range []int64{0, inside} {
			if list := modelHeld(m, i, off == inside, number); list != nil {
				s.places[place{param: i, off: off}] = list
			}
		}
	}
	if m.Variadic {
		s.rest = harmless
		if m.KeepsParam(len(m.Params)) {
			s.rest = unknown
		}
	}
	for _, o := range m.Outcomes {
		switch o.Result {
		case model.ResultNull:
			s.mayFail = true
		case model.ResultFresh:
			s.ifNull = o.IfNull
		}
		for _, m := range o.Makes {
			to := place{param: m.Param}
			if m.Inside {
				to.off = inside
			}
			s.outs = append(s.outs, out{to: to, ret: returned(&o, number), family: family(m.For), made: made{object: m.Noun}})
		}
	}
	s.quiet = len(s.outs) == 0
	return s
}

// modelHeld returns what a model does with what is held at parameter i, or inside
// of what it points to; nil when it says nothing of it. Where something new is made
// nothing old stays, even when that fails: what is left there then is not defined,
// but by functions that replace the old by the new.
func modelHeld(m *model.Func, i int, inside, number bool) []outcome {
	makes := slices.ContainsFunc(m.Outcomes, func(o model.Outcome) bool {
		return slices.ContainsFunc(o.Makes, func(made model.Make) bool { return made.Param == i && made.Inside == inside })
	})
	releases := func(o model.Outcome) bool {
		return slices.ContainsFunc(o.Consumes, func(r model.Release) bool {
			return r.Param == i && (inside && r.Inside || !inside && r.Held)
		})
	}
	replaces := slices.ContainsFunc(m.Outcomes, releases)
	said := makes || replaces
	var list []outcome
	for _, o := range m.Outcomes {
		x := outcome{ret: returned(&o, number), effect: borrows}
		switch {
		case releases(o):
			x.effect = consumes
		case makes && !replaces:
			x.effect = drops
		}
		said = said || !inside && slices.Contains(o.Lends, i)
		list = merge(list, x)
	}
	if !said {
		return nil
	}
	return list
}

// returned gives what a model's outcome returns.
func returned(o *model.Outcome, number bool) interval {
	switch o.Result {
	case model.ResultNull:
		return point(0)
	case model.ResultFresh, model.ResultArg:
		if number {
			return span(0, math.MaxInt64)
		}
		return nonzero
	case model.ResultNum:
		r := span(o.Num.Lo, o.Num.Hi)
		if o.Num.NonZero {
			r = r.meet(nonzero)
		}
		return r
	}
	return everything
}

// modelParam returns what a model does with what parameter i points to.
func modelParam(m *model.Func, i int, number bool) []outcome {
	var list []outcome
	for _, o := range m.Outcomes {
		if o.IfNull == i+1 {
			continue // it points to something
		}
		x := outcome{ret: returned(&o, number), effect: borrows}
		free := slices.IndexFunc(o.Consumes, func(r model.Release) bool { return !r.Held && !r.Inside && r.Param == i })
		switch {
		case slices.Contains(o.Keeps, i):
			x.effect = keeps
		case free >= 0:
			x.effect, x.sure, x.family = consumes, !o.Consumes[free].Counted, takes(m, o.Consumes[free])
		case o.Result == model.ResultArg && o.Arg == i:
			x.effect = returns
		}
		x.via = modelVia(&o, i)
		list = merge(list, x)
	}
	return list
}

// summaries returns the summaries of functions without a body, from their models
// or, without one, from the attributes of their declarations. A function with a
// body is what its body says, whatever its name.
func summaries(p *ir.Program, set *model.Set, policy Policy, numbers bool) []*summary {
	out := make([]*summary, len(p.Funcs))
	for i := 1; i < len(p.Funcs); i++ {
		if p.Funcs[i].IsDecl() {
			if m := set.Lookup(p.Funcs[i].Name); m != nil {
				out[i] = fromModel(m, p.Funcs[i].Result.Kind() == ir.Int, numbers)
			} else {
				out[i] = fromAttributes(p, &p.Funcs[i], policy)
			}
		}
	}
	return out
}
