// This file mends what no plain release mends, by releases that are checked when the
// program runs (package guard).

package fix

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/guard"
	"github.com/plumb-project/plumb/internal/own"
	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/source"
)

// guardRest looks for guarded releases of the objects that are left.
func (p *planner) guardRest(objs []*object) error {
	gp := &guard.Planner{Program: p.base.Program, Result: p.base.Leak, Tree: p.tree, Read: p.w.Read}
	for _, o := range objs {
		if o.found != nil || len(o.losses) == 0 || len(o.releases) == 0 {
			continue
		}
		why, err := p.guarded(gp, o)
		if err != nil {
			return err
		}
		if o.found == nil && why != "" {
			o.failed = strings.TrimPrefix(o.failed+"; a guard does not help: "+why, "; ")
		}
	}
	return nil
}

// guarded looks for a guarded release of one object, and says why there is none.
func (p *planner) guarded(gp *guard.Planner, o *object) (why string, err error) {
	g, err := gp.New(o.life)
	if err != nil {
		return err.Error(), nil
	}
	failed := o.failed
	o.plans, o.at, o.failed, o.refusal = nil, 0, "", ""
	for i := range o.releases[:min(len(o.releases), maxReleases)] {
		if pl, ok := p.guardPlan(o, g, &o.releases[i]); ok {
			o.plans = append(o.plans, pl)
		}
	}
	for range maxRounds {
		c := p.next(o)
		if c == nil {
			break
		}
		c.guard = g
		slots, fault, err := p.tryGuard(c)
		if err != nil {
			return "", err
		}
		if fault == "" {
			o.found = c
			return "", nil
		}
		o.blame(slots, fault)
	}
	why, o.failed = o.failed, failed
	if why == "" {
		why = o.refusal
	}
	return why, nil
}

// guardPlan is the plan of guarded releases by one function: at each loss in the
// function that makes the object.
func (p *planner) guardPlan(o *object, g *guard.Guard, r *own.Release) (plan, bool) {
	pl := plan{}
	for k := range o.losses {
		s, err := p.spot(o, &o.losses[k])
		if err != nil || s.inCallee() {
			return pl, false
		}
		s.r, s.g = r, g
		opts := s.options()
		if len(opts) == 0 {
			return pl, false
		}
		pl.slots = append(pl.slots, opts)
	}
	return pl, true
}

// tryGuard proves a guarded candidate. It returns what is wrong, and with which losses.
func (p *planner) tryGuard(c *candidate) (slots []int, why string, err error) {
	edits, err := c.guard.Edits()
	if err != nil {
		return nil, err.Error(), nil
	}
	// A record that is closed before a return is closed behind the release.
	if c.patch, err = patch.New(slices.Concat(c.patch.Edits(), edits), p.w.Read); err != nil {
		return nil, err.Error(), nil
	}
	t, err := p.try([]*candidate{c})
	if err != nil {
		return nil, "", err
	}
	if t.loose != "" {
		return nil, t.loose, nil
	}
	return t.fault[0].slots, t.fault[0].why, nil
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
