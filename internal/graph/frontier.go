// This file computes dominance frontiers, where SSA construction puts phis.

package graph

// BuildFrontier computes the dominance frontiers of the tree last built from
// these edges. Frontier and IteratedFrontier need it.
func (d *Dom) BuildFrontier(pred *CSR) {
	n := len(d.Idom)
	d.fhead = filled(d.fhead, n)
	d.frontier = d.frontier[:0]
	d.seenDF, d.seenInput = zeroed(d.seenDF, n), zeroed(d.seenInput, n)
	d.query = 0
	d.hasFrontier = true
	for _, b := range d.RPO {
		stop := d.Idom[b]
		for _, v := range pred.Succs(b) {
			if !d.Reached(v) {
				continue
			}
			// Once b is in the frontier of a node, it is in those of its dominators up to stop.
			for v != stop && !(d.fhead[v] != None && d.frontier[d.fhead[v]].node == b) {
				d.frontier = append(d.frontier, link{b, d.fhead[v]})
				d.fhead[v] = uint32(len(d.frontier) - 1)
				v = d.Idom[v]
				if v == None {
					break
				}
			}
		}
	}
}

// Frontier appends to out the nodes that v does not strictly dominate but one
// of whose predecessors it does dominate.
func (d *Dom) Frontier(v uint32, out []uint32) []uint32 {
	d.needFrontier()
	for l := d.fhead[v]; l != None; l = d.frontier[l].next {
		out = append(out, d.frontier[l].node)
	}
	return out
}

// IteratedFrontier appends to out the frontier of these nodes, of that
// frontier, and so on: where a variable assigned in defs needs phis. Unreached
// nodes count for nothing. The order is that of discovery.
func (d *Dom) IteratedFrontier(defs, out []uint32) []uint32 {
	d.needFrontier()
	d.query++
	d.work = d.work[:0]
	for _, v := range defs {
		if d.seenInput[v] != d.query {
			d.seenInput[v] = d.query
			d.work = append(d.work, v)
		}
	}
	for i := 0; i < len(d.work); i++ {
		for l := d.fhead[d.work[i]]; l != None; l = d.frontier[l].next {
			w := d.frontier[l].node
			if d.seenDF[w] == d.query {
				continue
			}
			d.seenDF[w] = d.query
			out = append(out, w)
			if d.seenInput[w] != d.query {
				d.seenInput[w] = d.query
				d.work = append(d.work, w)
			}
		}
	}
	return out
}

func (d *Dom) needFrontier() {
	if !d.hasFrontier {
		panic("graph: BuildFrontier was not called")
	}
}
