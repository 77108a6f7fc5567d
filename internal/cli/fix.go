// This file is plumb fix.

package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plumb-project/plumb/internal/driver"
	"github.com/plumb-project/plumb/internal/fix"
	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/render"
	"github.com/plumb-project/plumb/internal/report"
)

type fixCmd struct {
	check
	apply       bool
	interactive bool
	guard       bool
	only        []string
	from        string
	test        string
}

func newFix() *cobra.Command {
	c := &fixCmd{}
	cmd := &cobra.Command{
		Use:   "fix [FILE...] [-p DIR] [-- FLAGS | -- BUILD COMMAND]",
		Short: "Propose changes of the source that release what leaks",
		Long: "Find memory leaks as plumb check does, and print a patch that releases the memory:\n" +
			"a unified diff for git apply. Nothing is proposed that was not proved: the changed\n" +
			"program was compiled and checked again.",
		Example: `  plumb fix parse.c -- -Iinclude        print a patch
  plumb fix -p build | git apply        apply it
  plumb fix --apply -- make -j4         or have it written into the sources
  plumb fix --interactive -p build      decide about each change`,
		Args:                  cobra.ArbitraryArgs,
		DisableFlagsInUseLine: true,
		RunE:                  c.run,
	}
	what := pflag.NewFlagSet("What to fix, and how", pflag.ContinueOnError)
	what.StringArrayVar(&c.only, "only", nil, "fix the finding with this `ID`, or at FILE:LINE; the beginning of an id is enough")
	what.StringVar(&c.from, "from", "", "fix the findings in `FILE`, which plumb check or plumb run --format json wrote; - is stdin")
	what.StringVar(&c.test, "test", "", "run `COMMAND` in a copy of the project with the changes, and keep those with which it succeeds")
	what.BoolVar(&c.guard, "guard", false, "where no release is right on every path, insert one that is checked when the program runs")

	out := pflag.NewFlagSet("Output", pflag.ContinueOnError)
	out.BoolVar(&c.apply, "apply", false, "write the changes into the sources")
	out.BoolVarP(&c.interactive, "interactive", "i", false, "show each finding and its change, and ask")
	out.StringVar(&c.format, "format", "text", "write `FORMAT`: text (a unified diff), or findings with fixes as json or sarif")
	out.StringVarP(&c.output, "output", "o", "", "write that to `FILE` instead of stdout")
	out.StringVar(&c.color, "color", "auto", "colour text `WHEN`: auto, always or never; auto respects NO_COLOR")
	out.StringVar(&c.stats, "stats", "", "say what was done and what it cost, on stderr, as `FORM`: text or json; with --format json also there")
	out.Lookup("stats").NoOptDefVal = "text"
	addGroups(cmd, c.inputFlags(), what, out, c.checkFlags(), c.proofFlags(), c.policyFlags(), c.runFlags(), c.debug.flags())
	addSections(cmd, section{"Exit status", "0 nothing is left unfixed; 1 something is; 2 plumb failed or was misused."},
		section{"Limits", `Only leaks are fixed, in files of the project that clang compiles; never inside
  macros. Everything but the patch goes to stderr, with a reason for each finding
  that is not fixed. docs/fix.md has the rest.`})
	completeWords(cmd, "format", "text", "json", "sarif")
	completeWords(cmd, "color", "auto", "always", "never")
	completePolicies(cmd)
	completeWords(cmd, "checks", allChecks...)
	completeWords(cmd, "resources", "fd")
	completeWords(cmd, "stats", "text", "json")
	completeWords(cmd, "solver", "auto", "none")
	completeWords(cmd, "confidence", "certain", "possible", "latent")
	err := cmd.RegisterFlagCompletionFunc("only", func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return (&explain{cacheDir: c.cfg.CacheDir}).complete(cmd, nil, "")
	})
	if err != nil {
		panic(err) // the flag is not defined
	}
	return cmd
}

func (c *fixCmd) run(cmd *cobra.Command, args []string) (err error) {
	if err := c.settle(cmd); err != nil {
		return err
	}
	if err := c.refuse(cmd); err != nil {
		return err
	}
	choice, err := c.readFrom(cmd)
	if err != nil {
		return err
	}
	if err := c.fixInputs(cmd, args, choice.from); err != nil {
		return err
	}
	c.form.Dir, c.form.Input = c.cfg.Dir, c.inputWords()
	choice.form = c.form
	if err := choice.takeRun(cmd, c); err != nil {
		return err
	}
	if err := c.readRuns(); err != nil {
		return err
	}
	out, err := openOutput(c.output, cmd.OutOrStdout())
	if err != nil {
		return err
	}
	defer out.discard()

	stop, err := c.begin(cmd)
	if err != nil {
		return err
	}
	fixes, err := driver.Fix(cmd.Context(), c.cfg, fix.Config{Guard: c.guard, Choose: choice.choose, Note: c.cfg.Note, Tried: c.tried()})
	stop(&err)
	if fixes != nil {
		c.warnSkipped(cmd, fixes.Report)
	}
	if err != nil {
		return err
	}
	rep := fixes.Report
	c.warnSolver(cmd, rep)
	for _, w := range choice.lost {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", w)
	}
	if c.test != "" && !fixes.Patch.Empty() {
		if err := c.tested(cmd, fixes); err != nil {
			return err
		}
	}
	p := fixes.Patch
	if c.interactive && !p.Empty() {
		if p, err = c.ask(cmd, fixes); err != nil {
			return err
		}
	}
	if err := c.deliver(cmd, out, fixes, p); err != nil {
		return err
	}
	if err := c.tellStats(cmd, rep); err != nil {
		return err
	}
	if len(choice.lost) > 0 || slices.ContainsFunc(rep.Findings, unfixed) {
		return errFound
	}
	return nil
}

