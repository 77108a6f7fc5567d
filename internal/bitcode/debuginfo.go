// This file decodes the debug information nodes that plumb reads.

package bitcode

// A DILocation is a place in a scope.
type DILocation struct {
	Line, Col uint32
	Scope     MDID
	Inlined   MDID // another DILocation, or NoMD
}

// A DIFile is a source file.
type DIFile struct{ Name, Dir string }

// A DIScope is a function, block, file or namespace.
type DIScope struct {
	Kind    ScopeKind
	Parent  MDID
	File    MDID
	Name    string
	Linkage string // of a subprogram
	Line    uint32
	Col     uint32
	Flags   uint32 // DIFlags of a subprogram
}

// A ScopeKind is what a DIScope is.
type ScopeKind uint8

const (
	ScopeFunc ScopeKind = iota + 1
	ScopeBlock
	ScopeBlockFile // same block, other file or discriminator
	ScopeNamespace
	ScopeType
	ScopeFile
	ScopeUnit
)

// A DIVar is a local or global variable.
type DIVar struct {
	Name  string
	Scope MDID
	File  MDID
	Line  uint32
	Type  MDID
	Arg   uint32 // parameter number, from 1; 0 for locals and globals
	Flags uint32
}

// FlagArtificial marks what the compiler made.
const FlagArtificial = 1 << 6

// A DIType is a type of the source program.
type DIType struct {
	Tag      uint32 // DWARF tag; TagBase for basic types
	Name     string
	Scope    MDID
	Base     MDID   // pointee, element, aliased or member type
	Size     uint64 // bits
	Off      uint64 // bits, of a member
	Elements MDID   // list of members, or of subroutine types
	Flags    uint32
}

// DWARF tags.
const (
	TagArray     = 0x01
	TagClass     = 0x02
	TagEnum      = 0x04
	TagMember    = 0x0d
	TagPointer   = 0x0f
	TagReference = 0x10
	TagStruct    = 0x13
	TagFunc      = 0x15
	TagTypedef   = 0x16
	TagUnion     = 0x17
	TagInherit   = 0x1c
	TagBase      = 0x24
	TagConst     = 0x26
	TagVolatile  = 0x35
	TagRestrict  = 0x37
	TagRValueRef = 0x42
	TagAtomic    = 0x47
)

// FlagStaticMember marks a member that takes no room in its class.
const FlagStaticMember = 1 << 12

// Location decodes a DILocation node.
func (md *Metadata) Location(id MDID) (l DILocation, ok bool) {
	ops := md.node(id, mdLocation)
	if len(ops) < 5 {
		return l, false
	}
	return DILocation{Line: ops[1], Col: ops[2], Scope: MDID(ops[3]), Inlined: ref(ops, 4)}, true
}

// File decodes a DIFile node.
func (md *Metadata) File(id MDID) (f DIFile, ok bool) {
	ops := md.node(id, mdFile)
	if len(ops) < 3 {
		return f, false
	}
	return DIFile{md.String(ref(ops, 1)), md.String(ref(ops, 2))}, true
}

// UnitFile returns the main source file of a compile unit node, and its
// DWARF language.
func (md *Metadata) UnitFile(id MDID) (file MDID, lang uint32, ok bool) {
	ops := md.node(id, mdCompileUnit)
	if len(ops) < 3 {
		return NoMD, 0, false
	}
	return ref(ops, 2), ops[1], true
}

// CompileUnit returns the first compile unit, or NoMD.
func (md *Metadata) CompileUnit() MDID {
	for i := range md.nodes {
		if md.nodes[i].code == mdCompileUnit {
			return md.base + MDID(i)
		}
	}
	return NoMD
}

// Scope decodes any node that can be a scope.
func (md *Metadata) Scope(id MDID) (s DIScope, ok bool) {
	code := md.code(id)
	ops := md.node(id, code)
	switch code {
	case mdSubprogram:
		s = DIScope{Kind: ScopeFunc, Parent: ref(ops, 1), Name: md.String(ref(ops, 2)), Linkage: md.String(ref(ops, 3)),
			File: ref(ops, 4), Line: op(ops, 5), Flags: op(ops, 11)}
	case mdLexicalBlock:
		s = DIScope{Kind: ScopeBlock, Parent: ref(ops, 1), File: ref(ops, 2), Line: op(ops, 3), Col: op(ops, 4)}
	case mdLexicalFile:
		s = DIScope{Kind: ScopeBlockFile, Parent: ref(ops, 1), File: ref(ops, 2)}
	case mdNamespace:
		s = DIScope{Kind: ScopeNamespace, Parent: ref(ops, 1), Name: md.String(ref(ops, 2)), File: NoMD}
	case mdCompositeType:
		s = DIScope{Kind: ScopeType, Parent: ref(ops, 5), Name: md.String(ref(ops, 2)), File: ref(ops, 3)}
	case mdFile:
		s = DIScope{Kind: ScopeFile, Parent: NoMD, File: id}
	case mdCompileUnit:
		s = DIScope{Kind: ScopeUnit, Parent: NoMD, File: ref(ops, 2)}
	default:
		return s, false
	}
	return s, true
}

