// This file builds arithmetic.

package cond

import (
	"fmt"
	"math/bits"
)

// Binary returns a op b.
func (p *Pool) Binary(op Op, a, b Term) Term {
	w := p.Bits(a)
	if w != p.Bits(b) {
		panic(fmt.Sprintf("cond: %s of %d and %d bits", op, w, p.Bits(b)))
	}
	ka, aConst := p.ConstValue(a)
	kb, bConst := p.ConstValue(b)
	if aConst && bConst {
		return p.Const(w, fold(op, w, ka, kb))
	}
	if w == 1 {
		return p.binaryBool(op, a, b)
	}
	if aConst && commutes(op) {
		a, b, kb, bConst = b, a, ka, true
	}
	if bConst {
		if t := p.choiceOf(a, w, func(v uint64) uint64 { return fold(op, w, v, kb) }); t != 0 {
			return t
		}
	}
	switch op {
	case Add, Sub:
		return p.sum(op, w, a, b)
	case Mul:
		return p.product(w, a, b)
	case And, Or, Xor:
		return p.bitwise(op, w, a, b)
	case Shl, LShr, AShr:
		return p.shift(op, w, a, b)
	}
	return p.divide(op, w, a, b)
}

func commutes(op Op) bool {
	switch op {
	case Add, Mul, And, Or, Xor:
		return true
	}
	return false
}

// raw makes the term without looking at it, but for the order of operands.
func (p *Pool) raw(op Op, a, b Term) Term {
	if commutes(op) && b < a && p.nodes[b].kind != Constant || p.nodes[a].kind == Constant && commutes(op) {
		a, b = b, a
	}
	return p.intern(node{kind: Arithmetic, op: uint8(op), bits: p.Bits(a), a: a, b: b})
}

// isOp reports whether t is the given operation, and its operands.
func (p *Pool) isOp(t Term, op Op) (a, b Term, ok bool) {
	n := &p.nodes[t]
	return n.a, n.b, n.kind == Arithmetic && Op(n.op) == op
}

// withConst reports whether t is x op k.
func (p *Pool) withConst(t Term, op Op) (x Term, k uint64, ok bool) {
	a, b, ok := p.isOp(t, op)
	if !ok {
		return 0, 0, false
	}
	k, ok = p.ConstValue(b)
	return a, k, ok
}

// Split returns t as base + offset; a constant has base 0.
func (p *Pool) Split(t Term) (base Term, offset uint64) {
	if v, ok := p.ConstValue(t); ok {
		return 0, v
	}
	if x, k, ok := p.withConst(t, Add); ok {
		return x, k
	}
	return t, 0
}

// plus returns base + k; base may be 0.
func (p *Pool) plus(w uint8, base Term, k uint64) Term {
	k &= ones(w)
	switch {
	case base == 0:
		return p.Const(w, k)
	case k == 0:
		return base
	}
	return p.raw(Add, base, p.Const(w, k))
}

// sum builds a + b and a - b as one base and one constant.
func (p *Pool) sum(op Op, w uint8, a, b Term) Term {
	x, i := p.Split(a)
	y, j := p.Split(b)
	if op == Sub {
		return p.plus(w, p.difference(w, x, y), i-j)
	}
	switch {
	case x == 0:
		return p.plus(w, y, i+j)
	case y == 0:
		return p.plus(w, x, i+j)
	}
	// (u - y) + y is u.
	if u, v, ok := p.isOp(x, Sub); ok && v == y {
		return p.add2(w, u, i+j)
	}
	if u, v, ok := p.isOp(y, Sub); ok && v == x {
		return p.add2(w, u, i+j)
	}
	if x == y {
		return p.add2(w, p.product(w, x, p.Const(w, 2)), i+j)
	}
	return p.plus(w, p.raw(Add, x, y), i+j)
}

// add2 is t + k for a t that may itself be a constant or a sum.
func (p *Pool) add2(w uint8, t Term, k uint64) Term {
	base, i := p.Split(t)
	return p.plus(w, base, i+k)
}

