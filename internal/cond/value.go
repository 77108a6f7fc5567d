// This file computes with values: what an operation on constants gives.

package cond

import (
	"fmt"
	"slices"
)

// ones is the largest value of a width.
func ones(bits uint8) uint64 { return ^uint64(0) >> (64 - bits) }

// signed reads v as a number in two's complement.
func signed(v uint64, bits uint8) int64 {
	if bits == 0 {
		return 0
	}
	return int64(v<<(64-bits)) >> (64 - bits)
}

func minSigned(bits uint8) int64 { return -1 << (bits - 1) }
func maxSigned(bits uint8) int64 { return int64(ones(bits) >> 1) }

// fold computes op as SMT-LIB defines it.
func fold(op Op, bits uint8, a, b uint64) uint64 {
	sa, sb := signed(a, bits), signed(b, bits)
	var r uint64
	switch op {
	case Add:
		r = a + b
	case Sub:
		r = a - b
	case Mul:
		r = a * b
	case UDiv:
		r = ones(bits)
		if b != 0 {
			r = a / b
		}
	case SDiv:
		switch {
		case b != 0:
			r = uint64(sa / sb)
		case sa >= 0:
			r = ones(bits)
		default:
			r = 1
		}
	case URem:
		r = a
		if b != 0 {
			r = a % b
		}
	case SRem:
		r = a
		if b != 0 {
			r = uint64(sa % sb)
		}
	case Shl:
		if b < uint64(bits) {
			r = a << b
		}
	case LShr:
		if b < uint64(bits) {
			r = a >> b
		}
	case AShr:
		r = uint64(sa >> min(b, uint64(bits)-1))
	case And:
		r = a & b
	case Or:
		r = a | b
	case Xor:
		r = a ^ b
	default:
		panic(fmt.Sprintf("cond: bad op %d", op))
	}
	return r & ones(bits)
}

// holds computes pred.
func holds(pred Pred, bits uint8, a, b uint64) bool {
	sa, sb := signed(a, bits), signed(b, bits)
	switch pred {
	case EQ:
		return a == b
	case NE:
		return a != b
	case ULT:
		return a < b
	case ULE:
		return a <= b
	case UGT:
		return a > b
	case UGE:
		return a >= b
	case SLT:
		return sa < sb
	case SLE:
		return sa <= sb
	case SGT:
		return sa > sb
	case SGE:
		return sa >= sb
	}
	panic(fmt.Sprintf("cond: bad predicate %d", pred))
}

// Eval computes t. The assignment gives the values of variables, addresses and
// applications; what it leaves out is 0.
func Eval(p *Pool, t Term, assignment map[Term]uint64) uint64 {
	return newEvaluator(p, assignment).eval(t)
}

// An evaluator computes terms under one assignment, each once.
type evaluator struct {
	p          *Pool
	assignment map[Term]uint64
	done       map[Term]uint64
}

func newEvaluator(p *Pool, assignment map[Term]uint64) *evaluator {
	return &evaluator{p, assignment, map[Term]uint64{}}
}

func (e *evaluator) eval(t Term) uint64 {
	if v, ok := e.done[t]; ok {
		return v
	}
	var v uint64
	p := e.p
	switch n := p.nodes[t]; n.kind {
	case Constant:
		return n.v
	case Variable, ObjectAddr, Application:
		return e.assignment[t] & ones(n.bits)
	case Arithmetic:
		v = fold(Op(n.op), n.bits, e.eval(n.a), e.eval(n.b))
	case Comparison:
		if holds(Pred(n.op), p.Bits(n.a), e.eval(n.a), e.eval(n.b)) {
			v = 1
		}
	case Negation:
		v = 1 - e.eval(n.a)
	case Choice:
		if e.eval(n.a) != 0 {
			v = e.eval(n.b)
		} else {
			v = e.eval(n.c)
		}
	case ZeroExt:
		v = e.eval(n.a)
	case SignExt:
		v = uint64(signed(e.eval(n.a), p.Bits(n.a))) & ones(n.bits)
	case Extraction:
		v = e.eval(n.a) >> n.op & ones(n.bits)
	default:
		panic(fmt.Sprintf("cond: no value of term %d of kind %d", t, n.kind))
	}
	e.done[t] = v
	return v
}

func sortTerms(ts []Term) { slices.Sort(ts) }
