// Package render writes a report for people and for programs: as text in the
// form of GCC, as JSON, and as SARIF 2.1.0.
//
// A renderer only reads the report. The formats agree on everything they all
// show: the order of findings, the wording, the paths (relative to the working
// directory where the file is below it, absolute elsewhere) and the names of C++
// functions, which are demangled here.
package render

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// A Format is a form of output.
type Format uint8

const (
	Text Format = iota + 1
	JSON
	SARIF
)

// String is the name of the format on the command line.
func (f Format) String() string {
	switch f {
	case Text:
		return "text"
	case JSON:
		return "json"
	case SARIF:
		return "sarif"
	}
	panic(fmt.Sprintf("render: bad format %d", uint8(f)))
}

// ParseFormat reads the name of a format.
func ParseFormat(name string) (Format, error) {
	for _, f := range []Format{Text, JSON, SARIF} {
		if f.String() == name {
			return f, nil
		}
	}
	return 0, fmt.Errorf("unknown format %q; use text, json or sarif", name)
}

// Config says how to write a report.
type Config struct {
	Format  Format
	Color   bool   // text: colours and bold, for terminals
	Dir     string // working directory, absolute; paths below it are shown relative to it
	Version string // of plumb
	Stats   bool   // JSON: add what the check did, and what it cost

	AllFrames bool // text: show calls inside the library too
	MaxHeld   int  // text: show so many findings of memory that is still held; 0 for all

	Input []string // JSON: the words of a command line that name the program again
}

// Write writes the report.
func Write(w io.Writer, r *report.Report, cfg Config) error {
	d := newDocument(r, cfg)
	switch cfg.Format {
	case Text:
		return d.text(w)
	case JSON:
		return d.json(w)
	case SARIF:
		return d.sarif(w)
	}
	panic(fmt.Sprintf("render: bad format %d", uint8(cfg.Format)))
}

// A document is a report made ready to be written.
type document struct {
	cfg      Config
	base     base
	findings []finding
	shorts   map[string]int // how many ids begin like this
	rules    []report.Kind  // kinds every run looks for, and others where they were found
	coverage report.Coverage
	leftOut  int
	stats    report.Stats

	isRun      bool // of a run alone
	processes  []report.Process
	suppressed report.Suppressed
	runNotes   []string
	sources    source.Text
}

// A finding is one finding with names demangled.
type finding struct {
	report.Finding
	id string // see fingerprint.go
}

func newDocument(r *report.Report, cfg Config) *document {
	d := &document{cfg: cfg, base: newBase(cfg.Dir), coverage: r.Coverage, leftOut: r.LeftOut, stats: r.Stats,
		isRun: r.IsRun(), processes: r.Processes, suppressed: r.Suppressed, runNotes: r.Notes}
	for _, k := range report.Kinds {
		if k.IsLeak() && !k.Asked() || slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Kind == k }) {
			d.rules = append(d.rules, k)
		}
	}
	for _, f := range r.Findings {
		f.Function = report.Readable(f.Function)
		f.Allocator = report.Readable(f.Allocator)
		steps := make([]report.Step, len(f.Steps))
		for i, s := range f.Steps {
			steps[i] = s
			steps[i].Text = report.Readable(s.Text)
		}
		f.Steps = steps
		f.GaveUp = slices.Clone(f.GaveUp)
		for i := range f.GaveUp {
			f.GaveUp[i].Function, f.GaveUp[i].Text = report.Readable(f.GaveUp[i].Function), report.Readable(f.GaveUp[i].Text)
		}
		f.Run = readableRun(f.Run)
		d.findings = append(d.findings, finding{Finding: f})
	}
	d.fingerprint()
	return d
}

// Path is how a file is shown to someone who works in dir.
func Path(dir, file string) string {
	if rel, ok := newBase(dir).below(file); ok {
		return rel
	}
	return file
}

func (d *document) path(file string) string {
	if rel, ok := d.base.below(file); ok {
		return rel
	}
	return file
}

// A base is the working directory under its names: as the shell calls it, and
// without symbolic links, as compilers in subdirectories do.
type base []string

func newBase(dir string) base {
	if dir == "" {
		return nil
	}
	b := base{dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		b = append(b, real)
	}
	return b
}

// below returns file relative to the base if it lies there.
func (b base) below(file string) (string, bool) {
	if file == "" || !filepath.IsAbs(file) {
		return filepath.Clean(file), file != ""
	}
	for _, dir := range b {
		rel, err := filepath.Rel(dir, file)
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return rel, true
		}
	}
	return "", false
}

// line returns the source line of a position.
func (d *document) line(p source.Position) (string, bool) {
	return d.sources.Line(d.absolute(p.File), p.Line)
}

// absolute is where a file is.
func (d *document) absolute(file string) string {
	if file == "" || filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(d.cfg.Dir, file)
}

// notes are the steps of a finding, none twice in a row, with the allocation
// first, which every reader looks for, even if the analysis gave no steps.
func (f *finding) notes() []report.Step {
	steps := slices.Compact(slices.Clone(f.Steps))
	if !f.Alloc.IsValid() || len(steps) > 0 && steps[0].Pos == f.Alloc {
		return steps
	}
	by := "allocated here"
	if f.Allocator != "" {
		by = "allocated by " + f.Allocator
	}
	return append([]report.Step{{Pos: f.Alloc, Text: by}}, steps...)
}
