// This file writes conditions in SMT-LIB 2.

package solve

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/plumb-project/plumb/internal/cond"
)

// A question is a set of conditions as text. Variables are numbered in the order in
// which they occur, so the text does not depend on the pool.
type question struct {
	text   string      // declarations and assertions
	leaves []cond.Term // variables, addresses and applications, by number
	values string      // the terms to ask values of, in the same order
}

// model gives each leaf its value.
func (q question) model(values []uint64) map[cond.Term]uint64 {
	m := make(map[cond.Term]uint64, len(q.leaves))
	for i, t := range q.leaves {
		m[t] = values[i]
	}
	return m
}

// A renderer writes one question.
type renderer struct {
	p      *cond.Pool
	uses   map[cond.Term]int    // how often a term is an operand
	text   map[cond.Term]string // of terms that are written: themselves, or a name
	out    strings.Builder
	leaves []cond.Term
	values []string
	funcs  map[string]string // names of functions, by what they are called here and their type
	addrs  []string
	defs   int
}

// render writes conds, each term that occurs more than once only once.
func render(p *cond.Pool, conds []cond.Term) question {
	r := &renderer{p: p, uses: map[cond.Term]int{}, text: map[cond.Term]string{}, funcs: map[string]string{}}
	for _, t := range conds {
		r.countUses(t)
	}
	for _, t := range conds {
		text := r.term(t) // writes declarations
		r.out.WriteString("(assert " + text + ")\n")
	}
	if len(r.addrs) > 1 { // no two objects in the same 4 GB
		r.out.WriteString("(assert (distinct")
		for _, a := range r.addrs {
			fmt.Fprintf(&r.out, " ((_ extract 46 32) %s)", a)
		}
		r.out.WriteString("))\n")
	}
	return question{r.out.String(), r.leaves, strings.Join(r.values, " ")}
}

func (r *renderer) countUses(t cond.Term) {
	r.uses[t]++
	if r.uses[t] > 1 {
		return
	}
	for _, a := range r.p.Args(t) {
		r.countUses(a)
	}
}

func sortOf(bits uint8) string {
	if bits == 1 {
		return "Bool"
	}
	return "(_ BitVec " + strconv.Itoa(int(bits)) + ")"
}

// term returns t as text; declarations and definitions that it needs are written.
func (r *renderer) term(t cond.Term) string {
	if s, ok := r.text[t]; ok {
		return s
	}
	s := r.write(t)
	p := r.p
	switch p.Kind(t) {
	case cond.Constant, cond.Variable, cond.ObjectAddr:
	default:
		if r.uses[t] > 1 {
			name := "t" + strconv.Itoa(r.defs)
			r.defs++
			r.out.WriteString("(define-fun " + name + " () " + sortOf(p.Bits(t)) + " " + s + ")\n")
			s = name
		}
	}
	if p.Kind(t) == cond.Application {
		r.leaf(t, s)
	}
	r.text[t] = s
	return s
}

func (r *renderer) leaf(t cond.Term, s string) {
	r.leaves = append(r.leaves, t)
	r.values = append(r.values, s)
}

var opNames = map[cond.Op]string{
	cond.Add: "bvadd", cond.Sub: "bvsub", cond.Mul: "bvmul", cond.UDiv: "bvudiv", cond.SDiv: "bvsdiv",
	cond.URem: "bvurem", cond.SRem: "bvsrem", cond.Shl: "bvshl", cond.LShr: "bvlshr", cond.AShr: "bvashr",
	cond.And: "bvand", cond.Or: "bvor", cond.Xor: "bvxor",
}

var predNames = map[cond.Pred]string{cond.EQ: "=", cond.ULT: "bvult", cond.SLT: "bvslt"}

