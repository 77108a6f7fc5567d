// This file follows writes through parameters to the callers, which know better what
// they pass: their own variables, a field, a global, a struct of some type.

package modref

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// A through is a write of what a parameter points to.
type through struct {
	param uint32 // from 0
	a     atom   // a field, a plain value or bytes
}

// maxThrough bounds the writes through parameters that are kept of one function; the
// others are written whatever is passed.
const maxThrough = 48

// by returns where to tell writes of what v points into: if that is a parameter, the
// callers say what it is, unless the function calls itself.
func (b *body) by(v ir.ValueID, write func(atom)) func(atom) {
	x := &b.f.Values[v]
	if x.Op != ir.OpParam || b.cyclic || b.all {
		return write
	}
	return func(a atom) {
		th := through{x.Aux, a}
		if b.t.loose {
			write(a)
			if a.kind != anyBytes { // which may be fields of what is passed
				return
			}
		}
		switch {
		case a.kind != field && a.kind != plain && a.kind != plainKnown && a.kind != anyBytes:
			write(a)
		case slices.Contains(b.params, th):
		case len(b.params) < maxThrough:
			b.params = append(b.params, th)
		default:
			write(a)
		}
	}
}

// passes tells what call v writes by way of what it passes to id.
func (b *body) passes(v ir.ValueID, id ir.FuncID, write func(atom)) {
	args := b.f.ArgsOf(v)[1:]
	for _, th := range b.t.params[id] {
		if int(th.param) < len(args) {
			b.instance(args[th.param], th.a, write)
		}
	}
}

// instance tells that an atom is written of what an argument points to.
func (b *body) instance(arg ir.ValueID, a atom, write func(atom)) {
	if b.f.Values[arg].Op == ir.OpConstNull || !b.all && b.isNew(arg, true) {
		return
	}
	r := regionOf(b.t.p, b.f, arg)
	g := ir.GlobalID(0)
	if x := &b.f.Values[r.base]; x.Op == ir.OpGlobalAddr {
		g = ir.GlobalID(x.Aux)
	}
	write = b.by(r.base, write)
	switch {
	case a.kind == plainKnown: // it comes with the field
	case a.kind == anyBytes:
		b.bytes(arg, 0, 0, write)
	case a.kind == plain:
		b.place(PlaceOf(b.t.p, b.f, arg, ir.Type(a.a)), write)
	case g != 0:
		step := ir.Step{Struct: ir.StructID(a.a), Field: a.b}
		b.place(Place{Global: g, Off: Anywhere, Struct: step.Struct, Field: step.Field, Type: b.t.typeOf(step)}, write)
	case a.kind == field:
		step := ir.Step{Struct: ir.StructID(a.a), Field: a.b}
		b.place(Place{Struct: step.Struct, Field: step.Field, Type: b.t.typeOf(step)}, write)
	}
}

// unbound tells what a function writes through its parameters, whatever is passed.
func (t *Table) unbound(id ir.FuncID, write func(atom)) {
	for _, th := range t.params[id] {
		write(th.a)
	}
}
