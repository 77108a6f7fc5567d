package run

// This file chooses whose reports count. The runtime is preloaded into every
// process that the program starts; what the shell between two programs loses is
// not what the user asked for.

import (
	"path/filepath"
	"slices"

	"github.com/plumb-project/plumb/internal/event"
)

// Whose says which processes are reported.
type Whose uint8

const (
	Instrumented Whose = iota // those that run code built by plumb; if there are none, the program itself
	Everyone
)

// choose returns the reports that count, and the programs of those that do not
// and have lost something, by name.
func choose(rs []*event.Report, pid int, whose Whose) (kept []*event.Report, others []string) {
	if whose == Everyone {
		return rs, nil
	}
	counts := func(r *event.Report) bool { return instrumented(r) }
	if !slices.ContainsFunc(rs, counts) {
		// The process itself and what it has forked, but not what it started: as far
		// as it has reported at all. A shell may have become the program by exec.
		var programs []string
		for _, r := range rs {
			if r.PID == pid {
				programs = append(programs, r.Program)
			}
		}
		counts = func(r *event.Report) bool { return programs == nil || slices.Contains(programs, r.Program) }
	}
	for _, r := range rs {
		if counts(r) {
			kept = append(kept, r)
		} else if name := filepath.Base(r.Program); r.Total.LostBlocks > 0 && !slices.Contains(others, name) {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	return kept, others
}

func instrumented(r *event.Report) bool {
	return slices.ContainsFunc(r.Code, func(c event.Code) bool { return c.Instrumented })
}
