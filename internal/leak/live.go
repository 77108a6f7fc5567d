// This file finds where a value is still to be used.

package leak

import "github.com/plumb-project/plumb/internal/ir"

// back adds to set what leads to the blocks in work without passing through stop.
func (fn *function) back(set bits, work []uint32, stop uint32) {
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range fn.pred.Succs(b) {
			if p != stop && !set.has(p) {
				set.add(p)
				work = append(work, p)
			}
		}
	}
}

// liveIn reports whether v has a use that can come after the start of b, phis of b not counted.
func (fn *function) liveIn(v ir.ValueID, b ir.BlockID) bool {
	set := fn.live[v]
	if set == nil {
		set = make(bits, len(fn.f.Blocks)/64+1)
		def := uint32(fn.f.BlockOf(v))
		var work []uint32
		add := func(b uint32) {
			if b != def && !set.has(b) {
				set.add(b)
				work = append(work, b)
			}
		}
		for _, u := range fn.uses.Succs(uint32(v)) {
			u := ir.ValueID(u)
			b := fn.f.BlockOf(u)
			if fn.f.Values[u].Op != ir.OpPhi {
				add(uint32(b))
				continue
			}
			for i, a := range fn.f.ArgsOf(u) {
				if a == v {
					add(uint32(fn.f.PredsOf(b)[i]))
				}
			}
		}
		fn.back(set, work, def)
		fn.live[v] = set
	}
	return set.has(uint32(b))
}

// liveAfter reports whether v has a use that can come after instruction i of block b.
func (fn *function) liveAfter(v, i ir.ValueID, b ir.BlockID) bool {
	f := fn.f
	for _, u := range fn.uses.Succs(uint32(v)) {
		if u := ir.ValueID(u); u > i && u < f.Blocks[b].End && f.Values[u].Op != ir.OpPhi {
			return true
		}
	}
	for _, s := range f.SuccsOf(b) {
		if fn.liveIn(v, s) || fn.phiUses(v, b, s) {
			return true
		}
	}
	return false
}

// phiUses reports whether a phi of s takes v from b.
func (fn *function) phiUses(v ir.ValueID, b, s ir.BlockID) bool {
	f := fn.f
	for p := f.Blocks[s].First; f.Values[p].Op == ir.OpPhi; p++ {
		for i, a := range f.ArgsOf(p) {
			if a == v && f.PredsOf(s)[i] == b {
				return true
			}
		}
	}
	return false
}
