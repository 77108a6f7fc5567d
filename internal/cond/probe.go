// This file tries what is open: it assumes one side, and if that is a contradiction,
// the other side holds.

package cond

// maxProbes bounds how many sides are tried.
const maxProbes = 48

// Probe looks harder for a contradiction than Assume, and is for paths that are worth
// it. It tries both sides of disjunctions and of choices, splits what differs into
// less and greater, asks whether sums
// and differences wrap, and makes results of functions equal where the arguments are.
func (f *Facts) Probe(p *Pool) Stage {
	if f.dead != 0 {
		return f.dead
	}
	if !f.settle(p) {
		return f.dead
	}
	if f.linear(p) {
		f.dead = Interval
		return f.dead
	}
	left := maxProbes
	for range 3 {
		before := len(f.atoms)
		f.congruence(p)
		for _, side := range f.open(p) {
			if left--; left < 0 || f.dead != 0 {
				return f.dead
			}
			f.try(p, side)
		}
		if f.dead != 0 || len(f.atoms) == before {
			break
		}
	}
	return f.dead
}

// settle looks at all ties again. Bounds have changed since they were added: what cannot
// wrap any more may relate to others.
func (f *Facts) settle(p *Pool) bool {
	if f.dead != 0 {
		return false
	}
	f.own()
	r := reasoner{f: f, p: p, steps: assumeSteps, queue: append([]Term(nil), f.ties...), related: true}
	if !r.run() {
		f.dead = Interval
	}
	return f.dead == 0
}

// try assumes t in a copy; if that cannot be, it is false.
func (f *Facts) try(p *Pool, t Term) {
	if _, known := f.Decide(p, t); known {
		return
	}
	if !f.possible(p, t) {
		f.conclude(p, p.Not(t))
	} else if !f.possible(p, p.Not(t)) {
		f.conclude(p, t)
	}
}

func (f *Facts) possible(p *Pool, t Term) bool {
	c := f.Clone()
	return c.Assume(p, t) == 0 && c.settle(p)
}

// conclude assumes what follows. A contradiction with it took more than a look at atoms.
func (f *Facts) conclude(p *Pool, t Term) {
	if f.Assume(p, t) != 0 {
		f.dead = Interval
	}
	f.settle(p)
}

// open returns the conditions on which something that holds still depends, the orders
// of terms that differ, and whether sums and differences wrap.
func (f *Facts) open(p *Pool) []Term {
	var sides []Term
	seen := map[Term]bool{}
	add := func(t Term) {
		if !seen[t] {
			seen[t] = true
			sides = append(sides, t)
		}
	}
	for _, t := range f.ties {
		x, negated := p.negated(t)
		if !negated {
			x = t
		}
		n := p.nodes[x]
		switch n.kind {
		case Arithmetic:
			add(n.a)
			add(n.b)
		case Choice:
			add(n.a)
		case Comparison:
			for _, side := range [...]Term{n.a, n.b} {
				for _, c := range p.choices(side) {
					add(c)
				}
			}
			for _, sum := range p.near(x, func(n *node) bool { return Op(n.op) == Add && p.nodes[n.b].kind == Constant }) {
				// x + 4 does not wrap if x is less than the greatest - 3.
				x, k, _ := p.withConst(sum, Add)
				add(p.compare(ULT, x, p.Const(p.Bits(x), -k)))
			}
			for _, sub := range p.subs(x) {
				add(p.compare(ULT, p.nodes[sub].a, p.nodes[sub].b))
			}
			if negated && Pred(n.op) == EQ {
				add(p.compare(ULT, n.a, n.b))
			}
		}
	}
	return sides
}

// choices returns the conditions of choices near the top of t.
func (p *Pool) choices(t Term) []Term {
	var cs []Term
	for range 4 {
		n := &p.nodes[t]
		switch n.kind {
		case ZeroExt, SignExt:
			if p.Bits(n.a) == 1 {
				return append(cs, n.a)
			}
			t = n.a
		case Extraction:
			t = n.a
		case Arithmetic:
			if p.nodes[n.a].kind != Choice && p.nodes[n.b].kind == Choice {
				t = n.b
			} else {
				t = n.a
			}
		case Choice:
			cs = append(cs, n.a)
			t = n.c
		default:
			return cs
		}
	}
	return cs
}

// congruence makes results equal where functions and arguments are.
func (f *Facts) congruence(p *Pool) {
	var calls []Term
	for _, t := range p.VarsOf(f.atoms) {
		if p.nodes[t].kind == Application {
			calls = append(calls, t)
		}
	}
	if len(calls) > maxProbes {
		calls = calls[:maxProbes]
	}
	for i, t := range calls {
		for _, u := range calls[:i] {
			if m, n := &p.nodes[t], &p.nodes[u]; m.v == n.v && m.bits == n.bits && f.equalArgs(p, m.a, n.a) {
				f.conclude(p, p.Compare(EQ, t, u))
				if f.dead != 0 {
					return
				}
			}
		}
	}
}

func (f *Facts) equalArgs(p *Pool, a, b Term) bool {
	for a != 0 && b != 0 {
		x, y := p.nodes[a].a, p.nodes[b].a
		if p.Bits(x) != p.Bits(y) {
			return false
		}
		if v, known := f.Decide(p, p.Compare(EQ, x, y)); !known || !v {
			return false
		}
		a, b = p.nodes[a].b, p.nodes[b].b
	}
	return a == b
}
