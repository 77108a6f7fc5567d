// This file executes one step of a path in the graph of a candidate.

package prove

import (
	"fmt"
	"slices"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
)

// stepOnce is step, but what makes the object is executed only once for all findings
// of the graph that come to it in the same way.
func (m *machine) stepOnce(s *state, n *leak.Node, st leak.Step, to *leak.Node) []*state {
	if !n.Before || to.Before || m.given != nil {
		return m.step(s, n, st, to)
	}
	key := fmt.Appendf(nil, "%t %t %d", m.cheap, m.brief, s.begun)
	for h := s.hops; h != nil; h = h.prev {
		key = fmt.Appendf(key, " %d.%d", h.node, h.step)
	}
	list, ok := m.made[string(key)]
	if !ok {
		before := m.steps
		list = m.step(s, n, st, to)
		if !m.spent() && m.steps-before > 100 {
			m.made[string(key)] = list
		}
	}
	out := make([]*state, len(list))
	for i, x := range list {
		out[i] = x.clone()
	}
	return out
}

// step takes s, which it may change, from node n along st, and returns the states
// that get there.
func (m *machine) step(s *state, n *leak.Node, st leak.Step, to *leak.Node) []*state {
	f := s.top.f
	end := to.At
	if st.Succ > 0 {
		end = f.Terminator(n.Block)
	} else if to.End != nil {
		end-- // the call at which the path ends need not return
	}
	states := []*state{s}
	for v := n.At; v < end && len(states) > 0; v++ {
		m.steps += len(states)
		states = m.inst(states, n, st, to, v)
	}
	if st.Succ == 0 {
		return states
	}
	var out []*state
	for _, x := range states {
		out = append(out, m.turnTo(x, n, st, to, end)...)
	}
	return out
}

// inst executes one instruction of the function of the candidate.
func (m *machine) inst(states []*state, n *leak.Node, st leak.Step, to *leak.Node, v ir.ValueID) []*state {
	f := &m.p.Funcs[m.graph.Func]
	op := f.Values[v].Op
	var way *leak.Way
	if i := slices.IndexFunc(st.Ways, func(w leak.Way) bool { return w.At == v }); i >= 0 {
		way = &st.Ways[i]
	}
	switch {
	case op == ir.OpPhi:
		return states
	case v == m.graph.Site && n.Before && !to.Before:
		var out []*state
		for _, s := range states {
			out = append(out, m.make(s)...)
		}
		return out
	case op.IsCall():
		var out []*state
		for _, s := range states {
			out = append(out, m.callIn(s, v, way)...)
		}
		return out
	}
	return slices.DeleteFunc(states, func(s *state) bool {
		m.exec(s, v)
		if op == ir.OpSelect && way != nil {
			c := m.value(s, f.ArgsOf(v)[0])
			if way.Ret.Lo == 0 {
				c = m.pool.Not(c)
			}
			return !m.assume(s, c, v, 1-int(way.Ret.Lo), true)
		}
		return false
	})
}

// callIn executes a call of the function of the candidate, that ends in this way
// for the object; nil if it has nothing to do with it.
func (m *machine) callIn(s *state, v ir.ValueID, way *leak.Way) []*state {
	if way == nil {
		return m.call(s, v, false)
	}
	for _, g := range way.Args {
		args := s.top.f.ArgsOf(v)[1:]
		if g.Arg < len(args) && !m.within(s, v, m.value(s, args[g.Arg]), g.Range) {
			return nil
		}
	}
	return slices.DeleteFunc(m.call(s, v, true), func(x *state) bool {
		if t := x.top.env[v]; t != 0 && !m.within(x, v, t, way.Ret) {
			return true
		}
		freed := !way.Frees && x.object != 0 && slices.ContainsFunc(x.freed[min(len(s.freed), len(x.freed)):], func(t cond.Term) bool { return m.root(t) == x.object })
		m.disagree = m.disagree || freed
		return freed
	})
}

// turnTo takes s over the terminator v along the edge of step st.
func (m *machine) turnTo(s *state, n *leak.Node, st leak.Step, to *leak.Node, v ir.ValueID) []*state {
	f := s.top.f
	succ := st.Succ - 1
	states := []*state{s}
	switch op := f.Values[v].Op; {
	case op == ir.OpCondBr:
		c := m.value(s, f.ArgsOf(v)[0])
		if succ == 1 {
			c = m.pool.Not(c)
		}
		_, known := m.decide(s, c)
		if !m.assume(s, c, v, succ, !known) {
			return nil
		}
		if !known {
			s.forks++
		}
	case op == ir.OpSwitch:
		if !m.assumeCase(s, v, succ) {
			return nil
		}
		s.forks++
	case op.IsCall():
		states = m.inst(states, n, st, to, v)
	}
	block := f.SuccsOf(n.Block)[succ]
	return slices.DeleteFunc(states, func(x *state) bool { return !m.arrive(x, n.Block, block, succ) })
}

// assumeCase assumes that a switch takes an edge.
func (m *machine) assumeCase(s *state, v ir.ValueID, succ int) bool {
	args := s.top.f.ArgsOf(v)
	on := m.value(s, args[0])
	if succ > 0 {
		return m.assume(s, m.pool.Compare(cond.EQ, on, m.value(s, args[succ])), v, succ, true)
	}
	for i, c := range args[1:] {
		if !m.assume(s, m.pool.Compare(cond.NE, on, m.value(s, c)), v, 0, i == len(args)-2) {
			return false
		}
	}
	return true
}
