// This file follows what arrays hold. All elements of an array are one cell: what
// is stored there stays there, and what is taken out may be it.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// element is added to the offset of a cell that stands for all elements.
const element = 1 << 42

// elementOf splits an address with an index into what it is an offset from, and
// the offset of the element cell.
func (fn *function) elementOf(v ir.ValueID) (base ir.ValueID, off int64, ok bool) {
	f := fn.f
	for f.Values[v].Op == ir.OpGep {
		g := &f.Geps[f.Values[v].Aux]
		if fn.countsBytes(v) {
			return 0, 0, false
		}
		ok = ok || g.NStride > 0
		off += g.Off
		v = f.ArgsOf(v)[0]
	}
	return v, element + off, ok && f.Values[v].Type.Kind() == ir.Ptr
}

// countsBytes reports whether a GEP has an index that does not count pointers, or
// structs with pointers.
func (fn *function) countsBytes(gep ir.ValueID) bool {
	g := &fn.f.Geps[fn.f.Values[gep].Aux]
	return slices.ContainsFunc(fn.f.Strides[g.Stride:g.Stride+g.NStride], func(n int64) bool { return n%8 != 0 })
}

// isElement reports whether a cell stands for elements.
func (c cell) isElement() bool { return c.off >= element/2 }

// mayHold reports whether a cell may hold the object because one of the two
// stands for elements of an array that the other is one of.
func (s *state) mayHold(c cell) bool {
	return slices.ContainsFunc(s.cells, func(h cell) bool {
		return h.base == c.base && h.isElement() != c.isElement() && (h.off-c.off)%8 == 0
	})
}

// takesElements reports whether an element of obj may be taken out before
// instruction v: then no path that has not done so tells of a leak. Loops that
// release elements may run not at all.
func (w *walker) takesElements(obj, v ir.ValueID) bool {
	fn, f := w.fn, w.fn.f
	before := make(bits, len(f.Blocks)/64+1)
	at := uint32(f.BlockOf(v))
	before.add(at)
	fn.back(before, []uint32{at}, 0)
	for l := f.Blocks[1].First; int(l) < len(f.Values); l++ {
		if x := &f.Values[l]; x.Op != ir.OpLoad || x.Type.Kind() != ir.Ptr || !before.has(uint32(f.BlockOf(l))) || fn.onlyRead(l, 0) {
			continue
		}
		base, _, ok := fn.elementOf(f.ArgsOf(l)[0])
		if !ok {
			continue
		}
		base = fn.root(base)
		switch op := fn.value(base).Op; {
		case base == obj, op == ir.OpPhi, op == ir.OpLoad, op == ir.OpSelect: // or perhaps it
			return true
		}
	}
	return false
}

// chosen reports whether the path asked for the object that an address is in:
// it called a function with something in it. A store through an element of an array
// that was not asked for is to another element than the one that is followed.
func (w *walker) chosen(s *state, addr ir.ValueID) bool {
	base := w.fn.start(w.fn.baseOf(addr))
	for t := s.trail; t != nil; t = t.prev {
		if t.cond != 0 && w.asks(t.cond, base, 0) {
			return true
		}
	}
	return false
}

// asks reports whether v is the answer of a function to what is in base.
func (w *walker) asks(v, base ir.ValueID, depth int) bool {
	f := w.fn.f
	x := &f.Values[v]
	if !x.Op.IsCall() && (depth > 4 || !isPure(x.Op)) {
		return false
	}
	return slices.ContainsFunc(f.ArgsOf(v), func(a ir.ValueID) bool {
		if x.Op.IsCall() {
			return f.Values[a].Op == ir.OpLoad && w.fn.start(w.fn.baseOf(f.ArgsOf(a)[0])) == base
		}
		return w.asks(a, base, depth+1)
	})
}
