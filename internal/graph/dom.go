// This file computes dominators and dominance frontiers.

package graph

// A Dom is the dominator tree of what an entry node reaches.
//
// Build uses the Semi-NCA algorithm (Georgiadis 2005): near linear, and not
// quadratic on the long chains of "goto fail" that real C has, which the
// simpler iteration of Cooper, Harvey and Kennedy is.
type Dom struct {
	Idom    []uint32 // by node: its immediate dominator; None for the entry and unreached nodes
	RPO     []uint32 // nodes reached, in reverse postorder; a node comes after its dominators
	Child   []uint32 // by node: its first child in the tree, or None; siblings are in RPO order
	Sibling []uint32 // by node: the next child of the same parent, or None

	dfs               DFS
	semi, label, anc  []uint32 // by preorder number
	idom              []uint32 // by preorder number
	path              []uint32
	in, size          []uint32 // by node: first preorder number and size of its subtree
	fhead             []uint32 // by node: its first entry in frontier, or None
	frontier          []link
	hasFrontier       bool
	seenDF, seenInput []uint32 // by node: the query that saw it
	query             uint32
	work              []uint32
}

// A link is an element of one node's dominance frontier.
type link struct{ node, next uint32 }

// Build computes the tree of g, whose reverse is pred.
func (d *Dom) Build(g, pred *CSR, entry uint32) {
	d.dfs.Build(g, entry)
	d.RPO = d.dfs.RPO(d.RPO[:0])
	d.semis(pred)
	d.tree(g.N())
	d.hasFrontier = false
}

// semis computes immediate dominators, by preorder number, into d.idom.
func (d *Dom) semis(pred *CSR) {
	n := uint32(len(d.dfs.Pre))
	d.semi, d.label = sized(d.semi, int(n)), sized(d.label, int(n))
	d.anc, d.idom = sized(d.anc, int(n)), sized(d.idom, int(n))
	for i := range n {
		d.semi[i], d.label[i] = i, i
		d.anc[i] = 0
		if i > 0 {
			d.anc[i] = d.dfs.PreNum[d.dfs.Parent[d.dfs.Pre[i]]]
		}
		d.idom[i] = d.anc[i]
	}
	for i := n; i > 1; {
		i--
		d.semi[i] = d.idom[i]
		for _, p := range pred.Succs(d.dfs.Pre[i]) {
			if v := d.dfs.PreNum[p]; v != None {
				d.semi[i] = min(d.semi[i], d.semi[d.eval(v, i+1)])
			}
		}
	}
	for i := uint32(1); i < n; i++ {
		for d.idom[i] > d.semi[i] {
			d.idom[i] = d.idom[d.idom[i]]
		}
	}
}

// eval returns the node of least semidominator on the tree path to v, as far
// up as nodes numbered linked and above, and shortens that path.
func (d *Dom) eval(v, linked uint32) uint32 {
	if d.anc[v] < linked {
		return d.label[v]
	}
	d.path = d.path[:0]
	for d.anc[v] >= linked {
		d.path = append(d.path, v)
		v = d.anc[v]
	}
	up := v
	for i := len(d.path) - 1; i >= 0; i-- {
		w := d.path[i]
		d.anc[w] = d.anc[up]
		if d.semi[d.label[up]] < d.semi[d.label[w]] {
			d.label[w] = d.label[up]
		}
		up = w
	}
	return d.label[up]
}

// tree turns preorder numbers into nodes and numbers the subtrees.
func (d *Dom) tree(n int) {
	d.Idom, d.Child, d.Sibling = filled(d.Idom, n), filled(d.Child, n), filled(d.Sibling, n)
	d.in, d.size = filled(d.in, n), sized(d.size, n)
	for i, v := range d.dfs.Pre {
		d.size[v] = 1
		if i > 0 {
			d.Idom[v] = d.dfs.Pre[d.idom[i]]
		}
	}
	for i := len(d.RPO) - 1; i > 0; i-- {
		v := d.RPO[i]
		p := d.Idom[v]
		d.size[p] += d.size[v]
		d.Sibling[v], d.Child[p] = d.Child[p], v
	}
	// A parent is numbered before its children; path is each node's next free number.
	d.path = sized(d.path, n)
	for i, v := range d.RPO {
		if i == 0 {
			d.in[v] = 0
		} else {
			p := d.Idom[v]
			d.in[v] = d.path[p]
			d.path[p] += d.size[v]
		}
		d.path[v] = d.in[v] + 1
	}
}

// Reached reports whether the entry reaches v.
func (d *Dom) Reached(v uint32) bool { return d.dfs.Reached(v) }

// Dominates reports whether every path to b goes through a. A node dominates
// itself. Unreached nodes dominate nothing and are dominated by nothing.
func (d *Dom) Dominates(a, b uint32) bool {
	return d.in[a] != None && d.in[b] != None && d.in[b]-d.in[a] < d.size[a]
}
