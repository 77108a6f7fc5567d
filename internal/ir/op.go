// This file lists the operations and says how each uses the fields of Value.

package ir

import "fmt"

// An Op is what a Value is or does.
type Op uint8

const (
	OpInvalid Op = iota

	// Values that are not instructions.
	OpParam      // a parameter; Aux is its index, from 0
	OpConstInt   // Ints[Aux]; Sub is 1 when the type is wider than 64 bits and only the low ones are kept
	OpConstFloat // Ints[Aux] holds the bits (of the low 64)
	OpConstNull  // null pointer, zero aggregate, none token
	OpUndef      // undef or poison
	OpConstData  // constant vector or array: Strs[Aux] is its memory
	OpFuncAddr   // address of function Aux
	OpGlobalAddr // address of global Aux
	OpBlockAddr  // address of a label: Aux is the BlockID, or 0 when it is another function's
	OpAsm        // inline assembly as a callee: Strs[Aux] is its text

	// Memory.
	OpAlloca        // Ints[Aux] is the size in bytes of one element, Ints[Aux+1] its StructID or 0; Args[0], if any, the element count
	OpLoad          // Args[0] the address; Sub is MemFlags
	OpStore         // Args[0] the value, Args[1] the address; Sub is MemFlags
	OpGep           // Args[0] the base, then one index for each stride; Geps[Aux]
	OpMemcpy        // Args: destination, source, length; also memmove with Sub 1
	OpMemset        // Args: destination, byte, length
	OpVaStart       // Args[0] the list
	OpVaEnd         //
	OpVaCopy        // Args: destination, source
	OpVaArg         // Args[0] the list
	OpLifetimeStart // Args[0] the alloca
	OpLifetimeEnd   //
	OpCmpXchg       // Args: address, expected, new; the result is {old, success}
	OpAtomicRMW     // Args: address, operand; Sub is the RMWOp
	OpFence

	// A source variable takes a value: Args[0], Var. It has no result.
	OpSet

	// Arithmetic and conversions.
	OpAdd
	OpSub
	OpMul
	OpUDiv
	OpSDiv
	OpURem
	OpSRem
	OpShl
	OpLShr
	OpAShr
	OpAnd
	OpOr
	OpXor
	OpFAdd
	OpFSub
	OpFMul
	OpFDiv
	OpFRem
	OpFNeg
	OpTrunc
	OpZExt
	OpSExt
	OpFPToUI
	OpFPToSI
	OpUIToFP
	OpSIToFP
	OpFPTrunc
	OpFPExt
	OpPtrToInt
	OpIntToPtr
	OpBitcast // same bits, other type; casts from pointer to pointer are not kept
	OpICmp    // Sub is the Pred
	OpFCmp    // Sub is the LLVM predicate number
	OpSelect  // Args: condition, then, else
	OpFreeze
	OpPhi // Args in the order of the block's predecessors

	// Aggregates and vectors. Offsets are bytes.
	OpExtractValue   // Args[0]; Ints[Aux] is the offset
	OpInsertValue    // Args: aggregate, element; Ints[Aux] is the offset
	OpExtractElement // Args: vector, index
	OpInsertElement  // Args: vector, element, index
	OpShuffle        // Args: two vectors

	// Calls. Args[0] is the callee, then the arguments.
	OpCall   // Sub is CallFlags; Aux is the SigID of the call
	OpInvoke // as OpCall, a terminator; successors: normal, unwind
	OpCallBr // as OpCall, a terminator; successors: fallthrough, then the labels

	// Terminators.
	OpRet        // Args[0], if any, the result
	OpBr         // one successor
	OpCondBr     // Args[0]; successors: true, false
	OpSwitch     // Args[0] the value, then the case constants; successors: default, then the cases
	OpIndirectBr // Args[0] the address
	OpUnreachable
	OpResume // Args[0] the exception

	// Exceptions.
	OpLandingPad // Args: type infos of the clauses; Sub 1 when it is a cleanup
	OpCleanupPad
	OpCatchPad
	OpCatchSwitch // a terminator
	OpCatchRet    // a terminator
	OpCleanupRet  // a terminator

	NumOps
)

// MemFlags are the Sub of loads and stores.
const (
	MemVolatile uint8 = 1 << iota
	MemAtomic
)

