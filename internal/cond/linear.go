// This file holds sums of several terms against each other: as inequalities between
// numbers, from which one term after the other is eliminated (Fourier and Motzkin).
// Terms become numbers only where it is known that nothing wraps.

package cond

import "slices"

// Bounds of a system: past them it is given up, which is no contradiction.
const (
	maxRows    = 240
	maxCoef    = 1 << 20
	maxAddend  = 1 << 58
	linearLook = 8     // levels of a term that are taken apart
	linearWork = 20000 // rows that are made
)

// A row says that the sum of its terms is at most k.
type row struct {
	terms []scaled // by column, none with coefficient 0
	k     int64
}

type scaled struct {
	column int
	by     int64
}

// A system is a set of rows. Its columns are terms, read as numbers.
type system struct {
	r       *reasoner
	columns []view
	rows    []row
	work    int // rows that may still be made
}

// linear reports whether the comparisons that hold contradict each other as sums.
func (f *Facts) linear(p *Pool) bool {
	s := &system{r: &reasoner{f: f, p: p}, work: linearWork}
	// In the second round more is known of what wraps.
	for range 2 {
		for _, t := range f.ties {
			if s.add(t); len(s.rows) > maxRows/2 {
				break
			}
		}
	}
	return s.contradicts(row{})
}

// add takes the rows of an atom.
func (s *system) add(t Term) {
	p := s.r.p
	v := true
	if x, ok := p.negated(t); ok {
		t, v = x, false
	}
	n := p.nodes[t]
	if n.kind != Comparison {
		return
	}
	pred := Pred(n.op)
	if pred == EQ && !v {
		return
	}
	s.r.work = 10 * lookWork
	a, ok1 := s.sum(n.a, pred == SLT, 0)
	b, ok2 := s.sum(n.b, pred == SLT, 0)
	if !ok1 || !ok2 {
		return
	}
	less := combine(a, 1, b, -1) // a - b, as a row: its k is minus the constant
	more := combine(b, 1, a, -1)
	switch {
	case pred == EQ:
		s.push(less)
		s.push(more)
	case v: // a - b <= -1
		less.k--
		s.push(less)
	default:
		s.push(more)
	}
}

func (s *system) push(r row) {
	if r, ok := r.reduced(); ok && !slices.ContainsFunc(s.rows, r.equal) {
		s.rows = append(s.rows, r)
	}
}

func (r row) equal(o row) bool { return r.k == o.k && slices.Equal(r.terms, o.terms) }

// sum returns t, read as a number, as the left side of a row; k is minus its constant.
func (s *system) sum(t Term, signedView bool, depth int) (row, bool) {
	p := s.r.p
	n := p.nodes[t]
	switch {
	case n.kind == Constant:
		v := int64(n.v)
		if signedView {
			v = signed(n.v, n.bits)
		} else if n.v >= maxAddend {
			return row{}, false
		}
		return row{k: -v}, v < maxAddend && v > -maxAddend
	case depth >= linearLook:
	case n.kind == ZeroExt:
		return s.sum(n.a, false, depth+1)
	case n.kind == SignExt && (signedView || s.r.bounds(n.a, 0).SMin >= 0):
		return s.sum(n.a, true, depth+1)
	case n.kind == Arithmetic:
		if r, ok := s.sumOf(t, n, signedView, depth); ok {
			return r, true
		}
	}
	return s.column(t, signedView), true
}

// sumOf takes sums and products with constants apart, if they do not wrap.
func (s *system) sumOf(t Term, n node, signedView bool, depth int) (row, bool) {
	p := s.r.p
	var r row
	switch Op(n.op) {
	case Add, Sub:
		a, ok1 := s.sum(n.a, signedView, depth+1)
		var b row
		by := int64(1)
		ok2 := true
		if k, ok := p.Signed(n.b); ok { // x + 4294967295 is x - 1
			b, ok2 = row{k: -k}, k < maxAddend && k > -maxAddend
		} else {
			b, ok2 = s.sum(n.b, signedView, depth+1)
		}
		if Op(n.op) == Sub {
			by = -1
		}
		if !ok1 || !ok2 {
			return row{}, false
		}
		r = combine(a, 1, b, by)
	case Mul:
		k, ok := p.Signed(n.b)
		a, ok1 := s.sum(n.a, signedView, depth+1)
		if !ok || !ok1 || k == 0 || abs(k) >= maxCoef || abs(a.k) > maxAddend/abs(k) {
			return row{}, false
		}
		r = combine(a, k, row{}, 1)
	default:
		return row{}, false
	}
	return r, r.small() && s.stays(r, n.bits, signedView)
}

// stays reports whether a sum is within the numbers of w bits.
func (s *system) stays(r row, w uint8, signedView bool) bool {
	const far = maxAddend / 32 // so that the rows below are small
	lo, hi := int64(0), int64(far)
	if signedView {
		lo, hi = max(minSigned(w), -far), min(maxSigned(w), far)
	} else if w < 53 {
		hi = int64(ones(w))
	}
	// sum < lo, as sum - constant <= lo - 1 - constant
	below := row{r.terms, lo - 1 + r.k}
	above := negate(row{r.terms, hi + 1 + r.k})
	return s.contradicts(below) && s.contradicts(above)
}

