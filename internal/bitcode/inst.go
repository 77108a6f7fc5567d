// This file reads instruction records.

package bitcode

// A cursor over the operands of the current record.
type operands struct {
	fr *FuncReader
	i  int
}

// num takes a plain number.
func (o *operands) num() uint64 {
	x := o.fr.r.at(o.i)
	o.i++
	return x
}

func (o *operands) more() bool { return o.i < len(o.fr.r.rec) }

// value takes a value number that is relative to the next value.
func (o *operands) value() ValueID {
	v := o.fr.nextValue() - ValueID(o.num())
	o.fr.refer(v)
	return v
}

// typed takes a value and, when it lies ahead, its type.
func (o *operands) typed() (ValueID, TypeID) {
	v := o.value()
	if v < o.fr.nextValue() {
		return v, o.fr.typeOf(v)
	}
	return v, o.typ()
}

// signed takes a value whose distance is signed, as phis use.
func (o *operands) signed() ValueID {
	v := ValueID(int64(o.fr.nextValue()) - unrotate(o.num()))
	o.fr.refer(v)
	return v
}

// absolute takes a value number as it stands.
func (o *operands) absolute() ValueID {
	v := ValueID(min(o.num(), uint64(NoValue)))
	o.fr.refer(v)
	return v
}

func (o *operands) typ() TypeID {
	id := o.num()
	o.fr.m.typ(o.fr.r, id)
	if o.fr.r.err != nil {
		return 0
	}
	return TypeID(id)
}

// block takes a block number.
func (o *operands) block() ValueID {
	b := o.num()
	if b >= o.fr.nblocks {
		o.fr.r.fail("basic block %d of %d", b, o.fr.nblocks)
		return 0
	}
	return ValueID(b)
}

func (fr *FuncReader) refer(v ValueID) { fr.maxRef = max(fr.maxRef, v) }

// push adds an operand to the instruction being read.
func (fr *FuncReader) push(ids ...ValueID) { fr.body.Ops = append(fr.body.Ops, ids...) }

// readRecord reads one record of a function block.
func (fr *FuncReader) readRecord(code uint64) {
	r, b := fr.r, &fr.body
	o := operands{fr: fr}
	switch code {
	case fnDeclareBlocks:
		if fr.nblocks != 0 {
			r.fail("number of basic blocks given twice")
		}
		fr.nblocks = o.num()
		if fr.nblocks == 0 || fr.nblocks > r.left() {
			r.fail("function of %d basic blocks", fr.nblocks)
		}
		return
	case fnDebugLoc:
		fr.readLoc(&o)
		return
	case fnDebugLocAgain:
		fr.setLoc(fr.lastLoc)
		return
	case fnBundle, fnBlockAddrUsers, fnDbgLabel:
		return
	case fnDbgValue, fnDbgDeclare, fnDbgAssign, fnDbgDeclareVal, fnDbgValueSimple:
		fr.readDbg(code, &o)
		return
	}
	in := Inst{Ops: uint32(len(b.Ops)), Result: NoValue}
	fr.readInst(code, &o, &in)
	if r.err != nil {
		return
	}
	if fr.Type(in.Type).Kind == TVoid && !in.Op.mayBeVoid() {
		r.fail("%s without a result", in.Op)
		return
	}
	if uint64(len(b.Blocks)) >= fr.nblocks && !fr.inBlock {
		r.fail("instruction after the last basic block")
		return
	}
	fr.add(in)
}

// add puts an instruction into the body and numbers its result.
func (fr *FuncReader) add(in Inst) {
	b := &fr.body
	in.NOps = uint32(len(b.Ops)) - in.Ops
	if fr.Type(in.Type).Kind != TVoid {
		in.Result = fr.nextValue()
		b.Types = append(b.Types, in.Type)
	}
	if !fr.inBlock {
		b.Blocks = append(b.Blocks, Block{First: uint32(len(b.Insts))})
		fr.inBlock = true
	}
	b.Insts = append(b.Insts, in)
	if in.Op.IsTerminator() {
		b.Blocks[len(b.Blocks)-1].End = uint32(len(b.Insts))
		fr.inBlock = false
	}
	if in.Op == Call {
		fr.dbgCall(&b.Insts[len(b.Insts)-1])
	}
}

func (fr *FuncReader) readLoc(o *operands) {
	b := &fr.body
	l := DILocation{Line: uint32(o.num()), Col: uint32(o.num()), Scope: MDID(o.num()) - 1, Inlined: MDID(o.num()) - 1}
	b.Locs = append(b.Locs, l)
	fr.lastLoc = uint32(len(b.Locs) - 1)
	fr.setLoc(fr.lastLoc)
}

