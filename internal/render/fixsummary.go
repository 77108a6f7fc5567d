// This file shows people what became of fixes: diffs in colour, a line for each
// finding, totals.

package render

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/plumb-project/plumb/internal/report"
)

// Diff writes a unified diff, with the colours that git gives it when it is for a
// terminal. Without them it is copied as it is: a patch must apply to the byte.
func Diff(w io.Writer, diff []byte, color bool) error {
	if !color {
		_, err := w.Write(diff)
		return err
	}
	out := bufio.NewWriter(w)
	for line := range strings.Lines(string(diff)) {
		text, end := strings.TrimSuffix(line, "\n"), "\n"
		if text == line {
			end = ""
		}
		text = printable(strings.TrimSuffix(text, "\r"))
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "diff "):
			text = bold + text + plain
		case strings.HasPrefix(line, "@@"):
			text = cyan + text + plain
		case strings.HasPrefix(line, "-"):
			text = red + text + plain
		case strings.HasPrefix(line, "+"):
			text = green + text + plain
		}
		out.WriteString(text + end)
	}
	return out.Flush()
}

// Fixes writes a line for each finding that says what became of it.
//
//	conf.c:41:9: fixed: free(buf) before the return [id 3f2a9c1b]
//	conf.c:60:2: not fixed: log_add may keep it [id 90b1c2d3]
func Fixes(w io.Writer, r *report.Report, cfg Config) error {
	d := newDocument(r, cfg)
	out := bufio.NewWriter(w)
	for i := range d.findings {
		f := &d.findings[i]
		if f.Fix == nil {
			continue
		}
		color, text := green, f.Fix.Text
		switch f.Fix.Outcome {
		case report.Guarded:
			color = cyan
		case report.NotFixed:
			color, text = magenta, f.Fix.Reason
		}
		fmt.Fprintf(out, "%s %s %s %s\n", d.paint(bold, d.place(f.Loss)+":"), d.paint(color, f.Fix.Outcome.String()+":"),
			text, d.paint(faint, "[id "+d.short(f.id)+"]"))
	}
	return out.Flush()
}

// FixSummary is the last line of plumb fix.
//
//	3 findings: 2 fixed, 1 not fixed; 12 units, 340 functions, 5,120 lines analysed
func FixSummary(r *report.Report) string {
	var n [report.NotFixed + 1]int
	total := 0
	for i := range r.Findings {
		if f := r.Findings[i].Fix; f != nil {
			n[f.Outcome]++
			total++
		}
	}
	if total == 0 {
		return Summary(r)
	}
	var parts []string
	for _, o := range []report.FixOutcome{report.Fixed, report.Guarded, report.NotFixed} {
		if n[o] > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", number(n[o]), o))
		}
	}
	_, rest, _ := strings.Cut(Summary(r), ";")
	return count(total, "finding") + ": " + strings.Join(parts, ", ") + ";" + rest
}
