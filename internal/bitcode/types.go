// This file reads the type table.

package bitcode

import "fmt"

// A TypeKind is the kind of an LLVM type.
type TypeKind uint8

const (
	TVoid TypeKind = iota + 1
	TInt
	TFloat // any floating point type
	TPtr
	TLabel
	TMetadata
	TToken
	TArray
	TVector
	TStruct
	TFunc
	TOpaque // struct without a body, target type
)

// A Type is one entry of the type table.
type Type struct {
	Kind     TypeKind
	Packed   bool     // TStruct
	VarArg   bool     // TFunc
	Scalable bool     // TVector
	N        uint64   // bits of TInt and TFloat, elements of TArray and TVector, address space of TPtr
	Elem     TypeID   // TArray, TVector; result of TFunc
	Elems    []TypeID // fields of TStruct, parameters of TFunc
	Name     string   // TStruct, TOpaque; "" for literal structs
}

// simpleTypes are the type codes without operands.
var simpleTypes = map[uint64]Type{
	tyVoid:     {Kind: TVoid},
	tyHalf:     {Kind: TFloat, N: 16},
	tyBFloat:   {Kind: TFloat, N: 16},
	tyFloat:    {Kind: TFloat, N: 32},
	tyDouble:   {Kind: TFloat, N: 64},
	tyX86FP80:  {Kind: TFloat, N: 80},
	tyFP128:    {Kind: TFloat, N: 128},
	tyPPCFP128: {Kind: TFloat, N: 128},
	tyLabel:    {Kind: TLabel},
	tyMetadata: {Kind: TMetadata},
	tyX86MMX:   {Kind: TInt, N: 64},
	tyX86AMX:   {Kind: TInt, N: 8192},
	tyToken:    {Kind: TToken},
}

// readTypes reads the TYPE_BLOCK_ID_NEW block.
func (m *Module) readTypes(r *reader) {
	r.enterBlock(blkType)
	name := ""
	r.walk(r.refuse("the type table"), func(code uint64) {
		switch code {
		case tyNumEntry:
		case tyStructName:
			name = r.chars(0)
		default:
			t := m.readType(r, code, name)
			if code == tyStructNamed || code == tyOpaque {
				name = ""
			}
			m.Types = append(m.Types, t)
		}
	})
	if r.err == nil {
		m.checkTypes(r)
	}
}

func (m *Module) readType(r *reader, code uint64, name string) Type {
	if t, ok := simpleTypes[code]; ok {
		return t
	}
	switch code {
	case tyInteger:
		n := r.at(0)
		if n == 0 || n > 1<<23 {
			r.fail("integer type of %d bits", n)
		}
		return Type{Kind: TInt, N: n}
	case tyPointer:
		return Type{Kind: TPtr, N: r.opt(1)}
	case tyOpaquePtr:
		return Type{Kind: TPtr, N: r.at(0)}
	case tyArray:
		return Type{Kind: TArray, N: r.at(0), Elem: TypeID(r.at(1))}
	case tyVector:
		return Type{Kind: TVector, N: r.at(0), Elem: TypeID(r.at(1)), Scalable: r.opt(2) != 0}
	case tyStructAnon, tyStructNamed:
		return Type{Kind: TStruct, Packed: r.at(0) != 0, Elems: typeIDs(r, 1), Name: name}
	case tyFunction:
		return Type{Kind: TFunc, VarArg: r.at(0) != 0, Elem: TypeID(r.at(1)), Elems: typeIDs(r, 2)}
	case tyOpaque, tyTarget:
		return Type{Kind: TOpaque, Name: name}
	}
	r.fail("unknown type record %d", code)
	return Type{}
}

func typeIDs(r *reader, from int) []TypeID {
	if from >= len(r.rec) {
		return nil
	}
	ids := make([]TypeID, 0, len(r.rec)-from)
	for _, x := range r.rec[from:] {
		ids = append(ids, TypeID(min(x, 1<<32-1)))
	}
	return ids
}

