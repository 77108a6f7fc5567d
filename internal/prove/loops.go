// This file takes paths round loops: twice as they are, then any number of times.

package prove

import (
	"math"
	"slices"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/graph"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/modref"
)

const (
	exactRounds     = 2    // rounds of a loop that are taken as they are, from the start
	moreRounds      = 2    // and after any number of others
	inExact, inMore = 1, 1 // the same in functions that are called
	surelyRound     = 80   // rounds that are taken as they are when no branch in them is open
)

// A shape is what is computed of a function once.
type shape struct {
	rpo   []uint32              // by block
	idom  []ir.BlockID          // by block: the last that comes before it on every path; 0 for the first
	first []ir.ValueID          // by block: the first instruction that is no phi
	loops map[ir.BlockID][]bool // by head: the blocks of the loop
	tells []bool                // by value: a branch, or what is returned, is computed from it
	live  [][]ir.ValueID        // by block: values that are used in it or later, and the phis of it
}

func (m *machine) shape(f *ir.Func) *shape {
	if s := m.shapes[f]; s != nil {
		return s
	}
	s := &shape{rpo: make([]uint32, len(f.Blocks)), first: make([]ir.ValueID, len(f.Blocks)), loops: map[ir.BlockID][]bool{}, tells: make([]bool, len(f.Values))}
	var edges []graph.Edge
	for b := ir.BlockID(1); int(b) < len(f.Blocks); b++ {
		for _, t := range f.SuccsOf(b) {
			edges = append(edges, graph.Edge{From: uint32(b), To: uint32(t)})
		}
		v := f.Blocks[b].First
		for f.Values[v].Op == ir.OpPhi {
			v++
		}
		s.first[b] = v
	}
	var cfg, pred graph.CSR
	var dom graph.Dom
	cfg.Build(len(f.Blocks), edges)
	cfg.Reverse(&pred)
	dom.Build(&cfg, &pred, 1)
	s.idom = make([]ir.BlockID, len(f.Blocks))
	for i, b := range dom.RPO {
		s.rpo[b] = uint32(i)
		if d := dom.Idom[b]; d != ^uint32(0) {
			s.idom[b] = ir.BlockID(d)
		}
	}
	for _, e := range edges {
		if s.rpo[e.To] > s.rpo[e.From] {
			continue
		}
		body := s.loops[ir.BlockID(e.To)]
		if body == nil {
			body = make([]bool, len(f.Blocks))
			body[e.To] = true
			s.loops[ir.BlockID(e.To)] = body
		}
		for work := []uint32{e.From}; len(work) > 0; {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if !body[b] {
				body[b] = true
				work = append(work, pred.Succs(b)...)
			}
		}
	}
	s.findTells(f)
	m.shapes[f] = s
	s.findLive(f)
	return s
}

// findTells finds the values that branches and results are computed from.
func (s *shape) findTells(f *ir.Func) {
	var work []ir.ValueID
	add := func(v ir.ValueID) {
		if !s.tells[v] {
			s.tells[v] = true
			work = append(work, v)
		}
	}
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		switch args := f.ArgsOf(v); f.Values[v].Op {
		case ir.OpCondBr, ir.OpSwitch, ir.OpRet:
			if len(args) > 0 {
				add(args[0])
			}
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if op := f.Values[v].Op; op >= ir.OpAdd && op <= ir.OpPhi || op == ir.OpExtractValue {
			for _, a := range f.ArgsOf(v) {
				add(a)
			}
		}
	}
}

