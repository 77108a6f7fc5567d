// This file counts what was done to get the findings.

package report

import "time"

// Stats says what a check did. Stage one finds candidates, stage two checks each
// on its paths.
type Stats struct {
	Objects    int // stage one: new objects that were followed
	Candidates int // stage one: defects found there

	Groups   int     // stage two: candidates, those that are checked together counted once
	Proved   int     // groups with a path that can happen
	Latent   int     // groups with one only for arguments that nobody passes
	Possible int     // groups that are neither proved nor refuted
	Unknown  int     // those of them on which the solver gave no answer
	Spent    int     // those of them on which the budget was spent
	Blurred  int     // those of them with a path that a loop blurs
	Refuted  Refuted // groups of which no path can happen, by what was needed at most
	Paths    int     // paths that were begun
	Cut      Refuted // those of them that turned out not to be possible, by what saw it

	Solver Solver
	Phases []Phase        // in the order they ran
	GaveUp map[Reason]int // how often the analysis gave up, by reason
}

// Refuted counts by what was needed to see that something cannot happen, the cheapest
// first.
type Refuted struct {
	Structure int // there is no path
	Linear    int // a condition and its opposite are on the path
	Interval  int // intervals, equalities and differences
	SMT       int // the solver
}

// Sum is the number of all.
func (r Refuted) Sum() int { return r.Structure + r.Linear + r.Interval + r.SMT }

// Solver says what was asked of the external solver.
type Solver struct {
	Command  string // "" when there is none
	Note     string // what is to be known of it: why there is none, why it was given up
	Queries  int    // questions it was asked
	Cached   int    // questions that had been asked before
	Timeouts int    // questions it did not answer in time
	Restarts int    // how often it died and was started again

	Time time.Duration // spent waiting for it
}

// A Phase is the cost of one phase.
type Phase struct {
	Name     string
	Wall     time.Duration
	CPU      time.Duration // of plumb itself
	Children time.Duration // CPU time of the compilers, builds and solvers it waited for
	Peak     int64         // most memory plumb has held at any time so far, bytes
}
