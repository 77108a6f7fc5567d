// This file says in one line what was found and what was looked at.

package render

import (
	"fmt"
	"strings"

	"github.com/plumb-project/plumb/internal/report"
)

// Summary is the last line of a run.
//
//	2 leaks found; 12 units, 340 functions, 5,120 lines analysed (10 compiled, 2 from cache); 1 unit not analysed
func Summary(r *report.Report) string {
	if r.IsRun() {
		return runSummary(r)
	}
	c := &r.Coverage
	var b strings.Builder
	b.WriteString(found(r.Findings))
	b.WriteString(confirmed(r.Findings))
	if n := r.LeftOut; n > 0 {
		fmt.Fprintf(&b, " (%s less sure left out: --confidence=latent shows all)", number(n))
	}
	fmt.Fprintf(&b, "; %s, %s, %s analysed", count(c.Units, "unit"), count(c.Functions, "function"), count(c.Lines, "line"))
	switch {
	case c.Compiled == 0 && c.Cached == 0:
	case c.Compiled == 0:
		fmt.Fprintf(&b, " (nothing compiled, %s from cache)", number(c.Cached))
	case c.Cached == 0:
		fmt.Fprintf(&b, " (%s compiled)", number(c.Compiled))
	default:
		fmt.Fprintf(&b, " (%s compiled, %s from cache)", number(c.Compiled), number(c.Cached))
	}
	if s := suppressed(r.Suppressed); s != "" {
		b.WriteString("; " + s)
	}
	if n := len(c.Skipped); n > 0 {
		fmt.Fprintf(&b, "; %s not analysed", count(n, "unit"))
	}
	return b.String()
}

// found counts leaks and other defects, and the paths to leaks where each is told.
func found(fs []report.Finding) string {
	leaks, paths, others := 0, 0, 0
	for i := range fs {
		if !fs[i].Kind.IsLeak() {
			others++
			continue
		}
		paths++
		if i == 0 || !fs[i].Same(&fs[i-1]) {
			leaks++
		}
	}
	s := "no leaks found"
	if leaks > 0 {
		s = count(leaks, "leak") + " found"
	}
	if paths > leaks {
		s += " on " + count(paths, "path")
	}
	if others > 0 {
		s += ", " + count(others, "other defect") + " found"
	}
	return s
}

// confirmed counts the findings that runs saw too, and those that only runs saw.
//
//	, 2 confirmed by a run, 1 seen only in a run
func confirmed(fs []report.Finding) string {
	n := map[report.Agreement]int{}
	for i := range fs {
		if fs[i].Run != nil {
			n[fs[i].Run.Check]++
		}
	}
	s := ""
	if k := n[report.Confirmed]; k > 0 {
		s = ", " + number(k) + " confirmed by a run"
	}
	if k := n[report.OnlyRun]; k > 0 {
		s += ", " + number(k) + " seen only in a run"
	}
	return s
}

// count is a number of things.
func count(n int, thing string) string { return report.Count(int64(n), thing) }

// number writes n with commas between thousands.
func number(n int) string { return report.Number(int64(n)) }
