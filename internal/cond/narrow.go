// This file goes from a condition that holds to the bounds of its parts.

package cond

import "math/bits"

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

// push goes from the bounds b of t to the bounds of its operands.
func (r *reasoner) push(t Term, b Bounds) {
	n := r.p.nodes[t]
	switch n.kind {
	case Arithmetic:
		r.pushArithmetic(n, b)
	case ZeroExt:
		w := r.p.Bits(n.a)
		x := unsignedBounds(b.Min, b.Max, w)
		x.Zeros, x.Ones = b.Zeros&ones(w), b.Ones&ones(w)
		r.narrow(n.a, x)
	case SignExt:
		w := r.p.Bits(n.a)
		x := signedBounds(b.SMin, b.SMax, w)
		x.Zeros, x.Ones = b.Zeros&ones(w), b.Ones&ones(w)
		r.narrow(n.a, x)
	case Extraction:
		r.pushExtraction(n, b)
	case Choice:
		yes, no := r.bounds(n.b, 1).meet(b).sharpen(n.bits), r.bounds(n.c, 1).meet(b).sharpen(n.bits)
		c, ok := r.decide(n.a, 1)
		switch {
		case ok && c:
			r.narrow(n.b, b)
		case ok:
			r.narrow(n.c, b)
		case yes.empty():
			r.truth(n.a, false)
			r.narrow(n.c, b)
		case no.empty():
			r.truth(n.a, true)
			r.narrow(n.b, b)
		}
	}
}

func (r *reasoner) pushExtraction(n node, b Bounds) {
	from := r.p.Bits(n.a)
	x := anything(from)
	x.Zeros, x.Ones = b.Zeros<<n.op, b.Ones<<n.op
	old := r.bounds(n.a, 1)
	top := n.op + n.bits
	if old.Min>>top != old.Max>>top {
		r.narrow(n.a, x)
		return
	}
	high := old.Min >> top << top // 0 if there is nothing above
	x.Min = high | b.Min<<n.op
	x.Max = high | b.Max<<n.op | (1<<n.op - 1)
	if n.op == 0 && old.SMin >= minSigned(n.bits) && old.SMax <= maxSigned(n.bits) {
		x.SMin, x.SMax = b.SMin, b.SMax
	}
	r.narrow(n.a, x)
}

func (r *reasoner) pushArithmetic(n node, b Bounds) {
	w := n.bits
	x, y := r.bounds(n.a, 1), r.bounds(n.b, 1)
	if x.empty() || y.empty() {
		r.no = true
		return
	}
	switch Op(n.op) {
	case Add:
		if k, ok := y.Exactly(); ok {
			r.narrow(n.a, x.shifted(b, -k, w))
			return
		}
		r.narrow(n.a, transfer(Sub, w, b, y))
		r.narrow(n.b, transfer(Sub, w, b, x))
	case Sub:
		r.narrow(n.a, transfer(Add, w, b, y))
		r.narrow(n.b, transfer(Sub, w, x, b))
	case Mul:
		if k, ok := y.Exactly(); ok && k > 0 {
			r.narrow(n.a, unscale(x, b, k, w))
		}
	case UDiv:
		if k, ok := y.Exactly(); ok && k > 0 {
			to := anything(w)
			over, lo := bits.Mul64(b.Min, k)
			if over != 0 || lo > ones(w) {
				r.no = true
				return
			}
			to.Min = lo
			if over, hi := bits.Mul64(b.Max, k); over == 0 && hi <= ones(w)-(k-1) {
				to.Max = hi + k - 1
			}
			r.narrow(n.a, to)
		}
	case And:
		r.narrow(n.a, knownBits(b.Zeros&y.Ones, b.Ones, w))
		r.narrow(n.b, knownBits(b.Zeros&x.Ones, b.Ones, w))
	case Or:
		r.narrow(n.a, knownBits(b.Zeros, b.Ones&y.Zeros, w))
		r.narrow(n.b, knownBits(b.Zeros, b.Ones&x.Zeros, w))
	case Xor:
		r.narrow(n.a, transfer(Xor, w, b, y))
		r.narrow(n.b, transfer(Xor, w, b, x))
	}
}

func knownBits(zeros, one uint64, w uint8) Bounds {
	b := anything(w)
	b.Zeros, b.Ones = zeros, one
	return b
}

// shifted narrows b to the values within to, moved by k. Moved, an interval may cross
// the end of the numbers and come in two parts.
func (b Bounds) shifted(to Bounds, k uint64, w uint8) Bounds {
	arcs := [...][2]uint64{{to.Min, to.Max}, {uint64(to.SMin), uint64(to.SMax)}}
	for _, arc := range arcs {
		if arc[1]-arc[0] == ones(64) || (arc[1]-arc[0])&ones(w) == ones(w) {
			continue // everything
		}
		lo, hi := (arc[0]+k)&ones(w), (arc[1]+k)&ones(w)
		if lo <= hi {
			b.Min, b.Max = max(b.Min, lo), min(b.Max, hi)
		} else {
			if b.Min > hi {
				b.Min = max(b.Min, lo)
			}
			if b.Max < lo {
				b.Max = min(b.Max, hi)
			}
		}
		slo, shi := signed(lo, w), signed(hi, w)
		if slo <= shi {
			b.SMin, b.SMax = max(b.SMin, slo), min(b.SMax, shi)
		} else {
			if b.SMin > shi {
				b.SMin = max(b.SMin, slo)
			}
			if b.SMax < slo {
				b.SMax = min(b.SMax, shi)
			}
		}
	}
	return b
}

// unscale narrows x to the values that times k are within b, where no product of x
// and k wraps.
func unscale(x, b Bounds, k uint64, w uint8) Bounds {
	to := anything(w)
	if over, hi := bits.Mul64(x.Max, k); over == 0 && hi <= ones(w) {
		to.Min = b.Min / k
		if b.Min%k != 0 {
			to.Min++
		}
		to.Max = b.Max / k
	}
	const small = 1 << 31
	s := int64(k)
	if k < small && x.SMin >= -small && x.SMax <= small && x.SMin*s >= minSigned(w) && x.SMax*s <= maxSigned(w) {
		to.SMin, to.SMax = ceilDiv(b.SMin, s), floorDiv(b.SMax, s)
	}
	return to
}

// floorDiv and ceilDiv divide by k, which is positive, and round down and up.
func floorDiv(a, k int64) int64 {
	q := a / k
	if a%k < 0 {
		q--
	}
	return q
}

func ceilDiv(a, k int64) int64 {
	q := a / k
	if a%k > 0 {
		q++
	}
	return q
}
