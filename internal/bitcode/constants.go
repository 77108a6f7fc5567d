// This file reads constants blocks, of modules and of functions.

package bitcode

import "fmt"

// A ConstKind says what a constant is.
type ConstKind uint8

const (
	ConstNull      ConstKind = iota + 1 // zero of any type
	ConstUndef                          // undef and poison
	ConstInt                            // Int, sign extended
	ConstWide                           // integer past 64 bits; Int holds the low ones
	ConstFloat                          // Int holds the bits, the low 64 of them
	ConstAgg                            // Ops are the elements
	ConstData                           // Str is the memory, little endian
	ConstBinop                          // Op, Ops
	ConstCast                           // Op, Ops
	ConstGEP                            // Src, Ops: base and indices
	ConstSelect                         // Ops
	ConstCmp                            // Op is the predicate, Ops
	ConstVector                         // extract, insert, shuffle: Ops
	ConstAsm                            // Str is the assembly, a newline, and its constraints
	ConstBlockAddr                      // Ops[0] the function, Int the block
	ConstSame                           // same address as Ops[0]: dso_local_equivalent, no_cfi, ptrauth
)

// A Const is a constant; its type is with the Value.
type Const struct {
	Kind ConstKind
	Op   Opcode
	Sub  uint8
	Src  TypeID // source element type of a GEP
	Int  int64
	Ops  []ValueID
	Str  string
}

// readConstants reads a CONSTANTS block and appends its values.
func (m *Module) readConstants(r *reader, out []Value) []Value {
	r.enterBlock(blkConstants)
	cur := TypeID(0)
	if len(m.Types) == 0 {
		r.fail("constants before types")
	}
	r.walk(r.refuse("the constants"), func(code uint64) {
		if code == cstSetType {
			m.typ(r, r.at(0))
			cur = TypeID(r.opt(0))
			return
		}
		out = append(out, Value{Kind: ValConst, Type: cur, Const: m.readConstant(r, code, cur)})
	})
	return out
}

func (m *Module) readConstant(r *reader, code uint64, cur TypeID) Const {
	switch code {
	case cstNull:
		return Const{Kind: ConstNull}
	case cstUndef, cstPoison:
		return Const{Kind: ConstUndef}
	case cstInteger:
		return Const{Kind: ConstInt, Int: unrotate(r.at(0))}
	case cstWideInteger:
		return Const{Kind: ConstWide, Int: unrotate(r.at(0))}
	case cstFloat:
		return Const{Kind: ConstFloat, Int: int64(r.at(0))}
	case cstAggregate:
		return Const{Kind: ConstAgg, Ops: valueIDs(r, 0)}
	case cstString:
		return Const{Kind: ConstData, Str: r.chars(0)}
	case cstCString:
		return Const{Kind: ConstData, Str: r.chars(0) + "\x00"}
	case cstData:
		return Const{Kind: ConstData, Str: m.dataString(r, cur)}
	case cstBlockAddress:
		return Const{Kind: ConstBlockAddr, Ops: []ValueID{ValueID(r.at(1))}, Int: int64(r.at(2))}
	case cstDSOLocal, cstNoCFI:
		return Const{Kind: ConstSame, Ops: []ValueID{ValueID(r.at(1))}}
	case cstPtrAuth, cstPtrAuth2:
		return Const{Kind: ConstSame, Ops: []ValueID{ValueID(r.at(0))}}
	case cstAsmOld, cstAsmOld2, cstAsmOld3:
		return Const{Kind: ConstAsm, Str: asmString(r, 1)}
	case cstAsm:
		return Const{Kind: ConstAsm, Str: asmString(r, 2)}
	}
	return m.readConstExpr(r, code, cur)
}

