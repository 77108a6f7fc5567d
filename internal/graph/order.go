// This file walks a graph depth first.

package graph

// A DFS is the depth-first walk of what one node reaches.
type DFS struct {
	Pre    []uint32 // nodes in the order they were entered
	Post   []uint32 // nodes in the order they were left
	PreNum []uint32 // by node: its index in Pre, None when not reached
	Parent []uint32 // by node: where it was entered from, None for the start

	stack []uint32 // nodes entered and not left
	next  []uint32 // by node: index in To of the edge to follow next
}

// Build walks g from entry.
func (d *DFS) Build(g *CSR, entry uint32) {
	n := g.N()
	d.PreNum = filled(d.PreNum, n)
	d.Parent = filled(d.Parent, n)
	d.next = sized(d.next, n)
	d.Pre, d.Post = d.Pre[:0], d.Post[:0]
	d.enter(g, entry)
	for len(d.stack) > 0 {
		v := d.stack[len(d.stack)-1]
		if d.next[v] == g.Off[v+1] {
			d.Post = append(d.Post, v)
			d.stack = d.stack[:len(d.stack)-1]
			continue
		}
		w := g.To[d.next[v]]
		d.next[v]++
		if d.PreNum[w] == None {
			d.Parent[w] = v
			d.enter(g, w)
		}
	}
}

func (d *DFS) enter(g *CSR, v uint32) {
	d.PreNum[v] = uint32(len(d.Pre))
	d.Pre = append(d.Pre, v)
	d.next[v] = g.Off[v]
	d.stack = append(d.stack, v)
}

// Reached reports whether the walk came to v.
func (d *DFS) Reached(v uint32) bool { return d.PreNum[v] != None }

// RPO appends the nodes reached to out in reverse postorder: without cycles,
// every node before its successors.
func (d *DFS) RPO(out []uint32) []uint32 {
	for i := len(d.Post) - 1; i >= 0; i-- {
		out = append(out, d.Post[i])
	}
	return out
}