// column returns a term as itself, and its bounds as rows.
func (s *system) column(t Term, signedView bool) row {
	b := s.r.bounds(t, 0)
	if b.SMin >= 0 {
		signedView = false // the same either way
	}
	v := view{t, signedView}
	i := slices.Index(s.columns, v)
	if i < 0 {
		i = len(s.columns)
		s.columns = append(s.columns, v)
		lo, hi := b.SMin, b.SMax
		if !signedView {
			lo, hi = int64(min(b.Min, maxAddend)), int64(min(b.Max, maxAddend))
			if b.Max >= maxAddend {
				hi = maxAddend + 1 // unknown
			}
		}
		if hi < maxAddend {
			s.push(row{[]scaled{{i, 1}}, hi})
		}
		if lo > -maxAddend {
			s.push(row{[]scaled{{i, -1}}, -lo})
		}
	}
	return row{terms: []scaled{{i, 1}}}
}

// combine returns x*a + y*b.
func combine(a row, x int64, b row, y int64) row {
	out := row{k: a.k*x + b.k*y, terms: make([]scaled, 0, len(a.terms)+len(b.terms))}
	i, j := 0, 0
	for i < len(a.terms) || j < len(b.terms) {
		switch {
		case j == len(b.terms) || i < len(a.terms) && a.terms[i].column < b.terms[j].column:
			out.terms = append(out.terms, scaled{a.terms[i].column, a.terms[i].by * x})
			i++
		case i == len(a.terms) || b.terms[j].column < a.terms[i].column:
			out.terms = append(out.terms, scaled{b.terms[j].column, b.terms[j].by * y})
			j++
		default:
			if by := a.terms[i].by*x + b.terms[j].by*y; by != 0 {
				out.terms = append(out.terms, scaled{a.terms[i].column, by})
			}
			i++
			j++
		}
	}
	return out
}

// negate turns sum >= k, given as a row with that k, into sum <= -k of the opposite.
func negate(r row) row {
	out := row{make([]scaled, len(r.terms)), -r.k}
	for i, t := range r.terms {
		out.terms[i] = scaled{t.column, -t.by}
	}
	return out
}

// small reports whether the numbers are such that sums of a few do not wrap.
func (r row) small() bool {
	return abs(r.k) < maxAddend && !slices.ContainsFunc(r.terms, func(t scaled) bool { return abs(t.by) >= maxCoef })
}

// reduced divides by what all coefficients have in common; the terms are whole numbers,
// so k is rounded down. It reports whether the numbers are small.
func (r row) reduced() (row, bool) {
	if !r.small() {
		return row{}, false
	}
	var g int64
	for _, t := range r.terms {
		g = gcd(g, t.by)
	}
	if g <= 1 {
		return r, true
	}
	out := row{make([]scaled, len(r.terms)), floorDiv(r.k, g)}
	for i, t := range r.terms {
		out.terms[i] = scaled{t.column, t.by / g}
	}
	return out, true
}

func gcd(a, b int64) int64 {
	if b < 0 {
		b = -b
	}
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// contradicts eliminates one column after the other from the system and one more row.
func (s *system) contradicts(more row) bool {
	rows := slices.Clone(s.rows)
	if len(more.terms) > 0 || more.k < 0 {
		r, ok := more.reduced()
		if !ok {
			return false
		}
		rows = append(rows, r)
	}
	for {
		if slices.ContainsFunc(rows, func(r row) bool { return len(r.terms) == 0 && r.k < 0 }) {
			return true
		}
		column, found := s.cheapest(rows)
		if !found {
			return false
		}
		rows = s.eliminate(rows, column)
		if len(rows) > maxRows || s.work <= 0 {
			return false
		}
	}
}

// cheapest returns the column whose elimination makes the fewest rows.
func (s *system) cheapest(rows []row) (int, bool) {
	up, down := make([]int, len(s.columns)), make([]int, len(s.columns))
	for _, r := range rows {
		for _, t := range r.terms {
			if t.by > 0 {
				up[t.column]++
			} else {
				down[t.column]++
			}
		}
	}
	best, cost := -1, 0
	for i := range s.columns {
		c := up[i]*down[i] - up[i] - down[i]
		if up[i]+down[i] > 0 && (best < 0 || c < cost) {
			best, cost = i, c
		}
	}
	return best, best >= 0
}

// eliminate adds each row that bounds the column from above to each from below.
func (s *system) eliminate(rows []row, column int) []row {
	var up, down, out []row
	for _, r := range rows {
		switch by := r.by(column); {
		case by > 0:
			up = append(up, r)
		case by < 0:
			down = append(down, r)
		default:
			out = append(out, r)
		}
	}
	for _, u := range up {
		for _, d := range down {
			s.work--
			x, y := -d.by(column), u.by(column)
			g := gcd(x, y)
			if abs(u.k) > maxAddend/8/(x/g) || abs(d.k) > maxAddend/8/(y/g) {
				continue // too large; one row less is no contradiction more
			}
			if r, ok := combine(u, x/g, d, y/g).reduced(); ok && !slices.ContainsFunc(out, r.equal) {
				out = append(out, r)
			}
			if len(out) > maxRows || s.work <= 0 {
				return out
			}
		}
	}
	return out
}

func (r row) by(column int) int64 {
	for _, t := range r.terms {
		if t.column == column {
			return t.by
		}
	}
	return 0
}

func abs(a int64) int64 {
	if a < 0 {
		return -a
	}
	return a
}
