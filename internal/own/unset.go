// This file looks for memory in which the slot may be read before it is set.

package own

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// unset looks at all memory that is made with the slot in it.
func (h *holding) unset() {
	x := h.x
	for _, v := range h.roots {
		if w := (&setter{h: h, at: v, off: []int64{0}}); !w.run() {
			h.refuse(value{v.fn, max(w.bad, v.id)}, "%s may not be set yet", h.text())
		}
	}
	if h.slot.kind != fieldSlot {
		return
	}
	for _, o := range x.objects {
		if o.Place == nil && h.err == nil {
			h.unsetObject(value{o.Func, o.Site})
		}
	}
	for id := ir.FuncID(1); int(id) < len(x.p.Funcs) && h.err == nil; id++ {
		f := &x.p.Funcs[id]
		if f.IsDecl() {
			continue
		}
		for v := f.Blocks[1].First; v < f.Blocks[1].End; v++ {
			if f.Values[v].Op == ir.OpAlloca && f.Ints[f.Values[v].Aux+1] != 0 {
				h.unsetIn(value{id, v}, ir.StructID(f.Ints[f.Values[v].Aux+1]), false)
			}
		}
	}
	h.carved()
}

// unsetObject looks at an object that a call makes, if the slot is in it.
func (h *holding) unsetObject(v value) {
	s := h.x.madeStruct(v)
	if s == 0 || !h.x.contains(s, ir.StructID(h.slot.id), 0) || !h.needsSet(v) {
		return
	}
	h.unsetIn(v, s, true)
}

// madeStruct returns the struct that an object is used as: by the function, or by who reads
// the memory that it is put in.
func (x *Index) madeStruct(v value) ir.StructID {
	if s := x.pointee(v); s != 0 {
		return s
	}
	f := &x.p.Funcs[v.fn]
	x.readSlotTypes()
	for _, u := range x.usesOf(v) {
		args := f.ArgsOf(u)
		switch op := f.Values[u].Op; {
		case op == ir.OpStore && args[0] == v.id:
			for _, s := range x.slotsAt(v.fn, args[1], 0) {
				if t := x.slotTypes[s]; t != 0 {
					return t
				}
			}
		case op == ir.OpPhi:
			if s := x.pointee(value{v.fn, u}); s != 0 {
				return s
			}
		}
	}
	return 0
}

// readSlotTypes finds out to what structs slots point, by what is done with what is read
// from there.
func (x *Index) readSlotTypes() {
	if x.slotTypes != nil {
		return
	}
	x.slotTypes = map[slot]ir.StructID{}
	for id := ir.FuncID(1); int(id) < len(x.p.Funcs); id++ {
		f := &x.p.Funcs[id]
		if f.IsDecl() {
			continue
		}
		for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
			if f.Values[v].Op != ir.OpLoad || f.Values[v].Type.Kind() != ir.Ptr {
				continue
			}
			if s := x.pointee(value{id, v}); s != 0 {
				for _, at := range x.slotsAt(id, f.ArgsOf(v)[0], 0) {
					x.slotTypes[at] = s
				}
			}
		}
	}
}

// needsSet reports whether the slot holds garbage in what a call makes.
func (h *holding) needsSet(v value) bool {
	x := h.x
	if x.view.At(v.fn, v.id).Zeroed {
		return false
	}
	c := x.p.Funcs[v.fn].Callee(v.id)
	if c == 0 || x.p.Funcs[c].IsDecl() {
		return true
	}
	results, _ := x.madeResults(c)
	for _, r := range results {
		s := x.madeStruct(r)
		if s == 0 {
			s = x.madeStruct(v)
		}
		if r.fn != c || h.needsSet(r) && !(&setter{h: h, at: r, off: x.offsetsIn(s, h.slot), result: true}).run() {
			return true
		}
	}
	return len(results) == 0
}

// offsetsIn returns where in a struct a field of a struct in it is; nil when that is in
// more than one place.
func (x *Index) offsetsIn(s ir.StructID, field slot) []int64 {
	var out []int64
	st := &x.p.Structs[s]
	for off := int64(0); off < int64(st.Size); off += 8 {
		if x.fieldOf(s, off) == field {
			out = append(out, off)
		}
	}
	return out
}

// unsetIn looks at one piece of memory that holds garbage.
func (h *holding) unsetIn(v value, s ir.StructID, made bool) {
	x := h.x
	if !x.contains(s, ir.StructID(h.slot.id), 0) {
		return
	}
	offs := x.offsetsIn(s, h.slot)
	for _, off := range offs {
		if w := (&setter{h: h, at: v, off: []int64{off}, result: false}); !w.run() {
			where := w.bad
			if where == 0 {
				where = v.id
			}
			h.refuse(value{v.fn, where}, "%s may not be set yet", h.text())
			return
		}
	}
	if len(offs) == 0 {
		h.refuse(v, "%s may not be set yet", h.text())
	}
}

// A setter goes through the paths after memory was made, and looks whether it is set at
// some offsets before anybody else can see it.
type setter struct {
	h      *holding
	at     value
	off    []int64
	result bool // it must be set when it is returned; otherwise callers look for themselves
	depth  int
	names  map[ir.ValueID]bool // values that are the address of the memory
	cells  map[ir.ValueID]bool // variables that hold it
	bad    ir.ValueID
}

// run reports whether all is well.
func (w *setter) run() bool {
	for _, off := range w.off {
		if !w.one(off) {
			return false
		}
	}
	return len(w.off) > 0
}

