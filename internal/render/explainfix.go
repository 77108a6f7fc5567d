// This file tells what mends one finding.

package render

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/report"
)

// fix shows the change that mends a finding, or says why there is none.
func (e *explainer) fix(s *Saved, f *jsonFinding) {
	if f.Fix == nil {
		return
	}
	x := restorer{dir: e.cfg.Dir, files: map[string]string{}}
	fix := x.fix(f.Fix)
	if len(fix.Changes) == 0 {
		e.head("Why it is not fixed")
		e.para(fix.Reason)
		return
	}
	e.head("The fix")
	if fix.Outcome == report.Guarded {
		fmt.Fprintf(e.out, "  %s, if that is still to be done, which is noted when the program runs\n", fix.Text)
	} else {
		fmt.Fprintf(e.out, "  %s\n", fix.Text)
	}
	var edits []patch.Edit
	var added []string
	changed := s.Changed(e.cfg.Dir)
	for i, c := range fix.Changes {
		name := f.Fix.Changes[i].File
		_, err := os.Stat(c.File)
		switch {
		case slices.Contains(changed, name):
			fmt.Fprintf(e.out, "  %s was changed after the patch was made; run plumb fix again\n", name)
			return
		case err == nil:
			edits = append(edits, patch.Edit{File: c.File, Start: c.Start, End: c.End, New: c.New})
		case !slices.Contains(added, name):
			added = append(added, name)
			fmt.Fprintf(e.out, "  adds %s\n", name)
		}
	}
	p, err := patch.New(edits, nil)
	var diff bytes.Buffer
	if err == nil {
		err = p.Diff(&diff, e.cfg.Dir)
	}
	if err != nil {
		fmt.Fprintf(e.out, "  The patch cannot be shown: %v\n", err)
		return
	}
	fmt.Fprintln(e.out)
	Diff(e.out, diff.Bytes(), e.cfg.Color) // a failed write is told when e.out is flushed
}
