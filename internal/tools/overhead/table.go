package main

// This file says what was measured, and whether the bars are met.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/tools/cputime"
)

// A table is all that is measured, against the first mode.
type table struct {
	modes   []mode
	rows    []*row
	machine string
	runs    int
}

// A bar is the most that something may cost, times plain: in the geometric mean
// over all programs and, if worst is not 0, for each of them.
type bar struct {
	what        string
	of          ratio
	mean, worst float64
}

// A ratio is what one program costs compared with plain; not every mode has
// everything.
type ratio func(t *table, r *row) (float64, bool)

// ratioOf compares a figure of a mode; 0 is none.
func ratioOf(mode string, figure func(*sample) float64) ratio {
	return func(t *table, r *row) (float64, bool) {
		s := r.samples[mode]
		if s == nil {
			return 0, false
		}
		v := figure(s)
		return v / figure(r.samples[t.modes[0].name]), v != 0
	}
}

func user(s *sample) float64 { return middle(s.user) }

func build(s *sample) float64 { return middle(s.build) }

func peak(s *sample) float64 { return float64(slices.Max(append(s.peak, 0))) }

// middle is the median in seconds, 0 if nothing was measured.
func middle(s cputime.Samples) float64 {
	if len(s) == 0 {
		return 0
	}
	return s.Median().Seconds()
}

// mean is the geometric mean of a ratio, and its largest value.
func (t *table) mean(of ratio) (mean, worst float64, ok bool) {
	var sum float64
	var n int
	for _, r := range t.rows {
		if v, ok := of(t, r); ok {
			sum += math.Log(v)
			worst = max(worst, v)
			n++
		}
	}
	if n == 0 {
		return 0, 0, false
	}
	return math.Exp(sum / float64(n)), worst, true
}

// met reports whether every bar is met.
func (t *table) met() bool {
	for _, b := range bars {
		if _, ok := t.verdict(b); !ok {
			return false
		}
	}
	return true
}

// verdict says how a bar is met.
func (t *table) verdict(b bar) (string, bool) {
	mean, worst, ok := t.mean(b.of)
	if !ok {
		return "not measured", false
	}
	met := mean <= b.mean && (b.worst == 0 || worst <= b.worst)
	word := "met"
	if !met {
		word = "NOT MET"
	}
	limit := fmt.Sprintf("at most %.1f", b.mean)
	if b.worst != 0 {
		limit += fmt.Sprintf(", none above %.1f", b.worst)
	}
	return fmt.Sprintf("%.2f in the mean, %.2f at worst; %s: %s", mean, worst, limit, word), met
}

// columns of the table after the program and what it is.
type column struct {
	head string
	of   ratio
}

func (t *table) columns() []column {
	var cols []column
	for _, m := range t.modes[1:] {
		cols = append(cols, column{m.name, ratioOf(m.name, user)})
	}
	for _, m := range t.modes[1:] {
		cols = append(cols, column{"memory " + m.name, ratioOf(m.name, peak)})
	}
	for _, m := range t.modes[1:] {
		if m.as == "" {
			cols = append(cols, column{"build " + m.name, ratioOf(m.name, build)})
		}
	}
	return cols
}

// cells are the lines of the table: a head, the programs, the mean.
func (t *table) cells() [][]string {
	cols := t.columns()
	head := []string{"program", "plain", "memory", "build"}
	mean := []string{"geometric mean", "", "", ""}
	for _, c := range cols {
		head = append(head, c.head)
		if v, _, ok := t.mean(c.of); ok {
			mean = append(mean, fmt.Sprintf("%.2f", v))
		} else {
			mean = append(mean, "")
		}
	}
	lines := [][]string{head}
	for _, r := range t.rows {
		plain := r.samples[t.modes[0].name]
		line := []string{r.name, fmt.Sprintf("%.2f s", user(plain)), fmt.Sprintf("%.0f MB", peak(plain)/1e6), fmt.Sprintf("%.1f s", build(plain))}
		for _, c := range cols {
			if v, ok := c.of(t, r); ok {
				line = append(line, fmt.Sprintf("%.2f", v))
			} else {
				line = append(line, "")
			}
		}
		lines = append(lines, line)
	}
	return append(lines, mean)
}

// text is the table for a terminal.
func (t *table) text() string {
	lines := t.cells()
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var b strings.Builder
	for _, line := range lines {
		for i, cell := range line {
			fmt.Fprintf(&b, "%*s  ", widths[i], cell)
		}
		b.WriteString("\n")
	}
	for _, bar := range bars {
		verdict, _ := t.verdict(bar)
		fmt.Fprintf(&b, "%s: %s\n", bar.what, verdict)
	}
	return b.String()
}

// markdown is the table as docs/measurements has it.
func (t *table) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Cost of a run

Written by `+"`make bench-run`"+`; do not edit. Machine: %s. Every program is built by the same clang with `+"`-g -O2`"+`, and writes
the same output in every mode. **plain**: seconds of user time, peak memory and CPU seconds of the build; all other columns are
ratios to that. User time and memory are of the program alone, including the search for leaks at its end; medians of %d runs, taken in turn.

`, t.machine, t.runs)
	for _, m := range t.modes {
		fmt.Fprintf(&b, "- **%s**: %s.\n", m.name, m.about)
	}
	b.WriteString("\nPrograms:\n\n")
	for _, r := range t.rows {
		fmt.Fprintf(&b, "- **%s**: %s.\n", r.name, r.about)
	}
	b.WriteString("\n")
	for i, line := range t.cells() {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(line, " | "))
		if i == 0 {
			fmt.Fprintf(&b, "| --- %s|\n", strings.Repeat("| ---: ", len(line)-1))
		}
	}
	b.WriteString("\n")
	for _, bar := range bars {
		verdict, _ := t.verdict(bar)
		fmt.Fprintf(&b, "- %s: %s.\n", bar.what, verdict)
	}
	return b.String()
}
