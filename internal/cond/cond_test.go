package cond

import (
	"math/rand"
	"testing"
)

// TestSimplify holds simplified terms against the trees they were built from.
func TestSimplify(t *testing.T) {
	rounds := 20000
	if testing.Short() {
		rounds = 4000
	}
	for seed := range rounds {
		r := rand.New(rand.NewSource(int64(seed)))
		g := newGrower(r, 1, 3, 4)
		x := g.grow([]uint8{1, 3, 4, 5}[r.Intn(4)], 1+r.Intn(4))
		id := x.term(g.p)
		if g.p.Bits(id) != x.bits {
			t.Fatalf("seed %d: %s has %d bits, want %d", seed, g.p.String(id), g.p.Bits(id), x.bits)
		}
		g.each(func(vals []uint64, m map[Term]uint64) bool {
			if got, want := Eval(g.p, id, m), x.eval(vals); got != want {
				t.Fatalf("seed %d: %s at %v is %d, want %d", seed, g.p.String(id), vals, got, want)
			}
			return true
		})
	}
}
