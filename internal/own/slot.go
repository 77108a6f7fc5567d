// This file gives names to memory.

package own

import (
	"github.com/plumb-project/plumb/internal/ir"
)

// A slot is memory that can hold a pointer, under one name in all functions: a field
// of all objects of its type, a global, a variable of a function, or what one of its
// parameters points to. The elements of an array are one slot.
type slot struct {
	kind slotKind
	id   uint32 // StructID, GlobalID, or FuncID
	val  ir.ValueID
	off  int64
}

type slotKind uint8

const (
	fieldSlot slotKind = iota + 1
	globalSlot
	localSlot // of the alloca val in function id
	paramSlot // off bytes into what parameter val of function id points to
)

// slotAt returns the slot at an address.
func (x *Index) slotAt(id ir.FuncID, addr ir.ValueID) (slot, bool) { return x.slotNear(id, addr, 0) }

// slotNear returns the slot more bytes after an address.
func (x *Index) slotNear(id ir.FuncID, addr ir.ValueID, more int64) (slot, bool) {
	f := &x.p.Funcs[id]
	off := more
	for f.Values[addr].Op == ir.OpGep {
		g := &f.Geps[f.Values[addr].Aux]
		if g.NStep > 0 {
			s := f.Steps[g.Step+g.NStep-1]
			fd := &x.p.Structs[s.Struct].Fields[s.Field]
			if fd.Struct != 0 && fd.Struct != s.Struct { // the address of a struct in a struct
				return x.fieldOf(fd.Struct, off)
			}
			return x.fieldOf(s.Struct, int64(fd.Off)+off)
		}
		if g.NStride == 0 {
			off += g.Off
		}
		addr = f.ArgsOf(addr)[0]
	}
	switch v := &f.Values[addr]; v.Op {
	case ir.OpGlobalAddr:
		if s := x.p.Globals[v.Aux].Struct; s != 0 {
			return x.fieldOf(s, off)
		}
		return slot{kind: globalSlot, id: v.Aux, off: off}, true
	case ir.OpAlloca:
		if s := ir.StructID(f.Ints[v.Aux+1]); s != 0 {
			return x.fieldOf(s, off)
		}
		return slot{kind: localSlot, id: uint32(id), val: addr, off: off}, true
	}
	if s := x.pointee(value{id, addr}); s != 0 {
		return x.fieldOf(s, off)
	}
	if v := &f.Values[addr]; v.Op == ir.OpParam {
		return slot{kind: paramSlot, id: uint32(id), val: ir.ValueID(v.Aux), off: off}, true
	}
	return slot{}, false
}

// fieldOf returns the slot of the field at an offset into a struct, that of the
// innermost struct there.
func (x *Index) fieldOf(s ir.StructID, off int64) (slot, bool) {
	for range 8 {
		st := &x.p.Structs[s]
		i := len(st.Fields) - 1
		for i >= 0 && int64(st.Fields[i].Off) > off {
			i--
		}
		if off < 0 || i < 0 || st.Fields[i].Struct == 0 || st.Fields[i].Struct == s {
			break
		}
		inner := st.Fields[i].Struct
		off -= int64(st.Fields[i].Off)
		if n := int64(x.p.Structs[inner].Size); n > 0 {
			off %= n
		}
		s = inner
	}
	return slot{kind: fieldSlot, id: uint32(s), off: off}, true
}

// slotOfPlace returns the slot in which a call leaves an object.
func (x *Index) slotOfPlace(o Object) (slot, bool) {
	pl := o.Place
	f := &x.p.Funcs[o.Func]
	switch {
	case pl == nil || pl.Deep:
		return slot{}, false
	case pl.Global != 0:
		if s := x.p.Globals[pl.Global].Struct; s != 0 {
			return x.fieldOf(s, pl.Off)
		}
		return slot{kind: globalSlot, id: uint32(pl.Global), off: pl.Off}, true
	case pl.Arg < 0:
		if s := x.pointee(value{o.Func, o.Site}); s != 0 {
			return x.fieldOf(s, pl.Off)
		}
		return slot{}, false
	case pl.Arg+1 < len(f.ArgsOf(o.Site)):
		return x.slotNear(o.Func, f.ArgsOf(o.Site)[pl.Arg+1], pl.Off)
	}
	return slot{}, false
}
