// This file looks for values that satisfy conditions. It tries a few, the smallest
// first, and never goes back: most paths need no more, and what it does not find is
// left to a solver.

package cond

import (
	"maps"
	"slices"
)

// searchTry is the number of values tried for one term.
const searchTry = 32

// Search looks for values of the leaves under which conds hold. The leaves are all the
// variables, addresses and applications in conds; what is found depends on their order.
// Facts must have assumed the conditions. What is found does satisfy them: that is
// checked in the end.
func (f *Facts) Search(p *Pool, conds, leaves []Term) ([]uint64, bool) {
	if f.dead != 0 {
		return nil, false
	}
	m := p.place(leaves)
	for _, t := range leaves {
		if _, ok := m[t]; !ok {
			m[t] = nearest(f.Range(p, t))
		}
	}
	if !p.satisfied(conds, leaves, m) {
		if m = f.searchEach(p, conds, leaves); m == nil || !p.satisfied(conds, leaves, m) {
			return nil, false
		}
	}
	values := make([]uint64, len(leaves))
	for i, t := range leaves {
		values[i] = m[t]
	}
	return values, true
}

// searchEach chooses values one after the other, each narrowing those to come.
func (f *Facts) searchEach(p *Pool, conds, leaves []Term) map[Term]uint64 {
	constants := p.constants(conds)
	m := p.place(leaves)
	for _, t := range leaves {
		if v, ok := m[t]; ok {
			if f = f.with(p, t, v); f == nil {
				return nil
			}
			continue
		}
		for _, v := range candidates(f.Range(p, t), p.Bits(t), constants) {
			if next := f.with(p, t, v); next != nil {
				f, m[t] = next, v
				break
			}
		}
		if _, ok := m[t]; !ok {
			return nil
		}
	}
	return m
}

// place gives each object a place of its own.
func (p *Pool) place(leaves []Term) map[Term]uint64 {
	m := map[Term]uint64{}
	for _, t := range leaves {
		if p.nodes[t].kind == ObjectAddr {
			m[t] = uint64(len(m)+1)<<32 | lowestAddress
		}
	}
	return m
}

// with returns f and t = v, or nil if that is a contradiction.
func (f *Facts) with(p *Pool, t Term, v uint64) *Facts {
	c := f.Clone()
	c.own()
	r := reasoner{f: c, p: p, steps: assumeSteps, work: lookWork}
	r.narrow(t, exactly(v, p.Bits(t)))
	if !r.run() {
		return nil
	}
	return c
}

// nearest returns the value in b that is nearest to zero.
func nearest(b Bounds) uint64 {
	switch {
	case b.SMin <= 0 && b.SMax >= 0 && b.Min == 0 && b.Ones == 0:
		return 0
	case b.SMin > 0 || b.SMax >= 0:
		return b.Min
	}
	return b.Max
}

// candidates lists values within b that are worth a try: near zero, at the ends, and
// at and beside the constants.
func candidates(b Bounds, w uint8, constants []uint64) []uint64 {
	var vs []uint64
	try := func(v uint64) {
		v &= ones(w)
		if len(vs) < searchTry && b.holds(v, w) && !slices.Contains(vs, v) {
			vs = append(vs, v)
		}
	}
	try(nearest(b))
	try(1)
	try(b.Min)
	for _, k := range constants {
		try(k)
		try(k + 1)
		try(k - 1)
	}
	try(ones(w))
	try(b.Max)
	try(uint64(b.SMin))
	try(uint64(b.SMax))
	return vs
}

// constants returns the constants in conds, in order.
func (p *Pool) constants(conds []Term) []uint64 {
	set := map[uint64]bool{}
	p.walk(conds, func(t Term, n *node) {
		if n.kind == Constant && n.bits > 1 && n.v != 0 {
			set[n.v] = true
		}
	})
	return slices.Sorted(maps.Keys(set))
}

// satisfied reports whether conds hold under m, objects lie apart, and functions give
// equal results for equal arguments.
func (p *Pool) satisfied(conds, leaves []Term, m map[Term]uint64) bool {
	e := newEvaluator(p, m)
	for _, t := range conds {
		if e.eval(t) != 1 {
			return false
		}
	}
	return p.possible(leaves, e)
}

// Satisfies reports whether conds hold under m, objects lie apart, and functions give
// equal results for equal arguments.
func Satisfies(p *Pool, conds []Term, m map[Term]uint64) bool {
	return p.satisfied(conds, p.VarsOf(conds), m)
}

// possible reports whether the values are ones that addresses and functions can have.
func (p *Pool) possible(leaves []Term, e *evaluator) bool {
	var objects, calls []Term
	for _, t := range leaves {
		switch p.nodes[t].kind {
		case ObjectAddr:
			v := e.eval(t)
			if v > highestAddress || v>>30&3 != 1 {
				return false
			}
			for _, u := range objects {
				if e.eval(u)>>32 == v>>32 {
					return false
				}
			}
			objects = append(objects, t)
		case Variable:
			if p.IsPointer(t) && !pointerBounds.holds(e.eval(t), 64) {
				return false
			}
		case Application:
			for _, u := range calls {
				if e.eval(u) != e.eval(t) && p.sameCall(t, u, e) {
					return false
				}
			}
			calls = append(calls, t)
		}
	}
	return true
}

// sameCall reports whether two applications have the same function and equal arguments.
func (p *Pool) sameCall(t, u Term, e *evaluator) bool {
	m, n := &p.nodes[t], &p.nodes[u]
	if m.v != n.v || m.bits != n.bits {
		return false
	}
	a, b := m.a, n.a
	for a != 0 && b != 0 {
		x, y := p.nodes[a].a, p.nodes[b].a
		if p.Bits(x) != p.Bits(y) || e.eval(x) != e.eval(y) {
			return false
		}
		a, b = p.nodes[a].b, p.nodes[b].b
	}
	return a == b
}