func (fr *FuncReader) setLoc(l uint32) {
	b := &fr.body
	if len(b.Insts) == 0 {
		fr.r.fail("debug location before the first instruction")
		return
	}
	b.Insts[len(b.Insts)-1].Loc = l
}

// readDbg reads a debug record: [location, variable, expression, value].
func (fr *FuncReader) readDbg(code uint64, o *operands) {
	o.num() // location
	d := Dbg{Declare: code == fnDbgDeclare, Inst: uint32(len(fr.body.Insts))}
	d.Var, d.Expr = MDID(o.num()), MDID(o.num())
	if code == fnDbgValueSimple {
		d.Value, _ = o.typed()
	} else {
		d.Value = fr.md.Value(MDID(o.num()))
	}
	fr.body.Dbg = append(fr.body.Dbg, d)
}

// dbgCall turns a call of llvm.dbg.declare or llvm.dbg.value, the older form
// of debug records, into a Dbg. The call stays.
func (fr *FuncReader) dbgCall(in *Inst) {
	b := &fr.body
	ops := b.Ops[in.Ops : in.Ops+in.NOps]
	if len(ops) < 4 || ops[0] >= b.NumModule {
		return
	}
	callee := &fr.m.Values[ops[0]]
	if callee.Kind != ValFunc {
		return
	}
	switch fr.m.Funcs[callee.Index].Name {
	case "llvm.dbg.declare", "llvm.dbg.addr":
		b.Dbg = append(b.Dbg, Dbg{Declare: true, Inst: uint32(len(b.Insts)), Value: fr.md.Value(MDID(ops[1])), Var: MDID(ops[2]), Expr: MDID(ops[3])})
	case "llvm.dbg.value", "llvm.dbg.assign":
		b.Dbg = append(b.Dbg, Dbg{Inst: uint32(len(b.Insts)), Value: fr.md.Value(MDID(ops[1])), Var: MDID(ops[2]), Expr: MDID(ops[3])})
	}
}

// readInst reads one instruction into in and its operands into the body. The
// result type is void unless set.
func (fr *FuncReader) readInst(code uint64, o *operands, in *Inst) {
	in.Type = fr.m.voidType
	switch code {
	case fnBinop, fnUnop, fnCast, fnCmp, fnCmp2, fnVSelect, fnFreeze:
		fr.readArith(code, o, in)
	case fnExtractElt, fnInsertElt, fnShuffleVec, fnExtractVal, fnInsertVal:
		fr.readAggregate(code, o, in)
	case fnAlloca, fnLoad, fnLoadAtomic, fnStore, fnStoreAtomic, fnGEP, fnCmpXchg, fnAtomicRMW, fnAtomicRMWOld, fnFence, fnVAArg:
		fr.readMemory(code, o, in)
	case fnCall, fnInvoke, fnCallBr:
		fr.readCall(code, o, in)
	case fnPhi:
		in.Op, in.Type = Phi, o.typ()
		for len(fr.r.rec)-o.i >= 2 {
			fr.push(o.signed(), o.block())
		}
	case fnRet, fnBr, fnSwitch, fnIndirectBr, fnUnreachable, fnResume:
		fr.readJump(code, o, in)
	case fnLandingPad, fnCleanupRet, fnCatchRet, fnCatchPad, fnCleanupPad, fnCatchSwitch:
		fr.readEH(code, o, in)
	default:
		fr.r.fail("unknown instruction record %d", code)
	}
}

func (fr *FuncReader) readArith(code uint64, o *operands, in *Inst) {
	v, ty := o.typed()
	fr.push(v)
	switch code {
	case fnBinop:
		fr.push(o.value())
		in.Op, in.Type = binop(fr.r, o.num(), fr.isFloat(ty)), ty
	case fnUnop:
		in.Op, in.Type = FNeg, ty
		if c := o.num(); c != 0 {
			fr.r.fail("unknown unary operation %d", c)
		}
	case fnCast:
		in.Type = o.typ()
		in.Op = castOp(fr.r, o.num())
	case fnCmp, fnCmp2:
		fr.push(o.value())
		pred := o.num()
		in.Op, in.Sub = cmpOp(pred), uint8(pred)
		in.Type = fr.shaped(fr.m.i1Type, ty)
	case fnVSelect:
		f := o.value()
		cond, _ := o.typed()
		fr.body.Ops[len(fr.body.Ops)-1] = cond
		fr.push(v, f)
		in.Op, in.Type = Select, ty
	case fnFreeze:
		in.Op, in.Type = Freeze, ty
	}
}

// isFloat reports whether ty is a floating point type or a vector of one.
func (fr *FuncReader) isFloat(ty TypeID) bool {
	t := fr.Type(ty)
	if t.Kind == TVector {
		t = fr.Type(t.Elem)
	}
	return t.Kind == TFloat
}

