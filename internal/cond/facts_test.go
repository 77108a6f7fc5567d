package cond

import (
	"fmt"
	"math/rand"
	"testing"
)

// TestFactsSound assumes random conditions, and holds what Facts concludes against
// every assignment that satisfies them.
func TestFactsSound(t *testing.T) {
	rounds := 20000
	if testing.Short() {
		rounds = 4000
	}
	found, unsat, possible, solved := map[Stage]int{}, 0, 0, 0
	for seed := range rounds {
		r := rand.New(rand.NewSource(int64(seed)))
		g := newGrower(r, []uint8{1, 3, 3, 2}[r.Intn(2):]...)
		var f Facts
		var conds []tree
		var names []string
		stage := Stage(0)
		for range 1 + r.Intn(5) {
			c := g.grow(1, 1+r.Intn(3))
			conds = append(conds, c)
			names = append(names, g.p.String(c.term(g.p)))
			before := f.Clone()
			stage = f.Assume(g.p, c.term(g.p))
			if before.Contradiction() != 0 {
				t.Fatalf("seed %d: a clone changed", seed)
			}
			if stage != 0 {
				break
			}
		}
		if stage == 0 && r.Intn(2) == 0 {
			stage = f.Probe(g.p)
		}
		query := g.grow([]uint8{1, 3, 4}[r.Intn(3)], 2)
		id := query.term(g.p)
		bounds := f.Range(g.p, id)
		var terms []Term
		for _, c := range conds {
			terms = append(terms, c.term(g.p))
		}
		_, witness := f.Search(g.p, terms, g.p.VarsOf(terms))
		sat := false
		g.each(func(vals []uint64, m map[Term]uint64) bool {
			for _, c := range conds {
				if c.eval(vals) == 0 {
					return true
				}
			}
			sat = true
			if stage != 0 {
				t.Fatalf("seed %d: %s contradiction in %v, but %v is a solution", seed, stage, names, vals)
			}
			if v := query.eval(vals); !bounds.holds(v, query.bits) {
				t.Fatalf("seed %d: under %v, %s is within %+v, but at %v it is %d",
					seed, names, g.p.String(id), bounds, vals, v)
			}
			return true
		})
		if sat {
			possible++
		}
		if witness {
			solved++
			if !sat {
				t.Fatalf("seed %d: a solution of %v, which has none", seed, names)
			}
		}
		if !sat {
			unsat++
			found[stage]++
		}
	}
	summary := fmt.Sprintf("%d of %d unsatisfiable; found by %v; %d of %d others solved", unsat, rounds, found, solved, possible)
	t.Log(summary)
	if unsat == 0 || float64(found[Linear]+found[Interval]) < 0.9*float64(unsat) || float64(solved) < 0.8*float64(possible) {
		t.Errorf("Facts misses too much: %s", summary)
	}
}
