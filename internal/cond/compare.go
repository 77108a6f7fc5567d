// This file builds comparisons.

package cond

import (
	"fmt"
	"math/bits"
)

// maxDepth bounds how far constructors that call themselves look into a term.
const maxDepth = 8

// Compare returns the truth of a pred b.
func (p *Pool) Compare(pred Pred, a, b Term) Term {
	if p.Bits(a) != p.Bits(b) {
		panic(fmt.Sprintf("cond: %s of %d and %d bits", pred, p.Bits(a), p.Bits(b)))
	}
	switch pred {
	case EQ, ULT, SLT:
		return p.compare(pred, a, b)
	case NE:
		return p.Not(p.compare(EQ, a, b))
	case UGT:
		return p.compare(ULT, b, a)
	case SGT:
		return p.compare(SLT, b, a)
	case UGE:
		return p.Not(p.compare(ULT, a, b))
	case SGE:
		return p.Not(p.compare(SLT, a, b))
	case ULE:
		return p.Not(p.compare(ULT, b, a))
	case SLE:
		return p.Not(p.compare(SLT, b, a))
	}
	panic(fmt.Sprintf("cond: bad predicate %d", pred))
}

func (p *Pool) rawCompare(pred Pred, a, b Term) Term {
	return p.intern(node{kind: Comparison, op: uint8(pred), bits: 1, a: a, b: b})
}

func (p *Pool) compare(pred Pred, a, b Term) Term {
	w := p.Bits(a)
	ka, aConst := p.ConstValue(a)
	kb, bConst := p.ConstValue(b)
	switch {
	case aConst && bConst:
		return p.Bool(holds(pred, w, ka, kb))
	case a == b:
		return p.Bool(pred == EQ)
	case w == 1:
		switch pred {
		case EQ:
			return p.Not(p.xor(a, b))
		case ULT:
			return p.and(p.Not(a), b)
		default: // as a signed number, one bit is 0 or -1
			return p.and(a, p.Not(b))
		}
	}
	if aConst {
		switch pred {
		case EQ:
			return p.compare(EQ, b, a)
		case ULT: // k < x is not x < k+1
			if ka == ones(w) {
				return p.Bool(false)
			}
		case SLT:
			if signed(ka, w) == maxSigned(w) {
				return p.Bool(false)
			}
		}
		return p.Not(p.compare(pred, b, p.Const(w, ka+1)))
	}
	if bConst {
		if p.depth < maxDepth {
			p.depth++
			defer func() { p.depth-- }()
			if t := p.compareArms(pred, w, a, b, kb); t != 0 {
				return t
			}
		}
		switch pred {
		case EQ:
			return p.equalsConst(w, a, kb)
		case ULT:
			return p.below(w, a, kb)
		default:
			return p.less(w, a, kb)
		}
	}
	if pred == EQ {
		return p.equal(w, a, b)
	}
	return p.order(pred, a, b)
}

// compareArms compares a choice with a constant arm by arm, if an arm is a constant.
func (p *Pool) compareArms(pred Pred, w uint8, a, b Term, k uint64) Term {
	if c, x, y, ok := p.arms(a); ok {
		return p.Ite(c, p.Bool(holds(pred, w, x, k)), p.Bool(holds(pred, w, y, k)))
	}
	n := p.nodes[a]
	if n.kind != Choice {
		return 0
	}
	_, ok1 := p.ConstValue(n.b)
	_, ok2 := p.ConstValue(n.c)
	if ok1 || ok2 {
		return p.Ite(n.a, p.compare(pred, n.b, b), p.compare(pred, n.c, b))
	}
	return 0
}

