// This file makes the plans for an object.

package fix

import "fmt"

// maxReleases bounds how many ways to release an object are tried.
const maxReleases = 3

// plan makes the plans for an object: one for each way to release it.
func (p *planner) plan(o *object) {
	for i := range o.releases[:min(len(o.releases), maxReleases)] {
		if pl, ok := p.loopPlan(o, &o.releases[i]); ok {
			o.plans = append(o.plans, pl)
		}
		pl := plan{}
		for k := range o.losses {
			s, err := p.spot(o, &o.losses[k])
			if err != nil {
				o.failed = err.Error()
				return
			}
			s.r = &o.releases[i]
			opts := s.options()
			if len(opts) == 0 {
				if o.refusal == "" {
					o.refusal = fmt.Sprintf("no place for a release is known where it is lost, at %s", p.where(o.losses[k].Pos))
				}
				pl.slots = nil
				break
			}
			pl.slots = append(pl.slots, opts)
		}
		if pl.slots != nil {
			o.plans = append(o.plans, pl)
		}
	}
	if len(o.plans) == 0 {
		o.failed = o.refusal
	}
}

// refused notes why a change could not be written.
func (p *planner) refused(o *object, what string, where place, err error) {
	if o.refusal == "" {
		o.refusal = fmt.Sprintf("%s cannot be put %s: %v", what, spell([]place{where}), err)
	}
}
