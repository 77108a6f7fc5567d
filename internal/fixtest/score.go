// This file counts what became of programs.

package fixtest

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
)

// An Outcome is what plumb fix did for a program.
type Outcome int

const (
	Fixed    Outcome = iota + 1 // it loses nothing any more
	Guarded                     // it loses nothing any more with --guard
	NotFixed                    // something is still lost
	Quiet                       // nothing was lost and nothing was changed
	Harmless                    // nothing was lost; it was changed and does the same
	Broken                      // a patch changed what the program does
	Failed                      // plumb fix itself failed, or the program could not be judged
)

func (o Outcome) String() string {
	switch o {
	case Fixed:
		return "fixed"
	case Guarded:
		return "guarded"
	case NotFixed:
		return "not fixed"
	case Quiet:
		return "quiet"
	case Harmless:
		return "harmless"
	case Broken:
		return "broken"
	case Failed:
		return "failed"
	}
	panic(fmt.Sprintf("fixtest: bad outcome %d", int(o)))
}

// A Score is what became of a program.
type Score struct {
	Program  *Program
	Outcome  Outcome
	Lost     []string // before
	Left     []string // with the patch
	LeftOver []string // with the guarded patch
	Why      []string // what is wrong, or what plumb says of what it did not mend
	Diff     []byte   // the patch; the guarded one if that is what counts
}

// Score tries the two patches of plumb on a program.
func (t *Tools) Score(ctx context.Context, p *Program, plain, guard Maker) Score {
	s := Score{Program: p}
	fail := func(err error) Score {
		s.Outcome, s.Why = Failed, []string{err.Error()}
		return s
	}
	work, err := os.MkdirTemp("", "fixtest")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(work)
	trial, err := t.Try(ctx, p, work)
	if err != nil {
		return fail(err)
	}
	s.Lost = trial.Lost
	a, err := trial.Make(ctx, plain)
	if err != nil {
		return fail(err)
	}
	s.Left, s.LeftOver, s.Diff = a.Left, a.Left, a.Patch.Diff
	var problems []string
	for _, what := range a.Problems {
		problems = append(problems, "fix: "+what)
	}
	b := a
	if guard != nil {
		if b, err = trial.Make(ctx, guard); err != nil {
			return fail(err)
		}
		for _, what := range b.Problems {
			if !slices.Contains(a.Problems, what) {
				problems = append(problems, "fix --guard: "+what)
			}
		}
		s.LeftOver = b.Left
	}
	switch {
	case len(problems) > 0:
		s.Outcome, s.Why = Broken, problems
		if len(a.Problems) == 0 {
			s.Diff = b.Patch.Diff
		}
	case len(s.Lost) == 0 && len(a.Patch.Diff)+len(b.Patch.Diff) == 0:
		s.Outcome = Quiet
	case len(s.Lost) == 0:
		s.Outcome, s.Diff = Harmless, b.Patch.Diff
	case len(a.Left) == 0:
		s.Outcome = Fixed
	case len(b.Left) == 0:
		s.Outcome, s.Diff = Guarded, b.Patch.Diff
		s.Why = says(a.Patch.Notes)
	default:
		s.Outcome, s.Diff = NotFixed, b.Patch.Diff
		for _, at := range b.Left {
			s.Why = append(s.Why, "still lost: "+at)
		}
		s.Why = append(s.Why, says(b.Patch.Notes)...)
	}
	return s
}

// says is what a maker says that is not about progress.
func says(notes []string) []string {
	var out []string
	for _, n := range notes {
		if n = strings.TrimSpace(n); n != "" {
			out = append(out, n)
		}
	}
	return out
}
