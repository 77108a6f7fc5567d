// This file makes one path of several on which a call does the same.

package prove

import (
	"cmp"
	"slices"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/ir"
)

// ended adds a state in which a call has ended to the others. from is what it was
// before the call.
func (m *machine) ended(list []*state, x, from *state) []*state {
	m.bury(x, from)
	for i, y := range list {
		if x.ret == y.ret && m.alike(x, y) {
			list[i] = m.common(x, y, from)
			return list
		}
	}
	return append(list, x)
}

// bury forgets the variables of the function that has ended, and objects that it
// made and kept to itself.
func (m *machine) bury(s, from *state) {
	f := s.top.f
	dead := map[cond.Term]bool{}
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		if t := s.top.env[v]; t != 0 && f.Values[v].Op == ir.OpAlloca {
			dead[t] = true
		}
	}
	made := s.made[len(from.made):]
	for _, t := range made {
		dead[t] = true
	}
	if len(dead) == 0 {
		return
	}
	roots := []cond.Term{s.ret}
	for _, c := range s.mem {
		if c.size == 8 && !dead[m.root(c.base)] {
			roots = append(roots, c.val)
		}
	}
	for _, t := range m.reach(s, roots) {
		delete(dead, t)
	}
	gone := func(t cond.Term) bool { return dead[m.root(t)] }
	s.mem = slices.DeleteFunc(s.mem, func(c cell) bool { return gone(c.base) })
	s.zeros = slices.DeleteFunc(s.zeros, func(z span) bool { return gone(z.base) })
	s.made = slices.DeleteFunc(slices.Clone(s.made), gone)
	s.freed = slices.DeleteFunc(slices.Clone(s.freed), gone)
	s.shown = slices.DeleteFunc(slices.Clone(s.shown), gone)
}

// alike reports whether the same was written on both paths, and the same became of
// all objects.
func (m *machine) alike(x, y *state) bool {
	if !slices.EqualFunc(x.zeros, y.zeros, span.same) || !slices.Equal(x.shown, y.shown) || !m.sameFate(x, y) {
		return false
	}
	i := 0
	next := func(list []cell, i int) int {
		for i < len(list) && list[i].read {
			i++
		}
		return i
	}
	for k := range y.mem {
		if y.mem[k].read {
			continue
		}
		if i = next(x.mem, i); i == len(x.mem) || x.mem[i] != y.mem[k] {
			return false
		}
		i++
	}
	return next(x.mem, i) == len(x.mem)
}

// sameFate reports whether the same objects that were there before, or the object
// itself, were released on both paths.
func (m *machine) sameFate(x, y *state) bool {
	in := func(s, t *state) bool {
		return !slices.ContainsFunc(s.freed, func(a cond.Term) bool {
			r := m.root(a)
			return (r == s.object || !slices.Contains(s.made, r)) && !slices.Contains(t.freed, a)
		})
	}
	return in(x, y) && in(y, x)
}

// common returns y with what x and y both know and assume beyond from.
func (m *machine) common(x, y, from *state) *state {
	other := x.since(from)
	all := y.since(from)
	both := func(a *assumption) bool {
		return slices.ContainsFunc(other, func(b *assumption) bool { return a.term == b.term })
	}
	n := 0 // of the first, all are assumed in both: what is known with them is known
	y.path, y.facts = from.path, from.facts.Clone()
	for n < len(all) && both(all[n]) {
		y.path = all[n]
		if all[n].term != 0 {
			y.facts = all[n].facts.Clone()
		}
		n++
	}
	for _, a := range all[n:] {
		if both(a) {
			one := *a
			one.prev = y.path
			y.path = &one
			if a.term != 0 {
				y.facts.Assume(m.pool, a.term)
				one.facts = y.facts.Clone()
			}
		}
	}
	y.made = union(y.made, x.made)
	if x.epoch != y.epoch {
		y.epoch = m.nextEpoch()
	}
	missing := func(list []cell, c cell) bool {
		i, ok := slices.BinarySearchFunc(list, span{base: c.base, off: c.off}, compareCell)
		return !ok || list[i] != c
	}
	for _, c := range x.mem { // written there alone: not what it was here either
		if !c.read && missing(y.mem, c) && slices.ContainsFunc(y.zeros, func(z span) bool { return z.has(c.base, c.off) }) {
			m.forgetZeros(y, c.base)
		}
	}
	var zeros []span // where both have them, for what has not been written on either
	for _, z := range y.zeros {
		if i := slices.IndexFunc(x.zeros, z.same); i >= 0 {
			z.calls = z.calls.with(x.zeros[i].calls)
			zeros = append(zeros, z)
		}
	}
	y.zeros = zeros
	m.erase(y, func(c cell) bool { return missing(x.mem, c) })
	return y
}

