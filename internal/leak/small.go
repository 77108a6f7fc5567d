// This file holds sets of small numbers. Error codes and flags are small: that one
// code is none of those that come with an object, and what a bit of an argument
// says, are sets that bounds cannot tell.

package leak

import (
	"math"
	counting "math/bits"
)

// A small is a set of numbers from -64 to 63, by bit: negative ones come first.
type small [2]uint64

const leastSmall, mostSmall = -64, 63

func (g small) has(n int64) bool {
	return n >= leastSmall && n <= mostSmall && g[(n+64)>>6]&(1<<uint(n&63)) != 0
}

// justSmall returns the set of n alone, or of nothing.
func justSmall(n int64) small {
	var g small
	if n >= leastSmall && n <= mostSmall {
		g[(n+64)>>6] = 1 << uint(n&63)
	}
	return g
}

// from returns the bits from lo to hi of a word, none of them past its ends.
func from(lo, hi int64) uint64 {
	lo, hi = max(lo, 0), min(hi, 63)
	if lo > hi {
		return 0
	}
	return math.MaxUint64 << uint(lo) & (math.MaxUint64 >> uint(63-hi))
}

// between returns the small numbers within the bounds of r.
func (r *interval) between() small {
	top := uint64(math.MaxUint64 - 63) // where -64 is, without a sign
	g := small{0, from(int64(min(r.ulo, 64)), int64(min(r.uhi, 63)))}
	if r.uhi >= top {
		g[0] = from(int64(max(r.ulo, top)-top), int64(r.uhi-top))
	}
	signed := small{from(max(r.lo, -64)+64, min(r.hi, -1)+64), from(max(r.lo, 0), r.hi)}
	return small{g[0] & signed[0], g[1] & signed[1]}
}

// outside returns the small numbers that are not in r.
func (r *interval) outside() small {
	g := r.between()
	return small{^g[0] | r.gaps[0], ^g[1] | r.gaps[1]}
}

// within returns the numbers of r if all are small.
func (r *interval) within() (small, bool) {
	g := r.between()
	return small{g[0] &^ r.gaps[0], g[1] &^ r.gaps[1]}, r.lo >= leastSmall && r.hi <= mostSmall
}

// less returns r without these numbers.
func (r interval) less(g small) interval {
	g[0], g[1] = g[0]|r.gaps[0], g[1]|r.gaps[1]
	r.gaps = small{}
	for !r.empty() {
		switch {
		case r.ulo == 0 && g.has(0):
			r.ulo = 1
		case g.has(r.lo):
			r.lo++
		case g.has(r.hi):
			r.hi--
		case g.has(int64(r.ulo)):
			r.ulo++
		case g.has(int64(r.uhi)):
			r.uhi--
		default:
			in := r.between()
			r.gaps = small{g[0] & in[0], g[1] & in[1]}
			return r
		}
		r = r.tidy()
	}
	return r
}

// size returns how many numbers are in g.
func (g small) size() int { return counting.OnesCount64(g[0]) + counting.OnesCount64(g[1]) }

// withBit has the numbers from 0 to 63 of which a bit is set, by bit.
var withBit = [...]uint64{0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000}

// masked returns what the numbers of r are with the bits of mask alone.
func (r interval) masked(mask int64) interval {
	if r.isPoint() {
		return point(r.lo & mask)
	}
	out := everything
	if mask >= 0 {
		var other small
		for bit, numbers := range withBit {
			if mask&(1<<bit) == 0 {
				other[1] |= numbers
			}
		}
		out = span(0, mask).less(other)
	}
	if all, ok := r.within(); ok {
		left := small{math.MaxUint64, math.MaxUint64}
		for n := int64(leastSmall); n <= mostSmall; n++ {
			if all.has(n) {
				left[(n&mask+64)>>6] &^= 1 << uint(n&mask&63)
			}
		}
		out = out.less(left)
	}
	return out
}

// unmasked returns the numbers whose bits of mask may be in r.
func (r interval) unmasked(mask int64) interval {
	out := r.outside()
	var gaps small
	for n := int64(leastSmall); n <= mostSmall; n++ {
		if out.has(n & mask) {
			gaps[(n+64)>>6] |= 1 << uint(n&63)
		}
	}
	return everything.less(gaps)
}
