// This file follows what is in memory: the cells that hold the object, and what
// was stored where branches will look.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// cellOf returns the cell that an address is.
func (w *walker) cellOf(s *state, addr ir.ValueID) (cell, bool) {
	obj, off, ok := w.pointee(s, addr)
	return cell{obj, off}, ok && w.fn.hasCells(obj)
}

func (w *walker) store(s *state, val, addr ir.ValueID) bool {
	if !w.dereferenced(s, addr) {
		return false
	}
	w.forgetLoads(s, addr)
	w.remember(s, val, addr)
	w.inGlobal(s, val, addr)
	if s.holdsValue(val) && s.holdsValue(addr) {
		return true // a pointer to itself inside the object holds nothing
	}
	c, ok := w.cellOf(s, addr)
	if ok && !c.isElement() {
		s.unlink(func(l holding) bool { return l.at == c })
	}
	if w.ownerStored(s, val) {
		if obj, off, _ := w.pointee(s, val); !ok || off != 0 || !s.setLink(obj, c) {
			return w.escape(s) // what holds it can now be reached from elsewhere
		}
	}
	if !ok {
		return !s.holdsValue(val) || w.escape(s)
	}
	at, ok := s.linkOf(c.base)
	inElement := ok && at.isElement()
	if !s.holdsValue(val) && (c.isElement() || inElement && !w.chosen(s, addr)) {
		return true // it may be another element
	}
	if s.setCell(c, s.holdsValue(val)) {
		w.heldBy(s, c)
		if s.last == "" {
			s.last = w.addressName(addr)
		}
		s.asked = s.asked || inElement
	}
	return true
}

// heldBy notes that cell c held the object until now.
func (w *walker) heldBy(s *state, c cell) {
	s.held(w.cellName(c))
	_, s.static = globalOf(c.base)
}

// dereferenced notes that an address that is used is not null. It reports whether
// that is possible.
func (w *walker) dereferenced(s *state, addr ir.ValueID) bool {
	base := w.fn.baseOf(addr)
	if w.life != nil && w.life.origin.kind == missing && s.holdsValue(base) {
		return false
	}
	if op := w.fn.f.Values[base].Op; op == ir.OpAlloca || op.IsConst() || !w.fn.tested[w.fn.rep[base]] {
		return true
	}
	return w.narrow(s, base, nonzero, 0)
}

// remember notes what is stored, if a branch may depend on it.
func (w *walker) remember(s *state, val, addr ir.ValueID) {
	base, off, ok := w.fn.address(addr)
	if at := (cell{base, off}); ok && len(w.fn.testedBy[at]) > 0 {
		s.remember(at, val)
	}
}

// recall lets a load have the value that was stored.
func (w *walker) recall(s *state, load, addr ir.ValueID) {
	base, off, ok := w.fn.address(addr)
	if !ok || w.fn.strict && w.fn.f.Values[load].Sub&ir.MemVolatile != 0 {
		return
	}
	at := cell{base, off}
	val := s.recall(at)
	if val == 0 && len(w.fn.testedBy[at]) > 1 && !s.holdsValue(load) {
		s.remember(at, w.fn.rep[load]) // until it is written
		return
	}
	if val == 0 || w.fn.f.Values[val].Type != w.fn.f.Values[load].Type || w.fn.rep[load] != load {
		return
	}
	if s.holdsValue(val) {
		s.env.setFact(load, nonzero)
		return
	}
	s.env.keep(func(v ir.ValueID) bool { return v != load })
	s.env.bind(load, w.bound(s, w.fn.rep[val]))
}

// ownerStored reports whether v is memory with a cell that holds the object.
func (w *walker) ownerStored(s *state, v ir.ValueID) bool {
	if len(s.cells) == 0 || w.fn.f.Values[v].Type.Kind() != ir.Ptr {
		return false
	}
	obj := w.fn.root(w.fn.baseOf(v))
	if obj&globalBit == 0 {
		obj = s.aliasOf(w.fn.rep[obj])
	}
	return s.owns(obj)
}

