// This file executes what comes before the allocation.

package prove

import (
	"slices"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
)

// begin returns the states in which paths begin. Where the graph begins at the
// allocation, because there are too many paths to it, these are followed here as
// far as they differ in what matters later.
func (m *machine) begin(g *leak.Graph, s *state) []stop {
	n := &g.Nodes[0]
	f := s.top.f
	if n.At == f.Blocks[1].First {
		return []stop{{s, 0}}
	}
	if m.cheap {
		if !m.skim(s, n.At) {
			return nil
		}
		return []stop{{s, 0}}
	}
	brief := m.brief
	m.brief, m.early = true, true
	states, ok := m.explore(s.clone(), s, n.At, prefixSteps)
	m.brief, m.early = brief, false
	if !ok {
		if !m.skim(s, n.At) {
			return nil
		}
		return []stop{{s, 0}}
	}
	var out []stop
	for i := len(states) - 1; i >= 0; i-- {
		states[i].begun = i
		out = append(out, stop{states[i], 0})
	}
	return out
}

// skim executes what comes before an instruction on every path to it, and forgets all
// that may have been written in between. It reports whether there can be a path.
func (m *machine) skim(s *state, to ir.ValueID) bool {
	f := s.top.f
	sh := m.shape(f)
	var chain []ir.BlockID
	for b := f.BlockOf(to); b != 0; b = sh.idom[b] {
		chain = append(chain, b)
	}
	slices.Reverse(chain)
	for i, b := range chain {
		if i > 0 {
			d := chain[i-1]
			succ := slices.Index(f.SuccsOf(d), b)
			if len(f.PredsOf(b)) == 1 && succ >= 0 {
				if !m.takes(s, f.Terminator(d), succ) {
					return false
				}
			} else {
				m.forgetAll(s)
			}
		}
		for v := sh.first[b]; v < f.Blocks[b].End && v != to; v++ {
			m.steps++
			switch op := f.Values[v].Op; {
			case op == ir.OpCall:
				after := m.call(s, v, false)
				if len(after) != 1 {
					m.forgetAll(s)
					continue
				}
				*s = *after[0]
			case !op.IsTerminator():
				m.exec(s, v)
			}
		}
	}
	return true
}

// takes assumes that a branch is taken.
func (m *machine) takes(s *state, v ir.ValueID, succ int) bool {
	f := s.top.f
	switch f.Values[v].Op {
	case ir.OpCondBr:
		c := m.value(s, f.ArgsOf(v)[0])
		if succ == 1 {
			c = m.pool.Not(c)
		}
		return m.assume(s, c, v, succ, true)
	case ir.OpSwitch:
		return m.assumeCase(s, v, succ)
	}
	return true
}

// forgetAll forgets all memory.
func (m *machine) forgetAll(s *state) {
	s.mem, s.zeros, s.epoch = nil, nil, m.nextEpoch()
}

// params returns variables for the parameters of a function, each time the same.
func (m *machine) params(id ir.FuncID) []cond.Term {
	f := &m.p.Funcs[id]
	var out []cond.Term
	for i := range f.NParams {
		v := ir.ValueID(i + 1)
		bits, ok := m.width(f.Values[v].Type)
		if !ok {
			bits = 64
		}
		t := m.found(origin{base: cond.Term(v), off: -2}, bits, m.spell(f, v))
		m.home[t] = true
		if f.Values[v].Type.Kind() != ir.Int {
			m.pointers[t] = true
		}
		out = append(out, t)
	}
	return out
}
