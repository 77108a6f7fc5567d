// This file lowers instructions one to one, where they are one to one.

package lower

import (
	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/ir"
)

// Opcodes that only change their name.
var (
	arithOps = [bitcode.NumOpcodes]ir.Op{
		bitcode.FNeg: ir.OpFNeg, bitcode.Add: ir.OpAdd, bitcode.FAdd: ir.OpFAdd, bitcode.Sub: ir.OpSub,
		bitcode.FSub: ir.OpFSub, bitcode.Mul: ir.OpMul, bitcode.FMul: ir.OpFMul, bitcode.UDiv: ir.OpUDiv,
		bitcode.SDiv: ir.OpSDiv, bitcode.FDiv: ir.OpFDiv, bitcode.URem: ir.OpURem, bitcode.SRem: ir.OpSRem,
		bitcode.FRem: ir.OpFRem, bitcode.Shl: ir.OpShl, bitcode.LShr: ir.OpLShr, bitcode.AShr: ir.OpAShr,
		bitcode.And: ir.OpAnd, bitcode.Or: ir.OpOr, bitcode.Xor: ir.OpXor,
	}
	castOps = [bitcode.NumOpcodes]ir.Op{
		bitcode.Trunc: ir.OpTrunc, bitcode.ZExt: ir.OpZExt, bitcode.SExt: ir.OpSExt, bitcode.FPToUI: ir.OpFPToUI,
		bitcode.FPToSI: ir.OpFPToSI, bitcode.UIToFP: ir.OpUIToFP, bitcode.SIToFP: ir.OpSIToFP,
		bitcode.FPTrunc: ir.OpFPTrunc, bitcode.FPExt: ir.OpFPExt, bitcode.PtrToInt: ir.OpPtrToInt,
		bitcode.PtrToAddr: ir.OpPtrToInt, bitcode.IntToPtr: ir.OpIntToPtr, bitcode.BitCast: ir.OpBitcast,
		bitcode.AddrSpaceCast: ir.OpBitcast,
	}
	vectorOps = [bitcode.NumOpcodes]ir.Op{
		bitcode.ExtractElement: ir.OpExtractElement, bitcode.InsertElement: ir.OpInsertElement,
		bitcode.ShuffleVector: ir.OpShuffle,
	}
	plainOps = [bitcode.NumOpcodes]ir.Op{
		bitcode.Select: ir.OpSelect, bitcode.Freeze: ir.OpFreeze, bitcode.VAArg: ir.OpVaArg, bitcode.Fence: ir.OpFence,
		bitcode.CmpXchg: ir.OpCmpXchg, bitcode.Ret: ir.OpRet, bitcode.Unreachable: ir.OpUnreachable,
		bitcode.Resume: ir.OpResume, bitcode.CleanupPad: ir.OpCleanupPad, bitcode.CatchPad: ir.OpCatchPad,
		bitcode.IndirectBr: ir.OpIndirectBr, bitcode.CatchSwitch: ir.OpCatchSwitch, bitcode.CatchRet: ir.OpCatchRet,
		bitcode.CleanupRet: ir.OpCleanupRet, bitcode.LandingPad: ir.OpLandingPad, bitcode.AtomicRMW: ir.OpAtomicRMW,
	}
)

// comparison lowers a predicate. LLVM numbers integer predicates from 32, in our order.
func comparison(op bitcode.Opcode, pred uint8) (ir.Op, uint8) {
	if op == bitcode.ICmp {
		return ir.OpICmp, pred - 32 + uint8(ir.EQ)
	}
	return ir.OpFCmp, pred
}

// emitInst lowers instruction i, which is kept.
func (b *builder) emitInst(i uint32, in *bitcode.Inst) {
	v := ir.Value{Type: b.typeOf(in.Type), Loc: b.loc(in.Loc)}
	ops := b.opsOf(in)
	switch in.Op {
	case bitcode.Alloca:
		b.emitAlloca(i, in, v)
		return
	case bitcode.GetElementPtr:
		b.lowerGEP(in, v.Loc)
		return
	case bitcode.Phi:
		b.emitPhi(in, ops, v)
		return
	case bitcode.Call, bitcode.Invoke, bitcode.CallBr:
		b.emitCall(in, ops, v)
		return
	case bitcode.Switch:
		v.Op = ir.OpSwitch
		b.push(b.operand(ops[0]))
		for k := 2; k < len(ops); k += 2 {
			b.push(b.operand(ops[k]))
		}
		b.add(v, in)
		return
	case bitcode.Store:
		v.Op, v.Sub = ir.OpStore, memFlags(in.Flags)
		b.push(b.operand(ops[1]))
		b.push(b.operand(ops[0]))
		b.add(v, in)
		return
	}
	b.simpleOp(in, ops, &v)
	for _, o := range values(in, ops) {
		b.push(b.operand(o))
	}
	b.add(v, in)
}

// simpleOp finds the op of an instruction whose operands need no care.
func (b *builder) simpleOp(in *bitcode.Inst, ops []bitcode.ValueID, v *ir.Value) {
	switch in.Op {
	case bitcode.Br:
		v.Op = ir.OpBr
		if len(ops) == 3 {
			v.Op = ir.OpCondBr
		}
	case bitcode.Load:
		v.Op, v.Sub = ir.OpLoad, memFlags(in.Flags)
	case bitcode.ICmp, bitcode.FCmp:
		v.Op, v.Sub = comparison(in.Op, in.Sub)
	case bitcode.ExtractValue:
		v.Op, v.Aux = ir.OpExtractValue, b.int(b.indexOffset(in.Src, ops[1:]))
	case bitcode.InsertValue:
		v.Op, v.Aux = ir.OpInsertValue, b.int(b.indexOffset(in.Src, ops[2:]))
	case bitcode.LandingPad, bitcode.AtomicRMW:
		v.Op, v.Sub = plainOps[in.Op], in.Sub
	default:
		v.Op = arithOps[in.Op] | castOps[in.Op] | vectorOps[in.Op] | plainOps[in.Op] // one of them is not 0
	}
}