// FuncType returns the type of a DISubprogram node, or NoMD.
func (md *Metadata) FuncType(id MDID) MDID { return ref(md.node(id, mdSubprogram), 6) }

// LocalVar decodes a DILocalVariable node.
func (md *Metadata) LocalVar(id MDID) (v DIVar, ok bool) {
	ops := md.node(id, mdLocalVar)
	if len(ops) < 8 {
		return v, false
	}
	return DIVar{Scope: ref(ops, 1), Name: md.String(ref(ops, 2)), File: ref(ops, 3), Line: ops[4],
		Type: ref(ops, 5), Arg: ops[6], Flags: ops[7]}, true
}

// GlobalVar decodes a DIGlobalVariable, or the expression around one.
func (md *Metadata) GlobalVar(id MDID) (v DIVar, ok bool) {
	if ops := md.node(id, mdGlobalVarExpr); len(ops) >= 2 {
		id = ref(ops, 1)
	}
	ops := md.node(id, mdGlobalVar)
	if len(ops) < 7 {
		return v, false
	}
	return DIVar{Scope: ref(ops, 1), Name: md.String(ref(ops, 2)), File: ref(ops, 4), Line: ops[5], Type: ref(ops, 6)}, true
}

// Type decodes a type node. Constants gives the integers that newer versions
// store for sizes as metadata.
func (md *Metadata) Type(id MDID, constant func(ValueID) uint64) (t DIType, ok bool) {
	code := md.code(id)
	ops := md.node(id, code)
	size := func(i int, wrapped uint32) uint64 {
		if op(ops, 0)&wrapped == 0 {
			return uint64(op(ops, i))
		}
		if v := md.Value(ref(ops, i)); v != NoValue {
			return constant(v)
		}
		return 0
	}
	switch code {
	case mdBasicType:
		t = DIType{Tag: TagBase, Name: md.String(ref(ops, 2)), Size: size(3, 2), Scope: NoMD, Base: NoMD, Elements: NoMD}
	case mdDerivedType:
		t = DIType{Tag: op(ops, 1), Name: md.String(ref(ops, 2)), Scope: ref(ops, 5), Base: ref(ops, 6),
			Size: size(7, 2), Off: size(9, 2), Flags: op(ops, 10), Elements: NoMD}
	case mdCompositeType:
		t = DIType{Tag: op(ops, 1), Name: md.String(ref(ops, 2)), Scope: ref(ops, 5), Base: ref(ops, 6),
			Size: size(7, 4), Flags: op(ops, 10), Elements: ref(ops, 11)}
	case mdSubroutineType:
		t = DIType{Tag: TagFunc, Scope: NoMD, Base: NoMD, Elements: ref(ops, 2)}
	default:
		return t, false
	}
	return t, true
}

// CompositeTypes lists the struct, class and union nodes of a module.
func (md *Metadata) CompositeTypes() []MDID {
	var ids []MDID
	for i := range md.nodes {
		if md.nodes[i].code == mdCompositeType {
			ids = append(ids, md.base+MDID(i))
		}
	}
	return ids
}

// Typedefs lists the typedef nodes of a module.
func (md *Metadata) Typedefs() []MDID {
	var ids []MDID
	for i := range md.nodes {
		if md.nodes[i].code == mdDerivedType && op(md.ops[md.nodes[i].off:][:md.nodes[i].n], 1) == TagTypedef {
			ids = append(ids, md.base+MDID(i))
		}
	}
	return ids
}

// IsPlain reports whether a DIExpression node is empty: the variable is there,
// not behind or within what is named.
func (md *Metadata) IsPlain(expr MDID) bool {
	return len(md.node(expr, mdExpression)) <= 1
}
