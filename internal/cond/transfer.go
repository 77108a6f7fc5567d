// This file computes bounds of a result from the bounds of its operands.

package cond

import "math/bits"

// transfer bounds a op b, of w bits.
func transfer(op Op, w uint8, a, b Bounds) Bounds {
	r := anything(w)
	switch op {
	case Add, Sub:
		r = transferSum(op, w, a, b)
	case Mul:
		r = transferProduct(w, a, b)
	case UDiv:
		if b.Min > 0 {
			r.Min, r.Max = a.Min/b.Max, a.Max/b.Min
		}
	case URem:
		r.Max = a.Max
		if b.Min > 0 {
			r.Max = min(r.Max, b.Max-1)
			if a.Max < b.Min {
				r = a
			}
		}
	case SDiv:
		if b.SMin > 0 {
			r.SMin = min(a.SMin/b.SMin, a.SMin/b.SMax)
			r.SMax = max(a.SMax/b.SMin, a.SMax/b.SMax)
		} else if a.SMin > minSigned(w) { // no farther from 0 than a, but for 1 / 0
			far := max(-a.SMin, a.SMax, 1)
			r.SMin, r.SMax = -far, far
		}
	case SRem: // the sign is that of a
		if b.SMin > 0 {
			r.SMin = max(min(a.SMin, 0), 1-b.SMax)
			r.SMax = min(max(a.SMax, 0), b.SMax-1)
		}
	case LShr:
		r.Max = a.Max
		if b.Min < uint64(w) {
			r.Max = a.Max >> b.Min
		} else {
			r.Max = 0
		}
		if b.Max < uint64(w) {
			r.Min = a.Min >> b.Max
		}
	case AShr:
		r.SMin, r.SMax = min(a.SMin, 0), max(a.SMax, -1)
	case And:
		r.Max = min(a.Max, b.Max)
		r.Zeros, r.Ones = a.Zeros|b.Zeros, a.Ones&b.Ones
	case Or:
		r.Min = max(a.Min, b.Min)
		r.Zeros, r.Ones = a.Zeros&b.Zeros, a.Ones|b.Ones
	case Xor:
		known := (a.Zeros | a.Ones) & (b.Zeros | b.Ones)
		v := a.Ones ^ b.Ones
		r.Zeros, r.Ones = known&^v, known&v
	}
	return r.sharpen(w)
}

func transferSum(op Op, w uint8, a, b Bounds) Bounds {
	r := anything(w)
	if op == Add {
		lo, c1 := add(a.Min, b.Min, w)
		hi, c2 := add(a.Max, b.Max, w)
		if c1 == c2 { // none wraps, or all do
			r.Min, r.Max = lo, hi
		}
		slo, ok1 := addSigned(a.SMin, b.SMin, w)
		shi, ok2 := addSigned(a.SMax, b.SMax, w)
		if ok1 && ok2 {
			r.SMin, r.SMax = slo, shi
		}
	} else {
		lo, c1 := bits.Sub64(a.Min, b.Max, 0)
		hi, c2 := bits.Sub64(a.Max, b.Min, 0)
		if c1 == c2 {
			r.Min, r.Max = lo&ones(w), hi&ones(w)
		}
		slo, ok1 := subSigned(a.SMin, b.SMax, w)
		shi, ok2 := subSigned(a.SMax, b.SMin, w)
		if ok1 && ok2 {
			r.SMin, r.SMax = slo, shi
		}
	}
	// Low bits depend on low bits alone.
	k := bits.TrailingZeros64(^(a.Zeros | a.Ones) | ^(b.Zeros | b.Ones))
	low := uint64(1)<<min(k, int(w)) - 1
	v := fold(op, w, a.Ones, b.Ones) & low
	r.Ones, r.Zeros = v, low&^v
	return r
}

func transferProduct(w uint8, a, b Bounds) Bounds {
	r := anything(w)
	if over, hi := bits.Mul64(a.Max, b.Max); over == 0 && hi <= ones(w) {
		r.Min, r.Max = a.Min*b.Min, hi
	}
	const small = 1 << 31
	if a.SMin >= -small && a.SMax <= small && b.SMin >= -small && b.SMax <= small {
		c := [...]int64{a.SMin * b.SMin, a.SMin * b.SMax, a.SMax * b.SMin, a.SMax * b.SMax}
		lo, hi := min(c[0], c[1], c[2], c[3]), max(c[0], c[1], c[2], c[3])
		if lo >= minSigned(w) && hi <= maxSigned(w) {
			r.SMin, r.SMax = lo, hi
		}
	}
	k := min(bits.TrailingZeros64(^a.Zeros)+bits.TrailingZeros64(^b.Zeros), int(w))
	r.Zeros = uint64(1)<<k - 1
	return r
}

// add returns a + b in w bits, and whether it wrapped.
func add(a, b uint64, w uint8) (uint64, bool) {
	s, c := bits.Add64(a, b, 0)
	return s & ones(w), c != 0 || s > ones(w)
}

func addSigned(a, b int64, w uint8) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0) && s >= minSigned(w) && s <= maxSigned(w)
}

func subSigned(a, b int64, w uint8) (int64, bool) {
	s := a - b
	return s, (s < a) == (b > 0) && s >= minSigned(w) && s <= maxSigned(w)
}

// widen bounds a zero or sign extension from w to wide bits.
func widen(kind Kind, b Bounds, w, wide uint8) Bounds {
	if kind == ZeroExt {
		r := unsignedBounds(b.Min, b.Max, wide)
		r.Zeros, r.Ones = b.Zeros|ones(wide)&^ones(w), b.Ones
		return r.sharpen(wide)
	}
	r := signedBounds(b.SMin, b.SMax, wide)
	sign := uint64(1) << (w - 1)
	r.Zeros, r.Ones = b.Zeros&^sign, b.Ones&^sign
	return r.sharpen(wide)
}

// cut bounds the bits lo to lo+w-1 of a value.
func cut(b Bounds, lo, w uint8) Bounds {
	r := anything(w)
	x, y := b.Min>>lo, b.Max>>lo
	if w == 64 || x>>w == y>>w { // what is cut off above is the same for all
		r.Min, r.Max = x&ones(w), y&ones(w)
	}
	if lo == 0 && b.SMin >= minSigned(w) && b.SMax <= maxSigned(w) {
		r.SMin, r.SMax = b.SMin, b.SMax
	}
	r.Zeros, r.Ones = b.Zeros>>lo&ones(w), b.Ones>>lo&ones(w)
	return r.sharpen(w)
}