func (w *setter) one(off int64) bool {
	x := w.h.x
	f := &x.p.Funcs[w.at.fn]
	w.names, w.cells = map[ir.ValueID]bool{w.at.id: true}, map[ir.ValueID]bool{}
	w.findNames(f)
	ok := true
	x.forwardOn(w.at, func(v ir.ValueID) bool {
		if !ok || w.sets(v, off) {
			return false
		}
		ok = w.harmless(v, off)
		if !ok && w.bad == 0 {
			w.bad = v
		}
		return ok
	}, func(branch ir.ValueID, k int) bool { return !x.nullOn(f, branch, k, w.at.id) })
	return ok
}

// findNames finds the values that are the address of the memory: copies by way of phis and
// variables.
func (w *setter) findNames(f *ir.Func) {
	x := w.h.x
	for work := []ir.ValueID{w.at.id}; len(work) > 0; {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, u := range x.usesOf(value{w.at.fn, v}) {
			args := f.ArgsOf(u)
			switch op := f.Values[u].Op; {
			case op == ir.OpPhi || op == ir.OpFreeze || op == ir.OpBitcast || op == ir.OpSelect:
				if !w.names[u] {
					w.names[u] = true
					work = append(work, u)
				}
			case op == ir.OpStore && args[0] == v && f.Values[args[1]].Op == ir.OpAlloca && x.plain(value{w.at.fn, args[1]}):
				w.cells[args[1]] = true
				for _, l := range x.usesOf(value{w.at.fn, args[1]}) {
					if f.Values[l].Op == ir.OpLoad && !w.names[l] {
						w.names[l] = true
						work = append(work, l)
					}
				}
			}
		}
	}
}

// place splits an address in the memory into its offset; ok is false when it is elsewhere,
// or the offset varies.
func (w *setter) place(addr ir.ValueID) (off int64, varies, ok bool) {
	f := &w.h.x.p.Funcs[w.at.fn]
	for !w.names[addr] && f.Values[addr].Op == ir.OpGep {
		g := &f.Geps[f.Values[addr].Aux]
		off += g.Off
		varies = varies || g.NStride > 0
		addr = f.ArgsOf(addr)[0]
	}
	return off, varies, w.names[addr]
}

// sets reports whether an instruction sets the memory at an offset.
func (w *setter) sets(v ir.ValueID, off int64) bool {
	x := w.h.x
	f := &x.p.Funcs[w.at.fn]
	args := f.ArgsOf(v)
	switch val := &f.Values[v]; {
	case val.Op == ir.OpStore:
		o, varies, ok := w.place(args[1])
		return ok && !varies && o == off
	case val.Op == ir.OpMemset || val.Op == ir.OpMemcpy:
		o, varies, ok := w.place(args[0])
		n, known := f.ConstInt(args[2])
		return ok && !varies && known && o <= off && off < o+n
	case val.Op.IsCall():
		for i, a := range args[1:] {
			o, varies, ok := w.place(a)
			if !ok || varies {
				continue
			}
			targets, known := x.targets(value{w.at.fn, v})
			set := known && w.depth < 4
			for _, t := range targets {
				callee := &x.p.Funcs[t]
				set = set && !callee.IsDecl() && i < int(callee.NParams) &&
					(&setter{h: w.h, at: value{t, ir.ValueID(i + 1)}, off: []int64{off - o}, result: true, depth: w.depth + 1}).run()
			}
			if set {
				return true
			}
			for _, r := range x.released(w.at.fn, v) {
				if r.Arg == i && !r.Held && r.Always && o == 0 { // nobody sees it any more
					return true
				}
			}
		}
	}
	return false
}

// harmless reports whether an instruction keeps the memory from others, as long as it is
// not set.
func (w *setter) harmless(v ir.ValueID, off int64) bool {
	x := w.h.x
	f := &x.p.Funcs[w.at.fn]
	args := f.ArgsOf(v)
	switch val := &f.Values[v]; {
	case val.Op == ir.OpLoad:
		o, varies, ok := w.place(args[0])
		return !ok || !varies && o != off
	case val.Op == ir.OpStore:
		if w.cells[args[1]] {
			return true
		}
		_, _, ok := w.place(args[0])
		return !ok
	case val.Op == ir.OpRet:
		if w.result {
			return false
		}
		if len(args) == 0 {
			return true
		}
		_, _, ok := w.place(args[0])
		return !ok || x.makesResult(w.at)
	case val.Op.IsCall():
		for i, a := range args[1:] {
			if _, _, ok := w.place(a); !ok {
				continue
			}
			arg := x.view.Argument(w.at.fn, v, i)
			if arg.Keeps || arg.Returns || x.mayReach(value{w.at.fn, v}, w.h.readers()) {
				return false
			}
		}
	case val.Op == ir.OpMemcpy:
		_, _, from := w.place(args[1])
		return !from
	case val.Op == ir.OpInsertValue || val.Op == ir.OpPtrToInt || val.Op == ir.OpCmpXchg || val.Op == ir.OpAtomicRMW:
		return !slices.ContainsFunc(args, func(a ir.ValueID) bool { return w.names[a] })
	}
	return true
}

// carved looks for structs that are cut out of other memory, so that nobody knows what was
// there before.
func (h *holding) carved() {
	x := h.x
	size := int64(x.p.Structs[h.slot.id].Size)
	for _, at := range x.addresses[h.slot] {
		f := &x.p.Funcs[at.fn]
		for v := at.id; f.Values[v].Op == ir.OpGep; v = f.ArgsOf(v)[0] {
			g := &f.Geps[f.Values[v].Aux]
			if g.NStep > 0 || size == 0 {
				continue
			}
			bytes := g.Off > 0 && g.Off%size != 0
			for i := range g.NStride {
				bytes = bytes || f.Strides[g.Stride+i]%size != 0
			}
			if base := f.ArgsOf(v)[0]; bytes && x.structAt(value{at.fn, base}) == 0 {
				h.refuse(at, "%s is in memory that is cut out of other memory", h.text())
				return
			}
		}
	}
}
