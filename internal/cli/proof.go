// This file has the flags that say how findings are checked, how sure they must be,
// and what is told of the work.

package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plumb-project/plumb/internal/driver"
	"github.com/plumb-project/plumb/internal/render"
	"github.com/plumb-project/plumb/internal/report"
)

// proofFlags says how sure findings must be, and who checks them.
func (c *check) proofFlags() *pflag.FlagSet {
	fs := pflag.NewFlagSet("How sure (see docs/confidence.md)", pflag.ContinueOnError)
	fs.StringVar(&c.confidence, "confidence", report.Possible.String(), "report findings that are at least `HOW` sure: certain, possible or latent")
	fs.StringVar(&c.cfg.Solver, "solver", "auto", "check paths with this SMT-LIB 2 solver `COMMAND`; auto is z3 if it is there, none is none")
	fs.DurationVar(&c.cfg.SolverTimeout, "solver-timeout", driver.SolverTimeout, "give the solver this much `TIME` for a question")
	return fs
}

// readStats reads --stats.
func (c *check) readStats(cmd *cobra.Command) error {
	switch c.stats {
	case "":
		return nil
	case "text":
		c.statsForm = render.Text
	case "json":
		c.statsForm = render.JSON
	default:
		return misuse(cmd, "--stats=%s: use --stats=text or --stats=json", c.stats)
	}
	c.form.Stats = true
	return nil
}

// tellStats says what was done and what it cost, if that was asked for.
func (c *check) tellStats(cmd *cobra.Command, rep *report.Report) error {
	if c.statsForm == 0 {
		return nil
	}
	if err := render.Stats(cmd.ErrOrStderr(), &rep.Stats, c.statsForm); err != nil {
		return fmt.Errorf("cannot write statistics: %w", err)
	}
	return nil
}

// warnSolver says that the solver was not there, or did not last: what it should have
// checked is less sure for it. Who asked for none knows.
func (c *check) warnSolver(cmd *cobra.Command, rep *report.Report) {
	if s := &rep.Stats.Solver; c.cfg.Solver != "none" && s.Command == "" && s.Note != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", s.Note)
	}
}
