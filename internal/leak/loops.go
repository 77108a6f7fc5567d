// This file follows values along edges, and what is known from round to round of
// a loop.

package leak

import (
	"math"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// phis gives the phis of to their values, as control comes by the i-th edge out of the block of s.
func (w *walker) phis(s *state, i int, to ir.BlockID) {
	f := w.fn.f
	k := w.predIndex(s.block, i, to)
	first, end := f.Blocks[to].First, w.firstAfterPhis(to)
	type update struct {
		phi, v ir.ValueID
		part   ir.ValueID // v as it is written
		holds  bool
		obj    ir.ValueID // the owner it points to, or 0
		r      interval   // what is known of it in the next round of a loop too
		rels   []relation // and how it compares with what the loop does not change
	}
	var ups []update
	for v := first; v < end; v++ {
		a := f.ArgsOf(v)[k]
		u := update{phi: v, part: a, v: w.bound(s, w.fn.rep[a]), holds: s.holdsValue(a), r: everything}
		if f.Values[v].Type.Kind() == ir.Ptr {
			if obj, off, ok := w.pointee(s, a); ok && off == 0 && s.owns(obj) {
				u.obj = obj
			}
		}
		if !u.holds && w.forgotten(u.v, s.block, to) && w.fn.matters(v, to) {
			u.r = w.fn.counted(v, w.rangeOf(s, a, 0))
			u.rels = w.outerRelations(s, u.v, to)
		}
		ups = append(ups, u)
	}
	if w.fn.rpo[to] <= w.fn.rpo[s.block] {
		w.nextRound(s, to)
	}
	for _, u := range ups {
		s.env.keep(func(v ir.ValueID) bool { return v != u.phi })
	}
	for _, u := range ups {
		if w.fn.isStruct(u.phi) { // which holds no owners
			w.copyCells(s, cell{base: u.part}, cell{base: u.phi}, int64(f.Values[u.phi].Type.Size()))
		}
		s.setValue(u.phi, u.holds)
		s.setAlias(u.phi, u.obj)
		if u.holds && !w.isThing() || !w.fn.matters(u.phi, to) {
			continue
		}
		// The first round of a loop is exact; after that only the sign of a counter
		// is known, and how it compares with what the loop does not change.
		if !w.forgotten(u.v, s.block, to) {
			s.env.bind(u.phi, u.v)
			continue
		}
		if u.r != everything {
			s.env.setFact(u.phi, u.r)
		}
		for _, r := range u.rels {
			s.env.setRelation(u.phi, r.b, r.mask)
		}
	}
}

// counted returns what is kept in the next round of a loop of a counter that was
// in r: its sign, and if it is compared with certain numbers, also which small ones
// it is past.
func (fn *function) counted(phi ir.ValueID, r interval) interval {
	if r.lo > 1 && r.lo <= 8 && fn.isTestedFor(phi, 0) {
		return span(r.lo, math.MaxInt64)
	}
	return r.coarse()
}

// isTestedFor reports whether v is compared with a number it may be equal to.
func (fn *function) isTestedFor(v ir.ValueID, depth int) bool {
	f := fn.f
	for _, u := range fn.uses.Succs(uint32(v)) {
		u := ir.ValueID(u)
		switch x := &f.Values[u]; x.Op {
		case ir.OpSwitch:
			return true
		case ir.OpICmp:
			if n, ok := f.ConstInt(f.ArgsOf(u)[1]); ok && n > 0 && (ir.Pred(x.Sub) == ir.EQ || ir.Pred(x.Sub) == ir.NE) {
				return true
			}
		case ir.OpSExt, ir.OpZExt, ir.OpTrunc:
			if depth < 2 && fn.isTestedFor(u, depth+1) {
				return true
			}
		}
	}
	return false
}

// outerRelations returns how v compares with values that the loop with this head
// does not compute, each as a relation of v to the other.
func (w *walker) outerRelations(s *state, v ir.ValueID, head ir.BlockID) []relation {
	var out []relation
	for _, r := range s.env.rels {
		switch {
		case r.a == v && !w.inRound(r.b, head):
			out = append(out, r)
		case r.b == v && !w.inRound(r.a, head):
			out = append(out, relation{v, r.a, turn(r.mask)})
		}
	}
	return out
}

// nextRound forgets what the loop with this head computes anew, and what is in memory
// that others see: a loop that goes through options sets one flag after the other, and
// all that they can be together are too many states. The loop is taken to be all that
// comes after the head in reverse postorder.
func (w *walker) nextRound(s *state, head ir.BlockID) {
	s.env.keep(func(v ir.ValueID) bool { return !w.inRound(v, head) })
	s.aliases = slices.DeleteFunc(s.aliases, func(a alias) bool { return w.inRound(a.v, head) })
	s.mem = slices.DeleteFunc(s.mem, func(m stored) bool {
		return w.inRound(m.val, head) || w.inRound(m.at.base, head) || w.isOpen(m.at.base)
	})
}

func (w *walker) inRound(v ir.ValueID, head ir.BlockID) bool {
	b := w.fn.f.BlockOf(v)
	return b != 0 && w.fn.rpo[b] >= w.fn.rpo[head]
}

// forgotten reports whether v is computed anew after the edge from one block to the other.
func (w *walker) forgotten(v ir.ValueID, from, to ir.BlockID) bool {
	return w.fn.rpo[to] <= w.fn.rpo[from] && w.inRound(v, to)
}

// predIndex returns which predecessor of to the i-th edge out of b is.
func (w *walker) predIndex(b ir.BlockID, i int, to ir.BlockID) int {
	f := w.fn.f
	nth := 0
	for _, s := range f.SuccsOf(b)[:i] {
		if s == to {
			nth++
		}
	}
	for k, p := range f.PredsOf(to) {
		if p == b {
			if nth == 0 {
				return k
			}
			nth--
		}
	}
	panic("leak: edge without predecessor\n" + w.fn.p.FuncString(w.fn.id))
}
