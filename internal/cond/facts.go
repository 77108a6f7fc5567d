package cond

import "slices"

// A Stage says which solver found an answer, from the cheapest on; 0 is none.
type Stage uint8

// The stages.
const (
	Linear   Stage = iota + 1 // an atom and its negation were both assumed
	Interval                  // bounds, bits, equalities and differences
	SMT                       // an external solver
)

func (s Stage) String() string {
	switch s {
	case 0:
		return "none"
	case Linear:
		return "linear"
	case Interval:
		return "interval"
	case SMT:
		return "smt"
	}
	panic("cond: bad stage")
}

// Facts is what is known on one path: the conditions assumed so far, and the bounds
// that follow from them. The zero value knows nothing.
//
// What follows is found in a bounded number of steps: bounds of operands give bounds
// of results and back; a condition with two sides is looked at again when either is
// narrowed; of a disjunction the last possible part is assumed; and orders and
// equalities of two terms are held against each other as differences.
type Facts struct {
	atoms  []Term   // sorted; each holds
	ties   []Term   // those atoms that are looked at again when what is in them is narrowed, oldest first
	terms  []Term   // sorted: those of which more is known than follows from the term itself
	bounds []Bounds // of terms
	holes  uint64   // a bit for each term that is not some constant, several terms share one
	dead   Stage    // a contradiction was found
	shared bool     // the slices belong to a clone too
}

// Clone returns a copy; what is assumed in one is unknown to the other. It is cheap:
// the copying is done by the first Assume of either.
func (f *Facts) Clone() *Facts {
	f.shared = true
	c := *f
	return &c
}

// Assume adds a condition of one bit. It returns how a contradiction was found, or 0
// if none was; after one, every Assume returns it again.
func (f *Facts) Assume(p *Pool, t Term) Stage {
	if f.dead != 0 {
		return f.dead
	}
	f.own()
	r := reasoner{f: f, p: p, steps: assumeSteps}
	// The linear check comes first, and for all parts: it needs nothing else.
	todo := []Term{t}
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if a, b, ok := p.isOp(t, And); ok {
			todo = append(todo, b, a)
			continue
		}
		v, known := f.atom(p, t)
		if known && !v {
			f.dead = Linear
			return Linear
		}
		if !known {
			r.add(t)
		}
	}
	if !r.run() {
		f.dead = Interval
	}
	return f.dead
}

// Decide reports whether t follows, or its negation, from bounds and conditions alone.
func (f *Facts) Decide(p *Pool, t Term) (truth, known bool) {
	r := reasoner{f: f, p: p, work: lookWork}
	return r.decide(t, 0)
}

// Range returns the values that t may have.
func (f *Facts) Range(p *Pool, t Term) Bounds {
	r := reasoner{f: f, p: p, work: lookWork}
	return r.bounds(t, 0)
}

// Contradiction returns how one was found, or 0.
func (f *Facts) Contradiction() Stage { return f.dead }

// Conditions returns what was assumed and what followed from disjunctions, each a
// term of one bit that holds.
func (f *Facts) Conditions() []Term { return slices.Clone(f.atoms) }

func (f *Facts) own() {
	if f.shared {
		f.atoms = slices.Clone(f.atoms)
		f.ties = slices.Clone(f.ties)
		f.terms = slices.Clone(f.terms)
		f.bounds = slices.Clone(f.bounds)
		f.shared = false
	}
}

// atom looks t up among what was assumed.
func (f *Facts) atom(p *Pool, t Term) (truth, known bool) {
	if v, ok := p.ConstValue(t); ok {
		return v == 1, true
	}
	if _, ok := search(f.atoms, t); ok {
		return true, true
	}
	opposite, ok := p.negated(t)
	if !ok {
		opposite = p.find(node{kind: Negation, bits: 1, a: t})
	}
	if opposite != 0 {
		if _, ok := search(f.atoms, opposite); ok {
			return false, true
		}
	}
	return false, false
}

// search returns where t is in ts, which are sorted, or should be.
func search(ts []Term, t Term) (int, bool) {
	i, j := 0, len(ts)
	for i < j {
		if h := int(uint(i+j) >> 1); ts[h] < t {
			i = h + 1
		} else {
			j = h
		}
	}
	return i, i < len(ts) && ts[i] == t
}

func (f *Facts) stored(t Term) (Bounds, bool) {
	i, ok := search(f.terms, t)
	if !ok {
		return Bounds{}, false
	}
	return f.bounds[i], true
}

func (f *Facts) store(t Term, b Bounds) {
	i, ok := search(f.terms, t)
	if ok {
		f.bounds[i] = b
		return
	}
	f.terms = slices.Insert(f.terms, i, t)
	f.bounds = slices.Insert(f.bounds, i, b)
}
