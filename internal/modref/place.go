// This file names memory.

package modref

import (
	"math"

	"github.com/plumb-project/plumb/internal/ir"
)

// A Place is memory that is read or written: some bytes of a global, a field of an
// object of a struct type, or, when Global and Struct are 0, what a pointer points to
// of which nothing else is known.
type Place struct {
	Global ir.GlobalID // 0 for none
	Off    int64       // bytes into the global, or Anywhere; without a global, Outside or 0
	Struct ir.StructID // the innermost struct, if it is known; 0 otherwise
	Field  uint32      // indexes its fields
	Type   ir.Type     // of what is read or written
}

const (
	Anywhere int64 = math.MinInt64 // an offset that varies
	Outside  int64 = Anywhere + 1  // memory that a function without a body gave the address of: errno
)

// PlaceOf returns what is read or written by an access of type typ at an address of f.
func PlaceOf(p *ir.Program, f *ir.Func, addr ir.ValueID, typ ir.Type) Place {
	r := regionOf(p, f, addr)
	pl := Place{Type: typ}
	if x := &f.Values[r.base]; x.Op == ir.OpGlobalAddr {
		pl.Global, pl.Off = ir.GlobalID(x.Aux), r.off
		if r.vary != 0 {
			pl.Off = Anywhere
		}
	} else if c := f.Callee(r.base); c != 0 && p.Funcs[c].IsDecl() {
		pl.Off = Outside
	}
	if r.step.Struct == 0 && typ.Kind() != ir.Agg {
		r.step, r.rest = r.whole(p, f)
	}
	if r.step.Struct != 0 {
		step := inner(p, r.step, r.rest, r.vary, typ.Bytes())
		pl.Struct, pl.Field = step.Struct, step.Field
	}
	return pl
}

// A region is where a pointer points.
type region struct {
	base ir.ValueID // what the address is an offset from
	off  int64      // the offset, as far as it does not vary
	vary int64      // the offset varies by multiples of this; 0 when it does not
	step ir.Step    // the field that the address is of or in, if it is known
	rest int64      // how far into that, as far as it does not vary
}

// regionOf takes an address apart.
func regionOf(p *ir.Program, f *ir.Func, v ir.ValueID) region {
	var r region
	for f.Values[v].Op == ir.OpGep {
		g := &f.Geps[f.Values[v].Aux]
		if g.NStep > 0 && r.step.Struct == 0 {
			r.step, r.rest = f.Steps[g.Step+g.NStep-1], r.off
		}
		r.off += g.Off
		for _, n := range f.Strides[g.Stride : g.Stride+g.NStride] {
			r.vary = gcd(r.vary, n)
		}
		v = f.ArgsOf(v)[0]
	}
	r.base = v
	if r.step.Struct == 0 && r.off > 0 {
		r.step, r.rest = r.whole(p, f)
	}
	return r
}

// whole returns the field that the offset is in of what the base is known to be.
func (r *region) whole(p *ir.Program, f *ir.Func) (ir.Step, int64) {
	id, size := ir.StructID(0), uint64(0)
	switch x := &f.Values[r.base]; x.Op {
	case ir.OpGlobalAddr:
		id, size = p.Globals[x.Aux].Struct, p.Globals[x.Aux].Size
	case ir.OpAlloca:
		id, size = ir.StructID(f.Ints[x.Aux+1]), uint64(f.Ints[x.Aux])
	}
	if id == 0 || r.off < 0 || p.Structs[id].Size == 0 || r.vary%int64(p.Structs[id].Size) != 0 {
		return ir.Step{}, 0
	}
	return fieldAt(p, id, size, uint64(r.off))
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// fieldAt returns the field at an offset into a struct or an array of it, and how far
// into that the offset is.
func fieldAt(p *ir.Program, id ir.StructID, size, off uint64) (ir.Step, int64) {
	s := &p.Structs[id]
	if s.Size == 0 || size != 0 && s.Size > size {
		return ir.Step{}, 0
	}
	off %= s.Size
	for i := len(s.Fields) - 1; i >= 0; i-- {
		if s.Fields[i].Off <= off {
			return ir.Step{Struct: id, Field: uint32(i)}, int64(off - s.Fields[i].Off)
		}
	}
	return ir.Step{}, 0
}

// inner returns the innermost field that an access of n bytes is in, off bytes into a
// field that may itself be a struct, or an array of structs.
func inner(p *ir.Program, step ir.Step, off, vary int64, n uint64) ir.Step {
	for {
		id := p.Structs[step.Struct].Fields[step.Field].Struct
		if id == 0 || off < 0 || p.Structs[id].Size == 0 || vary%int64(p.Structs[id].Size) != 0 {
			return step
		}
		next, rest := fieldAt(p, id, 0, uint64(off))
		if next.Struct == 0 || p.Structs[next.Struct].Fields[next.Field].Type.Bytes() < n {
			return step
		}
		step, off = next, rest
	}
}
