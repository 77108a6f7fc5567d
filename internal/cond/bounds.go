// This file holds what is known of one value: its least and greatest, read as an
// unsigned and as a signed number, and single bits.

package cond

import "math/bits"

// Bounds says which values a term may have. A value is within Bounds if it is within
// both intervals and agrees with the known bits.
type Bounds struct {
	Min, Max   uint64 // unsigned, both included
	SMin, SMax int64  // signed, both included
	Zeros      uint64 // bits that are 0
	Ones       uint64 // bits that are 1
}

// Exactly reports whether one value is left, and which.
func (b Bounds) Exactly() (uint64, bool) { return b.Min, b.Min == b.Max }

// anything is what is known of w bits before anything is.
func anything(w uint8) Bounds {
	return Bounds{Max: ones(w), SMin: minSigned(w), SMax: maxSigned(w)}
}

func exactly(v uint64, w uint8) Bounds {
	return Bounds{v, v, signed(v, w), signed(v, w), ^v & ones(w), v}
}

func unsignedBounds(lo, hi uint64, w uint8) Bounds {
	b := anything(w)
	b.Min, b.Max = lo, hi
	return b
}

func signedBounds(lo, hi int64, w uint8) Bounds {
	b := anything(w)
	b.SMin, b.SMax = lo, hi
	return b
}

// pointerBounds holds for all pointers, addressBounds for those of objects.
var (
	pointerBounds = signedBounds(-1, highestAddress, 64)
	addressBounds = unsignedBounds(lowestAddress, highestAddress, 64).sharpen(64)
)

// holds reports whether v is within b.
func (b Bounds) holds(v uint64, w uint8) bool {
	s := signed(v, w)
	return b.Min <= v && v <= b.Max && b.SMin <= s && s <= b.SMax && v&b.Zeros == 0 && v&b.Ones == b.Ones
}

// meet keeps the values within both.
func (b Bounds) meet(c Bounds) Bounds {
	return Bounds{
		max(b.Min, c.Min), min(b.Max, c.Max),
		max(b.SMin, c.SMin), min(b.SMax, c.SMax),
		b.Zeros | c.Zeros, b.Ones | c.Ones,
	}
}

// join keeps the values within either.
func (b Bounds) join(c Bounds) Bounds {
	return Bounds{
		min(b.Min, c.Min), max(b.Max, c.Max),
		min(b.SMin, c.SMin), max(b.SMax, c.SMax),
		b.Zeros & c.Zeros, b.Ones & c.Ones,
	}
}

func (b Bounds) empty() bool {
	return b.Min > b.Max || b.SMin > b.SMax || b.Zeros&b.Ones != 0
}

// sharpen lets the intervals and the bits learn from each other.
func (b Bounds) sharpen(w uint8) Bounds {
	for range 4 {
		if b.empty() {
			return b
		}
		old := b
		b = b.signs(w)
		if b.empty() {
			return b
		}
		// What is above the highest bit in which Min and Max differ is known.
		same := ones(w) &^ (1<<bits.Len64(b.Min^b.Max) - 1)
		b.Ones |= b.Min & same
		b.Zeros |= ^b.Min & same
		if b.Zeros&b.Ones != 0 {
			return b
		}
		b.Min = max(b.Min, b.Ones)
		b.Max = min(b.Max, ones(w)&^b.Zeros)
		b = b.round()
		if b == old {
			return b
		}
	}
	return b
}

// signs carries the intervals over to each other. Read as signed, an unsigned interval
// that crosses the middle is two intervals, and the other way round at zero.
func (b Bounds) signs(w uint8) Bounds {
	half := uint64(maxSigned(w))
	switch {
	case b.Max <= half || b.Min > half:
		b.SMin = max(b.SMin, signed(b.Min, w))
		b.SMax = min(b.SMax, signed(b.Max, w))
	default: // Min to the greatest, and the least to Max
		if b.SMin > signed(b.Max, w) {
			b.SMin = max(b.SMin, int64(b.Min))
		}
		if b.SMax < int64(b.Min) {
			b.SMax = min(b.SMax, signed(b.Max, w))
		}
	}
	lo, hi := uint64(b.SMin)&ones(w), uint64(b.SMax)&ones(w)
	switch {
	case b.SMin > b.SMax:
	case b.SMin >= 0 || b.SMax < 0:
		b.Min = max(b.Min, lo)
		b.Max = min(b.Max, hi)
	default: // lo to the greatest, and 0 to hi
		if b.Min > hi {
			b.Min = max(b.Min, lo)
		}
		if b.Max < lo {
			b.Max = min(b.Max, hi)
		}
	}
	return b
}

// round moves the ends to values that have the known low bits.
func (b Bounds) round() Bounds {
	k := bits.TrailingZeros64(^(b.Zeros | b.Ones)) // bits known from below
	if k == 0 || k >= 64 {
		return b
	}
	low := uint64(1)<<k - 1
	want := b.Ones & low
	lo, hi := b.Min&^low|want, b.Max&^low|want
	if lo < b.Min {
		if lo+low+1 < lo { // past the end: nothing is left
			b.Max, b.Min = 0, 1
			return b
		}
		lo += low + 1
	}
	if hi > b.Max {
		if hi < low+1 {
			b.Max, b.Min = 0, 1
			return b
		}
		hi -= low + 1
	}
	b.Min, b.Max = lo, hi
	return b
}
