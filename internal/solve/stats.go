package solve

import (
	"time"

	"github.com/plumb-project/plumb/internal/cond"
)

// Stats counts what a Solver did. All but the last three do not depend on the order of
// questions.
type Stats struct {
	Checks   int // paths
	Linear   int // paths refuted by atoms that contradict each other
	Interval int // paths refuted by bounds, equalities and differences
	SMT      int // paths refuted by the external solver
	Sat      int // paths that can be taken
	Unknown  int // paths without an answer

	Groups   int // conditions that hang together, asked for separately
	Cached   int // of these, asked before
	Searched int // of these, solved by trying values
	Asked    int // of these, sent to the external solver

	Timeouts int           // questions it did not answer in time
	Restarts int           // times it had to be started again
	Time     time.Duration // spent waiting for it
}

// Unsat is the number of paths refuted.
func (s Stats) Unsat() int { return s.Linear + s.Interval + s.SMT }

func (s *Stats) result(r Result) {
	s.Checks++
	switch r.Answer {
	case Sat:
		s.Sat++
	case Unknown:
		s.Unknown++
	default:
		switch r.By {
		case cond.Linear:
			s.Linear++
		case cond.Interval:
			s.Interval++
		default:
			s.SMT++
		}
	}
}
