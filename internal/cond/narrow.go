// This file goes from a condition that holds to the bounds of its parts.

package cond

// revise looks at an atom that holds and narrows what is in it.
func (r *reasoner) revise(t Term) {
	r.work--
	v := true
	if x, ok := r.p.negated(t); ok {
		t, v = x, false
	}
	n := r.p.nodes[t]
	switch n.kind {
	case Comparison:
		r.reviseCompare(Pred(n.op), n.a, n.b, v)
	case Arithmetic:
		r.reviseLogic(n, v)
	case Choice:
		r.reviseChoice(n, v)
	case Extraction:
		b := anything(r.p.Bits(n.a))
		if v {
			b.Ones = 1 << n.op
		} else {
			b.Zeros = 1 << n.op
		}
		r.narrow(n.a, b)
	}
}

// reviseLogic handles a && b that is false and a ^ b that is v.
func (r *reasoner) reviseLogic(n node, v bool) {
	a, okA := r.decide(n.a, 1)
	b, okB := r.decide(n.b, 1)
	if Op(n.op) == Xor {
		switch {
		case okA && okB:
			r.no = r.no || (a != b) != v
		case okA:
			r.truth(n.b, a != v)
		case okB:
			r.truth(n.a, b != v)
		}
		return
	}
	switch {
	case v:
		r.truth(n.a, true)
		r.truth(n.b, true)
	case okA && !a || okB && !b:
	case okA && okB:
		r.no = true
	case okA:
		r.truth(n.b, false)
	case okB:
		r.truth(n.a, false)
	}
}

func (r *reasoner) reviseChoice(n node, v bool) {
	if c, ok := r.decide(n.a, 1); ok {
		arm := n.c
		if c {
			arm = n.b
		}
		r.truth(arm, v)
		return
	}
	a, okA := r.decide(n.b, 1)
	b, okB := r.decide(n.c, 1)
	if okA && a != v {
		r.truth(n.a, false)
		r.truth(n.c, v)
	}
	if okB && b != v {
		r.truth(n.a, true)
		r.truth(n.b, v)
	}
}

func (r *reasoner) reviseCompare(pred Pred, x, y Term, v bool) {
	a, b := r.bounds(x, 0), r.bounds(y, 0)
	if a.empty() || b.empty() {
		r.no = true
		return
	}
	w := r.p.Bits(x)
	toA, toB := anything(w), anything(w)
	switch {
	case pred == EQ && v:
		toA, toB = b, a
		r.sameDistance(x, y)
	case pred == EQ:
		if k, ok := b.Exactly(); ok {
			toA = a.without(k, w)
		}
		if k, ok := a.Exactly(); ok {
			toB = b.without(k, w)
		}
	case pred == ULT && v:
		if b.Max == 0 || a.Min == ones(w) {
			r.no = true
			return
		}
		toA.Max, toB.Min = b.Max-1, a.Min+1
	case pred == ULT:
		toA.Min, toB.Max = b.Min, a.Max
	case v:
		if b.SMax == minSigned(w) || a.SMin == maxSigned(w) {
			r.no = true
			return
		}
		toA.SMax, toB.SMin = b.SMax-1, a.SMin+1
	default:
		toA.SMin, toB.SMax = b.SMin, a.SMax
	}
	r.narrowFrom(x, a, toA)
	if !r.no {
		r.narrowFrom(y, b, toB)
	}
}

// sameDistance narrows x - y and y - x, if there are such terms, where x == y.
func (r *reasoner) sameDistance(x, y Term) {
	x, i := r.p.Split(x)
	y, j := r.p.Split(y)
	if x == 0 || y == 0 {
		return
	}
	w := r.p.Bits(x)
	if t := r.p.find(node{kind: Arithmetic, op: uint8(Sub), bits: w, a: x, b: y}); t != 0 {
		r.narrow(t, exactly((j-i)&ones(w), w))
	}
	if t := r.p.find(node{kind: Arithmetic, op: uint8(Sub), bits: w, a: y, b: x}); t != 0 {
		r.narrow(t, exactly((i-j)&ones(w), w))
	}
}

// without drops k, if it is at an end.
func (b Bounds) without(k uint64, w uint8) Bounds {
	s := signed(k, w)
	if b.Min == b.Max && b.Min == k {
		b.Min, b.Max = 1, 0
		return b
	}
	if b.Min == k {
		b.Min++
	}
	if b.Max == k {
		b.Max--
	}
	if b.SMin == b.SMax && b.SMin == s {
		b.SMin, b.SMax = 1, 0
		return b
	}
	if b.SMin == s {
		b.SMin++
	}
	if b.SMax == s {
		b.SMax--
	}
	return b
}

// narrow records that t is within b.
func (r *reasoner) narrow(t Term, b Bounds) {
	if !r.no && r.work > 0 {
		r.narrowFrom(t, r.bounds(t, 0), b)
	}
}

// narrowFrom is narrow where the bounds of t are known to be old.
func (r *reasoner) narrowFrom(t Term, old, b Bounds) {
	b = old.meet(b)
	if b == old && r.f.holes&termBit(t) == 0 {
		r.no = r.no || b.empty()
		return
	}
	w := r.p.Bits(t)
	b = r.trim(t, b.sharpen(w))
	if b.empty() {
		r.no = true
		return
	}
	if b == old || r.p.nodes[t].kind == Constant {
		return
	}
	if w == 1 {
		if v, ok := b.Exactly(); ok {
			r.truth(t, v == 1)
		}
		return
	}
	if now, ok := r.f.stored(t); ok { // old may be older
		b = b.meet(now)
	}
	r.f.store(t, b)
	r.changed |= r.p.masks[t]
	r.push(t, b)
}

// trim takes values that t does not have from the ends of b.
func (r *reasoner) trim(t Term, b Bounds) Bounds {
	w := r.p.Bits(t)
	if w == 1 || r.f.holes&termBit(t) == 0 {
		return b
	}
	for range maxTrim {
		old := b
		for _, k := range [...]uint64{b.Min, b.Max, uint64(b.SMin) & ones(w), uint64(b.SMax) & ones(w)} {
			if b.empty() {
				return b
			}
			if r.differs(t, k, w) {
				b = b.without(k, w)
			}
		}
		if b == old {
			return b
		}
		b = b.sharpen(w)
	}
	return b
}

// differs reports whether t != k was assumed.
func (r *reasoner) differs(t Term, k uint64, w uint8) bool {
	c := r.p.find(node{kind: Constant, bits: w, v: k})
	return c != 0 && r.assumed(EQ, t, c, false)
}
