// This file builds terms of other widths.

package cond

import "fmt"

// ZExt widens t with zeros.
func (p *Pool) ZExt(bits uint8, t Term) Term {
	n := p.nodes[t]
	if bits < n.bits || bits > 64 {
		panic(fmt.Sprintf("cond: extension from %d to %d bits", n.bits, bits))
	}
	switch {
	case bits == n.bits:
		return t
	case n.kind == Constant:
		return p.Const(bits, n.v)
	case n.kind == ZeroExt:
		return p.ZExt(bits, n.a)
	case n.kind == Choice:
		if c := p.choiceOf(t, bits, func(v uint64) uint64 { return v }); c != 0 {
			return c
		}
	}
	return p.intern(node{kind: ZeroExt, bits: bits, a: t})
}

// SExt widens t with its sign.
func (p *Pool) SExt(bits uint8, t Term) Term {
	n := p.nodes[t]
	if bits < n.bits || bits > 64 {
		panic(fmt.Sprintf("cond: extension from %d to %d bits", n.bits, bits))
	}
	switch {
	case bits == n.bits:
		return t
	case n.kind == Constant:
		return p.Const(bits, uint64(signed(n.v, n.bits)))
	case n.kind == ZeroExt:
		return p.ZExt(bits, n.a)
	case n.kind == SignExt:
		return p.SExt(bits, n.a)
	case n.kind == Choice:
		if c := p.choiceOf(t, bits, func(v uint64) uint64 { return uint64(signed(v, n.bits)) }); c != 0 {
			return c
		}
	}
	return p.intern(node{kind: SignExt, bits: bits, a: t})
}

// Trunc keeps the low bits of t.
func (p *Pool) Trunc(bits uint8, t Term) Term { return p.Extract(0, bits, t) }

// Extract returns bits lo to lo+bits-1 of t.
func (p *Pool) Extract(lo, bits uint8, t Term) Term {
	checkWidth(bits)
	n := p.nodes[t]
	if int(lo)+int(bits) > int(n.bits) {
		panic(fmt.Sprintf("cond: bits %d to %d of a term of %d bits", lo, int(lo)+int(bits)-1, n.bits))
	}
	if bits == n.bits {
		return t
	}
	switch n.kind {
	case Constant:
		return p.Const(bits, n.v>>lo)
	case Extraction:
		return p.Extract(n.op+lo, bits, n.a)
	case ZeroExt, SignExt:
		return p.extractExtended(lo, bits, n)
	case Choice:
		if c := p.choiceOf(t, bits, func(v uint64) uint64 { return v >> lo }); c != 0 {
			return c
		}
	case Arithmetic:
		// The low bits of x + k depend on the low bits alone; each bit of x & k on one.
		k, ok := p.ConstValue(n.b)
		op := Op(n.op)
		if ok && (lo == 0 && op == Add || op == And || op == Or || op == Xor) {
			return p.Binary(op, p.Extract(lo, bits, n.a), p.Const(bits, k>>lo))
		}
	}
	return p.intern(node{kind: Extraction, bits: bits, op: lo, a: t})
}

// extractExtended takes bits out of n, an extension.
func (p *Pool) extractExtended(lo, bits uint8, n node) Term {
	from := p.Bits(n.a)
	have := from - min(lo, from) // bits of the source from lo on
	switch {
	case have >= bits:
		return p.Extract(lo, bits, n.a)
	case n.kind == ZeroExt && have == 0:
		return p.Const(bits, 0)
	case n.kind == ZeroExt:
		return p.ZExt(bits, p.Extract(lo, have, n.a))
	case have == 0:
		return p.SExt(bits, p.Extract(from-1, 1, n.a))
	}
	return p.SExt(bits, p.Extract(lo, have, n.a))
}