// difference builds x - y of two bases. It gives 0 where that is the constant 0.
func (p *Pool) difference(w uint8, x, y Term) Term {
	switch {
	case x == y:
		return 0
	case y == 0:
		return x
	case x == 0:
		if u, v, ok := p.isOp(y, Sub); ok { // 0 - (u - v) is v - u
			return p.difference(w, p.notZero(v), p.notZero(u))
		}
		return p.raw(Sub, p.Const(w, 0), y)
	}
	if u, v, ok := p.isOp(x, Add); ok { // (u + y) - y is u
		switch y {
		case u:
			return v
		case v:
			return u
		}
	}
	if u, v, ok := p.isOp(y, Add); ok { // x - (x + v) is 0 - v
		switch x {
		case u:
			return p.difference(w, 0, v)
		case v:
			return p.difference(w, 0, u)
		}
	}
	if u, v, ok := p.isOp(y, Sub); ok && u == x { // x - (x - v) is v
		return v
	}
	return p.raw(Sub, x, y)
}

// notZero is t, or 0 for the constant 0.
func (p *Pool) notZero(t Term) Term {
	if v, ok := p.ConstValue(t); ok && v == 0 {
		return 0
	}
	return t
}

func (p *Pool) product(w uint8, a, b Term) Term {
	k, ok := p.ConstValue(b)
	if !ok {
		return p.raw(Mul, a, b)
	}
	switch k {
	case 0:
		return b
	case 1:
		return a
	}
	// x / 8 * 8 is x without its low bits.
	if n := p.nodes[a]; n.kind == ZeroExt && k&(k-1) == 0 {
		lo := uint8(bits.TrailingZeros64(k))
		if e := p.nodes[n.a]; e.kind == Extraction && e.op == lo && p.Bits(e.a) == w && e.bits == w-lo {
			return p.Binary(And, e.a, p.Const(w, -k))
		}
	}
	if x, j, ok := p.withConst(a, Mul); ok {
		return p.product(w, x, p.Const(w, j*k))
	}
	if x, j, ok := p.withConst(a, Add); ok {
		return p.add2(w, p.product(w, x, b), j*k)
	}
	return p.raw(Mul, a, b)
}

func (p *Pool) bitwise(op Op, w uint8, a, b Term) Term {
	if a == b {
		if op == Xor {
			return p.Const(w, 0)
		}
		return a
	}
	k, ok := p.ConstValue(b)
	if !ok {
		return p.raw(op, a, b)
	}
	if x, j, ok := p.withConst(a, op); ok {
		return p.Binary(op, x, p.Const(w, fold(op, w, j, k)))
	}
	switch {
	case k == 0 && op == And:
		return b
	case k == 0:
		return a
	case k == ones(w) && op == And:
		return a
	case k == ones(w) && op == Or:
		return b
	case op == And && k&(k+1) == 0: // the low bits
		return p.ZExt(w, p.Extract(0, uint8(bits.Len64(k)), a))
	}
	if n := p.nodes[a]; n.kind == ZeroExt && (op == And || k <= ones(p.Bits(n.a))) {
		return p.ZExt(w, p.Binary(op, n.a, p.Const(p.Bits(n.a), k)))
	}
	return p.raw(op, a, b)
}

func (p *Pool) shift(op Op, w uint8, a, b Term) Term {
	k, ok := p.ConstValue(b)
	if !ok {
		if v, ok := p.ConstValue(a); ok && v == 0 {
			return a
		}
		return p.raw(op, a, b)
	}
	switch {
	case k == 0:
		return a
	case op == AShr:
		k = min(k, uint64(w)-1)
		return p.SExt(w, p.Extract(uint8(k), w-uint8(k), a))
	case k >= uint64(w):
		return p.Const(w, 0)
	case op == LShr:
		return p.ZExt(w, p.Extract(uint8(k), w-uint8(k), a))
	}
	return p.product(w, a, p.Const(w, 1<<k))
}

func (p *Pool) divide(op Op, w uint8, a, b Term) Term {
	k, ok := p.ConstValue(b)
	if !ok {
		return p.raw(op, a, b)
	}
	pow := k&(k-1) == 0
	switch {
	case k == 0 && op == UDiv:
		return p.Const(w, ones(w))
	case k == 0 && op == SDiv:
		return p.Ite(p.Compare(SLT, a, b), p.Const(w, 1), p.Const(w, ones(w)))
	case k == 0:
		return a
	case k == 1 && (op == UDiv || op == SDiv):
		return a
	case k == 1:
		return p.Const(w, 0)
	case pow && op == UDiv:
		return p.Binary(LShr, a, p.Const(w, uint64(bits.TrailingZeros64(k))))
	case pow && op == URem:
		return p.Binary(And, a, p.Const(w, k-1))
	}
	return p.raw(op, a, b)
}
