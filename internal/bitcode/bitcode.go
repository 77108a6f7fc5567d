// Package bitcode reads LLVM bitcode, as clang 14 to 22 write it.
//
// Open decodes everything of a module that is not inside a function: types,
// globals, functions, attributes, constants, metadata. Function bodies are
// skipped unread; a FuncReader decodes one at a time, into arrays it reuses.
// A Module is never changed after Open, so any number of FuncReaders may work
// on it at once.
//
// The package knows nothing of analysis. It follows the records closely, with
// two liberties: pointers have no pointee (the type tables of clang 14 still
// do; nobody needs them), and operands are absolute value numbers.
//
// A record, block or code that is not known is an error where skipping it could
// shift a numbering or lose an instruction. Malformed input gives an error,
// never a panic: every index is checked when it is read or, for forward
// references, when the table it points into is complete.
//
// Cost: about 1 ns a bit field; see BenchmarkOpen and BenchmarkBodies.
package bitcode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrNotBitcode is returned for data that does not start like bitcode.
var ErrNotBitcode = errors.New("not LLVM bitcode")

// A TypeID indexes Module.Types.
type TypeID uint32

// A ValueID numbers globals, constants, arguments and instructions, in the
// order of the LLVM value table: module values first, then the function's.
type ValueID uint32

// NoValue stands for an operand that is not there.
const NoValue ValueID = 1<<32 - 1

// An MDID indexes metadata: the module's nodes first, then the function's.
type MDID uint32

// NoMD stands for metadata that is not there.
const NoMD MDID = 1<<32 - 1

// A Module is one module without its function bodies.
type Module struct {
	Producer   string // what wrote it, such as "LLVM19.1.7"
	Triple     string
	DataLayout string
	SourceName string
	Asm        string // module-level assembly

	Types      []Type
	Values     []Value // every module-level value
	Globals    []Global
	Funcs      []Func
	Aliases    []Alias // also ifuncs
	Attrs      []AttrList
	MD         Metadata
	BundleTags []string

	file      string
	data      []byte
	strtab    []byte
	sections  []string
	blockInfo map[uint64][]abbrev
	groups    map[uint64]attrGroup
	vst       map[ValueID]string // names, in modules without a string table
	ptrType   TypeID             // an opaque pointer type, made up if the module has none
	i1Type    TypeID
	voidType  TypeID
}

// A ValueKind says what a module-level value is.
type ValueKind uint8

const (
	ValGlobal ValueKind = iota + 1
	ValFunc
	ValAlias
	ValConst
)

// A Value is a module-level value or, in a function, a constant of its own.
type Value struct {
	Kind  ValueKind
	Type  TypeID
	Index uint32 // into Globals, Funcs or Aliases
	Const Const  // for ValConst
}

// A Linkage is LLVM's, decoded.
type Linkage uint8

const (
	LinkExternal Linkage = iota + 1
	LinkAvailableExternally
	LinkLinkOnceAny
	LinkLinkOnceODR
	LinkWeakAny
	LinkWeakODR
	LinkAppending
	LinkInternal
	LinkPrivate
	LinkExternWeak
	LinkCommon
)

// A Global is a global variable.
type Global struct {
	Name        string
	Type        TypeID
	Linkage     Linkage
	Const       bool
	ThreadLocal bool
	Init        ValueID // NoValue for a declaration
	Debug       MDID    // DIGlobalVariableExpression
}

// A Func is a function.
type Func struct {
	Name        string
	Type        TypeID // a function type
	Linkage     Linkage
	Decl        bool
	Attrs       uint32  // 1-based index into Module.Attrs; 0 for none
	Section     string  // named for it; "" for none
	Personality ValueID // NoValue for none
	Debug       MDID    // DISubprogram, when it is attached at module level (declarations)

	bodyPos uint64 // bit position after ENTER_SUBBLOCK's id
}

// An Alias is another name for a value, or an ifunc.
type Alias struct {
	Name    string
	Linkage Linkage
	Target  ValueID
	IFunc   bool
}

const (
	magicRaw     = 0xdec04342 // 'B' 'C' 0xC0DE
	magicWrapper = 0x0b17c0de
)

// Open decodes the modules in data. Name is used in errors only. Data must not
// change while the modules are in use.
func Open(name string, data []byte) ([]*Module, error) {
	raw, err := unwrap(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	mods, err := openStream(name, raw)
	if err != nil {
		return nil, fmt.Errorf("%s: bad bitcode: %w", name, err)
	}
	return mods, nil
}

// unwrap strips the wrapper header that Darwin tools put in front.
func unwrap(data []byte) ([]byte, error) {
	if len(data) < 4 {
		return nil, fmt.Errorf("%w: only %d bytes", ErrNotBitcode, len(data))
	}
	if binary.LittleEndian.Uint32(data) == magicWrapper {
		if len(data) < 20 {
			return nil, errors.New("bad bitcode: wrapper header is cut short")
		}
		off := uint64(binary.LittleEndian.Uint32(data[8:]))
		size := uint64(binary.LittleEndian.Uint32(data[12:]))
		if off+size > uint64(len(data)) || size < 4 {
			return nil, errors.New("bad bitcode: wrapper header points past the end of the file")
		}
		data = data[off : off+size]
	}
	if binary.LittleEndian.Uint32(data) != magicRaw {
		return nil, ErrNotBitcode
	}
	return data, nil
}

// openStream walks the top level: identification, modules, string table. The
// string table follows the modules it serves, so modules are decoded last.
func openStream(name string, data []byte) ([]*Module, error) {
	r := newReader(data)
	r.pos = 32
	var mods []*Module
	var starts []uint64
	producer, first := "", 0
	for r.left() >= 64 || r.left() >= 32 && !r.onlyPadding() {
		e := r.next()
		if r.err != nil {
			return nil, r.err
		}
		if e.kind != entBlock {
			return nil, r.errorf("expected a block at the top level")
		}
		switch e.id {
		case blkIdentification:
			producer = r.identification()
		case blkModule:
			mods = append(mods, &Module{Producer: producer, file: name, data: data})
			starts = append(starts, r.pos)
			r.skipBlock()
		case blkStrtab:
			blob := r.strtabBlob()
			for _, m := range mods[first:] {
				m.strtab = blob
			}
			first = len(mods)
		case blkSymtab:
			r.skipBlock()
		default:
			return nil, r.errorf("unknown block %d at the top level", e.id)
		}
		if r.err != nil {
			return nil, r.err
		}
	}
	if len(mods) == 0 {
		return nil, errors.New("no module in it")
	}
	for i, m := range mods {
		if err := m.decode(starts[i]); err != nil {
			return nil, err
		}
	}
	return mods, nil
}

// onlyPadding reports whether the rest of the file is zeros.
func (r *reader) onlyPadding() bool {
	return len(bytes.Trim(r.data[r.pos/8:], "\x00")) == 0
}

func (r *reader) identification() string {
	r.enterBlock()
	var producer string
	r.walk(r.skip, func(code uint64) {
		if code == 1 { // IDENTIFICATION_CODE_STRING
			producer = r.chars(0)
		}
	})
	return producer
}

func (r *reader) strtabBlob() []byte {
	r.enterBlock()
	var blob []byte
	r.walk(r.skip, func(code uint64) {
		if code == 1 { // STRTAB_BLOB
			blob = r.blob
		}
	})
	return blob
}
