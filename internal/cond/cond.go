// Package cond holds the conditions of paths, and finds contradictions in them.
//
// A Term is a bit vector of 1 to 64 bits; one bit is a truth value. Terms live
// in a Pool and are hash-consed: terms of equal structure are the same number,
// so two of them are compared, and looked up, in constant time. Constructors
// simplify while they build and look at most a few levels down, so that building
// stays cheap on long paths. What they settle on:
//
//   - a constant is on the right; x - 3 is x + 4294967293; sums of sums keep one
//     constant, outermost;
//   - comparisons are EQ, ULT and SLT; the others are these with the sides
//     swapped or negated, and no constant ever stands on the left;
//   - the only truth functions are negation, And, Xor and Choice; Or is written
//     with negation and And;
//   - a shift by a constant is a product, or an Extract that is extended again;
//     so are masks of the low bits; a test of one bit is the Extract of it.
//
// Division by zero and shifts by too much have the values that SMT-LIB gives
// them, so that every solver agrees with Eval.
//
// Facts is what is known on one path: see there. It is sound: what it calls a
// contradiction has no solution. It is not complete: a solver may find more.
package cond

import "fmt"

// A Term is a bit vector built in a Pool; 0 is none.
type Term uint32

// A Pool holds terms. It is not safe for concurrent use: each worker has its own.
type Pool struct {
	nodes []node        // indexed by Term; nodes[0] is unused
	index map[node]Term // every node but variables and addresses
	masks []uint64      // by Term: a bit for each leaf in it, several leaves share one
	mixed []bool        // by Term: its value depends on truth values inside it
	names []string      // of variables, addresses and functions, by node.v
	funcs map[string]uint64
	depth int // of constructors that call themselves
}

// A node is one term. Unused fields are zero, so that equal terms are equal nodes.
type node struct {
	v       uint64 // Constant: the value; Variable, Address, Application: index into names
	a, b, c Term   // operands; Application: a is the list of arguments
	kind    Kind
	bits    uint8
	op      uint8 // Arithmetic: the Op; Comparison: the Pred; Extraction: the lowest bit; Variable: 1 for a pointer
}

// A Kind says what a term is.
type Kind uint8

// The kinds of terms.
const (
	Constant    Kind = iota + 1 // 17
	Variable                    // len
	ObjectAddr                  // &buf
	Application                 // strlen(s)
	Arithmetic                  // x + y
	Comparison                  // x == y, x u< y, x s< y
	Negation                    // !x, of one bit
	Choice                      // c ? x : y
	ZeroExt                     // zext32(x)
	SignExt                     // sext32(x)
	Extraction                  // x[8:16], bits 8 to 15
	list                        // arguments of an Application: head a, tail b
)

// An Op is a binary operation on two terms of equal width.
type Op uint8

// The operations. UDiv, URem, LShr are unsigned; SDiv, SRem, AShr signed.
const (
	Add Op = iota + 1
	Sub
	Mul
	UDiv
	SDiv
	URem
	SRem
	Shl
	LShr
	AShr
	And
	Or
	Xor
)

// A Pred compares two terms of equal width. Only EQ, ULT and SLT occur in terms.
type Pred uint8

// The comparisons, unsigned (U) and signed (S).
const (
	EQ Pred = iota + 1
	NE
	ULT
	ULE
	UGT
	UGE
	SLT
	SLE
	SGT
	SGE
)

// Addresses of objects lie between lowestAddress and highestAddress, and objects
// lie more than objectReach apart: a constant offset of less than that never leads
// from one to the other, nor to null.
const (
	lowestAddress  = 1 << 30
	highestAddress = 1<<47 - 1
	objectReach    = 1 << 30
)

// NewPool returns a pool with no terms.
func NewPool() *Pool {
	return &Pool{
		nodes: make([]node, 1, 256),
		masks: make([]uint64, 1, 256),
		mixed: make([]bool, 1, 256),
		index: map[node]Term{},
		funcs: map[string]uint64{},
	}
}

// Len is the number of terms in the pool.
func (p *Pool) Len() int { return len(p.nodes) - 1 }

func (p *Pool) intern(n node) Term {
	if t, ok := p.index[n]; ok {
		return t
	}
	t := p.add(n)
	p.index[n] = t
	return t
}

func (p *Pool) add(n node) Term {
	mask := p.masks[n.a] | p.masks[n.b] | p.masks[n.c]
	t := Term(len(p.nodes))
	switch n.kind {
	case Variable, ObjectAddr, Application:
		mask |= termBit(t)
	}
	truths := n.bits > 1 && n.kind != Application && p.nodes[n.a].bits == 1
	p.nodes = append(p.nodes, n)
	p.masks = append(p.masks, mask)
	p.mixed = append(p.mixed, truths || p.mixed[n.a] || p.mixed[n.b] || p.mixed[n.c])
	return t
}

// find returns the term if it is there, else 0.
func (p *Pool) find(n node) Term { return p.index[n] }