// CallFlags are the Sub of calls.
const (
	CallNoReturn uint8 = 1 << iota // this call does not return
	CallNoUnwind                   // this call throws nothing
	CallTail
	CallMustTail
)

// A Pred compares two integers or pointers.
type Pred uint8

const (
	EQ Pred = iota + 1
	NE
	UGT
	UGE
	ULT
	ULE
	SGT
	SGE
	SLT
	SLE
)

var predNames = [...]string{EQ: "eq", NE: "ne", UGT: "ugt", UGE: "uge", ULT: "ult", ULE: "ule", SGT: "sgt", SGE: "sge", SLT: "slt", SLE: "sle"}

func (p Pred) String() string {
	if p == 0 || int(p) >= len(predNames) {
		panic(fmt.Sprintf("ir: bad predicate %d", p))
	}
	return predNames[p]
}

var opNames = [NumOps]string{
	OpParam: "param", OpConstInt: "int", OpConstFloat: "float", OpConstNull: "null", OpUndef: "undef",
	OpConstData: "data", OpFuncAddr: "func", OpGlobalAddr: "global", OpBlockAddr: "blockaddr", OpAsm: "asm",
	OpAlloca: "alloca", OpLoad: "load", OpStore: "store", OpGep: "gep", OpMemcpy: "memcpy", OpMemset: "memset",
	OpVaStart: "vastart", OpVaEnd: "vaend", OpVaCopy: "vacopy", OpVaArg: "vaarg",
	OpLifetimeStart: "lifestart", OpLifetimeEnd: "lifeend",
	OpCmpXchg: "cmpxchg", OpAtomicRMW: "atomicrmw", OpFence: "fence", OpSet: "set",
	OpAdd: "add", OpSub: "sub", OpMul: "mul", OpUDiv: "udiv", OpSDiv: "sdiv", OpURem: "urem", OpSRem: "srem",
	OpShl: "shl", OpLShr: "lshr", OpAShr: "ashr", OpAnd: "and", OpOr: "or", OpXor: "xor",
	OpFAdd: "fadd", OpFSub: "fsub", OpFMul: "fmul", OpFDiv: "fdiv", OpFRem: "frem", OpFNeg: "fneg",
	OpTrunc: "trunc", OpZExt: "zext", OpSExt: "sext", OpFPToUI: "fptoui", OpFPToSI: "fptosi",
	OpUIToFP: "uitofp", OpSIToFP: "sitofp", OpFPTrunc: "fptrunc", OpFPExt: "fpext",
	OpPtrToInt: "ptrtoint", OpIntToPtr: "inttoptr", OpBitcast: "bitcast",
	OpICmp: "icmp", OpFCmp: "fcmp", OpSelect: "select", OpFreeze: "freeze", OpPhi: "phi",
	OpExtractValue: "extractvalue", OpInsertValue: "insertvalue", OpExtractElement: "extractelement",
	OpInsertElement: "insertelement", OpShuffle: "shuffle",
	OpCall: "call", OpInvoke: "invoke", OpCallBr: "callbr",
	OpRet: "ret", OpBr: "br", OpCondBr: "condbr", OpSwitch: "switch", OpIndirectBr: "indirectbr",
	OpUnreachable: "unreachable", OpResume: "resume",
	OpLandingPad: "landingpad", OpCleanupPad: "cleanuppad", OpCatchPad: "catchpad",
	OpCatchSwitch: "catchswitch", OpCatchRet: "catchret", OpCleanupRet: "cleanupret",
}

func (op Op) String() string {
	if op == OpInvalid || op >= NumOps {
		panic(fmt.Sprintf("ir: bad op %d", op))
	}
	return opNames[op]
}

// IsConst reports whether op is a constant.
func (op Op) IsConst() bool { return op >= OpConstInt && op <= OpAsm }

// IsInst reports whether op is an instruction, that is, belongs to a block.
func (op Op) IsInst() bool { return op >= OpAlloca && op < NumOps }

// IsTerminator reports whether op ends a block.
func (op Op) IsTerminator() bool {
	return op >= OpInvoke && op <= OpResume || op >= OpCatchSwitch && op < NumOps
}

// IsCall reports whether op is a call of any kind.
func (op Op) IsCall() bool { return op >= OpCall && op <= OpCallBr }
