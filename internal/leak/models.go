// This file makes summaries of what models say.

package leak

import (
	"math"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/model"
)

// fromModel makes a summary of what a model says.
//
// A number that is fresh, such as a descriptor, is followed only if that is asked
// for.
func fromModel(m *model.Func, number, follow bool) *summary {
	object, fresh := m.Fresh()
	fresh = fresh && (!number || follow)
	s := &summary{name: m.DisplayName(), modelled: true, ret: everything, noReturn: m.NoReturn, throws: m.Throws, globals: true, fresh: fresh, number: fresh && number, object: object.Noun, zeroed: object.Zeroed, family: family(object.For), params: make([][]outcome, len(m.Params)), places: map[place][]outcome{}}
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
	if number && len(m.Outcomes) > 0 {
		s.ret = nothing
		for _, o := range m.Outcomes {
			s.ret = s.ret.or(returned(&o, number))
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
