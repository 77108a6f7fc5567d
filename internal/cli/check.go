// This file is plumb check.

package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plumb-project/plumb/internal/driver"
	"github.com/plumb-project/plumb/internal/render"
	"github.com/plumb-project/plumb/internal/report"
)

type check struct {
	common
	format string
	output string
	color  string
	level  int
	checks []string
	stats  string

	resources  []string
	confidence string
	confirm    []string

	form      render.Config // as the flags say
	statsForm render.Format // 0 for none
}

func newCheck() *cobra.Command {
	c := &check{}
	cmd := &cobra.Command{
		Use:   "check [FILE...] [-p DIR] [-- FLAGS | -- BUILD COMMAND]",
		Short: "Find memory leaks",
		Long:  "Find memory that is allocated and not released on some path, released twice,\nused after its release, or released by the wrong function.",
		Example: `  plumb check parse.c -- -Iinclude      source files, compiler flags behind --
  plumb check -- make -j4               run a build, check what it compiles
  plumb check -p build --format sarif -o plumb.sarif`,
		Args:                  cobra.ArbitraryArgs,
		DisableFlagsInUseLine: true,
		RunE:                  c.run,
	}
	out := pflag.NewFlagSet("Output", pflag.ContinueOnError)
	out.StringVar(&c.format, "format", "text", "write findings as `FORMAT`: text, json or sarif")
	out.IntVar(&c.level, "level", 1, "report at level `N`: 0 every path to a loss, 1 each allocation and place of loss, 2 each allocation")
	out.StringVarP(&c.output, "output", "o", "", "write findings to `FILE` instead of stdout")
	out.StringVar(&c.color, "color", "auto", "colour text `WHEN`: auto, always or never; auto respects NO_COLOR")
	out.StringVar(&c.stats, "stats", "", "say what was done and what it cost, on stderr, as `FORM`: text or json; with --format json also there")
	out.Lookup("stats").NoOptDefVal = "text"
	addGroups(cmd, c.inputFlags(), c.checkFlags(), c.proofFlags(), out, c.policyFlags(), c.runFlags(), c.debug.flags())
	addSections(cmd, exitSection, section{"Limits", `Memory is followed through the program's own functions, globals, fields and
  arrays. What lies deeper than two levels of fields, is owned by the C++ library,
  or is passed to a function plumb knows nothing of counts as taken care of;
  docs/known-limits.md has the rest. Sources must compile with clang.`})
	completeWords(cmd, "format", "text", "json", "sarif")
	completeWords(cmd, "color", "auto", "always", "never")
	completeWords(cmd, "level", "0", "1", "2")
	completePolicies(cmd)
	completeWords(cmd, "checks", allChecks...)
	completeWords(cmd, "resources", "fd")
	completeWords(cmd, "stats", "text", "json")
	completeWords(cmd, "solver", "auto", "none")
	completeWords(cmd, "confidence", "certain", "possible", "latent")
	return cmd
}

// allChecks are the words of --checks.
var allChecks = []string{"leak", "double-free", "use-after-free", "mismatched-free"}

// checkFlags says what to look for.
func (c *check) checkFlags() *pflag.FlagSet {
	fs := pflag.NewFlagSet("What to look for", pflag.ContinueOnError)
	fs.StringSliceVar(&c.checks, "checks", allChecks, "look for these `KINDS` of defects")
	fs.StringArrayVar(&c.confirm, "confirm", nil, "mark what the run in `FILE` lost, which plumb run --format json wrote, and add what it alone saw")
	fs.StringSliceVar(&c.resources, "resources", nil, "follow these `RESOURCES` as well as memory and streams: fd, file descriptors")
	return fs
}

