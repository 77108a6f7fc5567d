// This file says which writes may change what is at a place.

package modref

import "github.com/plumb-project/plumb/internal/ir"

// An atom is a piece of memory that is written under one name.
type atom struct {
	kind kind
	a, b uint32
	off  int64
}

// A kind says what an atom is.
type kind uint8

const (
	field       kind = iota + 1 // field b of struct a, of any object
	fieldKnown                  // the same, of a global that pointers may point to
	globalField                 // field off of struct b, in global a
	globalAt                    // global a, which is no struct, at an offset
	globalAny                   // global a, at an offset that varies, or all of it
	globalSome                  // global a, somewhere
	plain                       // a value of type a, behind a pointer of which nothing is known
	plainKnown                  // the same, of a field or global that pointers may point to
	anyBytes                    // bytes behind a pointer of which nothing is known
	library                     // memory of functions without a body
	elsewhere                   // globals without a definition
)

// A set is a set of atoms, by number.
type set []uint64

func (s *set) add(i uint32) {
	for int(i/64) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[i/64] |= 1 << (i % 64)
}

func (s *set) join(o set) {
	if len(*s) < len(o) {
		*s = append(*s, make(set, len(o)-len(*s))...)
	}
	for i, w := range o {
		(*s)[i] |= w
	}
}

func (s set) has(i uint32) bool { return int(i/64) < len(s) && s[i/64]&(1<<(i%64)) != 0 }

func (s set) empty() bool { return len(s) == 0 } // none is ever taken out

// number returns the number of an atom.
func (t *Table) number(a atom) uint32 {
	n, ok := t.atoms[a]
	if !ok {
		n = uint32(len(t.names))
		t.atoms[a] = n
		t.names = append(t.names, a)
	}
	return n
}

// has reports whether an atom is in a set.
func (t *Table) has(s set, a atom) bool {
	n, ok := t.atoms[a]
	return ok && s.has(n)
}

// width returns a type for atoms: integers of one size are one, booleans are bytes.
func width(typ ir.Type) uint32 {
	switch typ.Kind() {
	case ir.Int:
		return uint32(ir.MakeType(ir.Int, typ.Bytes()*8))
	case ir.Ptr, ir.Float:
		return uint32(typ)
	}
	return 0
}

// meets reports whether one of the atoms is written that may change what is at pl.
func (t *Table) meets(pl Place, written func(atom) bool) bool {
	w := width(pl.Type)
	step := ir.Step{Struct: pl.Struct, Field: pl.Field}
	switch {
	case pl.Global != 0:
		return t.meetsGlobal(pl, step, w, written)
	case pl.Struct != 0:
		return t.meetsField(step, w, written)
	case w == 0: // a whole object of which nothing is known
		return true
	}
	return written(atom{kind: plain, a: w}) || written(atom{kind: plainKnown, a: w}) || written(atom{kind: anyBytes}) ||
		pl.Off == Outside && written(atom{kind: library})
}

func (t *Table) meetsField(step ir.Step, w uint32, written func(atom) bool) bool {
	if t.meetsOne(step, w, written) {
		return true
	}
	if w == 0 { // all that is in it
		for s := range t.parts(t.p.Structs[step.Struct].Fields[step.Field].Struct) {
			if t.meetsOne(s, width(t.typeOf(s)), written) {
				return true
			}
		}
	}
	return false
}

func (t *Table) meetsOne(step ir.Step, w uint32, written func(atom) bool) bool {
	return written(atom{kind: field, a: uint32(step.Struct), b: step.Field}) ||
		written(atom{kind: fieldKnown, a: uint32(step.Struct), b: step.Field}) ||
		t.taken.fields[step] && t.meetsPlain(step, w, written) ||
		t.taken.bytes[step] && written(atom{kind: anyBytes})
}

// meetsPlain reports whether a field whose address is taken may be written through a
// pointer of which nothing is known. An array has elements of any type.
func (t *Table) meetsPlain(step ir.Step, w uint32, written func(atom) bool) bool {
	return w != 0 && written(atom{kind: plain, a: w}) || w != width(t.typeOf(step)) && t.meetsAnyPlain(written)
}

func (t *Table) meetsAnyPlain(written func(atom) bool) bool {
	for _, n := range []uint64{8, 16, 32, 64} {
		if written(atom{kind: plain, a: uint32(ir.MakeType(ir.Int, n))}) {
			return true
		}
	}
	for _, n := range []uint64{32, 64, 80} {
		if written(atom{kind: plain, a: uint32(ir.MakeType(ir.Float, n))}) {
			return true
		}
	}
	return written(atom{kind: plain, a: uint32(ir.MakeType(ir.Ptr, uint64(t.p.PtrBits)))})
}

func (t *Table) meetsGlobal(pl Place, step ir.Step, w uint32, written func(atom) bool) bool {
	g := uint32(pl.Global)
	switch {
	case written(atom{kind: globalAny, a: g}):
		return true
	case w == 0 || pl.Off == Anywhere && step.Struct == 0:
		if written(atom{kind: globalSome, a: g}) {
			return true
		}
	case step.Struct != 0:
		if written(atom{kind: globalField, a: g, b: uint32(step.Struct), off: int64(step.Field)}) {
			return true
		}
	case written(atom{kind: globalAt, a: g, off: pl.Off}):
		return true
	}
	if t.p.Globals[g].Decl && written(atom{kind: elsewhere}) {
		return true
	}
	if !t.taken.global(pl.Global, pl.Off) {
		return false
	}
	if written(atom{kind: anyBytes}) || w == 0 {
		return true
	}
	if step.Struct != 0 {
		return written(atom{kind: field, a: uint32(step.Struct), b: step.Field}) || t.taken.plain(pl.Global, pl.Off, step) && t.meetsPlain(step, w, written)
	}
	return written(atom{kind: plain, a: w})
}

// typeOf returns the type of a field.
func (t *Table) typeOf(s ir.Step) ir.Type { return t.p.Structs[s.Struct].Fields[s.Field].Type }
