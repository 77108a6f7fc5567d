// This file tells every path to a loss.

package leak

import (
	"fmt"
	"slices"

	"github.com/plumb-project/plumb/internal/report"
)

const (
	maxPaths   = 64     // paths told of one object to one loss
	pathBudget = 20_000 // nodes looked at to find them
)

// tellAll makes findings of all paths to what was lost: one for each that reads
// differently.
func (w *walker) tellAll() {
	type end struct {
		kind report.Kind
		loss string
	}
	told := map[end]int{}
	for _, l := range w.lost {
		f := w.finding(l)
		e := end{f.Kind, f.Loss.String()}
		paths, cut := paths(l.trail, maxPaths)
		for _, p := range paths {
			one := *l
			one.trail = p
			f := w.finding(&one)
			if slices.ContainsFunc(w.found, func(g report.Finding) bool { return g.Kind == f.Kind && slices.Equal(g.Steps, f.Steps) }) {
				continue
			}
			if told[e] == maxPaths {
				cut = true
				break
			}
			told[e]++
			w.found = append(w.found, f)
		}
		if cut && told[e] > 0 {
			last := &w.found[len(w.found)-1]
			last.Steps = append(last.Steps, report.Step{Pos: last.Loss, Text: fmt.Sprintf("there are more paths to here than the %d that are told", told[e])})
			told[e] = maxPaths
		}
	}
}

// paths returns the paths that end in t, each as a trail of its own without joins,
// at most n of them. A path comes by each join once. It reports whether there are
// more, or too many to look for.
func paths(t *trail, n int) (out []*trail, cut bool) {
	budget := pathBudget
	on := map[*trail]bool{}
	var events []*trail // from the end
	var back func(t *trail)
	back = func(t *trail) {
		was := len(events)
		defer func() { events = events[:was] }()
		for ; t != nil && (t.more == nil || len(t.more.others) == 0); t = t.prev {
			if t.more == nil {
				events = append(events, t)
			}
		}
		if budget--; budget < 0 || len(out) == n {
			cut = true
			return
		}
		if t == nil {
			out = append(out, chain(events))
			return
		}
		if on[t] {
			return
		}
		on[t] = true
		back(t.prev)
		for _, o := range t.more.others {
			back(o)
		}
		delete(on, t)
	}
	back(t)
	return out, cut
}

// chain makes a trail of events, of which the last comes first.
func chain(events []*trail) *trail {
	var t *trail
	for _, e := range slices.Backward(events) {
		one := *e
		one.prev = t
		t = &one
	}
	return t
}
