// This file holds what is known about values on one path.

package leak

import (
	"math"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// An interval is a range of numbers, both as they are signed and as they are not,
// less some small ones.
// Numbers of any width are sign-extended to 64 bits, which keeps both orders. A
// pointer is null when it is 0.
type interval struct {
	lo, hi   int64
	ulo, uhi uint64
	gaps     small // those between the bounds that are not in it; 0 is never one, as ulo says that
}

var (
	everything = unsignedSpan(0, math.MaxUint64)
	nonzero    = unsignedSpan(1, math.MaxUint64)
	address    = unsignedSpan(1, math.MaxUint64-4095) // of an object: not in the last page, where error codes are
	truths     = span(0, 1)
	nothing    = interval{lo: 1}
)

func point(n int64) interval { return interval{lo: n, hi: n, ulo: uint64(n), uhi: uint64(n)} }

// span returns the signed range from lo to hi.
func span(lo, hi int64) interval { return interval{lo: lo, hi: hi, uhi: math.MaxUint64}.tidy() }

// unsignedSpan returns the unsigned range from lo to hi.
func unsignedSpan(lo, hi uint64) interval {
	return interval{lo: math.MinInt64, hi: math.MaxInt64, ulo: lo, uhi: hi}.tidy()
}

// tidy lets the signed and the unsigned bounds sharpen one another.
func (r interval) tidy() interval {
	r.sharpen()
	return r
}

func (r *interval) sharpen() {
	if r.ulo > 0 && r.lo == 0 {
		r.lo = 1
	}
	if r.ulo > 0 && r.hi == 0 {
		r.hi = -1
	}
	switch {
	case r.uhi <= math.MaxInt64: // not negative
		r.lo, r.hi = max(r.lo, int64(r.ulo)), min(r.hi, int64(r.uhi))
	case r.ulo > math.MaxInt64: // negative
		r.lo, r.hi = max(r.lo, int64(r.ulo)), min(r.hi, int64(r.uhi))
	}
	if r.lo >= 0 || r.hi < 0 {
		r.ulo, r.uhi = max(r.ulo, uint64(r.lo)), min(r.uhi, uint64(r.hi))
	}
}

// meet returns what is in both.
func (r interval) meet(s interval) interval {
	r.lo, r.hi, r.ulo, r.uhi = max(r.lo, s.lo), min(r.hi, s.hi), max(r.ulo, s.ulo), min(r.uhi, s.uhi)
	r.sharpen()
	if r.gaps[0]|r.gaps[1]|s.gaps[0]|s.gaps[1] != 0 {
		return r.less(s.gaps)
	}
	return r
}

// without returns r less the one number that y is, if that is small or an end of r.
func (r interval) without(y interval) interval {
	switch {
	case !y.isPoint():
		return r
	case y.isZero():
		return r.meet(nonzero)
	case r.lo == y.lo && r.hi == y.lo:
		return nothing
	case r.lo == y.lo:
		r.lo++
	case r.hi == y.lo:
		r.hi--
	default:
		return r.less(justSmall(y.lo))
	}
	return r.tidy().less(small{})
}

// coarse keeps of r whether it is 0, not 0, positive, negative: few enough to be
// carried from round to round of a loop.
func (r interval) coarse() interval {
	switch {
	case r.isZero():
		return r
	case r.lo >= 1:
		return span(1, math.MaxInt64)
	case r.hi < 0:
		return span(math.MinInt64, -1)
	case r.not0():
		return nonzero
	case r.lo >= 0:
		return span(0, math.MaxInt64)
	}
	return everything
}

// hull returns the smallest interval that has both.
func (r interval) hull(s interval) interval {
	h := interval{lo: min(r.lo, s.lo), hi: max(r.hi, s.hi), ulo: min(r.ulo, s.ulo), uhi: max(r.uhi, s.uhi)}
	x, y := r.outside(), s.outside()
	if both := (small{x[0] & y[0], x[1] & y[1]}); both != (small{}) {
		return h.less(both)
	}
	return h
}

func (r interval) empty() bool   { return r.lo > r.hi || r.ulo > r.uhi }
func (r interval) isPoint() bool { return r.lo == r.hi }
func (r interval) isZero() bool  { return r.lo == 0 && r.hi == 0 }
func (r interval) not0() bool    { return r.ulo > 0 }

// A fact says what range a value is in.
type fact struct {
	v ir.ValueID // a rep
	r interval
}

// A relation says how two values compare: a set of the outcomes below.
type relation struct {
	a, b ir.ValueID // reps, a < b
	mask uint8
}

// Outcomes of a comparison, signed and unsigned.
const (
	slt uint8 = 1 << iota
	seq
	sgt
	ult
	ueq
	ugt

	signed   = slt | seq | sgt
	unsigned = ult | ueq | ugt
)

// outcomes returns what a predicate allows.
func outcomes(p ir.Pred) uint8 {
	switch p {
	case ir.EQ:
		return seq | ueq
	case ir.NE:
		return slt | sgt | ult | ugt
	case ir.UGT:
		return slt | sgt | ugt
	case ir.UGE:
		return signed | ueq | ugt
	case ir.ULT:
		return slt | sgt | ult
	case ir.ULE:
		return signed | ueq | ult
	case ir.SGT:
		return sgt | ult | ugt
	case ir.SGE:
		return sgt | seq | unsigned
	case ir.SLT:
		return slt | ult | ugt
	case ir.SLE:
		return slt | seq | unsigned
	}
	panic("leak: bad predicate")
}

func possible(mask uint8) bool { return mask&signed != 0 && mask&unsigned != 0 }

// turn exchanges the sides.
func turn(mask uint8) uint8 {
	less, more := mask&(slt|ult), mask&(sgt|ugt)
	return mask&(seq|ueq) | less<<2 | more>>2
}

// negate returns the opposite predicate.
func negate(p ir.Pred) ir.Pred {
	return [...]ir.Pred{ir.EQ: ir.NE, ir.NE: ir.EQ, ir.UGT: ir.ULE, ir.ULE: ir.UGT, ir.UGE: ir.ULT, ir.ULT: ir.UGE,
		ir.SGT: ir.SLE, ir.SLE: ir.SGT, ir.SGE: ir.SLT, ir.SLT: ir.SGE}[p]
}

// A binding says which operand a phi took.
type binding struct{ phi, v ir.ValueID }

// An env is what is known on one path. Its slices are sorted by their values and never shared.
type env struct {
	facts    []fact
	rels     []relation
	bindings []binding
}

// clone returns a copy with room for what a branch adds.
func (e *env) clone() env {
	return env{
		append(make([]fact, 0, len(e.facts)+3), e.facts...),
		append(make([]relation, 0, len(e.rels)+2), e.rels...),
		slices.Clone(e.bindings),
	}
}

// find returns where the fact about v is, or would be. A comparison that is given
// whole facts takes twice as long.
func (e *env) find(v ir.ValueID) (at int, ok bool) {
	lo, hi := 0, len(e.facts)
	for lo < hi {
		if mid := int(uint(lo+hi) / 2); e.facts[mid].v < v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(e.facts) && e.facts[lo].v == v
}

func (e *env) fact(v ir.ValueID) (interval, bool) {
	i, ok := e.find(v)
	if !ok {
		return everything, false
	}
	return e.facts[i].r, true
}

func (e *env) setFact(v ir.ValueID, r interval) {
	i, ok := e.find(v)
	if ok {
		e.facts[i].r = r
	} else {
		e.facts = slices.Insert(e.facts, i, fact{v, r})
	}
}

func compareRel(r relation, s relation) int {
	if r.a != s.a {
		return int(r.a) - int(s.a)
	}
	return int(r.b) - int(s.b)
}

// relation returns how a compares to b.
func (e *env) relation(a, b ir.ValueID) uint8 {
	if a > b {
		return turn(e.relation(b, a))
	}
	if a == b {
		return seq | ueq
	}
	i, ok := slices.BinarySearchFunc(e.rels, relation{a: a, b: b}, compareRel)
	if !ok {
		return signed | unsigned
	}
	return e.rels[i].mask
}

func (e *env) setRelation(a, b ir.ValueID, mask uint8) {
	if a > b {
		a, b, mask = b, a, turn(mask)
	}
	i, ok := slices.BinarySearchFunc(e.rels, relation{a: a, b: b}, compareRel)
	if ok {
		e.rels[i].mask = mask
	} else {
		e.rels = slices.Insert(e.rels, i, relation{a, b, mask})
	}
}

// binding returns the operand that phi took, or 0.
func (e *env) binding(phi ir.ValueID) ir.ValueID {
	i, ok := slices.BinarySearchFunc(e.bindings, phi, func(b binding, v ir.ValueID) int { return int(b.phi) - int(v) })
	if !ok {
		return 0
	}
	return e.bindings[i].v
}

func (e *env) bind(phi, v ir.ValueID) {
	e.bindings = slices.DeleteFunc(e.bindings, func(b binding) bool { return b.phi == phi })
	i, _ := slices.BinarySearchFunc(e.bindings, phi, func(b binding, v ir.ValueID) int { return int(b.phi) - int(v) })
	e.bindings = slices.Insert(e.bindings, i, binding{phi, v})
}

// keep drops all that is known of values for which ok is false.
func (e *env) keep(ok func(ir.ValueID) bool) {
	n := 0
	for i := range e.facts { // facts are too large to be passed one by one
		if !ok(e.facts[i].v) {
			continue
		}
		if n < i {
			e.facts[n] = e.facts[i]
		}
		n++
	}
	e.facts = e.facts[:n]
	e.rels = slices.DeleteFunc(e.rels, func(r relation) bool { return !ok(r.a) || !ok(r.b) })
	e.bindings = slices.DeleteFunc(e.bindings, func(b binding) bool { return !ok(b.phi) || !ok(b.v) })
}
