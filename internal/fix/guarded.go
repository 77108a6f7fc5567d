// This file mends what no plain release mends, by releases that are checked when the
// program runs (package guard).

package fix

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/guard"
	"github.com/plumb-project/plumb/internal/own"
	"github.com/plumb-project/plumb/internal/source"
)

// guardRest looks for guarded releases of the objects that are left.
func (p *planner) guardRest(objs []*object, cfg Config) error {
	gp := &guard.Planner{Program: p.base.Program, Result: p.base.Leak, Tree: p.tree, Read: p.w.Read}
	var rest []*object
	plain := map[*object]string{}
	for _, o := range objs {
		if o.found != nil || len(o.losses) == 0 || len(o.releases) == 0 {
			continue
		}
		rest, plain[o] = append(rest, o), o.failed
		o.plans, o.at, o.failed, o.refusal = nil, 0, "", ""
		var err error
		if o.guard, err = gp.New(o.life); err != nil {
			o.failed = err.Error()
			continue
		}
		for i := range o.releases[:min(len(o.releases), maxReleases)] {
			if pl, ok := p.guardPlan(o, &o.releases[i]); ok {
				o.plans = append(o.plans, pl)
			}
		}
	}
	if err := p.search(rest, cfg); err != nil {
		return err
	}
	for _, o := range rest {
		if o.found == nil {
			o.failed = strings.TrimPrefix(plain[o]+"; a guard does not help: "+cmp.Or(o.failed, o.refusal, "there is no place for it"), "; ")
		}
	}
	return nil
}

// guardPlan is the plan of guarded releases by one function: at each loss in the
// function that makes the object.
func (p *planner) guardPlan(o *object, r *own.Release) (plan, bool) {
	pl := plan{}
	for k := range o.losses {
		s, err := p.spot(o, &o.losses[k])
		if err != nil || s.inCallee() {
			return pl, false
		}
		s.r, s.g = r, o.guard
		opts := s.options(func(*shape) bool { return true })
		if len(opts) == 0 {
			return pl, false
		}
		pl.slots = append(pl.slots, opts)
	}
	return pl, true
}

// checkGuard shows that the guard of a candidate is right. The error may be about
// some losses alone.
func (t *trial) checkGuard(c *candidate) (slots []int, err error) {
	changed := &guard.Changed{
		Program: t.view.Program, Result: t.view.Leak, Old: t.old,
		Added: func(pos source.Position) bool { return t.patch.Added(pos.File, pos.Line, pos.Col) },
	}
	lost, err := changed.Check(c.guard.Site)
	if err != nil {
		return nil, err
	}
	for _, pos := range lost {
		was := t.old(pos)
		for k, l := range c.o.losses {
			if l.Pos == was && !slices.Contains(slots, k) {
				slots = append(slots, k)
			}
		}
	}
	if len(slots) > 0 {
		return slots, fmt.Errorf("it would still be lost at %s", t.p.where(c.o.losses[slots[0]].Pos))
	}
	return nil, nil
}
