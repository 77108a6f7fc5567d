// This file holds what is known about values on one path.

package leak

import (
	"math"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// An interval is a range of numbers, both as they are signed and as they are not.
// Numbers of any width are sign-extended to 64 bits, which keeps both orders. A
// pointer is null when it is 0.
type interval struct {
	lo, hi   int64
	ulo, uhi uint64
}

var (
	everything = interval{math.MinInt64, math.MaxInt64, 0, math.MaxUint64}
	nonzero    = interval{math.MinInt64, math.MaxInt64, 1, math.MaxUint64}
	address    = interval{math.MinInt64, math.MaxInt64, 1, math.MaxUint64 - 4095} // of an object: not in the last page, where error codes are
	truths     = span(0, 1)
)

func point(n int64) interval { return interval{n, n, uint64(n), uint64(n)} }

// span returns the signed range from lo to hi.
func span(lo, hi int64) interval { return interval{lo, hi, 0, math.MaxUint64}.tidy() }

// tidy lets the signed and the unsigned bounds sharpen one another.
func (r interval) tidy() interval {
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
	return r
}

// meet returns what is in both.
func (r interval) meet(s interval) interval {
	return interval{max(r.lo, s.lo), min(r.hi, s.hi), max(r.ulo, s.ulo), min(r.uhi, s.uhi)}.tidy()
}

// without returns r less the one number that y is, if that is 0 or an end of r.
func (r interval) without(y interval) interval {
	switch {
	case !y.isPoint():
		return r
	case y.isZero():
		return r.meet(nonzero)
	case r.lo == y.lo && r.hi == y.lo:
		return interval{lo: 1} // nothing
	case r.lo == y.lo:
		r.lo++
	case r.hi == y.lo:
		r.hi--
	}
	return r.tidy()
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

func (e *env) clone() env {
	return env{slices.Clone(e.facts), slices.Clone(e.rels), slices.Clone(e.bindings)}
}

func (e *env) fact(v ir.ValueID) (interval, bool) {
	i, ok := slices.BinarySearchFunc(e.facts, v, func(f fact, v ir.ValueID) int { return int(f.v) - int(v) })
	if !ok {
		return everything, false
	}
	return e.facts[i].r, true
}

func (e *env) setFact(v ir.ValueID, r interval) {
	i, ok := slices.BinarySearchFunc(e.facts, v, func(f fact, v ir.ValueID) int { return int(f.v) - int(v) })
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
	e.facts = slices.DeleteFunc(e.facts, func(f fact) bool { return !ok(f.v) })
	e.rels = slices.DeleteFunc(e.rels, func(r relation) bool { return !ok(r.a) || !ok(r.b) })
	e.bindings = slices.DeleteFunc(e.bindings, func(b binding) bool { return !ok(b.phi) || !ok(b.v) })
}
