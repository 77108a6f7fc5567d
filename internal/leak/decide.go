// This file finds what branches and returns depend on.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// isPure reports whether the truth of v follows from that of its operands.
func isPure(op ir.Op) bool { return op >= ir.OpAdd && op <= ir.OpPhi }

// findDeciders notes for each value the branches that depend on it.
func (fn *function) findDeciders() {
	f := fn.f
	fn.testedBy, fn.testedFrom = map[cell][]ir.ValueID{}, map[cell]bits{}
	for b := ir.BlockID(1); int(b) < len(f.Blocks); b++ {
		for v := f.Blocks[b].First; v < f.Blocks[b].End; v++ {
			switch x := &f.Values[v]; {
			case x.Op == ir.OpCondBr, x.Op == ir.OpSwitch, x.Op == ir.OpSelect && x.Type.Kind() == ir.Ptr:
				for _, r := range fn.decide(uint32(b), f.ArgsOf(v)[0]) {
					fn.tested[r] = true
					if f.Values[r].Op != ir.OpLoad {
						continue
					}
					if base, off, ok := fn.address(f.ArgsOf(r)[0]); ok {
						at := cell{base, off}
						if !slices.Contains(fn.testedBy[at], r) {
							fn.testedBy[at] = append(fn.testedBy[at], r)
						}
					}
				}
			case x.Op == ir.OpRet && x.NArgs > 0: // callers decide by what is returned
				for _, r := range fn.decide(uint32(b), f.ArgsOf(v)[0]) {
					fn.returnsOn[r] = true
				}
			}
		}
	}
}

// decide notes that the branch of b depends on v and what v is made of, and
// returns what that is.
func (fn *function) decide(b uint32, v ir.ValueID) []ir.ValueID {
	const limit = 200 // values looked through for one branch
	work := []ir.ValueID{fn.rep[v]}
	later := []bool{false} // it is decided by way of a phi, perhaps rounds of a loop later
	for i := 0; i < len(work) && i < limit; i++ {
		r := work[i]
		if l := fn.deciders[r]; len(l) == 0 || l[len(l)-1] != b {
			fn.deciders[r] = append(l, b)
		}
		if l := fn.laterOn[r]; later[i] && (len(l) == 0 || l[len(l)-1] != b) {
			fn.laterOn[r] = append(l, b)
		}
		if !isPure(fn.f.Values[r].Op) {
			continue
		}
		phi := later[i] || fn.f.Values[r].Op == ir.OpPhi
		for _, a := range fn.f.ArgsOf(r) {
			a = fn.rep[a]
			switch k := slices.Index(work, a); {
			case k < 0:
				work, later = append(work, a), append(later, phi)
			case phi && !later[k] && k > i:
				later[k] = true
			case phi && !later[k]: // seen before, but not by way of a phi
				later[k] = true
				fn.laterOn[a] = append(fn.laterOn[a], b)
			}
		}
	}
	return work
}

// readLater reports whether a branch after the start of b may depend on what is read
// from a place there or later.
func (fn *function) readLater(at cell, b ir.BlockID) bool {
	set, ok := fn.testedFrom[at]
	if !ok {
		set = make(bits, len(fn.f.Blocks)/64+1)
		var work []uint32
		for _, load := range fn.testedBy[at] {
			def := uint32(fn.f.BlockOf(load))
			set.add(def)
			work = append(work, def)
		}
		fn.back(set, work, 0)
		fn.testedFrom[at] = set
	}
	return set.has(uint32(b))
}

// matters reports whether a branch that depends on v can come after the start of
// b, before v is computed anew: in a loop, what was tested is soon another value.
func (fn *function) matters(v ir.ValueID, b ir.BlockID) bool {
	r := fn.rep[v]
	set := fn.relevant[r]
	if set == nil {
		set = make(bits, len(fn.f.Blocks)/64+1)
		def := uint32(fn.f.BlockOf(r))
		var work []uint32
		for _, d := range fn.deciders[r] {
			if d != def {
				set.add(d)
				work = append(work, d)
			}
		}
		fn.back(set, work, def)
		for _, d := range fn.laterOn[r] {
			set.add(d)
		}
		fn.back(set, slices.Clone(fn.laterOn[r]), 0)
		// A phi has its value at the start of its block already.
		if fn.f.Values[r].Op == ir.OpPhi && (slices.Contains(fn.deciders[r], def) || slices.ContainsFunc(fn.cfg.Succs(def), set.has)) {
			set.add(def)
		}
		fn.relevant[r] = set
	}
	return set.has(uint32(b))
}
