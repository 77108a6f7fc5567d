// This file gives names to memory.

package own

import (
	"github.com/plumb-project/plumb/internal/ir"
)

// A slot is memory that can hold a pointer. Most memory has two: one that is near,
// an offset from a value of the function, and one that is the same in all functions: a
// field of all objects of its type, or a global. The elements of an array are one slot.
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
	nearSlot // off bytes into what value val of function id points to
)

// slotsAt returns the slots that are more bytes after an address: the near one and, if
// there is one, the other.
func (x *Index) slotsAt(id ir.FuncID, addr ir.ValueID, more int64) []slot {
	f := &x.p.Funcs[id]
	off := more
	var far slot
	for f.Values[addr].Op == ir.OpGep {
		g := &f.Geps[f.Values[addr].Aux]
		if g.NStep > 0 && far.kind == 0 {
			s := f.Steps[g.Step+g.NStep-1]
			if fd := &x.p.Structs[s.Struct].Fields[s.Field]; fd.Struct != 0 && fd.Struct != s.Struct {
				far = x.fieldOf(fd.Struct, off) // in a struct that is a field
			} else {
				far = x.fieldOf(s.Struct, int64(fd.Off)+off)
			}
		}
		off += g.Off
		addr = f.ArgsOf(addr)[0]
	}
	slots := []slot{{kind: nearSlot, id: uint32(id), val: addr, off: off}}
	v := &f.Values[addr]
	switch {
	case far.kind != 0:
	case v.Op == ir.OpGlobalAddr && x.p.Globals[v.Aux].Struct == 0:
		far = slot{kind: globalSlot, id: v.Aux, off: off}
	case v.Op == ir.OpGlobalAddr:
		far = x.fieldOf(x.p.Globals[v.Aux].Struct, off)
	case v.Op == ir.OpAlloca && f.Ints[v.Aux+1] != 0:
		far = x.fieldOf(ir.StructID(f.Ints[v.Aux+1]), off)
	default:
		if s := x.pointee(value{id, addr}); s != 0 {
			far = x.fieldOf(s, off)
		}
	}
	if far.kind != 0 {
		slots = append(slots, far)
	}
	return slots
}

// fieldOf returns the slot of the field at an offset into a struct, that of the
// innermost struct there.
func (x *Index) fieldOf(s ir.StructID, off int64) slot {
	if n := int64(x.p.Structs[s].Size); n > 0 && off >= n && off < 1<<32 { // what is inside for a library is past all
		off %= n // of another element of an array
	}
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
	return slot{kind: fieldSlot, id: uint32(s), off: off}
}

// slotsOf returns the slots in which a call leaves an object.
func (x *Index) slotsOf(o Object) []slot {
	pl := o.Place
	f := &x.p.Funcs[o.Func]
	switch {
	case pl == nil || pl.Deep:
	case pl.Global != 0:
		if s := x.p.Globals[pl.Global].Struct; s != 0 {
			return []slot{x.fieldOf(s, pl.Off)}
		}
		return []slot{{kind: globalSlot, id: uint32(pl.Global), off: pl.Off}}
	case pl.Arg < 0:
		return x.slotsAt(o.Func, o.Site, pl.Off)
	case pl.Arg+1 < len(f.ArgsOf(o.Site)):
		return x.slotsAt(o.Func, f.ArgsOf(o.Site)[pl.Arg+1], pl.Off)
	}
	return nil
}
