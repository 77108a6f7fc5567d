// This file reads one function body: its blocks and the bookkeeping around
// instructions.

package bitcode

import "fmt"

// A Body is a decoded function body.
type Body struct {
	Func       *Func
	NumModule  ValueID  // values below are the module's
	NumParams  uint32   // values NumModule..NumModule+NumParams-1 are the parameters
	Consts     []Value  // the function's own constants, numbered after the parameters
	Types      []TypeID // types of the function's values, from NumModule on
	Insts      []Inst
	Ops        []ValueID // operands of all instructions
	Blocks     []Block
	Locs       []DILocation // Locs[0] is unused
	Dbg        []Dbg
	MD         *Metadata // the function's, which continues the module's
	Subprogram MDID
}

// A Block is a range of instructions that ends in a terminator.
type Block struct{ First, End uint32 }

// An Inst is one instruction. Operands are absolute value numbers except where
// said; block operands are block numbers.
//
//	ret            [value]
//	br             dest | true, false, cond        (blocks first)
//	switch         cond, default, (case value, dest)...
//	indirectbr     address, dest...
//	invoke         normal, unwind, callee, args...
//	callbr         n, normal, n other dests, callee, args...
//	call           callee, args...                 (metadata arguments are MDIDs)
//	phi            (value, block)...
//	alloca         count
//	store          address, value
//	cmpxchg        address, expected, new
//	atomicrmw      address, value
//	landingpad     clause...
//	extractvalue   aggregate, index...             (indices are plain numbers)
//	insertvalue    aggregate, value, index...
//	catchswitch    parent, handler block...
//	cleanupret, catchret   pad, [block]
type Inst struct {
	Op     Opcode
	Sub    uint8  // predicate, atomic operation, 1 for a cleanup landingpad
	Flags  uint8  // see below
	Type   TypeID // of the result
	Src    TypeID // source element of a GEP, allocated type, callee's function type
	Ops    uint32 // Body.Ops[Ops:Ops+NOps]
	NOps   uint32
	Loc    uint32  // Body.Locs index
	Attrs  uint32  // attribute list of a call
	Result ValueID // NoValue when the result is void
}

// Flags of Inst.
const (
	FlagVolatile uint8 = 1 << iota
	FlagAtomic
	FlagTail
	FlagMustTail
	FlagUnwind // catchswitch, cleanupret: the last operand is an unwind block
)

// A Dbg says that variable Var is, or is at, Value before instruction Inst.
type Dbg struct {
	Declare bool // Value is its address; otherwise it is the value
	Inst    uint32
	Var     MDID
	Expr    MDID
	Value   ValueID // NoValue when it is not one plain value
}

// A FuncReader decodes bodies of one module, one after the other.
type FuncReader struct {
	m    *Module
	r    *reader
	body Body
	md   Metadata

	pairTypes map[[2]TypeID]TypeID // {T, i1} structs and vectors that no table has
	extra     []Type               // types made up for this module by this reader
	maxRef    ValueID              // largest value referred to
	nblocks   uint64
	inBlock   bool
	lastLoc   uint32
}

// NewFuncReader returns a reader for the bodies of m.
func (m *Module) NewFuncReader() *FuncReader {
	fr := &FuncReader{m: m, r: newReader(m.data)}
	fr.r.info = m.blockInfo
	fr.body.MD = &fr.md
	return fr
}

// Read decodes the body of function i. The result is valid until the next call.
func (fr *FuncReader) Read(i int) (*Body, error) {
	f := &fr.m.Funcs[i]
	if f.Decl {
		return nil, fmt.Errorf("%s: function %q has no body", fr.m.file, f.Name)
	}
	fr.start(f)
	fr.readBlock()
	if fr.r.err == nil {
		fr.check()
	}
	if err := fr.r.err; err != nil {
		return nil, fmt.Errorf("%s: bad bitcode in function %q: %w", fr.m.file, f.Name, err)
	}
	return &fr.body, nil
}

// Bodies decodes every body of m, one after the other, and calls each with it.
func (m *Module) Bodies(each func(*Body)) error {
	fr := m.NewFuncReader()
	for i := range m.Funcs {
		if m.Funcs[i].Decl {
			continue
		}
		b, err := fr.Read(i)
		if err != nil {
			return err
		}
		each(b)
	}
	return nil
}