// checkTypes refuses ids past the table and types that contain themselves, and
// makes sure that there is an i1 and an untyped pointer.
func (m *Module) checkTypes(r *reader) {
	n := TypeID(len(m.Types))
	for i := range m.Types {
		t := &m.Types[i]
		bad := t.Elem >= n && (t.Kind == TArray || t.Kind == TVector || t.Kind == TFunc)
		for _, e := range t.Elems {
			bad = bad || e >= n
		}
		if bad {
			r.fail("type %d refers to a type that does not exist", i)
			return
		}
	}
	state := make([]uint8, n)
	for i := range n {
		if !m.finite(i, state) {
			r.fail("type %d contains itself", i)
			return
		}
	}
	m.i1Type = m.findType(func(t *Type) bool { return t.Kind == TInt && t.N == 1 }, Type{Kind: TInt, N: 1})
	m.voidType = m.findType(func(t *Type) bool { return t.Kind == TVoid }, Type{Kind: TVoid})
	m.ptrType = m.findType(func(t *Type) bool { return t.Kind == TPtr && t.N == 0 }, Type{Kind: TPtr})
}

// finite reports whether type id has no cycle through values. State is 1 while
// a type is being looked at and 2 when it is known to be fine.
func (m *Module) finite(id TypeID, state []uint8) bool {
	switch state[id] {
	case 1:
		return false
	case 2:
		return true
	}
	state[id] = 1
	t := &m.Types[id]
	switch t.Kind {
	case TArray, TVector:
		if !m.finite(t.Elem, state) {
			return false
		}
	case TStruct, TFunc:
		if t.Kind == TFunc && !m.finite(t.Elem, state) {
			return false
		}
		for _, e := range t.Elems {
			if !m.finite(e, state) {
				return false
			}
		}
	}
	state[id] = 2
	return true
}

func (m *Module) findType(ok func(*Type) bool, otherwise Type) TypeID {
	for i := range m.Types {
		if ok(&m.Types[i]) {
			return TypeID(i)
		}
	}
	m.Types = append(m.Types, otherwise)
	return TypeID(len(m.Types) - 1)
}

// typ returns type id, or fails.
func (m *Module) typ(r *reader, id uint64) *Type {
	if id >= uint64(len(m.Types)) {
		r.fail("type %d does not exist", id)
		return &Type{Kind: TVoid}
	}
	return &m.Types[id]
}

// TypeString prints a type the way LLVM does, for errors and signatures.
func (m *Module) TypeString(id TypeID) string {
	t := &m.Types[id]
	switch t.Kind {
	case TVoid:
		return "void"
	case TInt:
		return fmt.Sprintf("i%d", t.N)
	case TFloat:
		return fmt.Sprintf("f%d", t.N)
	case TPtr:
		return "ptr"
	case TLabel:
		return "label"
	case TMetadata:
		return "metadata"
	case TToken:
		return "token"
	case TArray:
		return fmt.Sprintf("[%d x %s]", t.N, m.TypeString(t.Elem))
	case TVector:
		return fmt.Sprintf("<%d x %s>", t.N, m.TypeString(t.Elem))
	case TStruct, TOpaque:
		if t.Name != "" {
			return "%" + t.Name
		}
		return "{" + m.typeList(t.Elems) + "}"
	case TFunc:
		s := m.typeList(t.Elems)
		if t.VarArg {
			if s != "" {
				s += ","
			}
			s += "..."
		}
		return m.TypeString(t.Elem) + "(" + s + ")"
	}
	panic(fmt.Sprintf("bitcode: bad type kind %d", t.Kind))
}

func (m *Module) typeList(ids []TypeID) string {
	s := ""
	for i, e := range ids {
		if i > 0 {
			s += ","
		}
		s += m.TypeString(e)
	}
	return s
}
