// This file writes what a check did and what it cost.

package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/plumb-project/plumb/internal/report"
)

// Stats writes the statistics of a check as a table for people, or as one JSON
// object.
func Stats(w io.Writer, s *report.Stats, f Format) error {
	if f == JSON {
		return encode(w, newJSONStats(s))
	}
	_, err := io.WriteString(w, statsText(s))
	return err
}

// statsText is the table.
//
//	Stage one:
//	      1,204  objects followed
//	         51  candidates found
func statsText(s *report.Stats) string {
	var b strings.Builder
	row := func(n int, text string) { fmt.Fprintf(&b, "%11s  %s\n", number(n), text) }
	b.WriteString("Stage one, all paths at once:\n")
	row(s.Objects, "objects followed")
	row(s.Candidates, "candidates found")
	b.WriteString("Stage two, each candidate on its own paths:\n")
	row(s.Groups, "groups of candidates checked")
	row(s.Proved, "proved: a path can happen")
	row(s.Possible, fmt.Sprintf("possible: %s without an answer of the solver, %s with the budget spent, %s only past a loop", number(s.Unknown), number(s.Spent), number(s.Blurred)))
	row(s.Latent, "latent: no caller passes such arguments")
	row(s.Refuted.Sum(), "refuted, of these:")
	row(s.Refuted.Structure, "  no path leads there")
	row(s.Refuted.Linear, "  by conditions that contradict each other")
	row(s.Refuted.Interval, "  by intervals, equalities and differences")
	row(s.Refuted.SMT, "  by the solver")
	row(s.Paths, fmt.Sprintf("paths begun; cut by contradictions %s, by intervals %s, by the solver %s", number(s.Cut.Linear), number(s.Cut.Interval), number(s.Cut.SMT)))
	if s.Solver.Command != "" {
		fmt.Fprintf(&b, "Solver, %s:\n", s.Solver.Command)
	} else {
		b.WriteString("Solver, none:\n")
	}
	row(s.Solver.Queries, "questions asked")
	row(s.Solver.Cached, "answers known from before")
	row(s.Solver.Timeouts, "not answered in time")
	row(s.Solver.Restarts, "restarts")
	fmt.Fprintf(&b, "%10.3fs  waited for it\n", s.Solver.Time.Seconds())
	if s.Solver.Note != "" {
		fmt.Fprintf(&b, "             %s\n", s.Solver.Note)
	}
	b.WriteString("Gave up:\n")
	for _, r := range report.Reasons {
		if n := s.GaveUp[r]; n > 0 {
			row(n, r.Meaning())
		}
	}
	fmt.Fprintf(&b, "%-9s %10s %10s %10s %10s\n", "Phase", "wall", "cpu", "children", "peak")
	for _, p := range s.Phases {
		fmt.Fprintf(&b, "%-9s %9.3fs %9.3fs %9.3fs %7.1f MB\n", p.Name, p.Wall.Seconds(), p.CPU.Seconds(), p.Children.Seconds(), float64(p.Peak)/1e6)
	}
	return b.String()
}

// jsonStats is the form of docs/json.md.
type jsonStats struct {
	Objects    int            `json:"objects"`
	Candidates int            `json:"candidates"`
	Groups     int            `json:"groups"`
	Proved     int            `json:"proved"`
	Possible   int            `json:"possible"`
	Unknown    int            `json:"unknown"`
	Spent      int            `json:"spent"`
	Blurred    int            `json:"blurred"`
	Latent     int            `json:"latent"`
	Refuted    jsonRefuted    `json:"refuted"`
	Paths      int            `json:"paths"`
	Cut        jsonRefuted    `json:"cut"`
	Solver     jsonSolver     `json:"solver"`
	GaveUp     map[string]int `json:"gave_up"`
	Phases     []jsonPhase    `json:"phases"`
}

type jsonRefuted struct {
	Structure int `json:"structure"`
	Linear    int `json:"linear"`
	Interval  int `json:"interval"`
	SMT       int `json:"smt"`
}

type jsonSolver struct {
	Command  string  `json:"command"`
	Note     string  `json:"note,omitempty"`
	Queries  int     `json:"queries"`
	Cached   int     `json:"cached"`
	Timeouts int     `json:"timeouts"`
	Restarts int     `json:"restarts"`
	Time     float64 `json:"time"` // seconds
}

type jsonPhase struct {
	Name     string  `json:"name"`
	Wall     float64 `json:"wall"` // seconds
	CPU      float64 `json:"cpu"`
	Children float64 `json:"children"`
	Peak     int64   `json:"peak"` // bytes
}

func newJSONStats(s *report.Stats) *jsonStats {
	j := &jsonStats{
		Objects: s.Objects, Candidates: s.Candidates, Groups: s.Groups,
		Proved: s.Proved, Possible: s.Possible, Unknown: s.Unknown, Spent: s.Spent, Blurred: s.Blurred, Latent: s.Latent,
		Refuted: jsonRefuted(s.Refuted), Paths: s.Paths, Cut: jsonRefuted(s.Cut),
		Solver: jsonSolver{s.Solver.Command, s.Solver.Note, s.Solver.Queries, s.Solver.Cached, s.Solver.Timeouts, s.Solver.Restarts, s.Solver.Time.Seconds()},
		GaveUp: map[string]int{}, Phases: []jsonPhase{},
	}
	for _, r := range report.Reasons {
		j.GaveUp[r.String()] = s.GaveUp[r]
	}
	for _, p := range s.Phases {
		j.Phases = append(j.Phases, jsonPhase{p.Name, p.Wall.Seconds(), p.CPU.Seconds(), p.Children.Seconds(), p.Peak})
	}
	return j
}