// since returns what s assumes beyond from, in order.
func (s *state) since(from *state) []*assumption {
	var out []*assumption
	for a := s.path; a != from.path; a = a.prev {
		out = append(out, a)
	}
	slices.Reverse(out)
	return out
}

// join makes one of states that differ in what is returned: of that only the range
// is known then. Constants stay apart, as they are what callers ask for.
func (m *machine) join(list []*state, from *state) []*state {
	var out []*state
next:
	for _, x := range list {
		for i, y := range out {
			if x.ret == 0 || y.ret == 0 || !m.alike(x, y) {
				continue
			}
			_, xc := m.pool.ConstValue(x.ret)
			_, yc := m.pool.ConstValue(y.ret)
			if xc || yc || m.isObject(m.root(x.ret)) || m.isObject(m.root(y.ret)) {
				continue
			}
			a, b := x.facts.Range(m.pool, x.ret), y.facts.Range(m.pool, y.ret)
			t := m.pool.Fresh(m.pool.Bits(x.ret), m.pool.Name(x.ret))
			y = m.common(x, y, from)
			y.ret = t
			m.hull(y, t, a, b)
			out[i] = y
			continue next
		}
		out = append(out, x)
	}
	return out
}

// hull assumes that t is in either of two ranges, or between them.
func (m *machine) hull(s *state, t cond.Term, a, b cond.Bounds) {
	p := m.pool
	bits := p.Bits(t)
	and := func(pred cond.Pred, n uint64) { m.assume(s, p.Compare(pred, t, p.Const(bits, n)), 0, 0, false) }
	and(cond.UGE, min(a.Min, b.Min))
	and(cond.ULE, max(a.Max, b.Max))
	if bits > 1 {
		and(cond.SGE, uint64(min(a.SMin, b.SMin)))
		and(cond.SLE, uint64(max(a.SMax, b.SMax)))
	}
}

// same reports whether two states at the start of a block differ in nothing that
// is still of use there: what was written, what is live, and what is assumed of that.
func (m *machine) same(x, y *state, b ir.BlockID, from *state) bool {
	if len(x.top.loops) != len(y.top.loops) || !m.alike(x, y) {
		return false
	}
	for i := range x.top.loops {
		if r, q := &x.top.loops[i], &y.top.loops[i]; r.head != q.head || r.n != q.n || r.widened != q.widened {
			return false
		}
	}
	live := m.liveAt(x.top.f, b)
	var vars []cond.Term
	for _, v := range live {
		t := x.top.env[v]
		if t != y.top.env[v] {
			return false
		}
		if t != 0 {
			vars = append(vars, t)
		}
	}
	vars = m.pool.VarsOf(vars)
	differ := func(a, b []*assumption) bool {
		return slices.ContainsFunc(a, func(p *assumption) bool {
			if slices.ContainsFunc(b, func(q *assumption) bool { return q.term == p.term }) {
				return false
			}
			return slices.ContainsFunc(m.pool.Vars(p.term), func(t cond.Term) bool { return slices.Contains(vars, t) })
		})
	}
	a, c := x.since(from), y.since(from)
	return !differ(a, c) && !differ(c, a)
}

