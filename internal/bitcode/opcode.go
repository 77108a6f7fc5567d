// This file lists LLVM's instructions.

package bitcode

import "fmt"

// An Opcode is an LLVM instruction.
type Opcode uint8

const (
	Ret Opcode = iota + 1
	Br
	Switch
	IndirectBr
	Invoke
	Resume
	Unreachable
	CleanupRet
	CatchRet
	CatchSwitch
	CallBr
	FNeg
	Add
	FAdd
	Sub
	FSub
	Mul
	FMul
	UDiv
	SDiv
	FDiv
	URem
	SRem
	FRem
	Shl
	LShr
	AShr
	And
	Or
	Xor
	Alloca
	Load
	Store
	GetElementPtr
	Fence
	CmpXchg
	AtomicRMW
	Trunc
	ZExt
	SExt
	FPToUI
	FPToSI
	UIToFP
	SIToFP
	FPTrunc
	FPExt
	PtrToInt
	IntToPtr
	BitCast
	AddrSpaceCast
	PtrToAddr
	CleanupPad
	CatchPad
	ICmp
	FCmp
	Phi
	Call
	Select
	VAArg
	ExtractElement
	InsertElement
	ShuffleVector
	ExtractValue
	InsertValue
	LandingPad
	Freeze
	NumOpcodes
)

var opcodeNames = [NumOpcodes]string{
	Ret: "ret", Br: "br", Switch: "switch", IndirectBr: "indirectbr", Invoke: "invoke", Resume: "resume",
	Unreachable: "unreachable", CleanupRet: "cleanupret", CatchRet: "catchret", CatchSwitch: "catchswitch",
	CallBr: "callbr", FNeg: "fneg", Add: "add", FAdd: "fadd", Sub: "sub", FSub: "fsub", Mul: "mul", FMul: "fmul",
	UDiv: "udiv", SDiv: "sdiv", FDiv: "fdiv", URem: "urem", SRem: "srem", FRem: "frem", Shl: "shl", LShr: "lshr",
	AShr: "ashr", And: "and", Or: "or", Xor: "xor", Alloca: "alloca", Load: "load", Store: "store",
	GetElementPtr: "getelementptr", Fence: "fence", CmpXchg: "cmpxchg", AtomicRMW: "atomicrmw", Trunc: "trunc",
	ZExt: "zext", SExt: "sext", FPToUI: "fptoui", FPToSI: "fptosi", UIToFP: "uitofp", SIToFP: "sitofp",
	FPTrunc: "fptrunc", FPExt: "fpext", PtrToInt: "ptrtoint", IntToPtr: "inttoptr", BitCast: "bitcast",
	AddrSpaceCast: "addrspacecast", PtrToAddr: "ptrtoaddr", CleanupPad: "cleanuppad", CatchPad: "catchpad",
	ICmp: "icmp", FCmp: "fcmp", Phi: "phi", Call: "call", Select: "select", VAArg: "va_arg",
	ExtractElement: "extractelement", InsertElement: "insertelement", ShuffleVector: "shufflevector",
	ExtractValue: "extractvalue", InsertValue: "insertvalue", LandingPad: "landingpad", Freeze: "freeze",
}

// String returns the mnemonic that llvm-dis prints.
func (op Opcode) String() string {
	if op == 0 || op >= NumOpcodes {
		panic(fmt.Sprintf("bitcode: bad opcode %d", op))
	}
	return opcodeNames[op]
}

// IsTerminator reports whether op ends a basic block.
func (op Opcode) IsTerminator() bool { return op >= Ret && op <= CallBr }

// mayBeVoid reports whether op may have no result.
func (op Opcode) mayBeVoid() bool {
	return op.IsTerminator() || op == Store || op == Fence || op == Call
}

var intBinops = [...]Opcode{Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor}

var floatBinops = map[uint64]Opcode{0: FAdd, 1: FSub, 2: FMul, 4: FDiv, 6: FRem}

// binop decodes a binary operation on floating point or integer operands.
func binop(r *reader, code uint64, float bool) Opcode {
	if float {
		if op, ok := floatBinops[code]; ok {
			return op
		}
	} else if code < uint64(len(intBinops)) {
		return intBinops[code]
	}
	r.fail("unknown binary operation %d", code)
	return Add
}

func castOp(r *reader, code uint64) Opcode {
	if code > 13 {
		r.fail("unknown cast %d", code)
		return BitCast
	}
	return Trunc + Opcode(code)
}

// cmpOp tells integer from floating point comparisons by the predicate.
func cmpOp(pred uint64) Opcode {
	if pred >= 32 {
		return ICmp
	}
	return FCmp
}
