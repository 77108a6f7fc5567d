package graph

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// randomGraph has up to 12 nodes, sparse or dense.
func randomGraph(r *rand.Rand) *CSR {
	n := 1 + r.IntN(12)
	edges := make([]Edge, r.IntN(3*n))
	for i := range edges {
		edges[i] = Edge{uint32(r.IntN(n)), uint32(r.IntN(n))}
	}
	g := new(CSR)
	g.Build(n, edges)
	return g
}

// reach returns what from reaches without passing through the node without.
func reach(g *CSR, from, without uint32) []bool {
	seen := make([]bool, g.N())
	if from == without {
		return seen
	}
	work := []uint32{from}
	seen[from] = true
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, w := range g.Succs(v) {
			if w != without && !seen[w] {
				seen[w] = true
				work = append(work, w)
			}
		}
	}
	return seen
}

// naiveDom[a][b] says that a dominates b, by removing a.
func naiveDom(g *CSR, entry uint32) [][]bool {
	all := reach(g, entry, None)
	dom := make([][]bool, g.N())
	for a := range dom {
		dom[a] = make([]bool, g.N())
		if !all[a] {
			continue
		}
		without := reach(g, entry, uint32(a))
		for b := range dom[a] {
			dom[a][b] = all[b] && !without[b]
		}
	}
	return dom
}

func TestDominators(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var d Dom
	var pred CSR
	for range 3000 {
		g := randomGraph(r)
		g.Reverse(&pred)
		d.Build(g, &pred, 0)
		d.BuildFrontier(&pred)
		want := naiveDom(g, 0)
		for a := range uint32(g.N()) {
			for b := range uint32(g.N()) {
				if got := d.Dominates(a, b); got != want[a][b] {
					t.Fatalf("%v: Dominates(%d, %d) = %v", *g, a, b, got)
				}
			}
			checkIdom(t, g, &d, want, a)
			checkFrontier(t, g, &pred, &d, want, a)
		}
		checkTree(t, &d)
	}
}

// checkIdom compares with the definition: the strict dominator that all others dominate.
func checkIdom(t *testing.T, g *CSR, d *Dom, dom [][]bool, v uint32) {
	t.Helper()
	want := None
	for a := range dom {
		if !dom[a][v] || uint32(a) == v {
			continue
		}
		if want == None || dom[want][a] {
			want = uint32(a)
		}
	}
	if d.Idom[v] != want {
		t.Fatalf("%v: Idom[%d] = %d, want %d", *g, v, int32(d.Idom[v]), int32(want))
	}
}

func checkFrontier(t *testing.T, g, pred *CSR, d *Dom, dom [][]bool, v uint32) {
	t.Helper()
	var want []uint32
	for b := range uint32(g.N()) {
		if dom[v][b] && v != b {
			continue
		}
		if slices.ContainsFunc(pred.Succs(b), func(p uint32) bool { return dom[v][p] }) {
			want = append(want, b)
		}
	}
	got := d.Frontier(v, nil)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Fatalf("%v: Frontier(%d) = %v, want %v", *g, v, got, want)
	}
	// Iterate by hand from v and its neighbour.
	defs := []uint32{v, (v + 1) % uint32(g.N())}
	in := map[uint32]bool{}
	for work := slices.Clone(defs); len(work) > 0; work = work[1:] {
		for _, w := range d.Frontier(work[0], nil) {
			if !in[w] {
				in[w] = true
				work = append(work, w)
			}
		}
	}
	iter := d.IteratedFrontier(defs, nil)
	for _, w := range iter {
		if !in[w] {
			t.Fatalf("%v: IteratedFrontier(%v) = %v, want %v", *g, defs, iter, in)
		}
	}
	if len(iter) != len(in) {
		t.Fatalf("%v: IteratedFrontier(%v) = %v, want %v", *g, defs, iter, in)
	}
}

