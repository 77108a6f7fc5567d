package main

// This file says what was measured, and whether the bar is met.

import (
	"fmt"
	"slices"
	"strings"
)

// A table is all that was measured.
type table struct {
	rows    []*row
	left    []string // programs in which nothing is guarded
	machine string
	runs    int
}

// bar is how much of its instructions a program may take more, with the number of
// slots that the header has by itself.
const bar = 0.02

// byDefault is the mode with that number.
var byDefault = 1 + slices.Index(bits, 8)

// more is how many instructions a mode takes beyond those of the plain program, of
// which it is a part.
func (r *row) more(i int) float64 {
	return float64(r.modes[i].instructions)/float64(r.modes[0].instructions) - 1
}

// longer is the like for user time: of the fastest runs, as others on the machine can
// only make them slower, and of the median ones.
func (r *row) longer(i int) (least, median float64) {
	a, b := r.modes[i].times, r.modes[0].times
	return slices.Min(a).Seconds()/slices.Min(b).Seconds() - 1, a.Median().Seconds()/b.Median().Seconds() - 1
}

// met reports whether the bar is met by all programs that it is for.
func (t *table) met() bool {
	for _, r := range t.rows {
		if !r.worst && r.more(byDefault) > bar {
			return false
		}
	}
	return true
}

// markdown is the table as docs/measurements has it.
func (t *table) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Cost of guards

Written by `+"`make bench-guard`"+`; do not edit. Machine: %s. Each program has a guard at every leak that plumb finds in it and can
guard, also where a plain release would do. It is built by the same clang with `+"`-O2`"+`, without guards and with them for 1, 2^6, 2^8
(the default) and 2^16 slots a site, and writes the same output each time. Columns are what the guarded program takes more than the plain one.

Programs:

`, t.machine)
	for _, r := range t.rows {
		s := "s"
		if r.guards == 1 {
			s = ""
		}
		fmt.Fprintf(&b, "- **%s**: %s; %d guarded site%s.\n", r.name, r.about, r.guards, s)
	}
	for _, name := range t.left {
		fmt.Fprintf(&b, "- **%s** is left out: plumb guards nothing in it.\n", name)
	}
	head := func(what string) {
		fmt.Fprintf(&b, "\n%s\n\n| program | plain |", what)
		for _, n := range bits {
			fmt.Fprintf(&b, " %s |", slots(n))
		}
		fmt.Fprintf(&b, "\n| --- | ---: %s|\n", strings.Repeat("| ---: ", len(bits)))
	}
	head("Instructions, counted by valgrind:")
	for _, r := range t.rows {
		fmt.Fprintf(&b, "| %s | %.0f M |", r.name, float64(r.modes[0].instructions)/1e6)
		for i := range bits {
			fmt.Fprintf(&b, " %+.2f%% |", 100*r.more(i+1))
		}
		b.WriteString("\n")
	}
	head(fmt.Sprintf("User time, fastest of %d runs taken in turn, and in brackets the median:", t.runs))
	for _, r := range t.rows {
		fmt.Fprintf(&b, "| %s | %.2f s |", r.name, slices.Min(r.modes[0].times).Seconds())
		for i := range bits {
			least, median := r.longer(i + 1)
			fmt.Fprintf(&b, " %+.1f%% (%+.1f%%) |", 100*least, 100*median)
		}
		b.WriteString("\n")
	}
	verdict := "met"
	if !t.met() {
		verdict = "NOT MET"
	}
	fmt.Fprintf(&b, "\nAt most %.0f%% more instructions with the default number of slots, worst cases apart: %s.\n", 100*bar, verdict)
	return b.String()
}

func slots(bits int) string {
	if bits == 0 {
		return "1 slot"
	}
	return fmt.Sprintf("2^%d", bits)
}