// equalsConst builds a == k.
func (p *Pool) equalsConst(w uint8, a Term, k uint64) Term {
	n := p.nodes[a]
	switch n.kind {
	case ZeroExt, SignExt:
		from := p.Bits(n.a)
		back := k & ones(from)
		if n.kind == SignExt {
			back = uint64(signed(back, from)) & ones(w)
		}
		if back != k {
			return p.Bool(false)
		}
		return p.compare(EQ, n.a, p.Const(from, k))
	case ObjectAddr:
		if k < lowestAddress || k > highestAddress {
			return p.Bool(false)
		}
	case Variable:
		if n.isPointer() && !pointerBounds.holds(k, 64) {
			return p.Bool(false)
		}
	case Extraction:
		if k == 0 && n.op+n.bits == p.Bits(n.a) { // the high bits are 0
			return p.below(p.Bits(n.a), n.a, 1<<n.op)
		}
	case Arithmetic:
		if t := p.equalsConstOp(w, n, k); t != 0 {
			return t
		}
	}
	return p.rawCompare(EQ, a, p.Const(w, k))
}

// equalsConstOp moves the operation of n to the other side, where that can be done.
func (p *Pool) equalsConstOp(w uint8, n node, k uint64) Term {
	if Op(n.op) == Sub {
		return p.compare(EQ, n.a, p.Binary(Add, n.b, p.Const(w, k)))
	}
	j, ok := p.ConstValue(n.b)
	if !ok {
		return 0
	}
	switch Op(n.op) {
	case Add:
		return p.compare(EQ, n.a, p.Const(w, k-j))
	case Xor:
		return p.compare(EQ, n.a, p.Const(w, k^j))
	case And:
		switch {
		case k&^j != 0:
			return p.Bool(false)
		case j&(j-1) == 0: // a test of one bit
			bit := p.Extract(uint8(bits.TrailingZeros64(j)), 1, n.a)
			if k == 0 {
				return p.Not(bit)
			}
			return bit
		}
	case Or:
		if j&^k != 0 {
			return p.Bool(false)
		}
		return p.compare(EQ, p.Binary(And, n.a, p.Const(w, ^j)), p.Const(w, k&^j))
	case Mul:
		if j&1 == 1 {
			return p.compare(EQ, n.a, p.Const(w, k*inverse(j)))
		}
		if k&(1<<bits.TrailingZeros64(j)-1) != 0 {
			return p.Bool(false)
		}
	case UDiv:
		if k == 0 && j != 0 {
			return p.below(w, n.a, j)
		}
	}
	return 0
}

// inverse is the number that gives 1 when multiplied with k, which is odd, modulo 2^64.
func inverse(k uint64) uint64 {
	x := k // right in its low three bits; each round doubles that
	for range 5 {
		x *= 2 - k*x
	}
	return x
}

// below builds a u< k.
func (p *Pool) below(w uint8, a Term, k uint64) Term {
	n := p.nodes[a]
	switch {
	case k == 0:
		return p.Bool(false)
	case k == 1:
		return p.compare(EQ, a, p.Const(w, 0))
	case k == ones(w):
		return p.Not(p.compare(EQ, a, p.Const(w, k)))
	case n.kind == ZeroExt:
		if from := p.Bits(n.a); k <= ones(from) {
			return p.below(from, n.a, k)
		}
		return p.Bool(true)
	case n.kind == ObjectAddr && k <= lowestAddress:
		return p.Bool(false)
	case n.kind == ObjectAddr && k > highestAddress:
		return p.Bool(true)
	case n.isPointer() && k > highestAddress: // all but -1
		return p.Not(p.compare(EQ, a, p.Const(w, ones(w))))
	}
	return p.rawCompare(ULT, a, p.Const(w, k))
}

