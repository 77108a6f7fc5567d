// This file holds the order of work.

package fix

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/plumb-project/plumb/internal/own"
	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/report"
)

// maxRounds bounds how often the candidates that are left are looked at. The first
// few are those that people would write.
const maxRounds = 10

// Run mends the chosen findings of a report and notes in them what became of that.
func Run(ctx context.Context, w World, rep *report.Report, cfg Config) (*Result, error) {
	chosen, err := cfg.choose(rep)
	if err != nil {
		return nil, err
	}
	p := newPlanner(ctx, w)
	p.listen = cfg.Note
	p.index = own.New(p.base.Program, p.base.Leak, p.base.Models)
	objs, mends := p.objects(rep, chosen)
	for _, o := range objs {
		o.failed = p.study(o)
	}
	p.parseAll(objs)
	p.lostAt = lostAt(objs)
	for _, o := range objs {
		if o.failed == "" {
			p.plan(o)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if !cfg.Always {
		if err := p.search(objs, cfg); err != nil {
			return nil, err
		}
	}
	if cfg.Guard || cfg.Always {
		if err := p.guardRest(objs, cfg); err != nil {
			return nil, err
		}
	}
	all, err := p.together(objs)
	if err != nil {
		return nil, err
	}
	res := &Result{Mends: mends, Patch: all}
	for _, o := range objs {
		m := Mend{Findings: o.findings, Outcome: report.NotFixed, Reason: o.failed}
		if o.found != nil {
			m = Mend{Findings: o.findings, Outcome: report.Fixed, Text: o.found.clause(), Patch: o.found.patch}
			if o.found.guard != nil {
				m.Outcome = report.Guarded
			}
		}
		res.Mends = append(res.Mends, m)
	}
	order(res.Mends)
	res.Tell(rep)
	return res, nil
}

// choose lists the findings to mend.
func (cfg *Config) choose(rep *report.Report) ([]int, error) {
	if cfg.Choose != nil {
		return cfg.Choose(rep)
	}
	all := make([]int, len(rep.Findings))
	for i := range all {
		all[i] = i
	}
	return all, nil
}

// search tries the candidates of all objects, one of each at a time and all of those
// together; where they stand in each other's way, alone.
func (p *planner) search(objs []*object, cfg Config) error {
	left := slices.DeleteFunc(slices.Clone(objs), func(o *object) bool { return o.failed != "" })
	for range maxRounds {
		var cands []*candidate
		for _, o := range left {
			if c := p.next(o); c != nil {
				cands = append(cands, c)
			}
		}
		if len(cands) == 0 {
			break
		}
		if err := p.round(cands); err != nil {
			return err
		}
		left = slices.DeleteFunc(left, func(o *object) bool { return o.found != nil || o.at >= len(o.plans) })
		if cfg.Tried != nil {
			cfg.Tried(len(objs)-len(left), len(objs))
		}
	}
	return nil
}

// round looks at candidates, together if that tells enough.
func (p *planner) round(cands []*candidate) error {
	t, err := p.try(cands)
	var conflict *patch.Conflict
	switch {
	case errors.As(err, &conflict) && len(cands) > 1:
		return p.halves(cands)
	case err != nil:
		return err
	case t.loose != "" && len(cands) > 1:
		return p.halves(cands)
	}
	var again []*candidate
	for i, c := range cands {
		switch f := t.fault[i]; {
		case t.loose != "":
			p.note(c, t.loose)
			c.o.blame(nil, c.clause()+": "+t.loose)
		case f.why != "":
			p.note(c, f.why)
			p.initialise(c, f.unset)
			c.o.blame(f.slots, f.why)
		case t.broken():
			again = append(again, c)
		default:
			c.o.found = c
		}
	}
	if len(again) > 0 {
		return p.round(again)
	}
	return nil
}

// note tells who listens why a candidate failed.
func (p *planner) note(c *candidate, why string) {
	if p.listen != nil {
		p.listen(fmt.Sprintf("%s: tried %s: %s", p.where(c.o.losses[0].Pos), c.clause(), why))
	}
}

// halves looks at one half of the candidates, then at the other.
func (p *planner) halves(cands []*candidate) error {
	n := len(cands) / 2
	if err := p.round(cands[:n]); err != nil {
		return err
	}
	return p.round(cands[n:])
}

// together joins what was found into one patch, and proves that. What conflicts with
// changes for findings before it is left out.
func (p *planner) together(objs []*object) (*patch.Patch, error) {
	var cands []*candidate
	for _, o := range objs {
		if o.found == nil {
			continue
		}
		ps := []*patch.Patch{o.found.patch}
		for _, c := range cands {
			ps = append(ps, c.patch)
		}
		if _, err := patch.Merge(ps...); err != nil {
			o.found, o.failed = nil, "its change and that for another finding do not go together: "+err.Error()
			continue
		}
		cands = append(cands, o.found)
	}
	for len(cands) > 0 {
		t, err := p.try(cands)
		if err != nil {
			return nil, err
		}
		if t.all() {
			return t.patch, nil
		}
		drop := len(cands) - 1 // the last one is to blame when nobody is in particular
		for i := range cands {
			if t.fault[i].why != "" {
				drop = i
			}
		}
		why := t.fault[drop].why
		if why == "" {
			why = t.loose
		}
		cands[drop].o.found, cands[drop].o.failed = nil, "its change does not go together with those for other findings: "+why
		cands = slices.Delete(cands, drop, drop+1)
	}
	return nil, nil
}
