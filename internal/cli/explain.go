// This file is plumb explain.

package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plumb-project/plumb/docs/findings"
	"github.com/plumb-project/plumb/internal/driver"
	"github.com/plumb-project/plumb/internal/render"
	"github.com/plumb-project/plumb/internal/report"
)

type explain struct {
	report   string
	kind     string
	cacheDir string
	color    string
}

func newExplain() *cobra.Command {
	e := &explain{}
	cmd := &cobra.Command{
		Use:   "explain [ID | FILE:LINE] [--report FILE] | --kind KIND",
		Short: "Tell all about one finding, or about a kind of findings",
		Long: "Tell all that plumb knows of a finding of the last check or run in this directory:\n" +
			"the way to the loss drawn in the source, values for which it happens, calls that a\n" +
			"run saw, how sure it is and why, what plumb did not follow there, what it means,\n" +
			"and what to do.",
		Example: `  plumb explain                     list the findings of the last check here
  plumb explain 3f2a9c1b            the finding with this id; its beginning is enough
  plumb explain conf.c:41           the finding at this place
  plumb explain --kind leak-lost    what a kind of findings means`,
		DisableFlagsInUseLine: true,
		RunE:                  e.run,
		ValidArgsFunction:     e.complete,
	}
	in := pflag.NewFlagSet("What to explain", pflag.ContinueOnError)
	in.StringVar(&e.report, "report", "", "read the report from `FILE`, which plumb check or plumb run --format json wrote; - is stdin")
	in.StringVar(&e.kind, "kind", "", "explain this `KIND` of findings: "+strings.Join(kindNames(), ", "))
	out := pflag.NewFlagSet("Output", pflag.ContinueOnError)
	out.StringVar(&e.color, "color", "auto", "colour text `WHEN`: auto, always or never; auto respects NO_COLOR")
	out.StringVar(&e.cacheDir, "cache-dir", "", "look for the last check in `DIR`, where plumb check --cache-dir kept it")
	addGroups(cmd, in, out)
	addSections(cmd, section{"Exit status", "0 explained; 2 there is no such finding, no check was run here, or plumb was misused."})
	completeWords(cmd, "kind", kindNames()...)
	completeWords(cmd, "color", "auto", "always", "never")
	return cmd
}

// kindNames are the words of --kind.
func kindNames() []string {
	var names []string
	for _, k := range report.Kinds {
		names = append(names, k.String())
	}
	return names
}

func (e *explain) run(cmd *cobra.Command, args []string) error {
	color, err := wantColor(cmd, e.color, "", cmd.OutOrStdout())
	if err != nil {
		return err
	}
	switch {
	case len(args) > 1:
		return misuse(cmd, "explain takes one finding at a time")
	case e.kind != "" && (len(args) > 0 || e.report != ""):
		return misuse(cmd, "--kind explains a kind, and no finding; use one of the two")
	case e.kind != "":
		return e.explainKind(cmd)
	}
	saved, err := e.read(cmd)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return list(cmd, saved)
	}
	i, err := choose(saved, args[0], "the last report; plumb explain without a name lists")
	if err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("working directory: %w", err)
	}
	advice, err := render.Advice(findings.Pages, saved.Kind(i))
	if err != nil {
		return err
	}
	return saved.Explain(cmd.OutOrStdout(), i, advice, render.Config{Color: color, Dir: dir})
}

// explainKind prints the page about a kind; both of its names will do.
func (e *explain) explainKind(cmd *cobra.Command) error {
	for _, k := range report.Kinds {
		if e.kind == k.String() || e.kind == k.Rule() {
			text, err := render.Page(findings.Pages, k)
			if err != nil {
				return err
			}
			_, err = io.WriteString(cmd.OutOrStdout(), text)
			return err
		}
	}
	return misuse(cmd, "--kind %s: use one of %s", e.kind, strings.Join(kindNames(), ", "))
}

// read reads the report asked for.
func (e *explain) read(cmd *cobra.Command) (*render.Saved, error) {
	name, in := e.report, cmd.InOrStdin()
	if name == "" {
		dir, err := os.Getwd()
		if err != nil {
			return nil, fmt.Errorf("working directory: %w", err)
		}
		if name, err = driver.LastReport(e.cacheDir, dir); err != nil {
			return nil, err
		}
	}
	if name != "-" {
		f, err := os.Open(name)
		switch {
		case e.report == "" && errors.Is(err, fs.ErrNotExist):
			return nil, errors.New("no check was run in this directory; run plumb check first, or name a report: plumb explain --report FILE")
		case err != nil:
			return nil, err
		}
		defer f.Close()
		in = f
	}
	saved, err := render.Read(in)
	if err != nil && e.report == "" {
		return nil, fmt.Errorf("the report of the last check cannot be read (%w); run plumb check again", err)
	}
	if errors.Is(err, render.ErrNotReport) {
		return nil, fmt.Errorf("%s: %w; write one with plumb check --format json -o FILE", name, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return saved, nil
}

// list names the findings of a report.
func list(cmd *cobra.Command, saved *render.Saved) error {
	if saved.Len() == 0 {
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), "the last check found nothing to explain"); err != nil {
			return err
		}
	}
	for i := range saved.Len() {
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), saved.Line(i)); err != nil {
			return err
		}
	}
	if n := saved.LeftOut(); n > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%d less sure left out: plumb check --confidence=latent shows all\n", n)
	}
	return nil
}

// choose returns the one finding that word names in a report; where names that, and how
// to see what is in it.
func choose(saved *render.Saved, word, where string) (int, error) {
	found := saved.Find(word)
	if len(found) == 1 {
		return found[0], nil
	}
	text := fmt.Sprintf("%d findings are called %s:", len(found), word)
	if len(found) == 0 {
		report, _, _ := strings.Cut(where, ";")
		if found = saved.Near(word); len(found) == 0 {
			return 0, fmt.Errorf("no finding %s in %s its %d", word, where, saved.Len())
		}
		text = fmt.Sprintf("no finding %s in %s; near it:", word, report)
	}
	for _, i := range found {
		text += "\n  " + saved.Line(i)
	}
	return 0, errors.New(text)
}

// complete offers ids to shells.
func (e *explain) complete(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	saved, err := e.read(cmd)
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for i := range saved.Len() {
		id, rest, _ := strings.Cut(saved.Line(i), "  ")
		out = append(out, id+"\t"+rest)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
