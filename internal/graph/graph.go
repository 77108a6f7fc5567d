// Package graph holds algorithms on integer graphs: orders, strongly connected
// components, dominators and dominance frontiers.
//
// Nodes are 0 to N-1 and edges sit in flat arrays. Everything that needs
// working memory is a struct whose Build may be called again: it keeps its
// arrays, so a loop over thousands of functions allocates for the largest one
// only. Nothing recurses, so a chain of a million nodes is no deeper than one.
// Results depend on the order of edges and on nothing else.
package graph

// None is no node.
const None = ^uint32(0)

// A CSR is a directed graph: the successors of v are To[Off[v]:Off[v+1]].
type CSR struct {
	Off []uint32 // N+1 entries
	To  []uint32
}

// N returns the number of nodes.
func (g *CSR) N() int { return max(len(g.Off)-1, 0) }

// Succs returns the successors of v.
func (g *CSR) Succs(v uint32) []uint32 { return g.To[g.Off[v]:g.Off[v+1]] }

// An Edge leads from one node to another.
type Edge struct{ From, To uint32 }

// Build makes g the graph of n nodes with these edges. The successors of a node
// keep the order the edges came in. It reuses the arrays of g.
func (g *CSR) Build(n int, edges []Edge) {
	g.Off = zeroed(g.Off, n+1)
	g.To = sized(g.To, len(edges))
	for _, e := range edges {
		g.Off[e.From+1]++
	}
	for v := 0; v < n; v++ {
		g.Off[v+1] += g.Off[v]
	}
	// Off[v] serves as the cursor of v, which leaves every entry one place early.
	for _, e := range edges {
		g.To[g.Off[e.From]] = e.To
		g.Off[e.From]++
	}
	g.unshift()
}

// Reverse makes r the graph with all edges of g turned round. The predecessors
// of a node come in ascending order.
func (g *CSR) Reverse(r *CSR) {
	n := g.N()
	r.Off = zeroed(r.Off, n+1)
	r.To = sized(r.To, len(g.To))
	for _, w := range g.To {
		r.Off[w+1]++
	}
	for v := 0; v < n; v++ {
		r.Off[v+1] += r.Off[v]
	}
	for v := range uint32(n) {
		for _, w := range g.Succs(v) {
			r.To[r.Off[w]] = v
			r.Off[w]++
		}
	}
	r.unshift()
}

// unshift undoes the use of Off as cursors.
func (g *CSR) unshift() {
	copy(g.Off[1:], g.Off)
	if len(g.Off) > 0 {
		g.Off[0] = 0
	}
}

// sized returns a slice of n elements, s's own memory if it is large enough.
func sized(s []uint32, n int) []uint32 {
	if cap(s) < n {
		return make([]uint32, n, n+n/2)
	}
	return s[:n]
}

// zeroed is sized with all elements 0.
func zeroed(s []uint32, n int) []uint32 {
	s = sized(s, n)
	clear(s)
	return s
}

// filled is sized with all elements None.
func filled(s []uint32, n int) []uint32 {
	s = sized(s, n)
	for i := range s {
		s[i] = None
	}
	return s
}
