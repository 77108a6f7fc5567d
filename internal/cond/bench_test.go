package cond

import "testing"

// walkPath takes the branches of a path as programs have them: null checks, error
// codes, lengths, flags, a loop counter. At each branch the facts are cloned and the
// other side is assumed too.
func walkPath(p *Pool, branches int) *Facts {
	f := &Facts{}
	n := p.Fresh(32, "n")
	flags := p.Fresh(32, "flags")
	i := p.Const(32, 0)
	for k := range branches {
		var c Term
		switch k % 6 {
		case 0:
			c = p.Compare(NE, p.Fresh(64, "p"), p.Const(64, 0))
		case 1:
			c = p.Compare(SGE, p.Fresh(32, "rc"), p.Const(32, 0))
		case 2:
			c = p.Compare(SLT, i, n)
			i = p.Binary(Add, i, p.Const(32, 1))
		case 3:
			c = p.Compare(EQ, p.Binary(And, flags, p.Const(32, 1<<(k/6%30))), p.Const(32, 0))
		case 4:
			c = p.Compare(ULT, p.SExt(64, p.Fresh(32, "len")), p.ZExt(64, n))
		case 5:
			c = p.Either(p.Compare(EQ, p.Fresh(8, "ch"), p.Const(8, 'a')), p.Compare(SGT, n, p.Const(32, uint64(k))))
		}
		other := f.Clone()
		other.Assume(p, p.Not(c))
		f.Assume(p, c)
	}
	return f
}

func BenchmarkPath(b *testing.B) {
	for range b.N {
		if walkPath(NewPool(), 60).Contradiction() != 0 {
			b.Fatal("the path is possible")
		}
	}
}
