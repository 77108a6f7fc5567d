package solve

import (
	"context"
	"testing"

	"github.com/plumb-project/plumb/internal/cond"
)

// BenchmarkCheck asks for paths of 40 branches that differ in their last, as a search
// for a leak does.
func BenchmarkCheck(b *testing.B) {
	s := New(Config{Command: "none"})
	p := cond.NewPool()
	var path []cond.Term
	n := p.Fresh(32, "n")
	for k := range 40 {
		var c cond.Term
		switch k % 5 {
		case 0:
			c = p.Compare(cond.NE, p.Pointer("p"), p.Const(64, 0))
		case 1:
			c = p.Compare(cond.SGE, p.Fresh(32, "rc"), p.Const(32, 0))
		case 2:
			c = p.Compare(cond.SLT, p.Const(32, uint64(k)), n)
		case 3:
			c = p.Compare(cond.ULT, p.SExt(64, p.Fresh(32, "len")), p.ZExt(64, n))
		case 4:
			c = p.Compare(cond.ULT, p.Apply(64, "strlen", p.Pointer("s")), p.Const(64, 100))
		}
		path = append(path, c)
	}
	last := p.Fresh(32, "last")
	for i := range b.N {
		end := p.Compare(cond.EQ, last, p.Const(32, uint64(i%1000)))
		if r := s.Check(context.Background(), p, append(path[:len(path):len(path)], end)); r.Answer != Sat {
			b.Fatalf("got %+v", r)
		}
	}
}
