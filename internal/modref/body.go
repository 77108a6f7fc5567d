// This file finds what the instructions of a function write.

package modref

import (
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
)

// A body is a function that is looked at.
type body struct {
	t      *Table
	id     ir.FuncID
	f      *ir.Func
	cyclic bool      // it may call itself
	params []through // what it writes through parameters
	all    bool      // tell also what only the function itself can see
	pure   bool      // nothing but memory and arguments decides what it returns

	new  map[ir.ValueID]bool // phis: all they can be was made here
	made map[ir.ValueID]bool // the same, without variables
}

// look goes through the instructions, and tells what they write that the callers may
// see; what the functions it calls write is left out, but for those without a body.
func (b *body) look(write func(atom)) {
	f := b.f
	if f.IsDecl() || len(f.Blocks) == 0 {
		return
	}
	fresh := f.Result.Kind() == ir.Ptr
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		x := &f.Values[v]
		args := f.ArgsOf(v)
		switch {
		case x.Op == ir.OpLoad && x.Sub != 0:
			b.pure = false
		case x.Op == ir.OpStore:
			b.store(args[1], f.Values[args[0]].Type, write)
		case x.Op == ir.OpCmpXchg, x.Op == ir.OpAtomicRMW:
			b.store(args[0], f.Values[args[1]].Type, write)
		case x.Op == ir.OpMemset:
			b.bytes(args[0], 0, args[2], write)
		case x.Op == ir.OpMemcpy:
			b.bytes(args[0], args[1], args[2], write)
		case x.Op.IsCall():
			b.call(v, write)
		case x.Op == ir.OpRet:
			fresh = fresh && len(args) > 0 && b.isNew(args[0], false)
		}
	}
	b.t.fresh[b.id], b.t.params[b.id] = fresh, b.params
}

// isNew reports whether what v points to was not there before the function was called:
// memory that it makes, and its own variables if these count.
func (b *body) isNew(v ir.ValueID, vars bool) bool {
	f := b.f
	for f.Values[v].Op == ir.OpGep {
		v = f.ArgsOf(v)[0]
	}
	switch x := &f.Values[v]; {
	case x.Op == ir.OpAlloca:
		return vars
	case x.Op == ir.OpConstNull, x.Op == ir.OpUndef:
		return true
	case x.Op.IsCall():
		c := f.Callee(v)
		return c != 0 && b.t.makes(c)
	case x.Op == ir.OpPhi, x.Op == ir.OpSelect:
		known := &b.made
		if vars {
			known = &b.new
		}
		if ok, seen := (*known)[v]; seen {
			return ok
		}
		if *known == nil {
			*known = map[ir.ValueID]bool{}
		}
		(*known)[v] = true // round a loop
		args := f.ArgsOf(v)
		if x.Op == ir.OpSelect {
			args = args[1:]
		}
		for _, a := range args {
			if !b.isNew(a, vars) {
				(*known)[v] = false
				return false
			}
		}
		return true
	}
	return false
}

// makes reports whether what a function returns is new.
func (t *Table) makes(c ir.FuncID) bool {
	f := &t.p.Funcs[c]
	if !f.IsDecl() {
		return t.fresh[c]
	}
	if m := t.models.Lookup(f.Name); m != nil {
		_, ok := m.Fresh()
		return ok && !m.ReturnsParam()
	}
	return f.Flags&ir.NoAlias != 0
}

// store tells what is written by a store of a value of type typ.
func (b *body) store(addr ir.ValueID, typ ir.Type, write func(atom)) {
	if b.isNew(addr, true) {
		return
	}
	pl := PlaceOf(b.t.p, b.f, addr, typ)
	write = b.by(regionOf(b.t.p, b.f, addr).base, write)
	w := width(typ)
	if pl.Global == 0 && pl.Struct == 0 && w == 0 {
		write(atom{kind: anyBytes})
		return
	}
	b.place(pl, write)
	if pl.Struct != 0 && w == 0 {
		for s := range b.t.parts(b.t.p.Structs[pl.Struct].Fields[pl.Field].Struct) {
			b.place(Place{Global: pl.Global, Off: pl.Off, Struct: s.Struct, Field: s.Field, Type: b.t.typeOf(s)}, write)
		}
	}
}

// place tells that what is at a place is written.
func (b *body) place(pl Place, write func(atom)) {
	t := b.t
	w := width(pl.Type)
	step := ir.Step{Struct: pl.Struct, Field: pl.Field}
	known := false // pointers may point there
	switch g := uint32(pl.Global); {
	case g != 0:
		known = t.taken.global(pl.Global, pl.Off)
		write(atom{kind: globalSome, a: g})
		switch {
		case step.Struct != 0:
			write(atom{kind: globalField, a: g, b: uint32(step.Struct), off: int64(step.Field)})
			if known {
				write(atom{kind: fieldKnown, a: uint32(step.Struct), b: step.Field})
			}
			known = t.taken.plain(pl.Global, pl.Off, step)
		case pl.Off == Anywhere || w == 0:
			write(atom{kind: globalAny, a: g})
		default:
			write(atom{kind: globalAt, a: g, off: pl.Off})
		}
	case step.Struct != 0:
		known = t.taken.fields[step]
		write(atom{kind: field, a: uint32(step.Struct), b: step.Field})
	default:
		write(atom{kind: plain, a: w})
	}
	if known && w != 0 {
		write(atom{kind: plainKnown, a: w})
	}
}

