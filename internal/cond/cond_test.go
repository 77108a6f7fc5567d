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

// TestSimplifyWide does the same with the widths that programs use, at values around
// which something changes.
func TestSimplifyWide(t *testing.T) {
	rounds := 20000
	if testing.Short() {
		rounds = 4000
	}
	for seed := range rounds {
		r := rand.New(rand.NewSource(int64(seed)))
		g := newGrower(r, 8, 32, 64)
		x := g.grow([]uint8{1, 8, 32, 64}[r.Intn(4)], 1+r.Intn(4))
		id := x.term(g.p)
		for range 20 {
			vals := make([]uint64, len(g.vars))
			m := map[Term]uint64{}
			for i, v := range g.vars {
				vals[i] = []uint64{0, 1, r.Uint64(), ones(v.bits) >> 1}[r.Intn(4)]
				vals[i] = (vals[i] + uint64(r.Intn(5)) - 2) & ones(v.bits)
				m[g.ids[i]] = vals[i]
			}
			if got, want := Eval(g.p, id, m), x.eval(vals); got != want {
				t.Fatalf("seed %d: %s at %v is %d, want %d", seed, g.p.String(id), vals, got, want)
			}
		}
	}
}
