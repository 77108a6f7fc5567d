// This file reads reports back that were written as JSON, and finds findings in
// them.

package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/report"
)

// A Saved report was read from JSON.
type Saved struct{ doc jsonReport }

// ErrNotReport is wrapped by the error about a file that is no report.
var ErrNotReport = errors.New("not a report of plumb")

// Read reads a report that Write wrote as JSON, this version of plumb or another
// with the same schema.
func Read(r io.Reader) (*Saved, error) {
	s := &Saved{}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &s.doc); err != nil || s.doc.Tool.Name != "plumb" {
		return nil, fmt.Errorf("%w in the form of --format json", ErrNotReport)
	}
	if s.doc.Schema != jsonSchema {
		return nil, fmt.Errorf("a report with schema %d; this version of plumb reads schema %d", s.doc.Schema, jsonSchema)
	}
	for i := range s.doc.Findings {
		f := &s.doc.Findings[i]
		if _, ok := kindOf(f.Rule); !ok || len(f.ID) < shortID {
			return nil, fmt.Errorf("%w that this version of plumb knows: rule %q, id %q", ErrNotReport, f.Rule, f.ID)
		}
		if slices.ContainsFunc(f.Steps, func(s jsonStep) bool { return s.Depth < 0 || s.Depth > maxDepth }) {
			return nil, fmt.Errorf("%w that makes sense: a step of %s has no depth", ErrNotReport, f.ID)
		}
		if _, err := report.ParseConfidence(f.Confidence); err != nil {
			return nil, fmt.Errorf("%w that this version of plumb knows: %w", ErrNotReport, err)
		}
	}
	return s, nil
}

// Save returns the report as Read would, had it been written.
func Save(r *report.Report, cfg Config) (*Saved, error) {
	var b bytes.Buffer
	cfg.Format = JSON
	if err := Write(&b, r, cfg); err != nil {
		return nil, err
	}
	return Read(&b)
}

// maxDepth is more calls in one another than a story tells.
const maxDepth = 1000

// kindOf returns the kind that a rule stands for.
func kindOf(rule string) (report.Kind, bool) {
	i := slices.IndexFunc(report.Kinds, func(k report.Kind) bool { return k.Rule() == rule })
	if i < 0 {
		return 0, false
	}
	return report.Kinds[i], true
}

// Input are the words of a command line that name the program; nil if the report does
// not tell.
func (s *Saved) Input() []string { return s.doc.Input }

// Same returns the finding with the id of finding i in another report; -1 for none.
func (s *Saved) Same(i int, other *Saved) int {
	return slices.IndexFunc(other.doc.Findings, func(f jsonFinding) bool { return f.ID == s.doc.Findings[i].ID })
}

// Len is the number of findings.
func (s *Saved) Len() int { return len(s.doc.Findings) }

// LeftOut is the number of findings that were not sure enough to be reported.
func (s *Saved) LeftOut() int { return s.doc.LeftOut }

// Kind is the kind of a finding.
func (s *Saved) Kind(i int) report.Kind {
	k, _ := kindOf(s.doc.Findings[i].Rule)
	return k
}

// Find returns the findings that a word names: by id or the beginning of one, or by
// the place, as FILE:LINE or FILE:LINE:COLUMN.
func (s *Saved) Find(word string) []int {
	word = strings.ToLower(word)
	var out []int
	for i := range s.doc.Findings {
		f := &s.doc.Findings[i]
		if f.ID == word {
			return []int{i}
		}
		if strings.HasPrefix(f.ID, word) || f.Location.named(word) {
			out = append(out, i)
		}
	}
	return out
}

// named reports whether word is the place, with or without its column.
func (p jsonPlace) named(word string) bool {
	line := strings.ToLower(fmt.Sprintf("%s:%d", p.File, p.Line))
	return word == line || word == fmt.Sprintf("%s:%d", line, p.Column)
}

// Near returns the findings whose ids begin most like word, as far as they do.
func (s *Saved) Near(word string) []int {
	var out []int
	for n := min(len(word), shortID) - 1; n >= 2 && len(out) == 0; n-- {
		out = s.Find(word[:n])
	}
	return out
}

// Line is one line about a finding.
//
//	3f2a9c1b  certain   conf.c:41:9: memory allocated by malloc and held by 'buf' is forgotten here
func (s *Saved) Line(i int) string {
	f := &s.doc.Findings[i]
	return fmt.Sprintf("%s  %-8s  %s: %s", s.ID(i), f.Confidence, f.Location, f.Message)
}

// ID is the id of a finding, short where that is enough.
func (s *Saved) ID(i int) string {
	id := s.doc.Findings[i].ID
	for k := range s.doc.Findings {
		if other := s.doc.Findings[k].ID; k != i && strings.HasPrefix(other, id[:shortID]) {
			return id
		}
	}
	return id[:shortID]
}

// String is a place as text shows it.
func (p jsonPlace) String() string { return p.position().String() }