func memFlags(f uint8) uint8 {
	var out uint8
	if f&bitcode.FlagVolatile != 0 {
		out |= ir.MemVolatile
	}
	if f&bitcode.FlagAtomic != 0 {
		out |= ir.MemAtomic
	}
	return out
}

// indexOffset adds up the indices of extractvalue and insertvalue.
func (b *builder) indexOffset(id bitcode.TypeID, idx []bitcode.ValueID) int64 {
	off := int64(0)
	for _, i := range idx {
		t := b.fr.Type(id)
		switch {
		case int(id) < len(b.m.types):
			off += int64(b.m.elemOffset(id, int(i)))
		case i > 0: // the flag of a {T, i1} that cmpxchg returns
			off += int64(b.typeOf(t.Elems[0]).Bytes())
		}
		if t.Kind == bitcode.TStruct {
			id = t.Elems[i]
		} else {
			id = t.Elem
		}
	}
	return off
}

func (b *builder) emitAlloca(i uint32, in *bitcode.Inst, v ir.Value) {
	v.Op, v.Var = ir.OpAlloca, b.debug.allocas[i]
	v.Aux = b.int(int64(b.sizeOf(in.Src)))
	b.int(int64(b.structOf(in.Src)))
	if n, ok := b.constInt(b.body.Ops[in.Ops]); !ok || n != 1 {
		b.push(b.operand(b.body.Ops[in.Ops]))
	}
	b.add(v, in)
}

// emitPhi lowers a phi of the input. Its operands come with their blocks; ours
// are in the order of the predecessors.
func (b *builder) emitPhi(in *bitcode.Inst, ops []bitcode.ValueID, v ir.Value) {
	v.Op = ir.OpPhi
	blk := b.block
	b.incoming = cleared(b.incoming, len(b.body.Blocks))
	for i := 0; i < len(ops); i += 2 {
		if b.blockID[ops[i+1]] != 0 {
			b.incoming[ops[i+1]] = substValue(ops[i])
		}
	}
	for _, p := range b.preds.Succs(blk) {
		if b.blockID[p] == 0 {
			continue
		}
		if s := b.incoming[p]; s != 0 {
			b.push(b.substRef(s))
		} else {
			b.push(b.undef(v.Type)) // only broken input leaves a predecessor out
		}
	}
	b.add(v, in)
}

// emitCall lowers calls, those of special intrinsics to operations of their own.
func (b *builder) emitCall(in *bitcode.Inst, ops []bitcode.ValueID, v ir.Value) {
	if k := b.intrinsicOf(in); k != intrNone && k != intrSame {
		b.emitIntrinsic(k, in, ops, v)
		return
	}
	v.Op = map[bitcode.Opcode]ir.Op{bitcode.Call: ir.OpCall, bitcode.Invoke: ir.OpInvoke, bitcode.CallBr: ir.OpCallBr}[in.Op]
	v.Aux = uint32(b.sig(in.Src))
	v.Sub = b.callFlags(in)
	params := b.m.Types[in.Src].Elems
	for i, o := range values(in, ops) {
		if i > 0 && i <= len(params) && !isValue(b.m.Types[params[i-1]].Kind) {
			b.push(b.undef(ir.MakeType(ir.Ptr, b.m.layout.ptrBits)))
		} else {
			b.push(b.operand(o))
		}
	}
	b.add(v, in)
}

func (b *builder) callFlags(in *bitcode.Inst) uint8 {
	var f uint8
	if in.Attrs != 0 {
		a := b.m.AttrList(in.Attrs)
		if a.Has(bitcode.SlotFunc, bitcode.AttrNoReturn) {
			f |= ir.CallNoReturn
		}
		if a.Has(bitcode.SlotFunc, bitcode.AttrNoUnwind) {
			f |= ir.CallNoUnwind
		}
	}
	if in.Flags&bitcode.FlagTail != 0 {
		f |= ir.CallTail
	}
	if in.Flags&bitcode.FlagMustTail != 0 {
		f |= ir.CallMustTail
	}
	return f
}

func (b *builder) sig(id bitcode.TypeID) ir.SigID {
	s, ok := b.sigs[id]
	if !ok {
		s = b.l.sig(b.m.TypeString(id))
		b.sigs[id] = s
	}
	return s
}

// emitIntrinsic lowers what LLVM spells as a call.
func (b *builder) emitIntrinsic(k intrinsic, in *bitcode.Inst, ops []bitcode.ValueID, v ir.Value) {
	args := ops[1:]
	n := 1
	switch k {
	case intrLifetimeStart, intrLifetimeEnd:
		v.Op = ir.OpLifetimeStart
		if k == intrLifetimeEnd {
			v.Op = ir.OpLifetimeEnd
		}
		args = args[len(args)-1:] // older versions have the size in front
	case intrMemcpy, intrMemmove:
		v.Op, n = ir.OpMemcpy, 3
		if k == intrMemmove {
			v.Sub = 1
		}
	case intrMemset:
		v.Op, n = ir.OpMemset, 3
	case intrVaStart:
		v.Op = ir.OpVaStart
	case intrVaEnd:
		v.Op = ir.OpVaEnd
	case intrVaCopy:
		v.Op, n = ir.OpVaCopy, 2
	}
	for _, o := range args[:min(n, len(args))] {
		b.push(b.operand(o))
	}
	v.Type = ir.MakeType(ir.Void, 0)
	b.add(v, nil)
}