func (c *check) run(cmd *cobra.Command, args []string) (err error) {
	if err := c.settle(cmd); err != nil {
		return err
	}
	if c.cfg.Level, err = report.ParseLevel(c.level); err != nil {
		return misuse(cmd, "--level: %w", err)
	}
	if err := c.inputs(cmd, args); err != nil {
		return err
	}
	if err := c.readRuns(); err != nil {
		return err
	}
	c.cfg.Slices = c.form.Format == render.JSON // for plumb run --only-reported
	// Opened before the work: an hour's analysis should not end in a typing error.
	out, err := openOutput(c.output, cmd.OutOrStdout())
	if err != nil {
		return err
	}
	defer out.discard()

	stop, err := c.begin(cmd)
	if err != nil {
		return err
	}
	rep, err := driver.Check(cmd.Context(), c.cfg)
	stop(&err)
	c.warnSkipped(cmd, rep)
	if err != nil {
		return err
	}
	c.warnSolver(cmd, rep)
	c.form.Dir, c.form.Input = c.cfg.Dir, c.inputWords()
	if err = out.commit(render.Write(out, rep, c.form)); err != nil {
		return err
	}
	c.keep(cmd, rep)
	if !c.quiet {
		fmt.Fprintln(cmd.ErrOrStderr(), render.Summary(rep))
	}
	if err := c.tellStats(cmd, rep); err != nil {
		return err
	}
	if len(rep.Findings) > 0 {
		return errFound
	}
	return nil
}

// settle reads the flags that say what to look for, and in which form to tell it.
func (c *check) settle(cmd *cobra.Command) (err error) {
	c.form.Version = buildVersion()
	if c.form.Format, err = render.ParseFormat(c.format); err != nil {
		return misuse(cmd, "%w", err)
	}
	if c.form.Color, err = wantColor(cmd, c.color, c.output, cmd.OutOrStdout()); err != nil {
		return err
	}
	if c.cfg.Checks, err = report.ParseKinds(c.checks); err != nil {
		return misuse(cmd, "--checks: %w", err)
	}
	if c.cfg.MinConfidence, err = report.ParseConfidence(c.confidence); err != nil {
		return misuse(cmd, "--confidence: %w", err)
	}
	if c.cfg.Solver == "auto" {
		c.cfg.Solver = ""
	}
	if c.cfg.SolverTimeout <= 0 {
		return misuse(cmd, "--solver-timeout %s: give a time above 0", c.cfg.SolverTimeout)
	}
	for _, r := range c.resources {
		if r != "fd" {
			return misuse(cmd, "--resources %s: use fd", r)
		}
		c.cfg.Descriptors = true
	}
	return c.readStats(cmd)
}

// readRuns reads the reports of --confirm.
func (c *check) readRuns() error {
	for _, name := range c.confirm {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		saved, err := render.Read(f)
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w; plumb run --format json -o FILE writes one", name, err)
		}
		r := saved.Report(c.cfg.Dir)
		if !r.IsRun() {
			return fmt.Errorf("%s: not the report of a run; plumb run --format json -o FILE writes one", name)
		}
		c.cfg.Runs = append(c.cfg.Runs, r)
	}
	return nil
}

// warnSkipped lists the units that were not analysed. No flag turns this off: a
// clean report about half a program must not look like one about all of it.
func (c *common) warnSkipped(cmd *cobra.Command, rep *report.Report) {
	if rep == nil {
		return
	}
	for _, s := range rep.Coverage.Skipped {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s: not analysed: %s\n", render.Path(c.cfg.Dir, s.Unit), s.Reason)
	}
}

// keep keeps the report for plumb explain.
func (c *check) keep(cmd *cobra.Command, rep *report.Report) {
	form := c.form
	form.Format, form.Stats = render.JSON, true
	err := c.cfg.KeepReport(func(w io.Writer) error { return render.Write(w, rep, form) })
	if err != nil && c.verbose {
		fmt.Fprintf(cmd.ErrOrStderr(), "note: %v; plumb explain will not know of this check\n", err)
	}
}

// wantColor decides about colours in what is written to w, or to a file.
func wantColor(cmd *cobra.Command, when, file string, w io.Writer) (bool, error) {
	switch when {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		return (file == "" || file == "-") && os.Getenv("NO_COLOR") == "" && isTerminal(w), nil
	}
	return false, misuse(cmd, "--color %s: use auto, always or never", when)
}
