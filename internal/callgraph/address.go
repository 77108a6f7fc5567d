// This file says which memory an address is of.

package callgraph

import (
	"math"

	"github.com/plumb-project/plumb/internal/ir"
)

// anywhere is an offset that is not known.
const anywhere = math.MinInt64

// plus adds offsets.
func plus(a, b int64) int64 {
	if a == anywhere || b == anywhere {
		return anywhere
	}
	return a + b
}

// meets reports whether two offsets may be the same.
func meets(a, b int64) bool { return a == b || a == anywhere || b == anywhere }

// An address is where in memory a pointer points: into a field of some object of
// a struct type, or off bytes into what base points to.
type address struct {
	step ir.Step
	base ir.ValueID
	off  int64
}

// A place is a global, or a field of any object of its type: memory that has the
// same name in all functions.
type place struct {
	step   ir.Step
	global ir.GlobalID
}

// address takes a pointer apart.
func (t *index) address(f *ir.Func, v ir.ValueID) address {
	off := int64(0)
	for f.Values[v].Op == ir.OpGep {
		g := &f.Geps[f.Values[v].Aux]
		if g.NStep > 0 {
			return address{step: t.innermost(f.Steps[g.Step+g.NStep-1], off), base: v, off: anywhere}
		}
		if g.NStride > 0 {
			off = anywhere
		}
		off = plus(off, g.Off)
		v = f.ArgsOf(v)[0]
	}
	a := address{base: v, off: off}
	id, size := ir.StructID(0), uint64(0)
	switch x := &f.Values[v]; x.Op {
	case ir.OpGlobalAddr:
		id, size = t.p.Globals[x.Aux].Struct, t.p.Globals[x.Aux].Size
	case ir.OpAlloca:
		id, size = ir.StructID(f.Ints[x.Aux+1]), uint64(f.Ints[x.Aux])
	}
	if id != 0 && off != anywhere && off >= 0 {
		a.step, _ = t.fieldAt(id, size, uint64(off))
	}
	return a
}

// placeOf returns the place that an address is of, if that has the same name everywhere.
func (t *index) placeOf(f *ir.Func, v ir.ValueID) (place, bool) {
	a := t.address(f, v)
	if a.step.Struct != 0 {
		return place{step: a.step}, true
	}
	if x := &f.Values[a.base]; x.Op == ir.OpGlobalAddr {
		return place{global: ir.GlobalID(x.Aux)}, true
	}
	return place{}, false
}

// PlaceOf takes a pointer of f apart for others: it points into a field of some
// object, or else into what base points to.
func PlaceOf(p *ir.Program, f *ir.Func, v ir.ValueID) (step ir.Step, base ir.ValueID) {
	a := (&index{p: p}).address(f, v)
	return a.step, a.base
}

// innermost returns the field at an offset into a field that may itself be a struct.
func (t *index) innermost(step ir.Step, off int64) ir.Step {
	x := &t.p.Structs[step.Struct].Fields[step.Field]
	if x.Struct != 0 && off != anywhere && off >= 0 {
		if inner, ok := t.fieldAt(x.Struct, 0, uint64(off)); ok {
			return inner
		}
	}
	return step
}

// further returns the field off bytes after the start of another: that itself when
// it is an array, or when the offset is not known.
func (t *index) further(step ir.Step, off int64) ir.Step {
	s := &t.p.Structs[step.Struct]
	at := int64(s.Fields[step.Field].Off) + off
	if off == 0 || off == anywhere || at < 0 || uint64(at) >= s.Size {
		return step
	}
	step, _ = t.fieldAt(step.Struct, 0, uint64(at))
	return step
}

// fieldAt returns the innermost field at an offset into a struct, or an array of it.
func (t *index) fieldAt(id ir.StructID, size, off uint64) (ir.Step, bool) {
	var step ir.Step
	for id != 0 {
		s := &t.p.Structs[id]
		if s.Size == 0 || s.Size > size && size != 0 {
			break
		}
		off %= s.Size
		i := len(s.Fields) - 1
		for i >= 0 && s.Fields[i].Off > off {
			i--
		}
		if i < 0 {
			break
		}
		step = ir.Step{Struct: id, Field: uint32(i)}
		off -= s.Fields[i].Off
		id, size = s.Fields[i].Struct, 0
	}
	return step, step.Struct != 0
}
