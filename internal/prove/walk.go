// This file looks for a path in the graph of a candidate that can be.

package prove

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/modref"
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

// make executes the call that makes the object. Only the paths count on which it
// does.
func (m *machine) make(s *state) []*state {
	g := m.graph
	args := s.top.f.ArgsOf(g.Site)[1:]
	for _, x := range g.Args {
		if x.Arg < len(args) && !m.within(s, g.Site, m.value(s, args[x.Arg]), x.Range) {
			return nil
		}
	}
	before, epoch := len(s.made), s.epoch
	s.making, s.outside, s.target = true, false, 0
	if p := g.Place; p != nil && p.Global == 0 && p.Arg >= 0 && p.Arg < len(args) {
		s.target = m.root(m.value(s, args[p.Arg]))
	}
	return slices.DeleteFunc(m.call(s, g.Site, true), func(x *state) bool {
		outside := x.outside
		x.making, x.outside = false, false
		t := x.top.env[g.Site]
		if g.Place != nil {
			if t != 0 && !m.within(x, g.Site, t, g.Ret) {
				return true
			}
			t = m.at(x, g.Place)
		}
		if outside && g.Place != nil {
			m.plant(x, g.Place)
			return false
		}
		if t == 0 || g.Number {
			return false // it cannot be told
		}
		root := m.root(t)
		if m.isObject(root) && !slices.Contains(x.made[before:], root) {
			return true // it is another
		}
		if at, ok := m.loaded[root]; ok && at == epoch {
			return true // it was there before
		}
		if !m.assume(x, m.pool.Compare(cond.NE, t, m.pool.Const(m.pool.Bits(t), 0)), g.Site, 0, false) {
			return true
		}
		x.object = root
		return false
	})
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

// plant puts a new object where a call leaves one that is only seen from outside.
func (m *machine) plant(s *state, p *leak.Place) {
	addr, ok := m.addressOf(s, p)
	if !ok {
		return
	}
	t := m.pool.Address("")
	m.new[t] = true
	s.made, s.object = append(slices.Clip(s.made), t), t
	m.store(s, addr, t, 8, modref.Place{Type: ir.MakeType(ir.Ptr, 64)})
}

// addressOf returns the address of the place where the call leaves the object.
func (m *machine) addressOf(s *state, p *leak.Place) (cond.Term, bool) {
	var base cond.Term
	args := s.top.f.ArgsOf(m.graph.Site)[1:]
	switch {
	case p.Global != 0:
		base = m.global(p.Global)
	case p.Arg < 0:
		base = s.top.env[m.graph.Site]
	case p.Arg < len(args):
		base = m.value(s, args[p.Arg])
	}
	if base == 0 || p.Off >= 1<<32 {
		return 0, false
	}
	addr := m.add(base, p.Off)
	if p.Deep {
		if base = m.holds(s, addr); base == 0 {
			return 0, false
		}
		addr = m.add(base, p.Inner)
	}
	return addr, true
}

// holds returns the pointer at an address; 0 if it is not known.
func (m *machine) holds(s *state, addr cond.Term) cond.Term {
	base, off := m.split(addr)
	i, ok := slices.BinarySearchFunc(s.mem, span{base: base, off: off}, compareCell)
	if !ok {
		return m.initial(s, base, off, 8, 64, modref.Place{})
	}
	if s.mem[i].size != 8 {
		return 0
	}
	return s.mem[i].val
}

// at returns what is in the place where the call leaves the object; 0 if it is not known.
func (m *machine) at(s *state, p *leak.Place) cond.Term {
	addr, ok := m.addressOf(s, p)
	if !ok {
		return 0
	}
	return m.holds(s, addr)
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
