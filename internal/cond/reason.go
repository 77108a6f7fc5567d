// This file draws conclusions: what bounds follow for a term, and what follows from
// bounds for the terms it is built from.

package cond

import "slices"

// What one question may cost. A path has thousands of them.
const (
	assumeSteps = 200 // atoms that may tell something new
	lookWork    = 200 // terms that may be looked at for one atom, or for one question
	lookDepth   = 6   // levels of a term that bounds are computed through
	maxTrim     = 64  // values taken off the ends of one interval at once
)

// A reasoner answers one question.
type reasoner struct {
	f       *Facts
	p       *Pool
	steps   int    // atoms that may still tell something new
	work    int    // terms it may still look at
	queue   []Term // atoms to revise
	changed uint64 // masks of what was narrowed since the ties were last queued
	added   uint64 // masks of atoms that were added since then
	related bool   // an order or an equality of two terms was added
	no      bool   // a contradiction was found
}

// add takes a condition that holds and was not known.
func (r *reasoner) add(t Term) {
	i, ok := search(r.f.atoms, t)
	if ok {
		return
	}
	r.f.atoms = slices.Insert(r.f.atoms, i, t)
	r.queue = append(r.queue, t)
	tie, relation := r.isTie(t)
	if tie {
		r.f.ties = append(r.f.ties, t)
	}
	r.related = r.related || relation
	r.added |= r.p.masks[t] // a disjunction may be waiting for it
	if x, ok := r.p.negated(t); ok && r.p.nodes[x].kind == Comparison && Pred(r.p.nodes[x].op) == EQ {
		r.f.holes |= termBit(r.p.nodes[x].a)
	}
}

// isTie reports whether t can tell more when its parts are narrowed, and whether it
// relates two terms.
func (r *reasoner) isTie(t Term) (tie, relation bool) {
	if x, ok := r.p.negated(t); ok {
		t = x
	}
	n := &r.p.nodes[t]
	switch n.kind {
	case Variable, Application:
		return false, false
	case Comparison:
		if r.p.nodes[n.b].kind == Constant {
			k := r.p.nodes[n.a].kind
			return k != Variable && k != Application && k != ObjectAddr, false
		}
		return true, true
	}
	return true, false
}

// run draws conclusions until there are no more or the work is spent. It returns
// false if there is a contradiction.
func (r *reasoner) run() bool {
	for !r.no {
		for len(r.queue) > 0 && !r.no && r.steps > 0 {
			t := r.queue[0]
			r.queue = r.queue[1:]
			// An atom that tells nothing new is free: which are looked at in vain
			// depends on the numbers of terms, and what is found must not.
			changed, added := r.changed, r.added
			r.changed, r.added, r.work = 0, 0, lookWork
			r.revise(t)
			if r.changed|r.added != 0 {
				r.steps--
			}
			r.changed |= changed
			r.added |= added
		}
		if r.no || r.steps <= 0 {
			break
		}
		// Differences come before bounds are carried around a circle, step by step.
		if r.related {
			r.related, r.work = false, maxEdges*lookWork
			r.differences()
			continue
		}
		if r.changed|r.added == 0 {
			break
		}
		for _, t := range r.f.ties {
			mask := r.p.masks[t]
			if mask&r.changed != 0 || mask&r.added != 0 && (!r.p.compares(t) || r.p.mixed[t]) {
				r.queue = append(r.queue, t)
			}
		}
		r.changed, r.added = 0, 0
	}
	return !r.no
}

// compares reports whether t is a comparison or the negation of one.
func (p *Pool) compares(t Term) bool {
	n := &p.nodes[t]
	return n.kind == Comparison || n.kind == Negation && p.nodes[n.a].kind == Comparison
}

// termBit is one of 64 bits, for t.
func termBit(t Term) uint64 { return 1 << (t * 0x9e3779b1 >> 26) }

// truth records that t is v, which follows from what was assumed.
func (r *reasoner) truth(t Term, v bool) {
	known, ok := r.f.atom(r.p, t)
	switch {
	case ok && known != v:
		r.no = true
	case ok:
	case v:
		r.hold(t)
	default:
		r.hold(r.p.Not(t))
	}
}

// hold adds t, part by part.
func (r *reasoner) hold(t Term) {
	if a, b, ok := r.p.isOp(t, And); ok {
		r.truth(a, true)
		r.truth(b, true)
		return
	}
	r.add(t)
}

