// This file prints terms.

package cond

import (
	"fmt"
	"strings"
)

// maxPrinted bounds the length of a printed term, which shares what it repeats.
const maxPrinted = 4000

// String prints t as an expression like C's; u and s mark what is unsigned and signed.
//
//	(len + 1) u< 16
//	!(p == 0) && strlen(s) == n
//	flags[1]
//
// Terms that are very large end in an ellipsis.
func (p *Pool) String(t Term) string {
	var b strings.Builder
	p.print(&b, t, false)
	return b.String()
}

// print writes t, in parentheses if it is an operand.
func (p *Pool) print(b *strings.Builder, t Term, operand bool) {
	if b.Len() > maxPrinted {
		b.WriteString("…")
		return
	}
	n := p.nodes[t]
	compound := n.kind == Arithmetic || n.kind == Comparison || n.kind == Choice
	if compound && operand {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch n.kind {
	case Constant:
		p.printConst(b, n)
	case Variable, ObjectAddr:
		if n.kind == ObjectAddr {
			b.WriteByte('&')
		}
		if p.names[n.v] == "" {
			fmt.Fprintf(b, "_%d", n.v)
		} else {
			b.WriteString(p.names[n.v])
		}
	case Application:
		b.WriteString(p.names[n.v])
		b.WriteByte('(')
		for l := n.a; l != 0; l = p.nodes[l].b {
			if l != n.a {
				b.WriteString(", ")
			}
			p.print(b, p.nodes[l].a, false)
		}
		b.WriteByte(')')
	case Arithmetic:
		p.printArithmetic(b, n)
	case Comparison:
		p.print(b, n.a, true)
		b.WriteString(" " + Pred(n.op).String() + " ")
		p.print(b, n.b, true)
	case Negation:
		p.printNegation(b, n.a, operand)
	case Choice:
		p.print(b, n.a, true)
		b.WriteString(" ? ")
		p.print(b, n.b, true)
		b.WriteString(" : ")
		p.print(b, n.c, true)
	case ZeroExt, SignExt:
		name := "zext"
		if n.kind == SignExt {
			name = "sext"
		}
		fmt.Fprintf(b, "%s%d(", name, n.bits)
		p.print(b, n.a, false)
		b.WriteByte(')')
	case Extraction:
		p.print(b, n.a, true)
		if n.bits == 1 {
			fmt.Fprintf(b, "[%d]", n.op)
		} else {
			fmt.Fprintf(b, "[%d:%d]", n.op, n.op+n.bits)
		}
	default:
		fmt.Fprintf(b, "term%d", t)
	}
}

// printConst writes small negative numbers as such.
func (p *Pool) printConst(b *strings.Builder, n node) {
	v := signed(n.v, n.bits)
	switch {
	case n.bits == 1:
		fmt.Fprintf(b, "%t", n.v == 1)
	case v < 0 && v > -1<<16:
		fmt.Fprintf(b, "%d", v)
	case n.v >= 1<<16:
		fmt.Fprintf(b, "%#x", n.v)
	default:
		fmt.Fprintf(b, "%d", n.v)
	}
}

func (p *Pool) printArithmetic(b *strings.Builder, n node) {
	op := Op(n.op).String()
	p.print(b, n.a, true)
	if k, ok := p.Signed(n.b); ok && Op(n.op) == Add && k < 0 && k > -1<<16 {
		fmt.Fprintf(b, " - %d", -k)
		return
	}
	if n.bits == 1 && Op(n.op) == And {
		op = "&&"
	}
	b.WriteString(" " + op + " ")
	p.print(b, n.b, true)
}

// printNegation writes the negations that C has a word for as such.
func (p *Pool) printNegation(b *strings.Builder, t Term, operand bool) {
	n := p.nodes[t]
	words := ""
	x, y, swap := n.a, n.b, false
	switch {
	case n.kind == Comparison && Pred(n.op) == EQ:
		words = "!="
	case n.kind == Comparison:
		words = Pred(n.op).String()
		words = words[:1] + ">="
	case n.kind == Arithmetic && Op(n.op) == And:
		words, swap = "||", true
	default:
		b.WriteByte('!')
		p.print(b, t, true)
		return
	}
	if operand {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	side := func(t Term) {
		if !swap {
			p.print(b, t, true)
		} else if x, ok := p.negated(t); ok {
			p.print(b, x, true)
		} else {
			p.printNegation(b, t, true)
		}
	}
	side(x)
	b.WriteString(" " + words + " ")
	side(y)
}

func (op Op) String() string {
	names := [...]string{Add: "+", Sub: "-", Mul: "*", UDiv: "u/", SDiv: "s/", URem: "u%", SRem: "s%",
		Shl: "<<", LShr: "u>>", AShr: "s>>", And: "&", Or: "|", Xor: "^"}
	if op == 0 || int(op) >= len(names) {
		panic(fmt.Sprintf("cond: bad op %d", op))
	}
	return names[op]
}

func (pred Pred) String() string {
	names := [...]string{EQ: "==", NE: "!=", ULT: "u<", ULE: "u<=", UGT: "u>", UGE: "u>=",
		SLT: "s<", SLE: "s<=", SGT: "s>", SGE: "s>="}
	if pred == 0 || int(pred) >= len(names) {
		panic(fmt.Sprintf("cond: bad predicate %d", pred))
	}
	return names[pred]
}