// findLive finds the values that are live at the start of each block, its phis
// included.
func (s *shape) findLive(f *ir.Func) {
	n := len(f.Values)/64 + 1
	in := make([][]uint64, len(f.Blocks))
	has := func(set []uint64, v ir.ValueID) bool { return set[v/64]&(1<<(v%64)) != 0 }
	add := func(set []uint64, v ir.ValueID) { set[v/64] |= 1 << (v % 64) }
	for b := range in {
		in[b] = make([]uint64, n)
	}
	order := make([]ir.BlockID, 0, len(f.Blocks))
	for b := ir.BlockID(1); int(b) < len(f.Blocks); b++ {
		order = append(order, b)
	}
	slices.SortFunc(order, func(a, b ir.BlockID) int { return int(s.rpo[b]) - int(s.rpo[a]) })
	set := make([]uint64, n)
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			clear(set)
			for _, t := range f.SuccsOf(b) {
				for i, w := range in[t] {
					set[i] |= w
				}
				for v := f.Blocks[t].First; v < s.first[t]; v++ {
					set[v/64] &^= 1 << (v % 64)
				}
				for v := f.Blocks[t].First; v < s.first[t]; v++ {
					for k, p := range f.PredsOf(t) {
						if p == b {
							add(set, f.ArgsOf(v)[k])
						}
					}
				}
			}
			for v := f.Blocks[b].End; v > s.first[b]; v-- {
				set[(v-1)/64] &^= 1 << ((v - 1) % 64)
				for _, a := range f.ArgsOf(v - 1) {
					add(set, a)
				}
			}
			if !slices.Equal(set, in[b]) {
				copy(in[b], set)
				changed = true
			}
		}
	}
	s.live = make([][]ir.ValueID, len(f.Blocks))
	for b := range in {
		for v := ir.ValueID(1); int(v) < len(f.Values); v++ {
			if has(in[b], v) && !f.Values[v].Op.IsConst() {
				s.live[b] = append(s.live[b], v)
			}
		}
	}
}

func (m *machine) liveAt(f *ir.Func, b ir.BlockID) []ir.ValueID { return m.shape(f).live[b] }

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

// A trend is how a number changes from round to round.
type trend struct {
	way  way
	step int64 // at least this much, with its sign
}

type way uint8

const (
	untouched way = iota
	growing
	shrinking
	anyway
)

// bound assumes that t lies where a number that was first can have gone in some
// rounds. Counters are taken not to overflow.
func (m *machine) bound(s *state, t, first cond.Term, up trend, rounds int) {
	far := m.add(first, up.step*int64(rounds))
	switch up.way {
	case growing:
		m.assume(s, m.pool.Compare(cond.SGE, t, far), 0, 0, false)
	case shrinking:
		m.assume(s, m.pool.Compare(cond.SLE, t, far), 0, 0, false)
	}
}

// alwaysSo assumes what holds of a value that was not computed on the path, because
// the path begins later: of a counter that only grows, that it is not below its start.
func (m *machine) alwaysSo(s *state, v ir.ValueID, t cond.Term) {
	f := s.top.f
	if f.Values[v].Op != ir.OpPhi || f.Values[v].Type.Kind() != ir.Int {
		return
	}
	head := f.BlockOf(v)
	body := m.shape(f).loops[head]
	if body == nil {
		return
	}
	for k, p := range f.PredsOf(head) {
		if start := m.constant(f, f.ArgsOf(v)[k]); !body[p] {
			if start != 0 {
				m.bound(s, t, start, m.trend(f, v, body), 0)
			}
			return
		}
	}
}

// keeps reports whether the loop gives a phi its own value again.
func (m *machine) keeps(f *ir.Func, phi ir.ValueID, head ir.BlockID) bool {
	body := m.shape(f).loops[head]
	for k, p := range f.PredsOf(head) {
		if body[p] && f.ArgsOf(phi)[k] != phi {
			return false
		}
	}
	return true
}

// trend says how a phi changes in a loop: if all that comes back is the phi with
// numbers of one sign added.
func (m *machine) trend(f *ir.Func, phi ir.ValueID, body []bool) trend {
	lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
	seen := map[ir.ValueID]bool{}
	var back func(v ir.ValueID, sum int64) bool
	back = func(v ir.ValueID, sum int64) bool {
		if v == phi {
			lo, hi = min(lo, sum), max(hi, sum)
			return true
		}
		x := &f.Values[v]
		if !x.Op.IsInst() || !body[f.BlockOf(v)] || seen[v] || len(seen) > 64 {
			return false
		}
		switch x.Op {
		case ir.OpAdd, ir.OpExtractValue:
			a, n, ok := m.addend(f, v)
			return ok && back(a, sum+n)
		case ir.OpPhi, ir.OpSelect:
			args := f.ArgsOf(v)
			if x.Op == ir.OpSelect {
				args = args[1:]
			}
			seen[v] = true
			for _, a := range args {
				if !back(a, sum) {
					return false
				}
			}
			delete(seen, v)
			return true
		}
		return false
	}
	for k, p := range f.PredsOf(f.BlockOf(phi)) {
		if body[p] && !back(f.ArgsOf(phi)[k], 0) {
			return trend{way: anyway}
		}
	}
	return oneWay(lo, hi)
}

