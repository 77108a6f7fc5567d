// This file follows structs that are values: small ones, which are returned in
// registers. What is in one is in cells whose base is the value.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// isStruct reports whether v is a struct that is a value.
func (fn *function) isStruct(v ir.ValueID) bool {
	return v&(globalBit|contentBit) == 0 && fn.f.Values[v].Type.Kind() == ir.Agg
}

// hasParts reports whether v is a struct that holds the object.
func (w *walker) hasParts(s *state, v ir.ValueID) bool {
	return w.fn.isStruct(v) && slices.ContainsFunc(s.cells, func(c cell) bool { return c.base == v })
}

// copyCells copies what n bytes hold from one cell on to where another is. It
// reports false if that cannot be followed.
func (w *walker) copyCells(s *state, from, to cell, n int64) bool {
	var copies []cell
	for _, c := range s.cells {
		if c.base != from.base {
			continue
		}
		if c.isElement() || from.isElement() || to.isElement() {
			return false
		}
		if c.off >= from.off && c.off < from.off+n {
			copies = append(copies, cell{to.base, to.off + c.off - from.off})
		}
	}
	if slices.ContainsFunc(s.links, func(l holding) bool {
		return l.at.base == from.base && (l.at.isElement() || l.at.off >= from.off && l.at.off < from.off+n)
	}) {
		return false // two places would hold its owner
	}
	if !to.isElement() {
		w.empty(s, to, n)
	}
	for _, c := range copies {
		s.setCell(c, true)
	}
	return true
}

// parts follows the object through an instruction that makes a struct, or uses one
// that holds it. It reports whether v is one, and whether the path goes on.
func (w *walker) parts(s *state, v ir.ValueID) (is, on bool) {
	f := w.fn.f
	x := &f.Values[v]
	args := f.ArgsOf(v)
	makes := w.fn.isStruct(v) && !x.Op.IsCall()
	if !makes && !slices.ContainsFunc(args, func(a ir.ValueID) bool { return w.hasParts(s, a) }) {
		return false, true
	}
	ok := true
	switch size := int64(x.Type.Size()); {
	case x.Op == ir.OpLoad:
		w.empty(s, cell{base: v}, size)
		if c, known := w.cellOf(s, args[0]); known {
			ok = w.copyCells(s, c, cell{base: v}, size)
		}
		ok = w.dereferenced(s, args[0]) && ok
	case x.Op == ir.OpStore:
		c, known := w.cellOf(s, args[1])
		w.forgetLoads(s, args[1])
		ok = known && w.copyCells(s, cell{base: args[0]}, c, int64(f.Values[args[0]].Type.Size()))
	case x.Op == ir.OpInsertValue:
		at := cell{v, f.Ints[x.Aux]}
		ok = w.copyCells(s, cell{base: args[0]}, cell{base: v}, size) && !w.hasParts(s, args[1])
		s.setCell(at, s.holdsValue(args[1]))
	case x.Op == ir.OpExtractValue && makes:
		ok = w.copyCells(s, cell{args[0], f.Ints[x.Aux]}, cell{base: v}, size)
	case x.Op == ir.OpExtractValue:
		s.setValue(v, w.carries(x.Type) && slices.Contains(s.cells, cell{args[0], f.Ints[x.Aux]}))
	default:
		ok = !slices.ContainsFunc(args, func(a ir.ValueID) bool { return s.holdsValue(a) || w.hasParts(s, a) })
	}
	return true, ok || w.escape(s)
}

// dropParts lets structs hold nothing any more that live says are not used.
func (w *walker) dropParts(s *state, live func(ir.ValueID) bool) {
	s.cells = slices.DeleteFunc(s.cells, func(c cell) bool { return w.fn.isStruct(c.base) && !live(c.base) })
}