// less builds a s< k.
func (p *Pool) less(w uint8, a Term, k uint64) Term {
	n := p.nodes[a]
	v := signed(k, w)
	switch {
	case v == minSigned(w):
		return p.Bool(false)
	case v == minSigned(w)+1:
		return p.compare(EQ, a, p.Const(w, uint64(minSigned(w))))
	case v == maxSigned(w):
		return p.Not(p.compare(EQ, a, p.Const(w, k)))
	case n.kind == ZeroExt || n.kind == ObjectAddr:
		if v <= 0 {
			return p.Bool(false)
		}
		return p.below(w, a, k)
	case n.isPointer() && v > highestAddress:
		return p.Bool(true)
	case n.isPointer() && v < 0:
		return p.Bool(false)
	case n.isPointer() && v == 0:
		return p.compare(EQ, a, p.Const(w, ones(w)))
	case n.kind == SignExt:
		from := p.Bits(n.a)
		switch {
		case v <= minSigned(from):
			return p.Bool(false)
		case v > maxSigned(from):
			return p.Bool(true)
		}
		return p.less(from, n.a, k&ones(from))
	}
	return p.rawCompare(SLT, a, p.Const(w, k))
}

// equal builds a == b of terms that are not constants.
func (p *Pool) equal(w uint8, a, b Term) Term {
	if x, y, ok := p.narrow(a, b); ok {
		return p.compare(EQ, x, y)
	}
	x, i := p.Split(a)
	y, j := p.Split(b)
	if x == y {
		return p.Bool(i == j)
	}
	if y < x {
		x, y, i, j = y, x, j, i
	}
	i = (i - j) & ones(w)
	if p.apart(x, y, i) {
		return p.Bool(false)
	}
	// x + u == x + v is u == v.
	if t := p.cancel(w, x, y, i); t != 0 {
		return t
	}
	return p.rawCompare(EQ, p.plus(w, x, i), y)
}

// apart reports whether x + i and y lie in different objects.
func (p *Pool) apart(x, y Term, i uint64) bool {
	return x != y && p.nodes[x].kind == ObjectAddr && p.nodes[y].kind == ObjectAddr && near(i)
}

// near reports whether an offset stays in reach of its object.
func near(i uint64) bool { return int64(i) < objectReach && int64(i) > -objectReach }

// cancel drops what both sides of x + i == y add.
func (p *Pool) cancel(w uint8, x, y Term, i uint64) Term {
	rest := func(t, u Term) (Term, bool) { // t - u, if t is a sum with u
		if t == u {
			return p.Const(w, 0), true
		}
		c, d, ok := p.isOp(t, Add)
		switch {
		case ok && c == u:
			return d, true
		case ok && d == u:
			return c, true
		}
		return 0, false
	}
	terms := []Term{x}
	if c, d, ok := p.isOp(x, Add); ok {
		terms = append(terms, c, d)
	}
	for _, t := range terms {
		l, ok1 := rest(x, t)
		r, ok2 := rest(y, t)
		if ok1 && ok2 {
			return p.compare(EQ, p.Binary(Add, l, p.Const(w, i)), r)
		}
	}
	return 0
}

// narrow returns what a and b extend, at a common width, if they extend in the same
// way.
func (p *Pool) narrow(a, b Term) (x, y Term, ok bool) {
	m, n := p.nodes[a], p.nodes[b]
	if m.kind != n.kind || m.kind != ZeroExt && m.kind != SignExt {
		return 0, 0, false
	}
	w := max(p.Bits(m.a), p.Bits(n.a))
	if m.kind == ZeroExt {
		return p.ZExt(w, m.a), p.ZExt(w, n.a), true
	}
	return p.SExt(w, m.a), p.SExt(w, n.a), true
}

// order builds a u< b and a s< b of terms that are not constants.
func (p *Pool) order(pred Pred, a, b Term) Term {
	if x, y, ok := p.narrow(a, b); ok {
		if p.nodes[a].kind == ZeroExt { // both are positive
			pred = ULT
		}
		return p.compare(pred, x, y)
	}
	// An address has the same order either way: both are positive.
	if pred == SLT && p.nodes[a].kind == ObjectAddr && p.nodes[b].kind == ObjectAddr {
		pred = ULT
	}
	return p.rawCompare(pred, a, b)
}