// unfixed reports whether a finding was to be fixed, and is not.
func unfixed(f report.Finding) bool { return f.Fix != nil && f.Fix.Outcome == report.NotFixed }

// refuse catches flags that do not go together.
func (c *fixCmd) refuse(cmd *cobra.Command) error {
	if c.interactive && c.from == "-" {
		return misuse(cmd, "--interactive and --from - both read stdin; write the report to a file")
	}
	if c.interactive && !isInteractive(cmd.InOrStdin()) {
		return misuse(cmd, "--interactive asks questions, but stdin is not a terminal; without it %s prints the patch, --apply writes it", cmd.CommandPath())
	}
	return nil
}

// tried makes progress of objects that are done; nil if nobody looks.
func (c *fixCmd) tried() func(done, of int) {
	bar := c.cfg.Progress
	if bar == nil {
		return nil
	}
	shown, total := 0, -1
	return func(done, of int) {
		if of != total {
			bar.Start(of)
			bar.Unit("proving fixes")
			shown, total = 0, of
		}
		for ; shown < done; shown++ {
			bar.Done("")
		}
	}
}

// tested gives up the changes with which the user's command fails.
func (c *fixCmd) tested(cmd *cobra.Command, fixes *driver.Fixes) error {
	var out io.Writer
	if c.verbose {
		out = cmd.ErrOrStderr()
	}
	if !c.quiet {
		fmt.Fprintf(cmd.ErrOrStderr(), "plumb: testing the changes: %s\n", c.test)
	}
	if err := fixes.Test(cmd.Context(), c.test, out); err != nil {
		return fmt.Errorf("--test: %w", err)
	}
	return nil
}

// deliver writes the answer, then the sources, and says what became of each finding.
// The answer comes first: what it tells of the sources is read from them.
func (c *fixCmd) deliver(cmd *cobra.Command, out *output, fixes *driver.Fixes, p *patch.Patch) error {
	rep := fixes.Report
	var summary bytes.Buffer
	form := c.form
	form.Color = isTerminal(cmd.ErrOrStderr()) && os.Getenv("NO_COLOR") == "" && c.color == "auto" || c.color == "always"
	if err := render.Fixes(&summary, rep, form); err != nil {
		return err
	}
	// A patch that is written into the sources is printed only where that is asked for.
	if c.form.Format != render.Text || !c.apply || c.output != "" {
		if err := out.commit(c.write(cmd, out, fixes, p)); err != nil {
			return err
		}
	}
	c.keep(cmd, rep)
	if c.apply && !p.Empty() {
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		if err := p.Write(); err != nil {
			return err
		}
	}
	if !c.quiet {
		cmd.ErrOrStderr().Write(summary.Bytes())
		fmt.Fprintln(cmd.ErrOrStderr(), render.FixSummary(rep)+c.written(p))
	}
	return nil
}

// write writes the answer: a diff, or the findings with their fixes.
func (c *fixCmd) write(cmd *cobra.Command, w io.Writer, fixes *driver.Fixes, p *patch.Patch) error {
	if c.form.Format != render.Text {
		return render.Write(w, fixes.Report, c.form)
	}
	if p.Empty() {
		return nil
	}
	dir := fixes.Dir(p)
	if dir != c.cfg.Dir && !c.quiet {
		fmt.Fprintf(cmd.ErrOrStderr(), "plumb: some files are not below this directory; apply the patch in %s\n", dir)
	}
	var diff bytes.Buffer
	if err := p.Diff(&diff, dir); err != nil {
		return err
	}
	return render.Diff(w, diff.Bytes(), c.form.Color)
}

// written says where the changes went.
//
//	; written into 2 files
func (c *fixCmd) written(p *patch.Patch) string {
	if !c.apply || p.Empty() {
		return ""
	}
	return "; written into " + report.Count(int64(len(p.Files())), "file")
}

// ask lets the user choose among the changes, and returns those chosen.
func (c *fixCmd) ask(cmd *cobra.Command, fixes *driver.Fixes) (*patch.Patch, error) {
	d := &dialog{
		in: newLines(cmd.InOrStdin()), out: cmd.ErrOrStderr(), rep: fixes.Report, form: c.form,
		read: fixes.Read, prove: fixes.Prove, edit: editor(cmd), dir: fixes.Dir(fixes.Patch),
	}
	d.form.Color = isTerminal(d.out) && os.Getenv("NO_COLOR") == "" && c.color != "never" || c.color == "always"
	p, err := d.run(cmd.Context(), fixes.Result)
	if err != nil || c.apply || c.output != "" || c.form.Format != render.Text || p.Empty() || !isTerminal(cmd.OutOrStdout()) {
		return p, err
	}
	// The diff was on this screen already.
	c.apply, err = d.confirm(cmd.Context(), "Write the changes into "+report.Count(int64(len(p.Files())), "file")+"?")
	return p, err
}