// checkTree walks the children and compares with Idom and RPO.
func checkTree(t *testing.T, d *Dom) {
	t.Helper()
	seen := 0
	pos := map[uint32]int{}
	for i, v := range d.RPO {
		pos[v] = i
	}
	for _, v := range d.RPO {
		last := -1
		for c := d.Child[v]; c != None; c = d.Sibling[c] {
			if d.Idom[c] != v || pos[c] <= pos[v] || pos[c] <= last {
				t.Fatalf("child %d of %d: idom %d, RPO %v", c, v, d.Idom[c], d.RPO)
			}
			last = pos[c]
			seen++
		}
	}
	if seen != len(d.RPO)-1 {
		t.Fatalf("%d children of %d nodes", seen, len(d.RPO))
	}
}

func TestSCC(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var s SCC
	for range 3000 {
		g := randomGraph(r)
		s.Build(g)
		reaches := make([][]bool, g.N())
		for v := range reaches {
			reaches[v] = reach(g, uint32(v), None)
		}
		for a := range reaches {
			for b := range reaches {
				same := s.Comp[a] == s.Comp[b]
				if same != (reaches[a][b] && reaches[b][a]) {
					t.Fatalf("%v: components %v: %d and %d", *g, s.Comp, a, b)
				}
			}
			for _, b := range g.Succs(uint32(a)) {
				if s.Comp[b] > s.Comp[a] {
					t.Fatalf("%v: components %v are not bottom up", *g, s.Comp)
				}
			}
			if !slices.Contains(s.Members.Succs(s.Comp[a]), uint32(a)) {
				t.Fatalf("%v: %d is not a member of its component", *g, a)
			}
		}
	}
}

func TestReverse(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		g := randomGraph(r)
		var pred, again CSR
		g.Reverse(&pred)
		pred.Reverse(&again)
		for v := range uint32(g.N()) {
			want := slices.Sorted(slices.Values(g.Succs(v)))
			if !slices.Equal(want, again.Succs(v)) {
				t.Fatalf("%v: successors of %d are %v after reversing twice", *g, v, again.Succs(v))
			}
		}
	}
}

// chain is 0 → 1 → … with an edge from every node to the last: "goto fail".
func chain(n int) *CSR {
	var edges []Edge
	for v := range uint32(n - 1) {
		edges = append(edges, Edge{v, v + 1}, Edge{v, uint32(n - 1)})
	}
	g := new(CSR)
	g.Build(n, edges)
	return g
}

func TestDeep(t *testing.T) {
	const n = 200_000
	g := chain(n)
	var pred CSR
	g.Reverse(&pred)
	var d Dom
	d.Build(g, &pred, 0)
	d.BuildFrontier(&pred)
	if d.Idom[n-2] != n-3 || d.Idom[n-1] != 0 {
		t.Errorf("Idom = … %d %d", d.Idom[n-2], d.Idom[n-1])
	}
	var s SCC
	s.Build(g)
	if s.N() != n || s.Comp[0] != n-1 {
		t.Errorf("%d components, the first node is in %d", s.N(), s.Comp[0])
	}
}

func TestReuseAllocatesNothing(t *testing.T) {
	g := chain(100)
	var pred CSR
	var d Dom
	var s SCC
	out := make([]uint32, 0, 200)
	run := func() {
		g.Reverse(&pred)
		d.Build(g, &pred, 0)
		d.BuildFrontier(&pred)
		out = d.IteratedFrontier([]uint32{3}, out[:0])
		s.Build(g)
	}
	run()
	if n := testing.AllocsPerRun(10, run); n > 0 {
		t.Errorf("%v allocations when everything is reused", n)
	}
}

func BenchmarkDominators(b *testing.B) {
	g := chain(10_000)
	var pred CSR
	g.Reverse(&pred)
	var d Dom
	b.ReportAllocs()
	for b.Loop() {
		d.Build(g, &pred, 0)
		d.BuildFrontier(&pred)
	}
}

func BenchmarkSCC(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	edges := make([]Edge, 40_000)
	for i := range edges {
		edges[i] = Edge{uint32(r.IntN(20_000)), uint32(r.IntN(20_000))}
	}
	var g CSR
	g.Build(20_000, edges)
	var s SCC
	b.ReportAllocs()
	for b.Loop() {
		s.Build(&g)
	}
}
