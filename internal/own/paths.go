// This file asks for paths within a function.

package own

import (
	"github.com/plumb-project/plumb/internal/ir"
)

// forward goes through the instructions after one, along all paths, until visit returns
// false for one. It looks at each once.
func (x *Index) forward(from value, visit func(ir.ValueID) bool) {
	x.forwardOn(from, visit, func(ir.ValueID, int) bool { return true })
}

// forwardOn is forward along the edges that take allows: which edge of which branch.
func (x *Index) forwardOn(from value, visit func(ir.ValueID) bool, take func(branch ir.ValueID, edge int) bool) {
	f := &x.p.Funcs[from.fn]
	seen := make([]bool, len(f.Blocks))
	var work []ir.BlockID
	walk := func(v, end ir.ValueID) {
		for ; v < end; v++ {
			if !visit(v) {
				return
			}
		}
		b := f.BlockOf(end - 1)
		for k, s := range f.SuccsOf(b) {
			if !seen[s] && take(end-1, k) {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	start := f.BlockOf(from.id)
	if start == 0 { // a parameter
		walk(f.Blocks[1].First, f.Blocks[1].End)
	} else if from.id+1 < f.Blocks[start].End {
		walk(from.id+1, f.Blocks[start].End)
	} else {
		for k, s := range f.SuccsOf(start) {
			if take(from.id, k) {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		walk(f.Blocks[b].First, f.Blocks[b].End)
	}
}

// follows reports whether control can come from one instruction to another without
// passing the definition of v.
func (x *Index) follows(from, to, v value) bool {
	if from.fn != to.fn || from.fn != v.fn {
		return false
	}
	found := false
	x.forward(from, func(at ir.ValueID) bool {
		found = found || at == to.id
		return at != v.id && !found
	})
	return found
}

// liveAfter reports whether v is used after an instruction, with the value it has there.
// A phi uses what comes along an edge at the end of that edge.
func (x *Index) liveAfter(v value, at ir.ValueID) bool {
	f := &x.p.Funcs[v.fn]
	live := false
	x.forward(value{v.fn, at}, func(u ir.ValueID) bool {
		if u == v.id || live {
			return false
		}
		if op := f.Values[u].Op; op == ir.OpPhi || op == ir.OpSet {
			return true
		}
		for _, a := range f.ArgsOf(u) {
			live = live || a == v.id
		}
		if f.Values[u].Op.IsTerminator() {
			live = live || x.goesToPhi(f, u, v.id)
		}
		return !live
	})
	return live
}

// goesToPhi reports whether a phi after a block takes v from there.
func (x *Index) goesToPhi(f *ir.Func, end, v ir.ValueID) bool {
	b := f.BlockOf(end)
	for _, s := range f.SuccsOf(b) {
		for at := f.Blocks[s].First; at < f.Blocks[s].End && f.Values[at].Op == ir.OpPhi; at++ {
			for i, p := range f.PredsOf(s) {
				if p == b && f.ArgsOf(at)[i] == v {
					return true
				}
			}
		}
	}
	return false
}