func (r *renderer) write(t cond.Term) string {
	p := r.p
	bits := p.Bits(t)
	switch kind := p.Kind(t); kind {
	case cond.Constant:
		v, _ := p.ConstValue(t)
		return constant(v, bits)
	case cond.Variable:
		name := "v" + strconv.Itoa(len(r.leaves))
		r.leaf(t, name)
		r.out.WriteString("(declare-fun " + name + " () " + sortOf(bits) + ")\n")
		if p.IsPointer(t) { // as cond bounds it
			r.out.WriteString("(assert (and (bvsle " + constant(^uint64(0), 64) + " " + name + ") (bvslt " +
				name + " " + constant(1<<47, 64) + ")))\n")
		}
		return name
	case cond.ObjectAddr:
		return r.address(t)
	case cond.Application:
		return r.application(t)
	}
	args := p.Args(t)
	text := make([]string, len(args))
	for i, a := range args {
		text[i] = r.term(a)
	}
	switch p.Kind(t) {
	case cond.Arithmetic:
		name := opNames[p.Op(t)]
		if bits == 1 {
			name = strings.TrimPrefix(name, "bv") // and, xor: there is no other of one bit
		}
		return "(" + name + " " + text[0] + " " + text[1] + ")"
	case cond.Comparison:
		return "(" + predNames[p.Pred(t)] + " " + text[0] + " " + text[1] + ")"
	case cond.Negation:
		return "(not " + text[0] + ")"
	case cond.Choice:
		return "(ite " + text[0] + " " + text[1] + " " + text[2] + ")"
	case cond.ZeroExt:
		return r.extend("zero_extend", 1, text[0], p.Bits(args[0]), bits)
	case cond.SignExt:
		return r.extend("sign_extend", ^uint64(0)>>(64-bits), text[0], p.Bits(args[0]), bits)
	case cond.Extraction:
		lo := p.Low(t)
		s := fmt.Sprintf("((_ extract %d %d) %s)", lo+bits-1, lo, text[0])
		if bits == 1 {
			s = fmt.Sprintf("(= %s #b1)", s)
		}
		return s
	}
	panic(fmt.Sprintf("solve: bad kind %d", p.Kind(t)))
}

func constant(v uint64, bits uint8) string {
	if bits == 1 {
		return strconv.FormatBool(v == 1)
	}
	return "(_ bv" + strconv.FormatUint(v, 10) + " " + strconv.Itoa(int(bits)) + ")"
}

// extend widens; a truth value becomes 0 or one.
func (r *renderer) extend(op string, one uint64, x string, from, to uint8) string {
	if from == 1 {
		return fmt.Sprintf("(ite %s %s %s)", x, constant(one, to), constant(0, to))
	}
	return fmt.Sprintf("((_ %s %d) %s)", op, to-from, x)
}

// address declares an object. It lies in the second gigabyte of 4 GB that no other
// object lies in, so an offset of up to a gigabyte either way does not leave these.
func (r *renderer) address(t cond.Term) string {
	name := fmt.Sprintf("v%d", len(r.leaves))
	r.leaf(t, name)
	r.addrs = append(r.addrs, name)
	fmt.Fprintf(&r.out, "(declare-fun %s () (_ BitVec 64))\n", name)
	fmt.Fprintf(&r.out, "(assert (= ((_ extract 63 47) %s) (_ bv0 17)))\n", name)
	fmt.Fprintf(&r.out, "(assert (= ((_ extract 31 30) %s) (_ bv1 2)))\n", name)
	return name
}

func (r *renderer) application(t cond.Term) string {
	p := r.p
	args := p.Args(t)
	sorts, text := "", ""
	for _, a := range args {
		sorts += sortOf(p.Bits(a))
		text += " " + r.term(a)
	}
	key := p.Name(t) + " " + sorts + " " + sortOf(p.Bits(t))
	name, ok := r.funcs[key]
	if !ok {
		name = fmt.Sprintf("f%d", len(r.funcs))
		r.funcs[key] = name
		fmt.Fprintf(&r.out, "(declare-fun %s (%s) %s)\n", name, sorts, sortOf(p.Bits(t)))
	}
	if len(args) == 0 {
		return name
	}
	return "(" + name + text + ")"
}