func (fr *FuncReader) start(f *Func) {
	m, b, r := fr.m, &fr.body, fr.r
	r.pos, r.width, r.abbrevs, r.stack, r.err = f.bodyPos, 2, nil, r.stack[:0], nil
	fr.md.reset(&m.MD)
	fr.maxRef, fr.nblocks, fr.inBlock, fr.lastLoc = 0, 0, false, 0
	*b = Body{
		Func: f, NumModule: ValueID(len(m.Values)), MD: &fr.md, Subprogram: NoMD,
		Consts: b.Consts[:0], Types: b.Types[:0], Insts: b.Insts[:0], Ops: b.Ops[:0],
		Blocks: b.Blocks[:0], Locs: append(b.Locs[:0], DILocation{}), Dbg: b.Dbg[:0],
	}
	params := m.Types[f.Type].Elems
	b.NumParams = uint32(len(params))
	b.Types = append(b.Types, params...)
}

// readBlock reads the FUNCTION block.
func (fr *FuncReader) readBlock() {
	fr.r.enterBlock(blkFunction)
	fr.r.walk(fr.readNested, fr.readRecord)
}

func (fr *FuncReader) readNested(id uint64) {
	r, b := fr.r, &fr.body
	switch id {
	case blkConstants:
		n := len(b.Consts)
		b.Consts = fr.m.readConstants(r, b.Consts)
		for _, c := range b.Consts[n:] {
			b.Types = append(b.Types, c.Type)
		}
	case blkMetadata:
		fr.md.readBlock(r, fr.m)
	case blkMDAttachment:
		fr.readAttachments()
	case blkVST, blkUseList:
		r.skipBlock()
	default:
		r.fail("unknown block %d in a function", id)
	}
}

// readAttachments looks for the function's DISubprogram.
func (fr *FuncReader) readAttachments() {
	r := fr.r
	r.enterBlock(blkMDAttachment)
	r.walk(r.skip, func(uint64) {
		if len(r.rec)%2 != 0 { // of an instruction
			return
		}
		for i := 0; i < len(r.rec); i += 2 {
			if r.rec[i] == 0 {
				fr.body.Subprogram = MDID(r.rec[i+1])
			}
		}
	})
}

// check refuses what can only be seen at the end.
func (fr *FuncReader) check() {
	b, r := &fr.body, fr.r
	n := b.NumModule + ValueID(len(b.Types))
	switch {
	case len(b.Blocks) == 0 || uint64(len(b.Blocks)) != fr.nblocks || fr.inBlock:
		r.fail("%d of %d basic blocks", len(b.Blocks), fr.nblocks)
	case fr.maxRef >= n:
		r.fail("operand refers to value %d of %d", fr.maxRef, n)
	}
	for i := range b.Consts {
		if err := b.Consts[i].check(n); err != nil {
			r.fail("%v", err)
			return
		}
	}
	for i := range b.Dbg {
		if d := &b.Dbg[i]; d.Value != NoValue && d.Value >= n {
			r.fail("debug record refers to value %d of %d", d.Value, n)
			return
		}
	}
}

// nextValue is the number the next value will get.
func (fr *FuncReader) nextValue() ValueID {
	return fr.body.NumModule + ValueID(len(fr.body.Types))
}

// typeOf returns the type of a value that is already known.
func (fr *FuncReader) typeOf(v ValueID) TypeID {
	if v < fr.body.NumModule {
		return fr.m.Values[v].Type
	}
	return fr.body.Types[v-fr.body.NumModule]
}

// Type returns a type of the module, or one that this reader made up.
func (fr *FuncReader) Type(id TypeID) *Type {
	if n := TypeID(len(fr.m.Types)); id >= n {
		return &fr.extra[id-n]
	}
	return &fr.m.Types[id]
}

// makeType returns a type for results whose type no record names.
func (fr *FuncReader) makeType(kind TypeKind, elem TypeID, n uint64) TypeID {
	key := [2]TypeID{TypeID(kind)<<24 | TypeID(n&0xffffff), elem}
	if id, ok := fr.pairTypes[key]; ok {
		return id
	}
	t := Type{Kind: kind, Elem: elem, N: n}
	if kind == TStruct {
		t = Type{Kind: TStruct, Elems: []TypeID{elem, fr.m.i1Type}}
	}
	id := TypeID(len(fr.m.Types) + len(fr.extra))
	fr.extra = append(fr.extra, t)
	if fr.pairTypes == nil {
		fr.pairTypes = map[[2]TypeID]TypeID{}
	}
	fr.pairTypes[key] = id
	return id
}

// shaped returns elem, or a vector of it if like is a vector.
func (fr *FuncReader) shaped(elem, like TypeID) TypeID {
	if t := fr.Type(like); t.Kind == TVector {
		return fr.makeType(TVector, elem, t.N)
	}
	return elem
}
