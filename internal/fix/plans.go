// This file makes the plans for an object.

package fix

import (
	"fmt"

	"github.com/plumb-project/plumb/internal/own"
	"github.com/plumb-project/plumb/internal/source"
)

// maxReleases bounds how many ways to release an object are tried.
const maxReleases = 4

// plan makes the plans for an object: several for each way to release it, the most
// natural first.
func (p *planner) plan(o *object) {
	early := func(s *shape) bool { return !s.late }
	late := func(s *shape) bool { return s.late }
	for i := range o.releases[:min(len(o.releases), maxReleases)] {
		r := &o.releases[i]
		makers := []func() (plan, bool){
			func() (plan, bool) { return p.loopPlan(o, r) },
			func() (plan, bool) { return p.lossPlan(o, r, early) },
			func() (plan, bool) { return p.lastUsePlan(o, r) },
			func() (plan, bool) { return p.lossPlan(o, r, late) },
		}
		if p.lostByItself(o) {
			makers[1], makers[2] = makers[2], makers[1]
		}
		for _, make := range makers {
			if pl, ok := make(); ok {
				o.plans = append(o.plans, pl)
			}
		}
	}
	if len(o.plans) == 0 {
		o.failed = o.refusal
	}
}

// lostByItself reports whether the statement that makes the object also loses it, in the
// next round of a loop. One that loses other objects too is the place for all of them.
func (p *planner) lostByItself(o *object) bool {
	for k := range o.losses {
		if s, err := p.spot(o, &o.losses[k]); err == nil && !s.inCallee() && s.stmt.Kind != "CompoundStmt" && p.lostAt[o.losses[k].Pos] == 1 && s.makes() && s.stmt.EnclosingLoop() != nil {
			return true
		}
	}
	return false
}

// lostAt counts the objects that are lost at each place.
func lostAt(objs []*object) map[source.Position]int {
	n := map[source.Position]int{}
	for _, o := range objs {
		at := map[source.Position]bool{}
		for k := range o.losses {
			if pos := o.losses[k].Pos; !at[pos] {
				at[pos] = true
				n[pos]++
			}
		}
	}
	return n
}

// lossPlan releases where the object is lost, as the wanted shapes say.
func (p *planner) lossPlan(o *object, r *own.Release, want func(*shape) bool) (plan, bool) {
	pl := plan{}
	for k := range o.losses {
		s, err := p.spot(o, &o.losses[k])
		if err != nil {
			o.refusal = err.Error()
			return pl, false
		}
		s.r = r
		opts := s.options(want)
		if len(opts) == 0 {
			if o.refusal == "" && s.stmt.Invoked {
				o.refusal = "it is lost inside of a macro at " + p.where(o.losses[k].Pos)
			}
			if o.refusal == "" {
				o.refusal = fmt.Sprintf("no place for a release is known where it is lost, at %s", p.where(o.losses[k].Pos))
			}
			return pl, false
		}
		pl.slots = append(pl.slots, opts)
	}
	return pl, true
}

// refused notes why a change could not be written.
func (p *planner) refused(o *object, what string, where place, err error) {
	if o.refusal == "" {
		o.refusal = fmt.Sprintf("%s cannot be put %s: %v", what, spell([]place{where}), err)
	}
}
