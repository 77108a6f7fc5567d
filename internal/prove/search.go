// This file looks for a path in the graph of a candidate that can be.

package prove

import (
	"fmt"
	"slices"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/solve"
)

// A stop is a state at a node of the graph.
type stop struct {
	s    *state
	node int
}

const (
	maxAsked  = 40  // paths of one candidate that the solver is asked about
	maxVisits = 800 // nodes that are come to, one path after the other

	blurredVisits = 200 // of them on paths that a loop blurs
)

// search looks for a path to finding f.
//
// First for any, with calls that have nothing to do with the object seen from
// outside. That is cheap, and what is refuted so is refuted. The path that is found is
// then taken once more, into all calls that may say something. Only if that
// contradicts itself all paths are looked at in the same way.
func (m *machine) search(g *leak.Graph, f *report.Finding) verdict {
	m.graph = g
	far := distances(g, f)
	if len(far) == 0 || far[0] < 0 {
		return verdict{answer: spent, why: "the paths to it were not found again"}
	}
	m.cheap, m.only = true, nil
	m.limit = m.steps + firstSteps
	first := m.paths(g, f, far)
	m.cheap, m.limit = false, m.budget
	if first.answer == refuted {
		return first
	}
	if first.answer == proved {
		m.only = map[hop]bool{}
		for h := first.state.hops; h != nil; h = h.prev {
			m.only[hop{node: h.node, step: h.step}] = true
		}
		m.limit = m.steps + againSteps
		v := m.paths(g, f, far)
		m.only, m.limit = nil, m.budget
		if v.answer == proved || v.answer == noAnswer {
			return v
		}
		if v.answer == spent { // it is one, as far as it can be seen
			return first
		}
	}
	m.disagree = false
	v := m.paths(g, f, far)
	if v.answer == refuted && m.disagree && first.answer == blurred {
		return first // stage one may know better what a call does in a later round
	}
	if v.answer == spent {
		m.most = maxVisits / 3 // the next finding of this graph will hardly be easier
		if by, ok := m.excluded(m.ctx, g, f); ok {
			return verdict{answer: refuted, by: max(m.by, by)}
		}
	}
	return v
}

// A hop is a step from a node.
type hop struct {
	prev       *hop
	node, step int
}

// paths looks for a path, the nearest nodes first.
func (m *machine) paths(g *leak.Graph, f *report.Finding, far []int) verdict {
	s := &state{facts: &cond.Facts{}}
	s.enter(g.Func, &m.p.Funcs[g.Func], 0, m.params(g.Func), 0)
	for _, t := range m.given {
		if !m.assume(s, t, 0, 0, false) {
			return verdict{answer: refuted, by: m.by}
		}
	}
	work := m.begin(g, s)
	var open verdict // a path on which the solver gave no answer
	var later []stop // what a loop blurs is looked at last
	last := false    // only those are left
	for visits := 0; len(work)+len(later) > 0; visits++ {
		if len(work) == 0 {
			work, later, last = later, nil, true
			visits = max(visits, m.most-blurredVisits)
		}
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if x.s.weak && !last {
			later = append(later, x)
			continue
		}
		if g.Nodes[x.node].End.Is(*f) {
			v := m.end(x.s)
			if v.answer == proved {
				if x.s.weak {
					v.answer, v.why = blurred, "only seen after more rounds of a loop than were followed one by one"
				}
				return v
			}
			if v.answer == noAnswer && open.state == nil {
				open = v
			}
			continue
		}
		if m.spent() || visits > m.most || m.steps > m.limit {
			if open.state != nil {
				return open
			}
			return verdict{answer: spent, why: fmt.Sprintf("not all paths were looked at: the budget of %d steps was spent in %s", m.budget, s.top.f.SourceName())}
		}
		work = m.follow(work, x, far)
	}
	if open.state != nil {
		return open
	}
	return verdict{answer: refuted, by: m.by}
}

// follow takes all steps from a stop, and adds where they lead: the nearest last, as
// that is taken first.
func (m *machine) follow(work []stop, x stop, far []int) []stop {
	n := &m.graph.Nodes[x.node]
	var steps []int
	for i, st := range n.Out {
		if far[st.To] >= 0 && (m.only == nil || m.only[hop{node: x.node, step: i}]) {
			steps = append(steps, i)
		}
	}
	slices.SortStableFunc(steps, func(a, b int) int { return far[n.Out[b].To] - far[n.Out[a].To] })
	for i, number := range steps {
		st := n.Out[number]
		from := x.s
		if i < len(steps)-1 {
			from = from.clone()
		}
		from.hops = &hop{from.hops, x.node, number}
		after := m.stepOnce(from, n, st, &m.graph.Nodes[st.To])
		for k := len(after) - 1; k >= 0; k-- {
			for i := range st.Notes {
				after[k].path = &assumption{prev: after[k].path, frame: after[k].top, note: &st.Notes[i]}
			}
			work = append(work, stop{after[k], st.To})
		}
	}
	return work
}

// end asks the solver about a path that got through.
func (m *machine) end(s *state) verdict {
	m.asked++
	switch res := m.solver.Check(m.ctx, m.pool, s.conditions()); res.Answer {
	case solve.Sat:
		return verdict{answer: proved, state: s, model: res.Model}
	case solve.Unsat:
		m.refuted(res.By)
		return verdict{answer: refuted}
	default:
		return verdict{answer: noAnswer, state: s, why: "not checked: " + res.Reason}
	}
}

// distances returns how many steps it takes from each node to an end of finding f, or
// to any if that is nil; negative if none lead there.
func distances(g *leak.Graph, f *report.Finding) []int {
	preds := make([][]int, len(g.Nodes))
	for i := range g.Nodes {
		for _, s := range g.Nodes[i].Out {
			preds[s.To] = append(preds[s.To], i)
		}
	}
	far := make([]int, len(g.Nodes))
	var work []int
	for i := range g.Nodes {
		far[i] = -1
		if e := g.Nodes[i].End; e != nil && (f == nil || e.Is(*f)) {
			far[i] = 0
			work = append(work, i)
		}
	}
	for i := 0; i < len(work); i++ {
		for _, p := range preds[work[i]] {
			if far[p] < 0 {
				far[p] = far[work[i]] + 1
				work = append(work, p)
			}
		}
	}
	return far
}
