// This file holds orders and equalities of two terms against each other.

package cond

import "slices"

// Differences are kept small, so that sums of them do not wrap.
const (
	maxDifference = 1 << 56
	maxEdges      = 96
)

// A view is a term read as an unsigned or as a signed number.
type view struct {
	t      Term // 0 is the number 0
	signed bool
}

// An edge says that x - y <= k, as numbers.
type edge struct {
	x, y int // indexes differ.views
	k    int64
}

// A gap says that x and y lie k or more apart.
type gap struct {
	x, y int
	k    int64 // positive
	off  int64 // it is x + off that is apart from y
}

// A differ is a system of differences.
type differ struct {
	r     *reasoner
	views []view
	edges []edge
	gaps  []gap
}

// differences looks for a contradiction among the newest ties.
func (r *reasoner) differences() {
	d := &differ{r: r, views: []view{{}}}
	for i := len(r.f.ties) - 1; i >= 0 && len(d.edges) < maxEdges; i-- {
		d.add(r.f.ties[i])
		d.addSubs(r.f.ties[i])
	}
	if len(d.edges) < 2 {
		return
	}
	d.addParts()
	d.addBounds()
	d.addAddresses()
	for range 4 {
		at, ok := d.solve()
		if !ok {
			r.no = true
			return
		}
		if !d.widen(at) {
			return
		}
	}
}

// add takes the edges of an atom.
func (d *differ) add(t Term) {
	p := d.r.p
	v := true
	if x, ok := p.negated(t); ok {
		t, v = x, false
	}
	n := p.nodes[t]
	if n.kind != Comparison || p.nodes[n.b].kind == Constant {
		return
	}
	switch Pred(n.op) {
	case EQ:
		for _, s := range []bool{false, true} {
			x, i := d.view(n.a, s)
			y, j := d.view(n.b, s)
			if v {
				d.edge(x, y, j-i)
				d.edge(y, x, i-j)
			} else {
				d.gaps = append(d.gaps, gap{x, y, 1, i - j})
			}
		}
	default:
		s := Pred(n.op) == SLT
		// Where both are positive either way of reading them is the same.
		d.order(n, v, s)
		if a, b := d.r.bounds(n.a, 1), d.r.bounds(n.b, 1); a.SMin >= 0 && b.SMin >= 0 {
			d.order(n, v, !s)
		}
	}
}

func (d *differ) order(n node, v, s bool) {
	x, i := d.view(n.a, s)
	y, j := d.view(n.b, s)
	if v { // x + i < y + j
		d.edge(x, y, j-i-1)
	} else { // y + j <= x + i
		d.edge(y, x, i-j)
	}
}

func (d *differ) edge(x, y int, k int64) {
	if k < maxDifference && k > -maxDifference {
		d.edges = append(d.edges, edge{x, y, k})
	}
}

// view returns t as a number: a view and what is added to it. Constants that are added
// and extensions are taken off where the number stays the same.
func (d *differ) view(t Term, s bool) (int, int64) {
	p := d.r.p
	var off int64
	for range 4 {
		n := &p.nodes[t]
		if n.kind == ZeroExt {
			t, s = n.a, false
			continue
		}
		if n.kind == SignExt && s {
			t = n.a
			continue
		}
		x, k, ok := p.withConst(t, Add)
		if !ok {
			break
		}
		by := signed(k, n.bits)
		if by >= maxDifference/8 || by <= -maxDifference/8 {
			break
		}
		b := d.r.bounds(x, 1)
		if s {
			_, ok1 := addSigned(b.SMin, by, n.bits)
			_, ok2 := addSigned(b.SMax, by, n.bits)
			ok = ok1 && ok2
		} else {
			ok = by >= 0 && b.Max <= ones(n.bits)-uint64(by) || by < 0 && b.Min >= uint64(-by)
		}
		if !ok {
			break
		}
		t, off = x, off+by
	}
	v := view{t, s}
	if i := slices.Index(d.views, v); i >= 0 {
		return i, off
	}
	d.views = append(d.views, v)
	return len(d.views) - 1, off
}

// addSubs relates what is near the top of a tie as a - b to a and b, where it is known
// whether it wraps.
func (d *differ) addSubs(t Term) {
	p := d.r.p
	for _, t := range p.subs(t) {
		n := p.nodes[t]
		x, i := d.view(t, false)
		a, j := d.view(n.a, false)
		switch {
		case d.r.assumed(ULT, n.a, n.b, true): // it wraps, to more than a
			d.edge(a, x, i-j-1)
		case d.r.assumed(ULT, n.a, n.b, false) || d.r.assumed(ULT, n.b, n.a, true):
			d.edge(x, a, j-i)
			b, k := d.view(n.b, false)
			to := d.r.bounds(t, 1)
			if to.Max < maxDifference {
				d.edge(a, b, int64(to.Max)+k-j)
			}
			if to.Min < maxDifference {
				d.edge(b, a, j-k-int64(to.Min))
			}
		}
	}
}

