// This file writes fixes: a note in text, an object in JSON, fixes in SARIF.

package render

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// fixNote says in a clause what mends a finding, or why nothing does.
//
//	fix: free(copy) before the return
//	not fixed: the pointer is kept by log_add
func (f *finding) fixNote() []string {
	if f.Fix == nil {
		return nil
	}
	switch f.Fix.Outcome {
	case report.Fixed:
		return []string{"fix: " + f.Fix.Text}
	case report.Guarded:
		return []string{"guarded fix: " + f.Fix.Text}
	}
	return []string{"not fixed: " + f.Fix.Reason}
}

type jsonFix struct {
	Outcome string       `json:"outcome"`
	Text    string       `json:"text,omitempty"`
	Reason  string       `json:"reason,omitempty"`
	Changes []jsonChange `json:"changes,omitempty"`
}

type jsonChange struct {
	File  string    `json:"file"`
	Start jsonPoint `json:"start"`
	End   jsonPoint `json:"end"`
	New   string    `json:"new"`
}

type jsonPoint struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Offset int `json:"offset"`
}

// outcomeWord is an outcome as JSON has it.
func outcomeWord(o report.FixOutcome) string { return strings.ReplaceAll(o.String(), " ", "-") }

func (d *document) jsonFix(f *report.Fix) *jsonFix {
	if f == nil {
		return nil
	}
	j := &jsonFix{Outcome: outcomeWord(f.Outcome), Text: f.Text, Reason: f.Reason}
	for _, c := range f.Changes {
		j.Changes = append(j.Changes, jsonChange{
			File:  filepath.ToSlash(d.path(c.File)),
			Start: jsonPoint{c.StartLine, c.StartCol, c.Start},
			End:   jsonPoint{c.EndLine, c.EndCol, c.End},
			New:   c.New,
		})
	}
	return j
}

func (x *restorer) fix(j *jsonFix) *report.Fix {
	if j == nil {
		return nil
	}
	f := &report.Fix{Outcome: report.NotFixed, Text: j.Text, Reason: j.Reason}
	for _, o := range []report.FixOutcome{report.Fixed, report.Guarded} {
		if outcomeWord(o) == j.Outcome {
			f.Outcome = o
		}
	}
	for _, c := range j.Changes {
		f.Changes = append(f.Changes, report.Change{
			File: x.file(filepath.FromSlash(c.File)), Start: c.Start.Offset, End: c.End.Offset,
			StartLine: c.Start.Line, StartCol: c.Start.Column, EndLine: c.End.Line, EndCol: c.End.Column, New: c.New,
		})
	}
	return f
}

type sarifFix struct {
	Description *sarifMessage         `json:"description,omitempty"`
	Changes     []sarifArtifactChange `json:"artifactChanges"`
}

type sarifArtifactChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifSpan     `json:"deletedRegion"`
	Inserted *sarifMessage `json:"insertedContent,omitempty"`
}

// empty reports whether nothing is deleted.
func (r *sarifReplacement) empty() bool {
	return r.Deleted.Line == r.Deleted.EndLine && r.Deleted.Col == r.Deleted.EndCol && r.Inserted != nil
}

// A sarifSpan is a region with an end, which lies behind it; an empty one says where
// to insert.
type sarifSpan struct {
	Line    int `json:"startLine"`
	Col     int `json:"startColumn"`
	EndLine int `json:"endLine"`
	EndCol  int `json:"endColumn"`
}

// addFix adds what mends a finding, file by file, or why nothing does.
func (d *document) addFix(res *sarifResult, f *finding) {
	if f.Fix == nil {
		return
	}
	res.Properties.Fix = outcomeWord(f.Fix.Outcome)
	res.Properties.NotFixed = f.Fix.Reason
	if len(f.Fix.Changes) == 0 {
		return
	}
	text := strings.TrimPrefix(f.fixNote()[0], "fix: ")
	fix := sarifFix{Description: &sarifMessage{Text: text}}
	var files []string
	for _, c := range f.Fix.Changes {
		i := slices.Index(files, c.File)
		if i < 0 {
			i = len(files)
			files = append(files, c.File)
			fix.Changes = append(fix.Changes, sarifArtifactChange{Artifact: d.sarifArtifact(c.File)})
		}
		r := sarifReplacement{Deleted: sarifSpan{
			Line: c.StartLine, Col: d.utf16Col(source.Position{File: c.File, Line: c.StartLine, Col: c.StartCol}),
			EndLine: c.EndLine, EndCol: d.utf16Col(source.Position{File: c.File, Line: c.EndLine, Col: c.EndCol}),
		}}
		if c.New != "" {
			r.Inserted = &sarifMessage{Text: c.New}
		}
		rs := &fix.Changes[i].Replacements
		// Two texts at one place are one: readers need not agree on their order.
		if n := len(*rs); n > 0 && (*rs)[n-1].empty() && r.empty() && (*rs)[n-1].Deleted == r.Deleted {
			(*rs)[n-1].Inserted.Text += r.Inserted.Text
			continue
		}
		*rs = append(*rs, r)
	}
	res.Fixes = []sarifFix{fix}
}
