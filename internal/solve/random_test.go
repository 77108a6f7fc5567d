package solve

import (
	"context"
	"fmt"
	"math/rand"
	"sync"
	"testing"

	"github.com/plumb-project/plumb/internal/cond"
)

// A maker builds random conditions of the kinds that programs have.
type maker struct {
	r      *rand.Rand
	p      *cond.Pool
	leaves map[uint8][]cond.Term
}

func newMaker(seed int64) *maker {
	m := &maker{rand.New(rand.NewSource(seed)), cond.NewPool(), map[uint8][]cond.Term{}}
	for _, bits := range []uint8{1, 8, 32, 32, 64, 64} {
		m.leaves[bits] = append(m.leaves[bits], m.p.Fresh(bits, fmt.Sprintf("x%d", bits)))
	}
	x := m.leaves[64][0]
	m.leaves[64] = append(m.leaves[64], m.p.Pointer("p"), m.p.Address("o"), m.p.Address("u"), m.p.Apply(64, "f", x),
		m.p.Apply(64, "f", m.leaves[64][1]))
	m.leaves[32] = append(m.leaves[32], m.p.Apply(32, "g", x, m.leaves[8][0]))
	return m
}

// term makes a term; constants are near the places where something changes.
func (m *maker) term(bits uint8, depth int) cond.Term {
	r, p := m.r, m.p
	if depth == 0 || r.Intn(6) == 0 {
		if bits == 1 && r.Intn(4) > 0 {
			return m.truth(max(depth, 1))
		}
		if r.Intn(3) == 0 {
			return m.constant(bits)
		}
		leaves := m.leaves[bits]
		return leaves[r.Intn(len(leaves))]
	}
	if bits == 1 {
		return m.truth(depth)
	}
	switch r.Intn(10) {
	case 0:
		narrow := []uint8{1, 8, 32}[r.Intn(3)]
		if narrow < bits {
			if r.Intn(2) == 0 {
				return p.ZExt(bits, m.term(narrow, depth-1))
			}
			return p.SExt(bits, m.term(narrow, depth-1))
		}
	case 1:
		if bits < 64 {
			return p.Extract(uint8(r.Intn(int(64-bits))), bits, m.term(64, depth-1))
		}
	case 2:
		return p.Ite(m.term(1, depth-1), m.term(bits, depth-1), m.term(bits, depth-1))
	case 3:
		op := []cond.Op{cond.UDiv, cond.SDiv, cond.URem, cond.SRem, cond.Shl, cond.LShr, cond.AShr, cond.Mul}[r.Intn(8)]
		return p.Binary(op, m.term(bits, depth-1), m.constant(bits))
	case 4:
		op := []cond.Op{cond.Shl, cond.LShr, cond.AShr, cond.URem}[r.Intn(4)]
		return p.Binary(op, m.term(bits, depth-1), m.term(bits, depth-1))
	}
	op := []cond.Op{cond.Add, cond.Sub, cond.And, cond.Or, cond.Xor, cond.Add}[r.Intn(6)]
	b := m.term(bits, depth-1)
	if r.Intn(2) == 0 {
		b = m.constant(bits)
	}
	return p.Binary(op, m.term(bits, depth-1), b)
}

func (m *maker) constant(bits uint8) cond.Term {
	k := []uint64{0, 1, 2, 3, 8, 16, 100}[m.r.Intn(7)]
	switch m.r.Intn(4) {
	case 0:
		k = -k
	case 1:
		k = 1<<(bits-1) - k
	}
	return m.p.Const(bits, k)
}

func (m *maker) truth(depth int) cond.Term {
	r, p := m.r, m.p
	switch r.Intn(6) {
	case 0:
		return p.Either(m.term(1, depth-1), m.term(1, depth-1))
	case 1:
		return p.Not(m.term(1, depth-1))
	}
	bits := []uint8{8, 32, 64}[r.Intn(3)]
	pred := cond.Pred(1 + r.Intn(int(cond.SGE)))
	b := m.term(bits, depth-1)
	if r.Intn(2) == 0 {
		b = m.constant(bits)
	}
	return p.Compare(pred, m.term(bits, depth-1), b)
}

func (m *maker) path(n, depth int) []cond.Term {
	var path []cond.Term
	for range n {
		path = append(path, m.term(1, depth))
	}
	return path
}

// sums makes a path of comparisons of sums, as checks of lengths are: some variables are
// bounded, so some sums wrap and others do not.
func (m *maker) sums(n int) []cond.Term {
	r, p := m.r, m.p
	terms := []cond.Term{m.leaves[64][0], m.leaves[64][1], m.leaves[64][2], p.ZExt(64, m.leaves[32][0]), p.SExt(64, m.leaves[32][1]),
		p.ZExt(64, m.leaves[8][0]), p.ZExt(64, p.Binary(cond.Add, m.leaves[32][0], p.Const(32, 1)))}
	var path []cond.Term
	for _, x := range terms {
		if r.Intn(3) > 0 {
			path = append(path, p.Compare(cond.ULT, x, p.Const(64, []uint64{20, 300, 1 << 27, 1 << 33}[r.Intn(4)])))
		}
	}
	sum := func() cond.Term {
		t := p.Const(64, uint64(r.Intn(12)))
		for range 1 + r.Intn(3) {
			x := terms[r.Intn(len(terms))]
			if r.Intn(4) == 0 {
				x = p.Binary(cond.Mul, x, p.Const(64, []uint64{2, 8, 48, 1 << 16}[r.Intn(4)]))
			}
			t = p.Binary([]cond.Op{cond.Add, cond.Sub}[r.Intn(2)], t, x)
		}
		return p.Binary(cond.Sub, t, p.Const(64, uint64(r.Intn(12))))
	}
	for range n {
		pred := []cond.Pred{cond.ULT, cond.UGE, cond.SLT, cond.SGE, cond.EQ, cond.NE}[r.Intn(6)]
		path = append(path, p.Compare(pred, sum(), sum()))
	}
	return path
}

