// This file writes JSON; docs/json.md describes it for its readers.

package render

import (
	"encoding/json"
	"io"
	"path/filepath"

	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// jsonSchema is the version of the JSON form. Fields may be added within one
// version; none is renamed, removed or given another meaning.
const jsonSchema = 1

type jsonReport struct {
	Schema   int           `json:"schema"`
	Tool     jsonTool      `json:"tool"`
	Findings []jsonFinding `json:"findings"`
	LeftOut  int           `json:"left_out,omitempty"`
	Files    []jsonFile    `json:"files,omitempty"`
	Coverage jsonCoverage  `json:"coverage"`
	Stats    *jsonStats    `json:"stats,omitempty"`
	Input    []string      `json:"input,omitempty"`

	Functions  []jsonFunction  `json:"functions,omitempty"`
	Processes  []jsonProcess   `json:"processes,omitempty"`
	Suppressed *jsonSuppressed `json:"suppressed,omitempty"`
	Notes      []string        `json:"notes,omitempty"`
}

type jsonTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type jsonFinding struct {
	ID         string       `json:"id"`
	Rule       string       `json:"rule"`
	CWE        int          `json:"cwe"`
	Message    string       `json:"message"`
	Confidence string       `json:"confidence"`
	Why        []string     `json:"why,omitempty"`
	When       []string     `json:"when,omitempty"`
	Function   string       `json:"function"`
	Holder     string       `json:"holder"`
	Allocator  string       `json:"allocator"`
	Object     string       `json:"object,omitempty"`
	Location   jsonPlace    `json:"location"`
	Allocation jsonPlace    `json:"allocation"`
	Steps      []jsonStep   `json:"steps"`
	Also       []jsonStep   `json:"also,omitempty"`
	GaveUp     []jsonGaveUp `json:"gave_up,omitempty"`
	Run        *jsonRun     `json:"run,omitempty"`
	Fix        *jsonFix     `json:"fix,omitempty"`
	Slice      *jsonSlice   `json:"slice,omitempty"`
}

type jsonGaveUp struct {
	jsonPlace
	Reason   string `json:"reason"`
	Function string `json:"function"`
	Text     string `json:"text"`
}

type jsonPlace struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type jsonStep struct {
	jsonPlace
	Text  string `json:"text"`
	Depth int    `json:"depth,omitempty"`
}

type jsonCoverage struct {
	Units     int           `json:"units"`
	Functions int           `json:"functions"`
	Lines     int           `json:"lines"`
	Compiled  int           `json:"compiled"`
	Cached    int           `json:"cached"`
	Skipped   []jsonSkipped `json:"skipped"`
}

type jsonSkipped struct {
	Unit   string `json:"unit"`
	Reason string `json:"reason"`
}

func (d *document) json(w io.Writer) error {
	c := &d.coverage
	out := jsonReport{
		Schema:   jsonSchema,
		Tool:     jsonTool{Name: "plumb", Version: d.cfg.Version},
		Findings: []jsonFinding{},
		LeftOut:  d.leftOut,
		Files:    d.hashes(),
		Input:    d.cfg.Input,
		Coverage: jsonCoverage{
			Units: c.Units, Functions: c.Functions, Lines: c.Lines,
			Compiled: c.Compiled, Cached: c.Cached, Skipped: []jsonSkipped{},
		},
	}
	for _, s := range c.Skipped {
		out.Coverage.Skipped = append(out.Coverage.Skipped, jsonSkipped{Unit: d.path(s.Unit), Reason: s.Reason})
	}
	d.jsonRunOf(&out)
	if d.cfg.Stats {
		out.Stats = newJSONStats(&d.stats)
	}
	for i := range d.findings {
		f := &d.findings[i]
		j := jsonFinding{
			ID: f.id, Rule: f.Kind.Rule(), CWE: f.Kind.CWE(), Message: f.Message(),
			Confidence: f.Confidence.String(), Why: f.Why, When: f.When, Function: f.Function, Holder: f.Holder, Allocator: f.Allocator, Object: f.Object,
			Location: d.jsonPlace(f.Loss), Allocation: d.jsonPlace(f.Alloc), Steps: []jsonStep{},
			Run: d.jsonRun(f.Run), Fix: d.jsonFix(f.Fix),
		}
		for _, s := range f.notes() {
			j.Steps = append(j.Steps, d.jsonStep(s))
		}
		for _, s := range f.Also {
			j.Also = append(j.Also, d.jsonStep(s))
		}
		for _, g := range f.GaveUp {
			j.GaveUp = append(j.GaveUp, jsonGaveUp{d.jsonPlace(g.Pos), g.Reason.String(), g.Function, g.Text})
		}
		out.Findings = append(out.Findings, j)
	}
	d.addSlices(&out)
	return encode(w, out)
}

func (d *document) jsonStep(s report.Step) jsonStep {
	return jsonStep{d.jsonPlace(s.Pos), s.Text, s.Depth}
}

// jsonPlace is a position with its path as shown.
func (d *document) jsonPlace(p source.Position) jsonPlace {
	if p.File == "" {
		return jsonPlace{}
	}
	return jsonPlace{File: filepath.ToSlash(d.path(p.File)), Line: p.Line, Column: p.Col}
}

// encode writes indented JSON that leaves <, > and & alone.
func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