// bounds returns what is known of t.
func (r *reasoner) bounds(t Term, depth int) Bounds {
	n := &r.p.nodes[t]
	if n.kind == Constant {
		return exactly(n.v, n.bits)
	}
	r.work--
	b, ok := r.f.stored(t)
	if !ok {
		b = anything(n.bits)
	}
	if depth >= lookDepth || r.work <= 0 {
		return b
	}
	switch n.kind {
	case Variable, Application:
		if n.isPointer() {
			return b.meet(pointerBounds).sharpen(64)
		}
		if n.bits > 1 {
			return b
		}
	case ObjectAddr:
		return b.meet(addressBounds).sharpen(64)
	case Arithmetic:
		if n.bits > 1 {
			x, y := r.bounds(n.a, depth+1), r.bounds(n.b, depth+1)
			if x.empty() || y.empty() {
				return b
			}
			if Op(n.op) == Sub {
				b = b.meet(r.apart(n, x, y))
			}
			return b.meet(transfer(Op(n.op), n.bits, x, y)).sharpen(n.bits)
		}
	case Choice:
		if n.bits > 1 {
			return b.meet(r.choice(n, depth)).sharpen(n.bits)
		}
	case ZeroExt, SignExt:
		x := r.bounds(n.a, depth+1)
		if x.empty() {
			return b
		}
		return b.meet(widen(n.kind, x, r.p.Bits(n.a), n.bits)).sharpen(n.bits)
	case Extraction:
		if x := r.bounds(n.a, depth+1); !x.empty() {
			b = b.meet(cut(x, n.op, n.bits)).sharpen(n.bits)
		}
		if n.bits > 1 {
			return b
		}
	}
	if v, ok := r.decide(t, depth); ok {
		if v {
			return exactly(1, 1)
		}
		return exactly(0, 1)
	}
	return b
}

// apart bounds a - b where a >= b or a == b was assumed: it does not wrap then.
func (r *reasoner) apart(n *node, a, b Bounds) Bounds {
	if r.assumed(EQ, n.a, n.b, true) || r.assumed(EQ, n.b, n.a, true) {
		return exactly(0, n.bits)
	}
	less := r.assumed(ULT, n.b, n.a, true)
	if !less && !r.assumed(ULT, n.a, n.b, false) || a.Max < b.Min {
		return anything(n.bits)
	}
	to := unsignedBounds(0, a.Max-b.Min, n.bits)
	if less {
		to.Min = 1
	}
	if a.Min > b.Max {
		to.Min = a.Min - b.Max
	}
	return to
}

// assumed reports whether a pred b was assumed to be v.
func (r *reasoner) assumed(pred Pred, a, b Term, v bool) bool {
	t := r.p.find(node{kind: Comparison, op: uint8(pred), bits: 1, a: a, b: b})
	if t == 0 {
		return false
	}
	truth, known := r.f.atom(r.p, t)
	return known && truth == v
}

func (r *reasoner) choice(n *node, depth int) Bounds {
	if v, ok := r.decide(n.a, depth+1); ok && v {
		return r.bounds(n.b, depth+1)
	} else if ok {
		return r.bounds(n.c, depth+1)
	}
	return r.bounds(n.b, depth+1).join(r.bounds(n.c, depth+1))
}

// decide returns the truth of t, a term of one bit, if it is known.
func (r *reasoner) decide(t Term, depth int) (truth, known bool) {
	if v, ok := r.f.atom(r.p, t); ok {
		return v, true
	}
	r.work--
	if depth >= lookDepth || r.work <= 0 {
		return false, false
	}
	switch n := &r.p.nodes[t]; n.kind {
	case Negation:
		v, ok := r.decide(n.a, depth+1)
		return !v, ok
	case Arithmetic:
		a, okA := r.decide(n.a, depth+1)
		b, okB := r.decide(n.b, depth+1)
		switch {
		case Op(n.op) == Xor:
			return a != b, okA && okB
		case okA && !a || okB && !b:
			return false, true
		}
		return true, okA && okB
	case Choice:
		if c, ok := r.decide(n.a, depth+1); ok && c {
			return r.decide(n.b, depth+1)
		} else if ok {
			return r.decide(n.c, depth+1)
		}
		a, okA := r.decide(n.b, depth+1)
		b, okB := r.decide(n.c, depth+1)
		return a, okA && okB && a == b
	case Extraction:
		b := r.bounds(n.a, depth+1)
		return b.Ones>>n.op&1 == 1, (b.Ones|b.Zeros)>>n.op&1 == 1
	case Comparison:
		a, b := r.bounds(n.a, depth+1), r.bounds(n.b, depth+1)
		if a.empty() || b.empty() {
			return false, false
		}
		return decideCompare(Pred(n.op), a, b)
	}
	return false, false
}

func decideCompare(pred Pred, a, b Bounds) (truth, known bool) {
	switch pred {
	case EQ:
		x, ok := a.Exactly()
		y, ok2 := b.Exactly()
		if ok && ok2 {
			return x == y, true
		}
		apart := a.Max < b.Min || b.Max < a.Min || a.SMax < b.SMin || b.SMax < a.SMin ||
			a.Ones&b.Zeros != 0 || a.Zeros&b.Ones != 0
		return false, apart
	case ULT:
		return a.Max < b.Min, a.Max < b.Min || a.Min >= b.Max
	default:
		return a.SMax < b.SMin, a.SMax < b.SMin || a.SMin >= b.SMax
	}
}