// bytes tells what is written by a function that writes n bytes, or an unknown number
// when that is 0, copied from src if that is not 0.
func (b *body) bytes(dst, src, n ir.ValueID, write func(atom)) {
	if !b.all && b.isNew(dst, true) {
		return
	}
	t, f := b.t, b.f
	r := regionOf(t.p, f, dst)
	write = b.by(r.base, write)
	g := ir.GlobalID(0)
	if x := &f.Values[r.base]; x.Op == ir.OpGlobalAddr {
		g = ir.GlobalID(x.Aux)
	}
	off := r.off
	if r.vary != 0 {
		off = Anywhere
	}
	switch {
	case r.step.Struct != 0:
		b.place(Place{Global: g, Off: off, Struct: r.step.Struct, Field: r.step.Field, Type: t.typeOf(r.step)}, write)
		b.whole(g, off, []ir.StructID{t.p.Structs[r.step.Struct].Fields[r.step.Field].Struct}, write)
	case g != 0:
		b.place(Place{Global: g, Off: Anywhere}, write)
		b.whole(g, Anywhere, []ir.StructID{t.p.Globals[g].Struct}, write)
	default:
		if r.vary > 8 { // elements of an array
			b.whole(0, 0, t.taken.sized[uint64(r.vary)], write)
		}
		b.pointed(r.base, src, n, write)
	}
}

// whole tells that all fields of some structs are written.
func (b *body) whole(g ir.GlobalID, off int64, ids []ir.StructID, write func(atom)) {
	for _, id := range ids {
		for s := range b.t.parts(id) {
			b.place(Place{Global: g, Off: off, Struct: s.Struct, Field: s.Field, Type: b.t.typeOf(s)}, write)
		}
	}
}

// pointed tells that bytes are written that v points to, going by what it is declared
// to point to, by the type of the source, or by the number.
func (b *body) pointed(v, src, n ir.ValueID, write func(atom)) {
	t, f := b.t, b.f
	if x := &f.Values[v]; x.Op == ir.OpAlloca {
		b.whole(0, 0, []ir.StructID{ir.StructID(f.Ints[x.Aux+1])}, write)
		write(atom{kind: anyBytes})
		return
	} else if x.Var != 0 && pointee(f.Vars[x.Var].Type) != "" {
		typ := f.Vars[x.Var].Type
		if ids := t.structs(typ); ids != nil {
			b.whole(0, 0, ids, write)
			return
		}
		if w := t.scalar(typ); w != 0 {
			write(atom{kind: plain, a: w})
			return
		}
	}
	if src != 0 {
		if x := &f.Values[src]; x.Op == ir.OpAlloca && f.Ints[x.Aux+1] != 0 {
			b.whole(0, 0, []ir.StructID{ir.StructID(f.Ints[x.Aux+1])}, write)
			return
		}
	}
	if n != 0 {
		if size, ok := f.ConstInt(n); ok && len(t.taken.sized[uint64(size)]) > 0 && size > 8 {
			b.whole(0, 0, t.taken.sized[uint64(size)], write)
		}
	}
	write(atom{kind: anyBytes})
}

// pointee returns what a type written in C points to, "" if it is no pointer.
func pointee(typ string) string {
	to, ok := strings.CutSuffix(strings.TrimSuffix(typ, "const"), "*")
	if !ok {
		return ""
	}
	to = strings.TrimSpace(to)
	for _, word := range []string{"const ", "volatile ", "struct ", "union ", "class "} {
		to = strings.TrimPrefix(to, word)
	}
	return to
}

// structs returns what a pointer to a struct points to.
func (t *Table) structs(typ string) []ir.StructID { return t.taken.named[pointee(typ)] }

// scalar returns the type that a pointer to a plain type points to; 0 if it is none.
func (t *Table) scalar(typ string) uint32 {
	bits := uint64(0)
	switch to := pointee(typ); to {
	case "char", "unsigned char", "signed char", "uint8_t", "int8_t":
		bits = 8
	case "short", "unsigned short", "uint16_t", "int16_t":
		bits = 16
	case "int", "unsigned int", "uint32_t", "int32_t":
		bits = 32
	case "long", "unsigned long", "size_t", "ssize_t":
		bits = uint64(t.p.PtrBits)
	case "long long", "unsigned long long", "uint64_t", "int64_t":
		bits = 64
	default:
		if strings.HasSuffix(to, "*") {
			return width(ir.MakeType(ir.Ptr, uint64(t.p.PtrBits)))
		}
		return 0
	}
	return width(ir.MakeType(ir.Int, bits))
}