func (m *Module) readConstExpr(r *reader, code uint64, cur TypeID) Const {
	pick := func(idx ...int) []ValueID {
		ops := make([]ValueID, len(idx))
		for i, k := range idx {
			ops[i] = ValueID(r.at(k))
		}
		return ops
	}
	switch code {
	case cstBinop:
		return Const{Kind: ConstBinop, Op: binop(r, r.at(0), m.Types[cur].Kind == TFloat), Ops: pick(1, 2)}
	case cstUnop:
		return Const{Kind: ConstBinop, Op: FNeg, Ops: pick(1)}
	case cstCast:
		return Const{Kind: ConstCast, Op: castOp(r, r.at(0)), Ops: pick(2)}
	case cstSelect:
		return Const{Kind: ConstSelect, Ops: pick(0, 1, 2)}
	case cstCmp:
		return Const{Kind: ConstCmp, Op: cmpOp(r.at(3)), Sub: uint8(r.at(3)), Ops: pick(1, 2)}
	case cstExtractElt:
		return Const{Kind: ConstVector, Op: ExtractElement, Ops: pick(1, len(r.rec)-1)}
	case cstInsertElt:
		return Const{Kind: ConstVector, Op: InsertElement, Ops: pick(0, 1, len(r.rec)-1)}
	case cstShuffleVec:
		return Const{Kind: ConstVector, Op: ShuffleVector, Ops: pick(0, 1)}
	case cstShuffleVecEx:
		return Const{Kind: ConstVector, Op: ShuffleVector, Ops: pick(1, 2)}
	case cstGEPOld, cstInboundsGEP, cstGEPInrangeOld, cstGEPInrange, cstGEP:
		return m.constGEP(r, code)
	}
	r.fail("unknown constant record %d", code)
	return Const{}
}

// constGEP reads the five layouts a constant GEP has had.
func (m *Module) constGEP(r *reader, code uint64) Const {
	i := 0
	if code == cstGEPOld || code == cstInboundsGEP {
		if len(r.rec)%2 == 0 {
			r.fail("constant getelementptr without its type")
			return Const{}
		}
	}
	c := Const{Kind: ConstGEP, Op: GetElementPtr, Src: TypeID(r.at(0))}
	m.typ(r, r.at(0))
	i++
	if code == cstGEPInrangeOld || code == cstGEPInrange || code == cstGEP {
		i++ // flags
	}
	if code == cstGEPInrange {
		i = skipRange(r, i+1, r.at(i))
	}
	if i >= len(r.rec) || (len(r.rec)-i)%2 != 0 {
		r.fail("malformed constant getelementptr")
		return Const{}
	}
	for ; i < len(r.rec); i += 2 {
		c.Ops = append(c.Ops, ValueID(r.rec[i+1]))
	}
	return c
}

// dataString lays out the elements of a DATA record as memory.
func (m *Module) dataString(r *reader, cur TypeID) string {
	t := &m.Types[cur]
	if t.Kind != TArray && t.Kind != TVector {
		r.fail("constant data of a type that has no elements")
		return ""
	}
	size := int(m.Types[t.Elem].N+7) / 8
	if size < 1 || size > 8 {
		r.fail("constant data with elements of %d bytes", size)
		return ""
	}
	b := make([]byte, 0, len(r.rec)*size)
	for _, x := range r.rec {
		for i := range size {
			b = append(b, byte(x>>(8*i)))
		}
	}
	return string(b)
}

// asmString returns the template and the constraints of inline assembly, whose
// two lengths and texts start at operand i.
func asmString(r *reader, i int) string {
	text := func() string {
		n := r.at(i)
		i++
		if r.err != nil || n > uint64(len(r.rec)-i) {
			r.fail("malformed inline assembly")
			return ""
		}
		b := make([]byte, n)
		for k := range b {
			b[k] = byte(r.rec[i+k])
		}
		i += int(n)
		return string(b)
	}
	return text() + "\n" + text()
}

// unrotate decodes a signed number whose sign is in its lowest bit.
func unrotate(x uint64) int64 {
	if x&1 == 0 {
		return int64(x >> 1)
	}
	if x == 1 {
		return -1 << 63
	}
	return -int64(x >> 1)
}

func valueIDs(r *reader, from int) []ValueID {
	if from >= len(r.rec) {
		return nil
	}
	ids := make([]ValueID, 0, len(r.rec)-from)
	for _, x := range r.rec[from:] {
		ids = append(ids, ValueID(min(x, uint64(NoValue))))
	}
	return ids
}

// check refuses references past the n values there are.
func (v *Value) check(n ValueID) error {
	for _, id := range v.Const.Ops {
		if id >= n {
			return fmt.Errorf("constant refers to value %d of %d", id, n)
		}
	}
	return nil
}
