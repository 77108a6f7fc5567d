// This file follows all paths of a graph at once.

package prove

import (
	"cmp"
	"slices"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/leak"
)

// sweep follows all paths of a graph at once, and makes one of those that differ in
// nothing of use where they meet, or of several where they are too many. It returns the
// ends that may be reached: what is reached so may still be no path, as less is known
// on it, but what is not reached is none. It reports false when the budget was spent.
func (m *machine) sweep(g *leak.Graph) (reached []leak.End, ok bool) {
	m.graph, m.brief, m.budget = g, true, min(m.budget, sweepSteps)
	m.limit = m.budget
	far := distances(g, nil)
	from := &state{facts: &cond.Facts{}}
	from.enter(g.Func, &m.p.Funcs[g.Func], 0, m.params(g.Func), 0)
	sh := m.shape(from.top.f)
	work := m.begin(g, from.clone())
	for len(work) > 0 {
		if m.spent() {
			return nil, false
		}
		best := 0
		for i := range work {
			a, b := &g.Nodes[work[i].node], &g.Nodes[work[best].node]
			if cmp.Or(cmp.Compare(sh.rpo[a.Block], sh.rpo[b.Block]), cmp.Compare(a.At, b.At), cmp.Compare(work[i].node, work[best].node)) < 0 {
				best = i
			}
		}
		x := work[best]
		work = slices.Delete(work, best, best+1)
		if end := g.Nodes[x.node].End; end != nil {
			if !slices.Contains(reached, *end) && m.end(x.s).answer != refuted {
				reached = append(reached, *end)
			}
			continue
		}
		for _, y := range m.follow(nil, x, far) {
			work = m.gather(work, y, from)
		}
	}
	return reached, true
}

// gather adds a stop to the others, or makes one of it and another at the same node.
func (m *machine) gather(work []stop, y stop, from *state) []stop {
	n := &m.graph.Nodes[y.node]
	first := m.shape(from.top.f).first[n.Block]
	same, other := 0, -1
	for i := range work {
		z := &work[i]
		if z.node != y.node {
			continue
		}
		if m.same(y.s, z.s, n.Block, from) && slices.Equal(y.s.top.env[first:n.At], z.s.top.env[first:n.At]) {
			z.s = m.common(y.s, z.s, from)
			return work
		}
		same++
		if other < 0 && m.canBlend(y.s, z.s) {
			other = i
		}
	}
	if same >= maxAlike && other >= 0 {
		work[other].s = m.blend(y.s, work[other].s, from, n.Block)
		return work
	}
	return append(work, y)
}
