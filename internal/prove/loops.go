// This file takes paths round loops: twice as they are, then any number of times.

package prove

import (
	"slices"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/ir"
)

const (
	exactRounds     = 2    // rounds of a loop that are taken as they are, from the start
	moreRounds      = 2    // and after any number of others
	inExact, inMore = 1, 1 // the same in functions that are called
	surelyRound     = 80   // rounds that are taken as they are when no branch in them is open
)

// arrive moves s along an edge. It reports whether the path goes on: not when the
// loop was gone through often enough.
func (m *machine) arrive(s *state, from, to ir.BlockID, succ int) bool {
	f := s.top.f
	sh := m.shape(f)
	if len(s.top.loops) > 0 {
		fr := s.frame()
		fr.loops = slices.DeleteFunc(fr.loops, func(r round) bool { return !sh.loops[r.head][to] })
	}
	m.phis(s, from, to, succ)
	if sh.loops[to] == nil {
		return true
	}
	fr := s.frame()
	i := slices.IndexFunc(fr.loops, func(r round) bool { return r.head == to })
	if sh.rpo[to] > sh.rpo[from] {
		if i >= 0 {
			fr.loops = slices.Delete(fr.loops, i, i+1)
		}
		fr.loops = append(fr.loops, round{head: to, forks: s.forks, entry: m.phiTerms(s, to)})
		return true
	}
	if i < 0 { // the path began in the loop
		fr.loops = append(fr.loops, round{head: to, forks: s.forks})
		i = len(fr.loops) - 1
	}
	r := &fr.loops[i]
	r.n++
	closed := r.forks == s.forks && !r.widened && r.n <= surelyRound
	exact, more := exactRounds, moreRounds
	if fr.depth > 0 || m.brief {
		exact, more = inExact, inMore
	}
	if r.n > exact && !closed {
		if r.widened && r.n > exact+more {
			return false
		}
		if !r.widened { // from here on again as it is
			r.n, r.widened = exact+1, true
			s.weak = s.weak || s.object != 0 && fr.depth == 0
			m.widen(s, *r, exact)
		}
	}
	s.frame().loops[i].forks = s.forks
	return true
}

// phiTerms returns what the phis of a block are.
func (m *machine) phiTerms(s *state, b ir.BlockID) []cond.Term {
	first := s.top.f.Blocks[b].First
	return slices.Clone(s.top.env[first:m.shape(s.top.f).first[b]])
}

// A widening is a loop that was gone through a number of times in one call. All
// paths that get there have the same variables from then on, so that they can meet.
type widening struct {
	frame int
	head  ir.BlockID
	n     int
}

// widen forgets what the loop changes. Of what only ever grows, or only shrinks, it
// is known on which side of its first value it is.
func (m *machine) widen(s *state, r round, rounds int) {
	f := s.top.f
	body := m.shape(f).loops[r.head]
	w := widening{s.top.serial, r.head, r.n}
	epoch, ok := m.widenings[w]
	if !ok {
		epoch = m.nextEpoch()
		m.widenings[w] = epoch
	}
	s.epoch = epoch
	first := f.Blocks[r.head].First
	for i, now := range m.phiTerms(s, r.head) {
		v := first + ir.ValueID(i)
		if now == 0 || m.keeps(f, v, r.head) {
			continue
		}
		t := m.found(origin{cond.Term(v), -1, 0, epoch}, m.pool.Bits(now), m.spell(f, v))
		m.note(s, t, f.Values[v].Type)
		s.set(v, t)
		if f.Values[v].Type.Kind() == ir.Int && i < len(r.entry) && r.entry[i] != 0 {
			m.bound(s, t, r.entry[i], m.trend(f, v, body), rounds)
		}
	}
	for i, c := range s.mem {
		switch t := m.written(s, f, body, c); t.way {
		case untouched:
		case anyway:
			s.mem[i].val = 0
		default:
			s.mem[i].val = m.found(origin{c.base, c.off, c.size, epoch}, m.pool.Bits(c.val), m.pool.Name(c.val))
			s.mem[i].read = false
			m.bound(s, s.mem[i].val, c.val, t, 0)
		}
	}
	m.erase(s, func(c cell) bool { return c.val == 0 })
}
