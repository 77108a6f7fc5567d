// This file writes findings the way compilers do.

package render

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// Colours, as GCC uses them.
const (
	bold    = "\x1b[1m"
	faint   = "\x1b[2m"
	magenta = "\x1b[1;35m"
	cyan    = "\x1b[1;36m"
	green   = "\x1b[1;32m"
	red     = "\x1b[31m"
	plain   = "\x1b[0m"
)

// text writes
//
//	conf.c:41:9: warning: memory allocated by malloc and held by 'buf' is forgotten here [plumb-leak-forgotten] [id 3f2a9c1b]
//	   41 |         return -1;
//	      |         ^
//	conf.c:30:17: note: allocated by malloc
//	   30 |     char *buf = malloc(16);
//	      |                 ^
//
// Steps in functions that are called on the way are indented. What a run saw has
// the calls that led there below it (run.go). The id is short for
// that of the other formats, and what plumb explain asks for.
func (d *document) text(w io.Writer) error {
	out := bufio.NewWriter(w)
	held := 0
	var hidden tally // of what is still held: the smallest
	for i := range d.findings {
		f := &d.findings[i]
		if f.Kind == report.StillHeld && d.isRun {
			if held++; d.cfg.MaxHeld > 0 && held > d.cfg.MaxHeld {
				hidden.add(&f.Finding)
				continue
			}
		}
		if held := f.Kind == report.StillHeld; d.isRun && (i == 0 || held != (d.findings[i-1].Kind == report.StillHeld)) {
			if i > 0 {
				fmt.Fprintln(out)
			}
			fmt.Fprintln(out, d.paint(bold, d.section(held)))
		}
		d.finding(out, f)
	}
	if hidden.findings > 0 {
		fmt.Fprintf(out, "%s %s more of memory that is still held: %s; -v shows all\n", d.paint(cyan, "note:"), report.Count(hidden.findings, "finding"), hidden)
	}
	for _, n := range d.runNotes {
		fmt.Fprintf(out, "%s %s\n", d.paint(cyan, "note:"), n)
	}
	return out.Flush()
}

// steps writes the way to a finding.
func (d *document) steps(out *bufio.Writer, f *finding) {
	shown := f.Loss
	for _, n := range append(f.notes(), f.Also...) {
		d.note(out, n)
		if n.Pos != shown && n.Pos != f.Loss {
			d.excerpt(out, n.Pos)
			shown = n.Pos
		}
	}
}

// finding writes one finding.
func (d *document) finding(out *bufio.Writer, f *finding) {
	d.headline(out, f)
	d.excerpt(out, f.Loss)
	if f.Run != nil && f.Run.Check != report.Confirmed {
		d.seen(out, f)
	} else {
		d.steps(out, f)
	}
	for _, text := range slices.Concat(f.remarks(), d.agreement(f), f.fixNote()) {
		d.note(out, report.Step{Pos: f.Loss, Text: text})
	}
	if f.Run != nil && f.Run.Check == report.Confirmed {
		d.frames(out, f.Run.Loss.Frames)
	}
}

// headline writes the first line of a finding.
func (d *document) headline(out *bufio.Writer, f *finding) {
	severity, color := "warning:", magenta
	if f.Kind == report.StillHeld {
		severity, color = "note:", cyan
	}
	fmt.Fprintf(out, "%s %s %s %s %s\n", d.paint(bold, d.place(f.Loss)+":"), d.paint(color, severity),
		d.paint(bold, f.Message()), d.paint(color, "["+f.Kind.Rule()+"]"), d.paint(faint, "[id "+d.short(f.id)+"]"))
}

// FindingsTogether writes findings that have something in common, by their indices in
// the report: the first as it is, of the others only what they are.
func FindingsTogether(w io.Writer, r *report.Report, which []int, cfg Config) error {
	d := newDocument(r, cfg)
	out := bufio.NewWriter(w)
	for k, i := range which {
		if k == 0 {
			d.finding(out, &d.findings[i])
		} else {
			d.headline(out, &d.findings[i])
		}
	}
	return out.Flush()
}

// note writes one step in a line.
func (d *document) note(out *bufio.Writer, n report.Step) {
	fmt.Fprintf(out, "%s %s %s\n", d.paint(bold, d.place(n.Pos)+":"), d.paint(cyan, "note:"), strings.Repeat("  ", n.Depth)+n.Text)
}

// remarks say for which values a finding holds, and why it is not surer.
//
//	for example when len = 17, n = 2
//	possible: not checked: no solver: z3 was not found
func (f *finding) remarks() []string {
	var out []string
	if len(f.When) > 0 {
		out = append(out, "for example when "+strings.Join(f.When, ", "))
	}
	if len(f.Why) > 0 {
		out = append(out, f.Confidence.String()+": "+strings.Join(f.Why, "; "))
	}
	return out
}

// paint colours s on a terminal.
func (d *document) paint(color, s string) string {
	if !d.cfg.Color {
		return s
	}
	return color + s + plain
}

// place is a position as text shows it.
func (d *document) place(p source.Position) string {
	if p.File != "" {
		p.File = d.path(p.File)
	}
	return p.String()
}

// excerpt shows the line of p and a caret below its column.
func (d *document) excerpt(w io.Writer, p source.Position) {
	line, ok := d.line(p)
	if !ok {
		return
	}
	line, col := window(line, p.Col)
	fmt.Fprintf(w, "%5d | %s\n", p.Line, printable(line))
	if col < 1 || col > len(line)+1 {
		return
	}
	fmt.Fprintf(w, "      | %s%s\n", indent(line[:col-1]), d.paint(green, "^"))
}

// maxWidth is the longest line shown whole, in bytes; generated code has lines
// of a megabyte.
const maxWidth = 200

// window cuts a long line to the part around col, and moves col with it.
func window(line string, col int) (string, int) {
	if len(line) <= maxWidth {
		return line, col
	}
	from := 0
	if col > maxWidth*3/4 && col <= len(line)+1 {
		from = min(col-1-maxWidth/2, len(line)-maxWidth)
	}
	to := min(from+maxWidth, len(line))
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	for to < len(line) && !utf8.RuneStart(line[to]) {
		to--
	}
	head, tail := "", ""
	if from > 0 {
		head = "..."
	}
	if to < len(line) {
		tail = "..."
	}
	return head + line[from:to] + tail, col - from + len(head)
}

// printable replaces what could move the cursor of a terminal.
func printable(line string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, line)
}

// indent is as wide as head when printed: tabs stay tabs.
func indent(head string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, head)
}