// subs returns the differences near the top of t.
func (p *Pool) subs(t Term) []Term {
	return p.near(t, func(n *node) bool { return Op(n.op) == Sub && p.nodes[n.a].kind != Constant })
}

// near returns the arithmetic near the top of t that is wanted.
func (p *Pool) near(t Term, want func(*node) bool) []Term {
	var found []Term
	todo := []Term{t}
	for looked := 0; len(todo) > 0 && looked < 12; looked++ {
		t := todo[0]
		todo = todo[1:]
		n := &p.nodes[t]
		if n.kind == Arithmetic && n.bits > 1 && want(n) {
			found = append(found, t)
		}
		if n.kind == Application {
			continue
		}
		for _, a := range [...]Term{n.a, n.b, n.c} {
			if a != 0 && p.nodes[a].kind != Constant {
				todo = append(todo, a)
			}
		}
	}
	return found
}

// addParts relates x & k to x: it is not greater, and what k leaves out of x is at most
// what k leaves out of all. Nor are the high bits of x greater than x.
func (d *differ) addParts() {
	p := d.r.p
	for i := 0; i < len(d.views); i++ { // views are added
		v := d.views[i]
		if v.t == 0 || v.signed {
			continue
		}
		if n := p.nodes[v.t]; n.kind == Extraction {
			y, off := d.view(n.a, false)
			d.edge(i, y, off)
		} else if x, k, ok := p.withConst(v.t, And); ok {
			y, off := d.view(x, false)
			d.edge(i, y, off)
			if lost := ones(n.bits) &^ k; lost < maxDifference {
				d.edge(y, i, int64(lost)-off)
			}
		}
	}
}

// addBounds relates each view to the number 0, and the two views of one term.
func (d *differ) addBounds() {
	for i, v := range d.views {
		if v.t == 0 {
			continue
		}
		b := d.r.bounds(v.t, 1)
		if v.signed {
			d.edge(i, 0, b.SMax)
			if b.SMin > -maxDifference {
				d.edge(0, i, -b.SMin)
			}
			if j := slices.Index(d.views, view{v.t, false}); j >= 0 && b.SMin >= 0 {
				d.edge(i, j, 0)
				d.edge(j, i, 0)
			}
			continue
		}
		if b.Max < maxDifference {
			d.edge(i, 0, int64(b.Max))
		}
		if b.Min < maxDifference {
			d.edge(0, i, -int64(b.Min))
		}
	}
}

// addAddresses keeps objects apart.
func (d *differ) addAddresses() {
	for i, v := range d.views {
		for j, w := range d.views[:i] {
			if v.signed == w.signed && d.r.p.nodes[v.t].kind == ObjectAddr && d.r.p.nodes[w.t].kind == ObjectAddr {
				d.gaps = append(d.gaps, gap{i, j, objectReach, 0})
			}
		}
	}
}

// solve returns a number for each view such that all edges hold, if there are such.
// (Bellman and Ford: the shortest way to each from a place that is 0 away from all.)
func (d *differ) solve() ([]int64, bool) {
	at := make([]int64, len(d.views))
	for range len(d.views) + 1 {
		changed := false
		for _, e := range d.edges { // x <= y + k
			if v := at[e.y] + e.k; v < at[e.x] {
				at[e.x] = v
				changed = true
			}
		}
		if !changed {
			return at, true
		}
	}
	return nil, false
}

// widen adds the edges that follow from gaps: what is at most less than k above and
// not within k is at least k below. It returns whether there were any.
func (d *differ) widen(at []int64) bool {
	n := len(d.edges)
	rest := d.gaps[:0]
	for _, g := range d.gaps {
		// Only where this solution closes the gap can the edges force it.
		if diff := at[g.x] + g.off - at[g.y]; diff >= g.k || diff <= -g.k {
			rest = append(rest, g)
			continue
		}
		above, ok := d.atMost(g.x, g.y) // x - y <= above
		if ok && above+g.off < g.k {
			d.edge(g.x, g.y, -g.k-g.off)
			continue
		}
		above, ok = d.atMost(g.y, g.x)
		if ok && above-g.off < g.k {
			d.edge(g.y, g.x, -g.k+g.off)
			continue
		}
		rest = append(rest, g)
	}
	d.gaps = rest
	return len(d.edges) > n
}

// atMost returns the least k with x - y <= k that the edges give.
func (d *differ) atMost(x, y int) (int64, bool) {
	const none = int64(1) << 62
	at := make([]int64, len(d.views))
	for i := range at {
		at[i] = none
	}
	at[y] = 0
	for range d.views {
		changed := false
		for _, e := range d.edges {
			if at[e.y] != none && at[e.y]+e.k < at[e.x] {
				at[e.x] = at[e.y] + e.k
				changed = true
			}
		}
		if !changed {
			break
		}
	}
	return at[x], at[x] != none
}
