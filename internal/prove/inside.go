// This file follows the paths of a function that is called, and branches anywhere.

package prove

import (
	"slices"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/ir"
)

// A turn is a state that has taken a branch.
type turn struct {
	s    *state
	succ int // from 0
}

// A point is a state and where it goes on.
type point struct {
	s     *state
	block ir.BlockID
	at    ir.ValueID
}

// inside executes the function in the top frame of s, on all paths, and returns
// the states in which it returns; from is what s was before the call. Blocks are
// taken in an order in which paths meet again before they go on, so that those that
// differ in nothing that is still of use become one. It reports false when they are
// too many.
func (m *machine) inside(s, from *state, role bool) (out []*state, ok bool) {
	left := m.limit - m.steps // a call that costs too much must leave something for what comes after
	if !role {
		out, ok = m.explore(s, from, 0, min(asideSteps, left/3))
		return m.fewer(out, from, maxAnswers), ok
	}
	out, ok = m.explore(s, from, 0, min(roleSteps, left*3/4))
	return m.fewer(out, from, maxResults), ok
}

// explore executes the function in the top frame from its start to all returns, or,
// if stop is not 0, up to that instruction.
func (m *machine) explore(s, from *state, stop ir.ValueID, steps int) (out []*state, ok bool) {
	f := s.top.f
	sh := m.shape(f)
	limit, was := m.steps+steps, m.limit
	m.limit = limit
	defer func() { m.limit = was }()
	leads := m.leadsTo(f, stop)
	work := []point{{s, 1, f.Blocks[1].First}}
	for len(work) > 0 {
		best := 0
		for i := range work {
			if m.sooner(sh, &work[i], &work[best]) {
				best = i
			}
		}
		x := work[best]
		work = slices.Delete(work, best, best+1)
		if m.steps > limit || m.spent() || len(work) > maxWaiting {
			return nil, false
		}
		end := f.Terminator(x.block)
		split := false
		for v := x.at; v < end && !split; v++ {
			m.steps++
			if v == stop {
				out, split = append(out, x.s), true
				break
			}
			switch op := f.Values[v].Op; {
			case op.IsCall():
				for _, after := range m.call(x.s, v, m.roleInside(x.s, v)) {
					work = append(work, point{after, x.block, v + 1})
				}
				split = true
			case op != ir.OpPhi:
				m.exec(x.s, v)
			}
		}
		if split {
			continue
		}
		if end == stop {
			out = append(out, x.s)
			continue
		}
		if f.Values[end].Op == ir.OpRet {
			if args := f.ArgsOf(end); len(args) > 0 {
				if _, ok := m.width(f.Values[args[0]].Type); ok {
					x.s.ret = m.value(x.s, args[0])
				}
			}
			out = m.ended(out, x.s, from)
			continue
		}
		for _, t := range m.terminate(x.s, end) {
			to := f.SuccsOf(x.block)[t.succ]
			if leads != nil && !leads[to] {
				continue
			}
			if m.arrive(t.s, x.block, to, t.succ) {
				work = m.meet(work, point{t.s, to, sh.first[to]}, from)
			}
		}
	}
	return out, true
}

// leadsTo returns the blocks from which an instruction can be reached; nil for all.
func (m *machine) leadsTo(f *ir.Func, v ir.ValueID) []bool {
	if v == 0 {
		return nil
	}
	out := make([]bool, len(f.Blocks))
	for work := []ir.BlockID{f.BlockOf(v)}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !out[b] {
			out[b] = true
			work = append(work, f.PredsOf(b)...)
		}
	}
	return out
}

// sooner reports whether x comes before y: blocks in reverse postorder, inner loops
// to their end before what follows.
func (m *machine) sooner(sh *shape, x, y *point) bool {
	if x.block != y.block {
		return sh.rpo[x.block] < sh.rpo[y.block]
	}
	return x.at < y.at
}

// meet adds a point to the others, or makes one of it and another that differs in
// nothing that matters.
func (m *machine) meet(work []point, x point, from *state) []point {
	same, other := 0, -1
	for i := range work {
		y := &work[i]
		if x.block != y.block || x.at != y.at {
			continue
		}
		if m.same(x.s, y.s, x.block, from) {
			y.s = m.common(x.s, y.s, from)
			return work
		}
		same++
		if other < 0 && m.canBlend(x.s, y.s) {
			other = i
		}
	}
	if same >= maxAlike && other >= 0 && len(work) > maxWaiting/2 {
		work[other].s = m.blend(x.s, work[other].s, from, x.block)
		return work
	}
	return append(work, x)
}

// roleInside reports whether a call in a callee may have to do with the object: it is
// given it, or where it is to be left, or may make it.
func (m *machine) roleInside(s *state, v ir.ValueID) bool {
	target := s.object
	if target == 0 {
		if !s.making {
			return false
		}
		if s.target == 0 { // it comes out as the result
			return s.top.f.Values[v].Type.Kind() == ir.Ptr && m.view.At(s.top.id, v).Makes
		}
		target = s.target
	}
	for _, a := range s.top.f.ArgsOf(v)[1:] {
		if t := s.top.env[a]; t != 0 && m.root(t) == target {
			return true
		}
	}
	return false
}

// terminate returns the ways in which control goes on from a terminator.
func (m *machine) terminate(s *state, v ir.ValueID) []turn {
	m.steps++
	f := s.top.f
	switch op := f.Values[v].Op; {
	case op == ir.OpBr:
		return []turn{{s, 0}}
	case op == ir.OpCondBr:
		return m.condBr(s, v)
	case op == ir.OpSwitch:
		return m.switchOn(s, v)
	case op == ir.OpInvoke:
		var out []turn
		for _, x := range m.call(s, v, m.roleInside(s, v)) {
			out = append(out, turn{x, 0})
		}
		return out
	}
	return nil
}

func (m *machine) condBr(s *state, v ir.ValueID) []turn {
	c := m.value(s, s.top.f.ArgsOf(v)[0])
	if truth, known := m.decide(s, c); known {
		if truth {
			return []turn{{s, 0}}
		}
		return []turn{{s, 1}}
	}
	yes, no := s.clone(), s
	var out []turn
	canBe := m.assume(yes, c, v, 0, true)
	canNot := m.assume(no, m.pool.Not(c), v, 1, true)
	if canBe {
		out = append(out, turn{yes, 0})
	}
	if canNot {
		out = append(out, turn{no, 1})
	}
	if canBe && canNot {
		yes.forks++
		no.forks++
	}
	return out
}

// decide says whether a condition is known to hold or not.
func (m *machine) decide(s *state, c cond.Term) (truth, known bool) {
	if n, ok := m.pool.ConstValue(c); ok {
		return n != 0, true
	}
	return s.facts.Decide(m.pool, c)
}

func (m *machine) switchOn(s *state, v ir.ValueID) []turn {
	f := s.top.f
	args := f.ArgsOf(v)
	on := m.value(s, args[0])
	var out []turn
	rest, open := s.clone(), true
	for i, c := range args[1:] {
		eq := m.pool.Compare(cond.EQ, on, m.value(s, c))
		if n, ok := m.pool.ConstValue(eq); ok && n == 0 {
			continue
		}
		one := s.clone()
		if m.assume(one, eq, v, i+1, true) {
			out = append(out, turn{one, i + 1})
		}
		open = open && m.assume(rest, m.pool.Not(eq), v, 0, i == len(args)-2)
	}
	if open {
		out = append(out, turn{rest, 0})
	}
	if len(out) > 1 {
		for _, t := range out {
			t.s.forks++
		}
	}
	return out
}