// canBlend reports whether one state can stand for two at the same place, with less
// known than on either.
func (m *machine) canBlend(x, y *state) bool {
	if len(x.top.loops) != len(y.top.loops) || x.object != y.object || x.weak != y.weak || !m.sameFate(x, y) {
		return false
	}
	return !slices.ContainsFunc(x.top.loops, func(r round) bool {
		return !slices.ContainsFunc(y.top.loops, func(q round) bool { return q.head == r.head && q.n == r.n && q.widened == r.widened })
	})
}

// blend returns a state that stands for both in block b: values that differ are open
// in it, as far as they are still of use.
func (m *machine) blend(x, y, from *state, b ir.BlockID) *state {
	f := y.top.f
	differ := map[[2]cond.Term]cond.Term{}
	env := make([]cond.Term, len(y.top.env))
	use := slices.Clone(m.liveAt(f, b))
	for v := f.Blocks[b].First; v < f.Blocks[b].End; v++ {
		use = append(use, v)
	}
	for v := ir.ValueID(1); v <= ir.ValueID(f.NParams); v++ {
		use = append(use, v)
	}
	for _, v := range use {
		t, u := y.top.env[v], x.top.env[v]
		switch {
		case t == u:
			env[v] = t
		case t == 0 || u == 0:
		default: // what was equal stays equal
			w, ok := differ[[2]cond.Term{t, u}]
			if !ok {
				w = m.pool.Fresh(m.pool.Bits(t), m.pool.Name(t))
				differ[[2]cond.Term{t, u}] = w
			}
			env[v] = w
		}
	}
	type known struct {
		t    cond.Term
		a, b cond.Bounds
	}
	var bounds []known
	for pair, w := range differ {
		if m.pool.Bits(pair[0]) == m.pool.Bits(pair[1]) && !m.pointers[pair[0]] && !m.isObject(m.root(pair[0])) {
			bounds = append(bounds, known{w, y.facts.Range(m.pool, pair[0]), x.facts.Range(m.pool, pair[1])})
		}
	}
	slices.SortFunc(bounds, func(a, b known) int { return cmp.Compare(a.t, b.t) })
	z := m.common(x, y, from)
	z.shown = union(z.shown, x.shown)
	z.frame().env = env
	for _, k := range bounds {
		m.hull(z, k.t, k.a, k.b)
	}
	return z
}

// fewer makes the ways in which a call ends fewer, when they are too many: first by
// leaving open what is returned where it is no constant, then what was written.
func (m *machine) fewer(list []*state, from *state, most int) []*state {
	if len(list) > most/2 {
		list = m.join(list, from)
	}
	if len(list) <= most {
		return list
	}
	var out []*state
next:
	for _, x := range list {
		for i, y := range out {
			if m.class(x) == m.class(y) && m.sameFate(x, y) {
				if x.ret != y.ret {
					t := m.pool.Fresh(m.pool.Bits(x.ret), m.pool.Name(x.ret))
					a, b := x.facts.Range(m.pool, x.ret), y.facts.Range(m.pool, y.ret)
					y = m.common(x, y, from)
					y.ret = t
					m.hull(y, t, a, b)
				} else {
					y = m.common(x, y, from)
				}
				y.epoch = m.nextEpoch()
				y.shown = union(y.shown, x.shown)
				out[i] = y
				continue next
			}
		}
		out = append(out, x)
	}
	return out
}

// class says what callers ask about a result: which constant it is, which object,
// or on which side of zero.
func (m *machine) class(s *state) cond.Term {
	if s.ret == 0 {
		return 0
	}
	if _, ok := m.pool.ConstValue(s.ret); ok || m.isObject(m.root(s.ret)) {
		return s.ret
	}
	zero := m.pool.Const(m.pool.Bits(s.ret), 0)
	if _, known := s.facts.Decide(m.pool, m.pool.Compare(cond.EQ, s.ret, zero)); known {
		return m.pool.Const(2, 1)
	}
	return m.pool.Const(2, 0)
}

// union adds to a list what it does not have.
func union(a, b []cond.Term) []cond.Term {
	for _, t := range b {
		if !slices.Contains(a, t) {
			a = append(slices.Clip(a), t)
		}
	}
	return a
}