// Const returns v, cut to the given width.
func (p *Pool) Const(bits uint8, v uint64) Term {
	checkWidth(bits)
	return p.intern(node{kind: Constant, bits: bits, v: v & ones(bits)})
}

// Bool returns the one bit that stands for b.
func (p *Pool) Bool(b bool) Term {
	if b {
		return p.Const(1, 1)
	}
	return p.Const(1, 0)
}

// Fresh returns a new variable at each call; the name is for people.
func (p *Pool) Fresh(bits uint8, name string) Term {
	checkWidth(bits)
	p.names = append(p.names, name)
	return p.add(node{kind: Variable, bits: bits, v: uint64(len(p.names) - 1)})
}

// Pointer returns a new pointer at each call, of which nothing is known but that it is
// an address of a user's program, null, or the -1 that some functions return: a few
// bytes added to it lead to no smaller address.
func (p *Pool) Pointer(name string) Term {
	p.names = append(p.names, name)
	return p.add(node{kind: Variable, bits: 64, v: uint64(len(p.names) - 1), op: 1})
}

// IsPointer reports whether t was made by Pointer.
func (p *Pool) IsPointer(t Term) bool { return p.nodes[t].isPointer() }

func (n *node) isPointer() bool { return n.kind == Variable && n.op == 1 }

// Address returns the address of a new object at each call: 64 bits, not null, and
// far from every other Address.
func (p *Pool) Address(name string) Term {
	p.names = append(p.names, name)
	return p.add(node{kind: ObjectAddr, bits: 64, v: uint64(len(p.names) - 1)})
}

// Apply returns the result of a function of which only this is known: for equal
// arguments it is equal.
func (p *Pool) Apply(bits uint8, fn string, args ...Term) Term {
	checkWidth(bits)
	id, ok := p.funcs[fn]
	if !ok {
		id = uint64(len(p.names))
		p.names = append(p.names, fn)
		p.funcs[fn] = id
	}
	var rest Term
	for i := len(args) - 1; i >= 0; i-- {
		rest = p.intern(node{kind: list, a: args[i], b: rest})
	}
	return p.intern(node{kind: Application, bits: bits, v: id, a: rest})
}

// ConstValue is the value of a constant, zero-extended.
func (p *Pool) ConstValue(t Term) (uint64, bool) {
	n := &p.nodes[t]
	return n.v, n.kind == Constant
}

// Signed is the value of a constant, sign-extended.
func (p *Pool) Signed(t Term) (int64, bool) {
	n := &p.nodes[t]
	return signed(n.v, n.bits), n.kind == Constant
}

// Bits is the width of a term.
func (p *Pool) Bits(t Term) uint8 { return p.nodes[t].bits }

// Kind says what t is.
func (p *Pool) Kind(t Term) Kind { return p.nodes[t].kind }

// Op is the operation of an Arithmetic term.
func (p *Pool) Op(t Term) Op { return Op(p.nodes[t].op) }

// Pred is the comparison of a Comparison term: EQ, ULT or SLT.
func (p *Pool) Pred(t Term) Pred { return Pred(p.nodes[t].op) }

// Low is the lowest bit of an Extraction.
func (p *Pool) Low(t Term) uint8 { return p.nodes[t].op }

// Name is the name of a variable, an address or the function of an application.
func (p *Pool) Name(t Term) string {
	switch n := &p.nodes[t]; n.kind {
	case Variable, ObjectAddr, Application:
		return p.names[n.v]
	}
	return ""
}

// Args returns the operands of t, or the arguments of an application.
func (p *Pool) Args(t Term) []Term {
	n := &p.nodes[t]
	var args []Term
	if n.kind == Application {
		for l := n.a; l != 0; l = p.nodes[l].b {
			args = append(args, p.nodes[l].a)
		}
		return args
	}
	for _, a := range [...]Term{n.a, n.b, n.c} {
		if a != 0 {
			args = append(args, a)
		}
	}
	return args
}

// Vars returns the variables, addresses and applications in t, and in the arguments
// of these, each once, in the order of their making.
func (p *Pool) Vars(t Term) []Term { return p.VarsOf([]Term{t}) }

// VarsOf is Vars of several terms.
func (p *Pool) VarsOf(ts []Term) []Term {
	var vars []Term
	p.walk(ts, func(t Term, n *node) {
		switch n.kind {
		case Variable, ObjectAddr, Application:
			vars = append(vars, t)
		}
	})
	sortTerms(vars)
	return vars
}

// walk calls visit once for each term in ts and below, in no useful order.
func (p *Pool) walk(ts []Term, visit func(Term, *node)) {
	seen := map[Term]bool{}
	todo := append([]Term(nil), ts...)
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if t == 0 || seen[t] {
			continue
		}
		seen[t] = true
		n := &p.nodes[t]
		visit(t, n)
		todo = append(todo, n.a, n.b, n.c)
	}
}

func checkWidth(bits uint8) {
	if bits == 0 || bits > 64 {
		panic(fmt.Sprintf("cond: term of %d bits", bits))
	}
}
