package solve

import (
	"context"
	"os/exec"
	"testing"

	"github.com/plumb-project/plumb/internal/cond"
)

// z3 returns a solver that asks z3, or skips the test.
func z3(t testing.TB) *Solver {
	t.Helper()
	if _, err := exec.LookPath("z3"); err != nil {
		t.Skip("z3 is not installed")
	}
	s := New(Config{})
	t.Cleanup(s.Close)
	return s
}

// hard returns conditions that only an external solver can refute or solve: a and b
// are sums of squares.
func hard(p *cond.Pool, sat bool) []cond.Term {
	a, b := p.Fresh(32, "a"), p.Fresh(32, "b")
	k := uint64(3)
	if sat {
		k = 0x51 // 9 * 9
	}
	bounded := func(x cond.Term) cond.Term { return p.Compare(cond.ULT, x, p.Const(32, 1000)) }
	sum := p.Binary(cond.Add, p.Binary(cond.Mul, a, a), p.Binary(cond.Mul, b, b))
	return []cond.Term{
		bounded(a), bounded(b),
		p.Compare(cond.EQ, p.Binary(cond.And, sum, p.Const(32, 0xfff3)), p.Const(32, k)),
		p.Compare(cond.NE, a, p.Const(32, 0)), p.Compare(cond.NE, b, p.Const(32, 0)),
	}
}

func TestHard(t *testing.T) {
	s := z3(t)
	ctx := context.Background()
	p := cond.NewPool()
	r := s.Check(ctx, p, hard(p, false))
	if r.Answer != Unsat || r.By != cond.SMT {
		t.Errorf("got %s by %s (%s), want unsat by smt", r.Answer, r.By, r.Reason)
	}
	cs := hard(p, true)
	r = s.Check(ctx, p, cs)
	if r.Answer != Sat || r.By != cond.SMT || !cond.Satisfies(p, cs, r.Model) {
		t.Errorf("got %s by %s (%s) with %v, want sat by smt", r.Answer, r.By, r.Reason, r.Model)
	}
	t.Logf("%+v", s.Stats())
}
