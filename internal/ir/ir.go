// Package ir is plumb's own form of a C or C++ program: whole, linked, in SSA,
// and small.
//
// A Program holds functions, globals and struct types of all units under
// program-wide ids. A Func holds everything else itself, in flat arrays: its
// values, blocks, source variables, scopes and locations. There is no pointer
// per instruction, an id indexes an array, and id 0 is none everywhere.
//
// What is peculiar to it:
//   - Values of a function are numbered in one space: parameters first, then
//     constants, then instructions block by block. A block is a range of ids.
//   - Source variables survive SSA. A store to a promoted local becomes Set,
//     which says "from here on variable x is value v"; phis know their variable.
//   - Addresses are bytes: a GEP is base + offset + Σ index·stride, and keeps
//     the struct fields it went through, for messages and for calls through
//     fields.
//   - Constant expressions are instructions of the entry block, so there is one
//     way to meet a GEP or a cast.
//   - Pointers are untyped, whatever the version of clang said.
//
// Print writes a program as text, Parse reads it back, Verify checks it.
package ir

// Program-wide ids.
type (
	FuncID   uint32 // indexes Program.Funcs
	GlobalID uint32 // indexes Program.Globals
	StructID uint32 // indexes Program.Structs
	SigID    uint32 // indexes Program.Sigs
	FileID   uint32 // indexes Program.Files
	UnitID   uint32 // indexes Program.Units
)

// Ids within one function.
type (
	ValueID uint32 // indexes Func.Values
	BlockID uint32 // indexes Func.Blocks; the entry block is 1
	VarID   uint32 // indexes Func.Vars
	ScopeID uint32 // indexes Func.Scopes
	LocID   uint32 // indexes Func.Locs
)

// A Program is a whole linked program.
type Program struct {
	PtrBits uint32   // width of a pointer: 64 or 32
	Units   []Unit   // translation units in input order; Units[0] is unused, as in all that follow
	Files   []string // source files, absolute where the compiler knew the directory
	Sigs    []string // function types as text, such as "i32(ptr,i64,...)"
	Structs []Struct
	Globals []Global
	Funcs   []Func // definitions and declarations
}

// A Unit is one translation unit.
type Unit struct {
	Name   string // main source file, or the input's name without debug info
	Lang   Lang
	Triple string // target, such as x86_64-pc-linux-gnu
}

// A Lang is the source language of a unit.
type Lang uint8

const (
	LangUnknown Lang = iota
	LangC
	LangCXX
	LangOther
)

// A Struct is a struct, union or class layout.
//
//	struct $3 "cfg" size=24 { 0 i32 "id"; 8 ptr "name"; 16 agg8 "pos" $2 }
type Struct struct {
	Name   string // without the struct./class./union. prefix; C++ names qualified
	Union  bool
	Size   uint64  // bytes
	Fields []Field // by LLVM field number, so padding may appear; offsets ascend
}

// A Field is one member of a Struct.
type Field struct {
	Name   string // "" for padding, or when there is no debug info
	Off    uint64 // bytes from the start of the struct
	Type   Type
	Struct StructID // layout of a member that is a struct, or an array of them
}

// A Linkage says how a symbol meets others of its name.
type Linkage uint8

const (
	External     Linkage = iota + 1
	Internal             // static, private: never meets another
	Weak                 // weak, weak_odr, extern_weak: yields to a strong one
	LinkOnce             // linkonce, linkonce_odr: any one copy will do
	Common               // tentative C definitions: the largest wins
	AvailableExt         // body for inlining only; the real one is elsewhere
	Appending            // llvm.global_ctors and kin: concatenated
)

// A Global is a variable of static storage.
type Global struct {
	Name        string
	Linkage     Linkage
	Unit        UnitID // where the definition that was kept comes from
	Decl        bool   // no definition in any unit
	Const       bool   // never written
	ThreadLocal bool
	Type        Type
	Size        uint64   // bytes
	Struct      StructID // its layout when it is a struct or an array of structs
	File        FileID
	Line        uint32
	Display     string // source name when it differs: the static's plain name, C++ qualified
	Init        []Cell // what the initialiser stores, by offset; zeros are left out
}

// A Cell is one piece of an initialiser.
type Cell struct {
	Off    uint64
	Kind   CellKind
	Type   Type     // of the scalar; unused for CellBytes
	Func   FuncID   // CellFunc
	Global GlobalID // CellGlobal
	Int    int64    // CellInt: the value; CellFloat: its bits; CellFunc, CellGlobal: byte offset added
	Bytes  string   // CellBytes: raw memory, little endian
}

