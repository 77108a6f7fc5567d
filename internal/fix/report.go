// This file tells the report what became of its findings.

package fix

import (
	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/report"
)

// Tell notes the mends in the findings of the report.
func (r *Result) Tell(rep *report.Report) {
	for i := range r.Mends {
		m := &r.Mends[i]
		for _, k := range m.Findings {
			rep.Findings[k].Fix = &report.Fix{Outcome: m.Outcome, Text: m.Text, Reason: m.Reason, Changes: Changes(m.Patch)}
		}
	}
}

// Changes lists the edits of a patch.
func Changes(p *patch.Patch) []report.Change {
	if p.Empty() {
		return nil
	}
	var out []report.Change
	for _, e := range p.Edits() {
		c := report.Change{File: e.File, Start: e.Start, End: e.End, New: e.New}
		c.StartLine, c.StartCol = p.Position(e.File, e.Start)
		c.EndLine, c.EndCol = p.Position(e.File, e.End)
		out = append(out, c)
	}
	return out
}
