// This file chooses what plumb fix fixes: --only and --from.

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plumb-project/plumb/internal/render"
	"github.com/plumb-project/plumb/internal/report"
)

// A chooser knows which findings are to be fixed.
type chooser struct {
	only []string      // words of --only
	from *render.Saved // report of --from; nil for none
	name string        // of that report
	form render.Config
	lost []string // what is said of the findings of that report that are not there
}

// readFrom reads the report of --from.
func (c *fixCmd) readFrom(cmd *cobra.Command) (*chooser, error) {
	ch := &chooser{only: c.only, name: c.from}
	if c.from == "" {
		return ch, nil
	}
	in := cmd.InOrStdin()
	if c.from == "-" {
		ch.name = "standard input"
	} else {
		f, err := os.Open(c.from)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	var err error
	if ch.from, err = render.Read(in); err != nil {
		return nil, fmt.Errorf("%s: %w; plumb check or plumb run --format json -o FILE writes one", ch.name, err)
	}
	return ch, nil
}

// fixInputs says what is to be analysed: what the command line names, or else what
// the report of --from was about.
func (c *fixCmd) fixInputs(cmd *cobra.Command, args []string, from *render.Saved) error {
	dash := cmd.ArgsLenAtDash()
	if from != nil && len(args) == 0 && dash < 0 && c.cfg.BuildDir == "" {
		switch words := from.Input(); {
		case len(words) == 2 && words[0] == "-p":
			c.cfg.BuildDir = words[1]
		case len(words) > 0:
			if dash = slices.Index(words, "--"); dash >= 0 {
				words = slices.Delete(slices.Clone(words), dash, dash+1)
			}
			args = words
		}
	}
	err := c.sort(cmd, args, dash)
	if err != nil && from != nil && len(args) == 0 && dash < 0 && len(from.Input()) == 0 {
		return fmt.Errorf("the report does not say what the program is made of; %w", err)
	}
	return err
}

// takeRun gives the check the findings of a run, so that it joins them with its own.
// They are known by their places: those whose files were changed are left out.
func (ch *chooser) takeRun(cmd *cobra.Command, c *fixCmd) error {
	if ch.from == nil {
		return nil
	}
	r := ch.from.Report(c.cfg.Dir)
	if !r.IsRun() {
		return nil
	}
	var fresh []report.Finding
	changed := ch.from.Changed(c.cfg.Dir)
	for i := range r.Findings {
		if why := ch.why(i, changed); why != "" {
			ch.lost = append(ch.lost, ch.from.Line(i)+": not fixed: "+why)
		} else {
			fresh = append(fresh, r.Findings[i])
		}
	}
	if len(fresh) == 0 && len(ch.lost) > 0 {
		return ch.stale(changed)
	}
	r.Findings = fresh
	c.cfg.Runs = append(c.cfg.Runs, r)
	// What main loses when it returns, a run counts as lost.
	if held := cmd.Flags().Lookup("held-at-exit"); !held.Changed {
		return held.Value.Set("leak")
	}
	return nil
}

// why says which file of a finding was changed; "" for none.
func (ch *chooser) why(i int, changed []string) string {
	k := slices.IndexFunc(changed, func(file string) bool { return ch.from.Names(i, file) })
	if k < 0 {
		return ""
	}
	return ch.happened(changed[k])
}

// happened says what happened to a file of the report.
func (ch *chooser) happened(file string) string {
	name := file
	if !filepath.IsAbs(name) {
		name = filepath.Join(ch.form.Dir, name)
	}
	if _, err := os.Stat(name); err != nil {
		return file + " is not here"
	}
	return file + " was changed after the report was written"
}

// stale is the error about a report of which nothing is left.
func (ch *chooser) stale(changed []string) error {
	var why []string
	for _, file := range changed {
		why = append(why, ch.happened(file))
	}
	if len(why) == 0 {
		why = []string{"it is about another program, or was made with other flags"}
	}
	return fmt.Errorf("%s: none of its findings is in this program: %s; make a new report", ch.name, strings.Join(why, ", "))
}

// choose returns the findings to fix.
func (ch *chooser) choose(rep *report.Report) ([]int, error) {
	now, err := render.Save(rep, ch.form)
	if err != nil {
		return nil, err
	}
	chosen, err := ch.ofReport(rep, now)
	if err != nil || len(ch.only) == 0 {
		return chosen, err
	}
	var out []int
	for _, word := range ch.only {
		found := now.Find(word)
		// A place names all that is lost there; an id must be clear.
		if len(found) == 0 || len(found) > 1 && !strings.Contains(word, ":") {
			i, err := choose(now, word, "this program; plumb check lists")
			if err != nil {
				return nil, err
			}
			found = []int{i}
		}
		for _, i := range found {
			if slices.Contains(chosen, i) {
				out = append(out, i)
			} else {
				return nil, fmt.Errorf("--only %s: %s does not have this finding", word, ch.name)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// ofReport returns the findings that the report of --from has too; all without one.
func (ch *chooser) ofReport(rep *report.Report, now *render.Saved) ([]int, error) {
	var out []int
	isRun := ch.from != nil && ch.from.Report(ch.form.Dir).IsRun()
	if ch.from == nil || isRun {
		for i := range rep.Findings {
			if !isRun || rep.Findings[i].Run != nil {
				out = append(out, i)
			}
		}
		return out, nil
	}
	changed := ch.from.Changed(ch.form.Dir)
	for i := range ch.from.Len() {
		if k := ch.from.Same(i, now); k >= 0 {
			out = append(out, k)
			continue
		}
		why := ch.why(i, changed)
		if why == "" {
			why = "this check does not find it"
		}
		ch.lost = append(ch.lost, ch.from.Line(i)+": not fixed: "+why)
	}
	if len(out) == 0 && len(ch.lost) > 0 {
		return nil, ch.stale(changed)
	}
	slices.Sort(out)
	return out, nil
}
