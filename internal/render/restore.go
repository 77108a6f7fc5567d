// This file makes a report of one that was read from JSON.

package render

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// Report returns the report. Paths in it that are relative were so to the directory
// that the report was written in: they are taken to be relative to dir where there is
// such a file, and left alone elsewhere.
func (s *Saved) Report(dir string) *report.Report {
	x := restorer{dir: dir, files: map[string]string{}}
	r := &report.Report{LeftOut: s.doc.LeftOut, Notes: s.doc.Notes}
	c := s.doc.Coverage
	r.Coverage = report.Coverage{Units: c.Units, Functions: c.Functions, Lines: c.Lines, Compiled: c.Compiled, Cached: c.Cached}
	for _, k := range c.Skipped {
		r.Coverage.Skipped = append(r.Coverage.Skipped, report.Skipped{Unit: x.file(k.Unit), Reason: k.Reason})
	}
	for _, p := range s.doc.Processes {
		r.Processes = append(r.Processes, report.Process{PID: p.PID, Parent: p.Parent, Program: x.file(p.Program), End: p.End})
	}
	if k := s.doc.Suppressed; k != nil {
		r.Suppressed = report.Suppressed{Findings: k.Findings, Blocks: k.Blocks, Bytes: k.Bytes}
	}
	for i := range s.doc.Findings {
		f := x.finding(&s.doc.Findings[i])
		f.Slice = x.slice(s.doc.Findings[i].Slice, s.doc.Functions)
		r.Findings = append(r.Findings, f)
	}
	return r
}

// A restorer makes paths absolute again.
type restorer struct {
	dir   string
	files map[string]string
}

func (x *restorer) file(name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	out, ok := x.files[name]
	if !ok {
		out = name
		if _, err := os.Stat(filepath.Join(x.dir, name)); err == nil {
			out = filepath.Join(x.dir, name)
		}
		x.files[name] = out
	}
	return out
}

func (x *restorer) pos(p jsonPlace) source.Position {
	return source.Position{File: x.file(filepath.FromSlash(p.File)), Line: p.Line, Col: p.Column}
}

func (x *restorer) steps(in []jsonStep) []report.Step {
	var out []report.Step
	for _, s := range in {
		out = append(out, report.Step{Pos: x.pos(s.jsonPlace), Text: s.Text, Depth: s.Depth})
	}
	return out
}

// finding restores a finding. Read has checked its rule and confidence.
func (x *restorer) finding(j *jsonFinding) report.Finding {
	kind, _ := kindOf(j.Rule)
	conf, _ := report.ParseConfidence(j.Confidence)
	f := report.Finding{
		Kind: kind, Alloc: x.pos(j.Allocation), Loss: x.pos(j.Location), Function: j.Function, Holder: j.Holder, Allocator: j.Allocator,
		Object: j.Object, Confidence: conf, Why: j.Why, When: j.When, Steps: x.steps(j.Steps), Also: x.steps(j.Also), Run: x.run(j.Run), Fix: x.fix(j.Fix),
	}
	for _, g := range j.GaveUp {
		i := slices.IndexFunc(report.Reasons, func(r report.Reason) bool { return r.String() == g.Reason })
		if i >= 0 {
			f.GaveUp = append(f.GaveUp, report.GaveUp{Reason: report.Reasons[i], Function: g.Function, Pos: x.pos(g.jsonPlace), Text: g.Text})
		}
	}
	return f
}

func (x *restorer) run(j *jsonRun) *report.Run {
	if j == nil {
		return nil
	}
	r := &report.Run{Blocks: j.Blocks, Bytes: j.Bytes, Processes: j.Processes, Alloc: x.trace(j.Allocation), Use: x.trace(j.Use), Loss: x.trace(j.Loss)}
	for _, a := range []report.Agreement{report.Confirmed, report.OnlyRun} {
		if a.String() == j.Check {
			r.Check = a
		}
	}
	for _, o := range j.Owned {
		r.Owned = append(r.Owned, report.Owned{Blocks: o.Blocks, Bytes: o.Bytes, Allocator: o.Allocator, Alloc: x.pos(o.Allocation)})
	}
	return r
}

func (x *restorer) trace(j *jsonTrace) report.Trace {
	if j == nil {
		return report.Trace{}
	}
	t := report.Trace{Step: report.Step{Pos: x.pos(j.jsonPlace), Text: j.Text}}
	for _, f := range j.Stack {
		t.Frames = append(t.Frames, report.Frame{Pos: x.pos(f.jsonPlace), Function: f.Function, Module: x.file(f.Module), Offset: f.Offset, Inlined: f.Inlined, System: f.System})
	}
	return t
}
