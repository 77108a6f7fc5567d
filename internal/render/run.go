// This file writes what runs saw of findings, for people.

package render

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/report"
)

// readableRun demangles the names in what a run saw.
func readableRun(r *report.Run) *report.Run {
	if r == nil {
		return nil
	}
	out := *r
	for _, t := range []*report.Trace{&out.Alloc, &out.Use, &out.Loss} {
		t.Text = report.Readable(t.Text)
		t.Frames = slices.Clone(t.Frames)
		for i := range t.Frames {
			t.Frames[i].Function = report.Readable(t.Frames[i].Function)
		}
	}
	out.Owned = slices.Clone(r.Owned)
	for i := range out.Owned {
		out.Owned[i].Allocator = report.Readable(out.Owned[i].Allocator)
	}
	return &out
}

// seen writes what a run saw of a finding that is its own: each event with its
// calls, and what was lost with it.
func (d *document) seen(out *bufio.Writer, f *finding) {
	shown := f.Loss
	for _, t := range f.traces() {
		d.note(out, t.Step)
		if t.Pos != shown && t.Pos != f.Loss {
			d.excerpt(out, t.Pos)
			shown = t.Pos
		}
		d.frames(out, t.Frames)
	}
	for _, s := range f.owned() {
		d.note(out, s)
	}
}

// traces are the events of a run in their order.
func (f *finding) traces() []report.Trace {
	var out []report.Trace
	for _, t := range []report.Trace{f.Run.Alloc, f.Run.Use, f.Run.Loss} {
		if len(t.Frames) == 0 || f.Kind == report.StillHeld && len(f.Run.Use.Frames) > 0 && t.Step == f.Run.Loss.Step && t.Step != f.Run.Use.Step {
			continue // a reference that went away says little about one that is left, if the last use is known
		}
		out = append(out, t)
	}
	return out
}

// owned tells of what was lost with the blocks of a finding.
//
//	allocated by malloc: 2 blocks, 48 bytes it owned
func (f *finding) owned() []report.Step {
	var out []report.Step
	for _, o := range f.Run.Owned {
		text := "allocated by " + o.Allocator
		if o.Allocator == "" {
			text = "allocated"
		}
		text += fmt.Sprintf(": %s, %s that went with it", report.Count(o.Blocks, "block"), report.Count(o.Bytes, "byte"))
		out = append(out, report.Step{Pos: o.Alloc, Text: text})
	}
	return out
}

// frames writes calls, innermost first.
//
//	#0 load conf.c:30:17
//	#1 main main.c:12:5
//	#2 g_main_loop_run (libglib-2.0.so.0+0x5e3a1)
//
// Calls inside the library that lead to it are left out: who calls strdup knows what
// it does.
func (d *document) frames(out io.Writer, fs []report.Frame) {
	if i := slices.IndexFunc(fs, func(f report.Frame) bool { return !f.System }); i > 0 && !d.cfg.AllFrames {
		fs = fs[i:]
	}
	for i, f := range fs {
		fmt.Fprintf(out, "    %s %s\n", d.paint(faint, fmt.Sprintf("#%d", i)), d.frame(f))
	}
}

func (d *document) frame(f report.Frame) string {
	s := cmp.Or(f.Function, "?")
	switch {
	case f.Pos.IsValid():
		s += " " + d.place(f.Pos)
	case f.Module != "":
		s += fmt.Sprintf(" (%s+%#x)", filepath.Base(f.Module), f.Offset)
	case f.Offset != 0:
		s += fmt.Sprintf(" (%#x)", f.Offset)
	}
	if f.Inlined {
		s += " (inlined)"
	}
	return s
}

// agreement says what a run has to do with a finding of plumb check.
//
//	confirmed by a run: 3 blocks, 72 bytes lost at conf.c:41:9
//	seen only in a run: plumb check does not report it
func (d *document) agreement(f *finding) []string {
	if f.Run == nil {
		return nil
	}
	switch f.Run.Check {
	case report.Confirmed:
		how := "lost"
		if f.Kind == report.LeakAtExit || f.Kind == report.LeakReachable {
			how = "not released"
		}
		if f.Run.Loss.Pos.IsValid() {
			how += " at " + d.place(f.Run.Loss.Pos)
		}
		return []string{"confirmed by a run: " + f.Run.AmountThat(how)}
	case report.OnlyRun:
		return []string{"seen only in a run: plumb check does not report it"}
	}
	return nil
}

// A tally is how much findings of a run are together.
type tally struct{ findings, blocks, bytes int64 }

func (t *tally) add(f *report.Finding) {
	t.findings++
	if f.Run != nil {
		owned, _ := f.Run.OwnedBlocks()
		t.blocks += f.Run.Blocks + owned
		t.bytes += f.Run.Size()
	}
}

// String is the memory of it.
//
//	5 blocks, 120 bytes
func (t tally) String() string {
	return report.Count(t.blocks, "block") + ", " + report.Count(t.bytes, "byte")
}

// section is the line above the findings of a run that are lost, or still held.
func (d *document) section(held bool) string {
	var t tally
	for i := range d.findings {
		if f := &d.findings[i]; (f.Kind == report.StillHeld) == held {
			t.add(&f.Finding)
		}
	}
	name := "Lost"
	if held {
		name = "Forgotten, but still reachable"
	}
	return fmt.Sprintf("%s: %s, %s", name, report.Count(t.findings, "finding"), t)
}

// runSummary is the last line of a run.
//
//	2 leaks found: 5 blocks, 120 bytes lost; 1 block, 64 bytes still held; 1 finding suppressed (2 blocks, 16 bytes); 2 processes
func runSummary(r *report.Report) string {
	var lost, held tally
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Kind == report.StillHeld {
			held.add(f)
		} else {
			lost.add(f)
		}
	}
	parts := []string{"no leaks found"}
	if lost.findings > 0 {
		parts[0] = fmt.Sprintf("%s found: %s lost", report.Count(lost.findings, "leak"), lost)
	}
	if held.findings > 0 {
		parts = append(parts, held.String()+" still held")
	}
	if s := suppressed(r.Suppressed); s != "" {
		parts = append(parts, s)
	}
	if n := len(r.Processes); n == 1 {
		parts = append(parts, "1 process")
	} else {
		parts = append(parts, report.Count(int64(n), "processe"))
	}
	return strings.Join(parts, "; ")
}

// suppressed says what suppressions took out.
func suppressed(s report.Suppressed) string {
	if s.Findings == 0 {
		return ""
	}
	return fmt.Sprintf("%s suppressed (%s)", report.Count(int64(s.Findings), "finding"), tally{blocks: s.Blocks, bytes: s.Bytes})
}
