// This file tells all that is known of one finding.

package render

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// Explain writes all that is known of finding i: the way there, drawn in the source,
// values, how sure it is and why, what was not followed, what it means, and what to
// do. advice is what is to be done about its kind.
func (s *Saved) Explain(w io.Writer, i int, advice string, cfg Config) error {
	f := &s.doc.Findings[i]
	kind, _ := kindOf(f.Rule)
	e := &explainer{document: &document{cfg: cfg, base: newBase(cfg.Dir)}, out: bufio.NewWriter(w)}
	fmt.Fprintf(e.out, "%s %s\n", e.paint(bold, f.Location.String()+":"), e.paint(bold, f.Message))
	fmt.Fprintf(e.out, "in %s; %s, CWE-%d; id %s\n", f.Function, f.Rule, f.CWE, f.ID)
	for _, file := range s.Changed(cfg.Dir) {
		if s.Names(i, file) {
			fmt.Fprintf(e.out, "%s %s was changed after the check: its lines may have moved\n", e.paint(magenta, "warning:"), file)
		}
	}

	e.head("The way there")
	e.story(f.Steps)
	for _, a := range f.Also {
		fmt.Fprintf(e.out, "  %s: %s\n", a.jsonPlace, a.Text)
	}
	if len(f.When) > 0 {
		e.head("For example when")
		for _, v := range f.When {
			fmt.Fprintf(e.out, "  %s\n", v)
		}
	}
	e.run(s, f)
	e.head("How sure: " + f.Confidence)
	conf, _ := report.ParseConfidence(f.Confidence)
	if f.Run != nil {
		e.para("It happened in a run.")
	} else {
		e.para(conf.Meaning())
	}
	for _, why := range f.Why {
		fmt.Fprintf(e.out, "  - %s\n", why)
	}
	if len(f.GaveUp) > 0 {
		e.head("What plumb did not follow")
		for _, g := range f.GaveUp {
			fmt.Fprintf(e.out, "  %s: %s\n", g.jsonPlace, g.Text)
		}
	}
	e.head("What it means")
	e.para(kind.Title())
	fmt.Fprintf(e.out, "  'plumb explain --kind %s' tells more.\n", kind)
	e.fix(s, f)
	e.head("What to do")
	if f.Fix != nil && len(f.Fix.Changes) > 0 {
		e.para("plumb fix --apply writes the change into the sources, plumb fix --only " + s.ID(i) + " this one alone.")
	}
	e.para(advice)
	e.next(s, i)
	return e.out.Flush()
}

// An explainer writes about one finding.
type explainer struct {
	*document
	out *bufio.Writer
}

func (e *explainer) head(title string) { fmt.Fprintf(e.out, "\n%s\n", e.paint(bold, title)) }

// para writes a paragraph that fits a screen.
func (e *explainer) para(text string) { io.WriteString(e.out, wrap(text, "  ", 78)) }

// next says how to go on: to a patch, and where to look if the finding is not right.
func (e *explainer) next(s *Saved, i int) {
	f := &s.doc.Findings[i]
	kind, _ := kindOf(f.Rule)
	known := len(s.doc.Input) > 0 && kind.IsLeak()
	// What a run alone saw has an id that no check knows.
	if known && f.Fix == nil && (f.Run == nil || f.Run.Check == report.Confirmed.String()) {
		fmt.Fprintf(e.out, "  For a patch: plumb fix --only %s %s\n", s.ID(i), quoted(s.doc.Input))
	}
	if f.Run != nil {
		return // it happened
	}
	if known {
		fmt.Fprintf(e.out, "  To see each step that plumb made: plumb dump --phase=useflow --line=%d %s\n",
			f.Allocation.Line, quoted(s.doc.Input))
	}
	if len(f.GaveUp) > 0 {
		e.para("If it is wrong, look first at what plumb did not follow. A model tells plumb what a function without source does: plumb models --help.")
		return
	}
	e.para("If it is wrong, the first step of the way that cannot be is where plumb errs; docs/known-limits.md and docs/policies.md have what is known of that.")
}

// quoted is a command line that a shell reads as these words.
func quoted(words []string) string {
	var out []string
	for _, w := range words {
		if w == "" || strings.ContainsFunc(w, func(r rune) bool { return !strings.ContainsRune(plainChars, r) }) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// plainChars mean nothing to a shell.
const plainChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+=:,@%"

// maxGap is how many lines between two steps are shown.
const maxGap = 5

// story draws the steps in the source.
//
//	--> conf.c:30:17
//	 30 |     char *buf = malloc(16);
//	    |                 ^ 1. allocated by malloc
//	 31 |     if (n < 0)
//	    |           ^ 2. here n < 0
func (e *explainer) story(steps []jsonStep) {
	var at jsonStep // the step before, if the next may stand right below it
	for i, s := range steps {
		margin := strings.Repeat("    ", s.Depth)
		text := fmt.Sprintf("%d. %s", i+1, s.Text)
		line, ok := e.line(s.position())
		if !ok {
			fmt.Fprintf(e.out, "  %s%s: %s\n", margin, s.jsonPlace, text)
			at = jsonStep{}
			continue
		}
		if s.File != at.File || s.Depth != at.Depth || s.Line < at.Line {
			fmt.Fprintf(e.out, "  %s%s %s\n", margin, e.paint(cyan, "-->"), s.jsonPlace)
		} else {
			e.between(margin, s.File, at.Line+1, s.Line-1)
		}
		if s.File != at.File || s.Depth != at.Depth || s.Line != at.Line {
			e.show(margin, s.Line, line)
		}
		cutLine, col := window(line, s.Column)
		if col < 1 || col > len(cutLine)+1 {
			cutLine, col = "", 1
		}
		fmt.Fprintf(e.out, "%s      | %s%s\n", margin, indent(cutLine[:col-1]), e.paint(green, "^ "+text))
		at = s
	}
}

// between shows the lines between two steps.
func (e *explainer) between(margin, file string, from, to int) {
	if to-from >= maxGap {
		fmt.Fprintf(e.out, "%s  ...\n", margin)
		return
	}
	for n := from; n <= to; n++ {
		if line, ok := e.line(source.Position{File: file, Line: n}); ok {
			e.show(margin, n, line)
		}
	}
}

// show writes one line of source.
func (e *explainer) show(margin string, n int, line string) {
	line, _ = window(line, 1)
	fmt.Fprintf(e.out, "%s%5d | %s\n", margin, n, printable(line))
}

// position is the place that p was made of, but for its path.
func (p jsonPlace) position() source.Position {
	return source.Position{File: p.File, Line: p.Line, Col: p.Column}
}

// wrap breaks text into lines of at most width characters.
func wrap(text, margin string, width int) string {
	var b strings.Builder
	n := 0
	for _, word := range strings.Fields(text) {
		switch {
		case n == 0:
			b.WriteString(margin)
			n = len(margin)
		case n+1+len(word) > width:
			b.WriteString("\n" + margin)
			n = len(margin)
		default:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(word)
		n += len(word)
	}
	if n > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}