// askOnly sends conditions to the external solver, whatever cond says of them.
func askOnly(s *Solver, p *cond.Pool, conds []cond.Term) *answer {
	a := &answer{}
	s.ask(context.Background(), a, render(p, conds))
	return a
}

// A tally counts how paths were answered.
type tally struct{ refuted, missed, possible, solved, unknown int }

// compare holds what cond finds on a random path against z3: contradictions, bounds,
// and values.
func (c *tally) compare(t *testing.T, s *Solver, seed int64) {
	m := newMaker(seed)
	path := m.path(1+m.r.Intn(5), 1+m.r.Intn(3))
	if seed%2 == 1 {
		path = m.sums(1 + m.r.Intn(6))
	}
	var f cond.Facts
	stage := cond.Stage(0)
	for _, c := range path {
		stage = max(stage, f.Assume(m.p, c))
	}
	stage = max(stage, f.Probe(m.p))
	print := func() (s string) {
		for _, c := range path {
			s += "\n\t" + m.p.String(c)
		}
		return s
	}
	q := render(m.p, path)
	_, found := f.Search(m.p, path, q.leaves)
	a := askOnly(s, m.p, path)
	switch {
	case a.answer == Unknown:
		c.unknown++
	case a.answer == Unsat && found:
		t.Fatalf("seed %d: cond has values where z3 has none:%s", seed, print())
	case a.answer == Unsat && stage == 0:
		c.missed++
	case a.answer == Unsat:
		c.refuted++
	case !cond.Satisfies(m.p, path, q.model(a.values)):
		t.Fatalf("seed %d: z3 and Eval disagree at %v:%s", seed, q.model(a.values), print())
	case stage != 0:
		t.Fatalf("seed %d: %s contradiction, but z3 has %v:%s", seed, stage, q.model(a.values), print())
	default:
		c.possible++
		if found {
			c.solved++
		}
		checkBounds(t, s, m, &f, path, seed)
	}
}

func TestAgainstZ3(t *testing.T) {
	s := z3(t)
	rounds := 160
	if testing.Short() {
		rounds = 40
	}
	var c tally
	for seed := range rounds {
		c.compare(t, s, int64(seed))
	}
	summary := fmt.Sprintf("cond refutes %d of %d, solves %d of %d; z3 does not know %d",
		c.refuted, c.refuted+c.missed, c.solved, c.possible, c.unknown)
	t.Log(summary)
	if c.refuted < 4*c.missed || c.solved*10 < 7*c.possible || c.unknown*20 > rounds {
		t.Error(summary)
	}
}

func FuzzAgainstZ3(f *testing.F) {
	s := z3(f)
	f.Add(int64(1287))
	f.Fuzz(func(t *testing.T, seed int64) { new(tally).compare(t, s, seed) })
}

// checkBounds asks z3 for a value outside of what Range says.
func checkBounds(t *testing.T, s *Solver, m *maker, f *cond.Facts, path []cond.Term, seed int64) {
	p := m.p
	bits := []uint8{8, 32, 64}[m.r.Intn(3)]
	x := m.term(bits, 2)
	b := f.Range(p, x)
	k := func(v uint64) cond.Term { return p.Const(bits, v) }
	in := p.Both(
		p.Both(p.Compare(cond.UGE, x, k(b.Min)), p.Compare(cond.ULE, x, k(b.Max))),
		p.Both(p.Compare(cond.SGE, x, k(uint64(b.SMin))), p.Compare(cond.SLE, x, k(uint64(b.SMax)))))
	in = p.Both(in, p.Compare(cond.EQ, p.Binary(cond.And, x, k(b.Zeros|b.Ones)), k(b.Ones)))
	if v, ok := p.ConstValue(in); ok && v == 1 {
		return
	}
	if a := askOnly(s, p, append(path[:len(path):len(path)], p.Not(in))); a.answer == Sat {
		t.Fatalf("seed %d: %s is not within %+v", seed, p.String(x), b)
	}
}

// TestSameAnswers asks the same questions in another order, by many at once: all that
// is answered is the same, and so are the counts.
func TestSameAnswers(t *testing.T) {
	const n = 60
	run := func(workers int) ([]string, Stats) {
		s := z3(t)
		out := make([]string, 2*n)
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for i := w; i < len(out); i += workers {
					m := newMaker(int64(i % n))
					path := m.path(4, 3)
					r := s.Check(context.Background(), m.p, path)
					out[i] = fmt.Sprintf("%s by %s", r.Answer, r.By)
					for _, v := range m.p.VarsOf(path) {
						out[i] += fmt.Sprintf(" %s=%d", m.p.String(v), r.Model[v])
					}
				}
			})
		}
		wg.Wait()
		st := s.Stats()
		st.Time = 0
		return out, st
	}
	want, wantStats := run(1)
	got, gotStats := run(7)
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("path %d: %s, then %s", i, want[i], got[i])
		}
	}
	if gotStats != wantStats {
		t.Errorf("%+v, then %+v", wantStats, gotStats)
	}
	if wantStats.Asked == 0 || wantStats.Cached == 0 {
		t.Errorf("nothing was asked: %+v", wantStats)
	}
}
