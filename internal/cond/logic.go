// This file builds truth values and choices.

package cond

// Not returns the complement of t: of all its bits.
func (p *Pool) Not(t Term) Term {
	n := &p.nodes[t]
	switch {
	case n.kind == Constant:
		return p.Const(n.bits, ^n.v)
	case n.bits > 1:
		return p.Binary(Xor, t, p.Const(n.bits, ones(n.bits)))
	case n.kind == Negation:
		return n.a
	}
	return p.intern(node{kind: Negation, bits: 1, a: t})
}

// negated returns the term of which t is the negation.
func (p *Pool) negated(t Term) (Term, bool) {
	n := &p.nodes[t]
	return n.a, n.kind == Negation
}

// Both returns a and b, of one bit.
func (p *Pool) Both(a, b Term) Term { return p.Binary(And, a, b) }

// Either returns a or b, of one bit.
func (p *Pool) Either(a, b Term) Term { return p.Binary(Or, a, b) }

// binaryBool writes every operation on one bit with And, Xor and negation.
func (p *Pool) binaryBool(op Op, a, b Term) Term {
	switch op {
	case And, Mul:
		return p.and(a, b)
	case Or, UDiv, SDiv: // dividing by zero gives all ones
		if op != Or {
			b = p.Not(b)
		}
		return p.Not(p.and(p.Not(a), p.Not(b)))
	case Add, Sub, Xor:
		return p.xor(a, b)
	case URem, SRem, Shl, LShr:
		return p.and(a, p.Not(b))
	case AShr:
		return a
	}
	panic("cond: bad op " + op.String())
}

func (p *Pool) and(a, b Term) Term {
	if _, ok := p.ConstValue(a); ok {
		a, b = b, a
	}
	if v, ok := p.ConstValue(b); ok {
		if v == 0 {
			return b
		}
		return a
	}
	if a == b {
		return a
	}
	for range 2 {
		// What is in a is known when b is looked at, one level down.
		if t, changed := p.under(a, b); changed {
			return p.and(a, t)
		}
		a, b = b, a
	}
	return p.raw(And, a, b)
}

// under simplifies b where a holds.
func (p *Pool) under(a, b Term) (Term, bool) {
	if a == b {
		return p.Bool(true), true
	}
	in, neg := p.negated(b)
	if neg && in == a {
		return p.Bool(false), true
	}
	if x, neg := p.negated(a); neg && x == b {
		return p.Bool(false), true
	}
	inner := b
	if neg {
		inner = in
	}
	x, y, ok := p.isOp(inner, And)
	if !ok {
		return 0, false
	}
	var rest Term
	switch {
	case x == a:
		rest = y
	case y == a:
		rest = x
	case p.opposite(x, a) || p.opposite(y, a):
		return p.Bool(neg), true
	default:
		return 0, false
	}
	if neg {
		rest = p.Not(rest)
	}
	return rest, true
}

func (p *Pool) opposite(a, b Term) bool {
	x, ok := p.negated(a)
	y, ok2 := p.negated(b)
	return ok && x == b || ok2 && y == a
}

func (p *Pool) xor(a, b Term) Term {
	neg := false
	if x, ok := p.negated(a); ok {
		a, neg = x, !neg
	}
	if x, ok := p.negated(b); ok {
		b, neg = x, !neg
	}
	if _, ok := p.ConstValue(a); ok {
		a, b = b, a
	}
	t := Term(0)
	if v, ok := p.ConstValue(b); ok {
		t, neg = a, neg != (v == 1)
	} else if a == b {
		t = p.Bool(false)
	} else {
		t = p.raw(Xor, a, b)
	}
	if neg {
		return p.Not(t)
	}
	return t
}

// Ite returns a where c holds, else b.
func (p *Pool) Ite(c, a, b Term) Term {
	if v, ok := p.ConstValue(c); ok {
		if v != 0 {
			return a
		}
		return b
	}
	if a == b {
		return a
	}
	if x, ok := p.negated(c); ok {
		c, a, b = x, b, a
	}
	// Inside its own arms the condition is known.
	if n := &p.nodes[a]; n.kind == Choice && n.a == c {
		a = n.b
	}
	if n := &p.nodes[b]; n.kind == Choice && n.a == c {
		b = n.c
	}
	if a == b {
		return a
	}
	w := p.Bits(a)
	if w == 1 {
		return p.iteBool(c, a, b)
	}
	va, ok1 := p.ConstValue(a)
	vb, ok2 := p.ConstValue(b)
	switch {
	case !ok1 || !ok2:
	case va == 1 && vb == 0:
		return p.ZExt(w, c)
	case va == 0 && vb == 1:
		return p.ZExt(w, p.Not(c))
	case va == ones(w) && vb == 0:
		return p.SExt(w, c)
	case va == 0 && vb == ones(w):
		return p.SExt(w, p.Not(c))
	}
	return p.intern(node{kind: Choice, bits: w, a: c, b: a, c: b})
}

func (p *Pool) iteBool(c, a, b Term) Term {
	if v, ok := p.ConstValue(a); ok {
		if v == 1 {
			return p.Either(c, b)
		}
		return p.Both(p.Not(c), b)
	}
	if v, ok := p.ConstValue(b); ok {
		if v == 1 {
			return p.Either(p.Not(c), a)
		}
		return p.Both(c, a)
	}
	if c == a {
		return p.Either(c, b)
	}
	if c == b {
		return p.Both(c, a)
	}
	if p.opposite(a, b) { // c ? a : !a is a == c
		return p.Not(p.xor(a, c))
	}
	return p.intern(node{kind: Choice, bits: 1, a: c, b: a, c: b})
}

// arms returns t as c ? x : y of two constants.
func (p *Pool) arms(t Term) (c Term, x, y uint64, ok bool) {
	switch n := p.nodes[t]; n.kind {
	case Choice:
		x, okx := p.ConstValue(n.b)
		y, oky := p.ConstValue(n.c)
		return n.a, x, y, okx && oky
	case ZeroExt:
		return n.a, 1, 0, p.Bits(n.a) == 1
	case SignExt:
		return n.a, ones(n.bits), 0, p.Bits(n.a) == 1
	}
	return 0, 0, 0, false
}

// choiceOf applies f to the arms of t if both are constants; else it gives 0.
func (p *Pool) choiceOf(t Term, w uint8, f func(uint64) uint64) Term {
	c, x, y, ok := p.arms(t)
	if !ok {
		return 0
	}
	return p.Ite(c, p.Const(w, f(x)), p.Const(w, f(y)))
}
