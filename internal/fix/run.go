// This file holds the order of work.

package fix

import (
	"context"

	"github.com/plumb-project/plumb/internal/report"
)

// Run mends the chosen findings of a report and notes in them what became of that.
func Run(ctx context.Context, w World, rep *report.Report, cfg Config) (*Result, error) {
	chosen, err := cfg.choose(rep)
	if err != nil {
		return nil, err
	}
	res := &Result{}
	for _, i := range chosen {
		m := Mend{Findings: []int{i}, Outcome: report.NotFixed, Reason: "no place for a release is known"}
		if f := &rep.Findings[i]; !f.Kind.IsLeak() {
			m.Reason = "plumb fix mends leaks; this is none"
		}
		res.Mends = append(res.Mends, m)
	}
	res.tell(rep)
	return res, ctx.Err()
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
