package cond

import "math/rand"

// A tree is a term before it is simplified: what the tests hold terms against.
type tree struct {
	bits uint8
	term func(p *Pool) Term
	eval func(vals []uint64) uint64
}

// A grower makes random trees over a few variables.
type grower struct {
	r    *rand.Rand
	p    *Pool
	vars []tree
	ids  []Term
}

// newGrower declares one variable of each width.
func newGrower(r *rand.Rand, widths ...uint8) *grower {
	g := &grower{r: r, p: NewPool()}
	for i, w := range widths {
		v := g.p.Fresh(w, string(rune('a'+i)))
		g.ids = append(g.ids, v)
		g.vars = append(g.vars, tree{w, func(*Pool) Term { return v }, func(vals []uint64) uint64 { return vals[i] }})
	}
	return g
}

// grow makes a tree of the given width. Its term is built at once, from simplified parts.
func (g *grower) grow(w uint8, depth int) tree {
	r := g.r
	if depth == 0 || r.Intn(8) == 0 {
		return g.leaf(w)
	}
	if w == 1 && r.Intn(3) > 0 {
		cw := []uint8{2, 3, 4, 5}[r.Intn(4)]
		if r.Intn(2) == 0 {
			cw = g.vars[r.Intn(len(g.vars))].bits
		}
		pred := Pred(1 + r.Intn(int(SGE)))
		a, b := g.grow(cw, depth-1), g.grow(cw, depth-1)
		t := g.p.Compare(pred, a.term(g.p), b.term(g.p))
		return tree{1, func(*Pool) Term { return t }, func(v []uint64) uint64 {
			if holds(pred, cw, a.eval(v), b.eval(v)) {
				return 1
			}
			return 0
		}}
	}
	switch r.Intn(8) {
	case 0:
		if w > 1 {
			from := uint8(1 + r.Intn(int(w)))
			a := g.grow(from, depth-1)
			if r.Intn(2) == 0 {
				t := g.p.ZExt(w, a.term(g.p))
				return tree{w, func(*Pool) Term { return t }, a.eval}
			}
			t := g.p.SExt(w, a.term(g.p))
			return tree{w, func(*Pool) Term { return t }, func(v []uint64) uint64 {
				return uint64(signed(a.eval(v), from)) & ones(w)
			}}
		}
	case 1:
		from := min(w+uint8(r.Intn(3)), 64)
		lo := uint8(r.Intn(int(from-w) + 1))
		a := g.grow(from, depth-1)
		t := g.p.Extract(lo, w, a.term(g.p))
		return tree{w, func(*Pool) Term { return t }, func(v []uint64) uint64 { return a.eval(v) >> lo & ones(w) }}
	case 2:
		c, a, b := g.grow(1, depth-1), g.grow(w, depth-1), g.grow(w, depth-1)
		t := g.p.Ite(c.term(g.p), a.term(g.p), b.term(g.p))
		return tree{w, func(*Pool) Term { return t }, func(v []uint64) uint64 {
			if c.eval(v) != 0 {
				return a.eval(v)
			}
			return b.eval(v)
		}}
	case 3:
		a := g.grow(w, depth-1)
		t := g.p.Not(a.term(g.p))
		return tree{w, func(*Pool) Term { return t }, func(v []uint64) uint64 { return ^a.eval(v) & ones(w) }}
	}
	op := Op(1 + r.Intn(int(Xor)))
	if r.Intn(2) == 0 {
		op = []Op{Add, Sub, And, Or}[r.Intn(4)]
	}
	a, b := g.grow(w, depth-1), g.grow(w, depth-1)
	t := g.p.Binary(op, a.term(g.p), b.term(g.p))
	return tree{w, func(*Pool) Term { return t }, func(v []uint64) uint64 { return fold(op, w, a.eval(v), b.eval(v)) }}
}

// leaf makes a variable, cut or widened to w, or a constant.
func (g *grower) leaf(w uint8) tree {
	if g.r.Intn(3) == 0 {
		k := g.r.Uint64() & ones(w)
		if g.r.Intn(2) == 0 {
			k = []uint64{0, 1, ones(w), ones(w) >> 1, ones(w)>>1 + 1, 2 & ones(w)}[g.r.Intn(6)]
		}
		t := g.p.Const(w, k)
		return tree{w, func(*Pool) Term { return t }, func([]uint64) uint64 { return k }}
	}
	x := g.vars[g.r.Intn(len(g.vars))]
	switch {
	case x.bits == w:
		return x
	case x.bits > w:
		t := g.p.Trunc(w, x.term(g.p))
		return tree{w, func(*Pool) Term { return t }, func(v []uint64) uint64 { return x.eval(v) & ones(w) }}
	}
	t := g.p.ZExt(w, x.term(g.p))
	return tree{w, func(*Pool) Term { return t }, x.eval}
}

// each calls f with every assignment of the variables, until it returns false.
func (g *grower) each(f func(vals []uint64, m map[Term]uint64) bool) {
	vals := make([]uint64, len(g.vars))
	m := map[Term]uint64{}
	for {
		for i, id := range g.ids {
			m[id] = vals[i]
		}
		if !f(vals, m) {
			return
		}
		i := 0
		for ; i < len(vals); i++ {
			if vals[i]++; vals[i] <= ones(g.vars[i].bits) {
				break
			}
			vals[i] = 0
		}
		if i == len(vals) {
			return
		}
	}
}
