// This file holds machine types.

package ir

import "fmt"

// A Type is the machine type of a value: its kind in the low byte, its size above.
//
//	void  i1  i32  f64  ptr  vec16  agg24  token
type Type uint32

// A TypeKind is what a Type is, its size aside.
type TypeKind uint8

const (
	Void  TypeKind = iota // no value
	Int                   // size in bits
	Float                 // size in bits
	Ptr                   // size in bits
	Vec                   // size in bytes
	Agg                   // struct or array, size in bytes
	Token                 // exception handling pads of Windows
)

const maxTypeSize = 1<<24 - 1

// MakeType returns the type of a kind and size. A size past 2^24-1 is cut to that.
func MakeType(k TypeKind, size uint64) Type {
	return Type(k) | Type(min(size, maxTypeSize))<<8
}

// Kind returns the kind of t.
func (t Type) Kind() TypeKind { return TypeKind(t & 0xff) }

// Size returns bits for Int, Float and Ptr, bytes for Vec and Agg.
func (t Type) Size() uint64 { return uint64(t >> 8) }

// Bytes returns how much memory a value of t takes, padding not counted.
func (t Type) Bytes() uint64 {
	switch t.Kind() {
	case Int, Float, Ptr:
		return (t.Size() + 7) / 8
	}
	return t.Size()
}

// String prints the form shown at Type. The width of a pointer is the program's.
func (t Type) String() string {
	switch t.Kind() {
	case Void:
		return "void"
	case Int:
		return fmt.Sprintf("i%d", t.Size())
	case Float:
		return fmt.Sprintf("f%d", t.Size())
	case Ptr:
		return "ptr"
	case Vec:
		return fmt.Sprintf("vec%d", t.Size())
	case Agg:
		return fmt.Sprintf("agg%d", t.Size())
	case Token:
		return "token"
	}
	panic(fmt.Sprintf("ir: bad type %#x", uint32(t)))
}