func oneWay(lo, hi int64) trend {
	switch {
	case lo > hi:
	case lo >= 0:
		return trend{growing, lo}
	case hi <= 0:
		return trend{shrinking, hi}
	}
	return trend{way: anyway}
}

// written says what the blocks of a loop may do to a cell.
func (m *machine) written(s *state, f *ir.Func, body []bool, c cell) trend {
	lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
	root := m.root(c.base)
	private := m.private(s, root)
	for b := ir.BlockID(1); int(b) < len(f.Blocks); b++ {
		if !body[b] {
			continue
		}
		for v := f.Blocks[b].First; v < f.Blocks[b].End; v++ {
			args := f.ArgsOf(v)
			switch x := &f.Values[v]; {
			case x.Op == ir.OpStore:
				place := m.placeOf(f, args[1], f.Values[args[0]].Type)
				if !overlap(c.place, place) || !m.mayStore(s, args[1], root, private) {
					continue
				}
				n, ok := m.increment(f, args[0], place)
				if !ok {
					return trend{way: anyway}
				}
				lo, hi = min(lo, n), max(hi, n)
			case x.Op == ir.OpMemcpy || x.Op == ir.OpMemset || x.Op == ir.OpCmpXchg || x.Op == ir.OpAtomicRMW:
				if m.mayStore(s, args[0], root, private) {
					return trend{way: anyway}
				}
			case x.Op.IsCall():
				if private && !slices.ContainsFunc(args[1:], func(a ir.ValueID) bool { return m.mayPoint(s, a, root) }) {
					continue
				}
				if m.table.CallMayWrite(s.top.id, v, c.place) {
					return trend{way: anyway}
				}
			}
		}
	}
	if lo > hi {
		return trend{}
	}
	return oneWay(lo, hi)
}

// mayStore reports whether an address may be in the object root.
func (m *machine) mayStore(s *state, addr ir.ValueID, root cond.Term, private bool) bool {
	t := s.top.env[addr]
	if t == 0 {
		t = m.constant(s.top.f, addr)
	}
	if t == 0 {
		return true
	}
	r := m.root(t)
	return r == root || m.mayBe(s, root, t, r, m.private(s, r))
}

// mayPoint reports whether an argument may point to a private object, or to what holds it.
func (m *machine) mayPoint(s *state, v ir.ValueID, root cond.Term) bool {
	t := s.top.env[v]
	if t == 0 {
		return s.top.f.Values[v].Type.Kind() == ir.Ptr && !s.top.f.Values[v].Op.IsConst()
	}
	return slices.Contains(m.reach(s, []cond.Term{t}), root)
}

// increment returns what is added to a place when v is stored there.
func (m *machine) increment(f *ir.Func, v ir.ValueID, place modref.Place) (int64, bool) {
	a, n, ok := m.addend(f, v)
	if !ok || f.Values[a].Op != ir.OpLoad {
		return 0, false
	}
	return n, m.placeOf(f, f.ArgsOf(a)[0], f.Values[a].Type) == place
}

// addend takes apart a sum of a value and a constant.
func (m *machine) addend(f *ir.Func, v ir.ValueID) (a ir.ValueID, n int64, ok bool) {
	args := f.ArgsOf(v)
	switch f.Values[v].Op {
	case ir.OpAdd:
	case ir.OpExtractValue:
		op, checked := m.checked(f, args[0])
		if !checked || op != cond.Add && op != cond.Sub || f.Ints[f.Values[v].Aux] != 0 {
			return 0, 0, false
		}
		args = f.ArgsOf(args[0])[1:]
		n, ok = f.ConstInt(args[1])
		if op == cond.Sub {
			n = -n
		}
		return args[0], n, ok
	default:
		return 0, 0, false
	}
	n, ok = f.ConstInt(args[1])
	return args[0], n, ok
}
