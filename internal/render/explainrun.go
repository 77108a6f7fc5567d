// This file tells what a run saw of one finding.

package render

import (
	"fmt"

	"github.com/plumb-project/plumb/internal/report"
)

// run tells how much a run saw, in which processes, and by which calls.
func (e *explainer) run(s *Saved, f *jsonFinding) {
	if f.Run == nil {
		return
	}
	r := (&restorer{files: map[string]string{}}).run(f.Run)
	e.head("In a run")
	fmt.Fprintf(e.out, "  %s\n", r.Amount())
	for _, o := range f.Run.Owned {
		fmt.Fprintf(e.out, "    of these %s, %s allocated at %s\n", report.Count(o.Blocks, "block"), report.Count(o.Bytes, "byte"), o.Allocation)
	}
	for _, n := range f.Run.Processes {
		if n >= 0 && n < len(s.doc.Processes) {
			p := s.doc.Processes[n]
			fmt.Fprintf(e.out, "  in process %d, %s: %s\n", p.PID, p.Program, p.End)
		}
	}
	for _, t := range []report.Trace{r.Alloc, r.Use, r.Loss} {
		if len(t.Frames) > 0 {
			fmt.Fprintf(e.out, "\n  %s\n", t.Text)
			e.frames(e.out, t.Frames)
		}
	}
}
