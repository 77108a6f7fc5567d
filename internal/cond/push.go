// This file goes from the bounds of a term to the bounds of its operands.

package cond

import "math/bits"

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