// memset clears cells of local variables.
func (w *walker) memset(s *state, v ir.ValueID) bool {
	args := w.fn.f.ArgsOf(v)
	w.forgetBytes(s, v)
	base, ok := w.cellOf(s, args[0])
	n, known := w.fn.f.ConstInt(args[2])
	if !ok || !known {
		return true
	}
	w.empty(s, base, n)
	return true
}

// memcpy copies cells: what a struct holds, its copy holds too, and no longer what
// it held before.
func (w *walker) memcpy(s *state, v ir.ValueID) bool {
	args := w.fn.f.ArgsOf(v)
	w.forgetBytes(s, v)
	from, off, ok := w.pointee(s, args[1])
	to, known := w.cellOf(s, args[0])
	n, sized := w.fn.f.ConstInt(args[2])
	if ok && (!known || !sized) {
		return !s.owns(from) || w.escape(s)
	}
	if ok {
		return w.copyCells(s, cell{from, off}, to, n) || w.escape(s)
	}
	if known && sized && !to.isElement() {
		w.empty(s, to, n)
	}
	return true
}

// empty lets n bytes hold nothing any more.
func (w *walker) empty(s *state, at cell, n int64) {
	in := func(c cell) bool { return c.base == at.base && c.off >= at.off && c.off < at.off+n }
	for _, c := range slices.Clone(s.cells) {
		if in(c) && s.setCell(c, false) {
			w.heldBy(s, c)
		}
	}
	s.unlink(func(l holding) bool { return in(l.at) })
}

// forgetLoads drops what is known of loads from an address that is written.
func (w *walker) forgetLoads(s *state, addr ir.ValueID) {
	f := w.fn.f
	addr = w.fn.rep[addr]
	s.env.keep(func(v ir.ValueID) bool {
		return !w.reads(v, func(a ir.ValueID) bool { return w.fn.rep[f.ArgsOf(a)[0]] == addr }, 0)
	})
}

// forgetBytes drops what is known of memory that v, which sets or copies bytes,
// writes.
func (w *walker) forgetBytes(s *state, v ir.ValueID) {
	args := w.fn.f.ArgsOf(v)
	w.forgetLoads(s, args[0])
	base, off, ok := w.fn.address(args[0])
	n, known := w.fn.f.ConstInt(args[2])
	if !ok {
		base = w.fn.baseOf(args[0])
	}
	s.mem = slices.DeleteFunc(s.mem, func(m stored) bool {
		return m.at.base == base && (!ok || m.at.off >= off && (!known || m.at.off < off+n))
	})
}

// reads reports whether v is computed from a load of this kind.
func (w *walker) reads(v ir.ValueID, is func(load ir.ValueID) bool, depth int) bool {
	f := w.fn.f
	op := f.Values[v].Op
	if op == ir.OpLoad && is(v) {
		return true
	}
	if depth > 4 || op != ir.OpLoad && op != ir.OpGep && !isPure(op) || op == ir.OpPhi {
		return false
	}
	return slices.ContainsFunc(f.ArgsOf(v), func(a ir.ValueID) bool { return w.reads(a, is, depth+1) })
}

// forgetMemory drops what was stored where a call may write: in memory that others
// see, and in what it is given.
func (w *walker) forgetMemory(s *state, call ir.ValueID) {
	args := w.fn.f.ArgsOf(call)[1:]
	s.mem = slices.DeleteFunc(s.mem, func(m stored) bool {
		if !w.isOpen(m.at.base) && !slices.ContainsFunc(args, func(a ir.ValueID) bool { return w.fn.baseOf(a) == m.at.base }) {
			return false
		}
		loads := w.fn.testedBy[m.at]
		return len(loads) == 0 || w.fn.callWrites(call, loads[0])
	})
}

// isOpen reports whether others may see the memory at base without being given it.
func (w *walker) isOpen(base ir.ValueID) bool {
	switch op := w.fn.f.Values[base].Op; op {
	case ir.OpAlloca:
		return !w.fn.isLocal(base)
	default:
		return op != ir.OpParam && !op.IsCall()
	}
}