// A CellKind says which fields of a Cell count.
type CellKind uint8

const (
	CellInt CellKind = iota + 1
	CellFloat
	CellFunc
	CellGlobal
	CellBytes
	CellOpaque // a constant expression we do not evaluate: address differences, label addresses
)

// FuncFlags are facts about a function.
type FuncFlags uint32

const (
	Decl         FuncFlags = 1 << iota // no body in any unit
	Variadic                           // ...
	NoReturn                           // declared noreturn
	NoUnwind                           // throws nothing
	ReturnsTwice                       // setjmp
	Intrinsic                          // llvm.*
	ReadOnly                           // writes no memory the caller can see
	ReadNone                           // touches no memory the caller can see
	NoAlias                            // result aliases nothing: malloc-like
	NonNull                            // result is never null
	Artificial                         // made by the compiler: thunks, static initialisers
)

// ParamFlags are facts about one parameter, or about an argument of one call.
type ParamFlags uint16

const (
	ParamNoCapture ParamFlags = 1 << iota
	ParamReadOnly             // readonly or readnone
	ParamNonNull
	ParamReturned // the function returns this parameter
	ParamSRet     // hidden pointer to the result
	ParamByVal    // hidden copy of an aggregate
	ParamNoAlias
	ParamFreed // allocptr: the deallocator's victim
	ParamConst // points to what is const, says the declaration
)

// A Func is one function, defined or declared.
type Func struct {
	Name        string // linkage name
	Display     string // source name when it differs: the C++ qualified name
	Linkage     Linkage
	Flags       FuncFlags
	Unit        UnitID
	Sig         SigID
	Result      Type
	File        FileID // of the definition
	Line        uint32
	Alloc       string       // allockind and alloc-family, as "kind:family"; "" without
	NParams     uint32       // parameters are values 1..NParams
	Params      []ParamFlags // one per parameter
	Personality FuncID

	// The body; empty for a declaration.
	Values  []Value   // by ValueID
	Args    []ValueID // operands of all values, see Value.Args
	Blocks  []Block   // by BlockID
	Edges   []BlockID // successors and predecessors of all blocks
	Ints    []int64   // wide immediates, see Value.Aux
	Strs    []string  // constant data and inline assembly
	Geps    []Gep     // by Value.Aux of a GEP
	Steps   []Step    // fields of all Geps
	Strides []int64   // strides of all Geps
	Vars    []Var     // source variables
	Scopes  []Scope   // lexical scopes; Scopes[1] is the function itself when there is debug info
	Locs    []Loc     // source locations
}

// A Block is a basic block. Its last instruction is its terminator.
type Block struct {
	First, End  ValueID // instructions First..End-1; phis come first
	Succ, NSucc uint32  // successors: Func.Edges[Succ:Succ+NSucc], in the terminator's order
	Pred, NPred uint32  // predecessors, one for each edge in; phi operands are in this order
}

// A Value is a parameter, a constant or an instruction.
type Value struct {
	Op    Op
	Sub   uint8  // predicate, atomic operation or flags, see the op
	Type  Type   // of the result; Void for none
	Args  uint32 // operands: Func.Args[Args:Args+NArgs]
	NArgs uint32
	Aux   uint32 // index of what does not fit, see the op
	Loc   LocID
	Var   VarID // source variable this value is first assigned to, or that an Alloca holds
}

// A Gep is the address arithmetic of one GEP instruction.
//
// The address is Args[0] + Off + Σ Args[i+1]·Strides[i].
type Gep struct {
	Off             int64
	Stride, NStride uint32 // Func.Strides[Stride:Stride+NStride]
	Step, NStep     uint32 // Func.Steps[Step:Step+NStep], outermost field first
}

// A Step is one field that a GEP went through.
type Step struct {
	Struct StructID
	Field  uint32 // indexes Struct.Fields
}

// A Var is a source variable.
type Var struct {
	Name       string
	Type       string // as C spells it: "char *", "struct cfg"
	Scope      ScopeID
	Line       uint32
	Arg        uint16 // 1-based parameter number; 0 for a local
	Artificial bool   // this, and what the compiler adds
}

// A Scope is a function or a block in its source.
type Scope struct {
	Parent ScopeID
	File   FileID
	Line   uint32
	Col    uint32
	Func   string // name of the function when this scope is one: the body itself, or one inlined into it
}

// A Loc is a source location.
type Loc struct {
	Line, Col uint32
	Scope     ScopeID
	Inlined   LocID // where the function of Scope was inlined
}