func (fr *FuncReader) readAggregate(code uint64, o *operands, in *Inst) {
	v, ty := o.typed()
	fr.push(v)
	t := fr.Type(ty)
	switch code {
	case fnExtractElt:
		idx, _ := o.typed()
		fr.push(idx)
		in.Op, in.Type = ExtractElement, t.Elem
	case fnInsertElt:
		fr.push(o.value())
		idx, _ := o.typed()
		fr.push(idx)
		in.Op, in.Type = InsertElement, ty
	case fnShuffleVec:
		fr.push(o.value())
		_, mask := o.typed()
		in.Op, in.Type = ShuffleVector, fr.makeType(TVector, t.Elem, fr.Type(mask).N)
	case fnExtractVal:
		in.Op, in.Src = ExtractValue, ty
		in.Type = fr.indices(o, ty)
	case fnInsertVal:
		e, _ := o.typed()
		fr.push(e)
		in.Op, in.Type, in.Src = InsertValue, ty, ty
		fr.indices(o, ty)
	}
	if (code == fnExtractElt || code == fnInsertElt || code == fnShuffleVec) && t.Kind != TVector {
		fr.r.fail("vector operation on a value that is none")
	}
}

// indices takes the constant indices of extractvalue and insertvalue and
// returns the type they lead to.
func (fr *FuncReader) indices(o *operands, ty TypeID) TypeID {
	for o.more() {
		i := o.num()
		t := fr.Type(ty)
		switch {
		case t.Kind == TStruct && i < uint64(len(t.Elems)):
			ty = t.Elems[i]
		case t.Kind == TArray && i < 1<<32-1:
			ty = t.Elem
		default:
			fr.r.fail("index %d into a value that has no such element", i)
			return ty
		}
		fr.push(ValueID(i))
	}
	return ty
}

func (fr *FuncReader) readMemory(code uint64, o *operands, in *Inst) {
	switch code {
	case fnAlloca:
		fr.readAlloca(o, in)
	case fnLoad, fnLoadAtomic:
		p, _ := o.typed()
		fr.push(p)
		in.Op, in.Type = Load, o.typ()
		o.num() // alignment
		in.Flags = volatile(o.num())
		if code == fnLoadAtomic {
			in.Flags |= FlagAtomic
		}
	case fnStore, fnStoreAtomic:
		p, _ := o.typed()
		v, ty := o.typed()
		fr.push(p, v)
		in.Op, in.Src = Store, ty
		o.num() // alignment
		in.Flags = volatile(o.num())
		if code == fnStoreAtomic {
			in.Flags |= FlagAtomic
		}
	case fnGEP:
		fr.readGEP(o, in)
	case fnCmpXchg:
		p, _ := o.typed()
		old, ty := o.typed()
		fr.push(p, old, o.value())
		in.Op, in.Type = CmpXchg, fr.makeType(TStruct, ty, 0)
		in.Flags = volatile(o.num()) | FlagAtomic
	case fnAtomicRMW, fnAtomicRMWOld:
		p, _ := o.typed()
		if code == fnAtomicRMW {
			v, ty := o.typed()
			fr.push(p, v)
			in.Type = ty
		} else {
			v := o.value()
			fr.push(p, v)
			if v >= fr.nextValue() {
				fr.r.fail("atomicrmw of a value without a type")
				return
			}
			in.Type = fr.typeOf(v)
		}
		in.Op, in.Sub = AtomicRMW, uint8(o.num())
		in.Flags = volatile(o.num()) | FlagAtomic
	case fnFence:
		in.Op = Fence
	case fnVAArg:
		o.typ()
		fr.push(o.value())
		in.Op, in.Type = VAArg, o.typ()
	}
}

func volatile(x uint64) uint8 {
	if x&1 != 0 {
		return FlagVolatile
	}
	return 0
}

// readAlloca reads [type, count type, count, flags]. Flag 64 says that the
// type is the allocated one, which every version since LLVM 4 sets.
func (fr *FuncReader) readAlloca(o *operands, in *Inst) {
	in.Op, in.Src, in.Type = Alloca, o.typ(), fr.m.ptrType
	o.typ()
	fr.push(o.absolute())
	if o.num()&64 == 0 {
		fr.r.fail("alloca without an explicit type: bitcode older than LLVM 4")
	}
}

// readGEP reads [flags, source type, base, index...].
func (fr *FuncReader) readGEP(o *operands, in *Inst) {
	o.num()
	in.Op, in.Src = GetElementPtr, o.typ()
	in.Type = fr.m.ptrType
	if !o.more() {
		fr.r.fail("getelementptr without a base")
	}
	for o.more() && fr.r.err == nil {
		v, ty := o.typed()
		fr.push(v)
		if t := fr.Type(ty); t.Kind == TVector {
			in.Type = fr.makeType(TVector, fr.m.ptrType, t.N)
		}
	}
}
