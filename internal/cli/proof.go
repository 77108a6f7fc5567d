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

// statsForm reads --stats; 0 is none.
func (c *check) statsForm(cmd *cobra.Command) (render.Format, error) {
	switch c.stats {
	case "":
		return 0, nil
	case "text":
		return render.Text, nil
	case "json":
		return render.JSON, nil
	}
	return 0, misuse(cmd, "--stats=%s: use --stats=text or --stats=json", c.stats)
}

// warnSolver says that the solver was not there, or did not last: what it should have
// checked is less sure for it. Who asked for none knows.
func (c *check) warnSolver(cmd *cobra.Command, rep *report.Report) {
	if s := &rep.Stats.Solver; c.cfg.Solver != "none" && s.Command == "" && s.Note != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", s.Note)
	}
}
