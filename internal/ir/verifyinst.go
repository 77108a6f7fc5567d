// This file checks constants and the operands of each operation.

package ir

import (
	"errors"
	"fmt"
)

// A constKey is equal for equal constants.
type constKey struct {
	op   Op
	sub  uint8
	typ  Type
	n    int64
	data string
}

// constKey returns what makes constant x what it is.
func (f *Func) constKey(x *Value) constKey {
	k := constKey{op: x.Op, sub: x.Sub, typ: x.Type}
	switch x.Op {
	case OpConstInt, OpConstFloat:
		k.n = f.Ints[x.Aux]
	case OpConstData, OpAsm:
		k.data = f.Strs[x.Aux]
	case OpFuncAddr, OpGlobalAddr, OpBlockAddr:
		k.n = int64(x.Aux)
	}
	return k
}

// consts checks that the constants stand together and that no two are equal.
func (v *verifier) consts() error {
	f := v.f
	first := ValueID(f.NParams + 1)
	seen := make(map[constKey]ValueID, f.Blocks[1].First-first)
	for i := ValueID(1); i < f.Blocks[1].First; i++ {
		x := &f.Values[i]
		if x.NArgs != 0 || x.Loc != 0 {
			return v.errorf("%%%d: a %s with operands or a location", i, x.Op)
		}
		if i < first {
			continue
		}
		if !x.Op.IsConst() {
			return v.errorf("%%%d: a %s among the constants", i, x.Op)
		}
		if x.Var != 0 || x.Sub != 0 && x.Op != OpConstInt || x.Sub > 1 {
			return v.errorf("%%%d: a %s with var %d, sub %d", i, x.Op, x.Var, x.Sub)
		}
		k := f.constKey(x)
		if j, ok := seen[k]; ok {
			return v.errorf("%%%d and %%%d are the same constant", j, i)
		}
		seen[k] = i
	}
	return nil
}

// insts checks each instruction by itself.
func (v *verifier) insts() error {
	for i := v.f.Blocks[1].First; int(i) < len(v.f.Values); i++ {
		x := &v.f.Values[i]
		err := v.shape(i, x)
		if err == nil {
			err = v.types(i, x)
		}
		if err == nil {
			err = v.sub(x)
		}
		if err != nil {
			return v.instErrorf(i, "%w", err)
		}
	}
	return nil
}

// A shape says how many operands and successors an op takes, and whether it has a result.
type shape struct {
	min, max int // operands
	succs    int // -1: see types
	result   int8
}

const (
	many     = 1 << 30
	noResult = -1
	mayHave  = 0
	result   = 1
)

// shapeOf returns the shape of op.
func shapeOf(op Op) shape {
	switch op {
	case OpAlloca:
		return shape{0, 1, 0, result}
	case OpLoad, OpVaArg, OpFNeg, OpFreeze, OpExtractValue:
		return shape{1, 1, 0, result}
	case OpStore, OpVaCopy:
		return shape{2, 2, 0, noResult}
	case OpGep:
		return shape{1, many, 0, result}
	case OpMemcpy, OpMemset:
		return shape{3, 3, 0, noResult}
	case OpVaStart, OpVaEnd, OpLifetimeStart, OpLifetimeEnd, OpSet:
		return shape{1, 1, 0, noResult}
	case OpCmpXchg, OpSelect, OpInsertElement:
		return shape{3, 3, 0, result}
	case OpAtomicRMW, OpICmp, OpFCmp, OpInsertValue, OpExtractElement, OpShuffle:
		return shape{2, 2, 0, result}
	case OpFence:
		return shape{0, 0, 0, noResult}
	case OpPhi:
		return shape{0, many, 0, result}
	case OpCall:
		return shape{1, many, 0, mayHave}
	case OpInvoke:
		return shape{1, many, 2, mayHave}
	case OpCallBr:
		return shape{1, many, -1, mayHave}
	case OpRet:
		return shape{0, 1, 0, noResult}
	case OpBr:
		return shape{0, 0, 1, noResult}
	case OpCondBr:
		return shape{1, 1, 2, noResult}
	case OpSwitch:
		return shape{1, many, -1, noResult}
	case OpIndirectBr:
		return shape{1, 1, -1, noResult}
	case OpUnreachable:
		return shape{0, 0, 0, noResult}
	case OpResume:
		return shape{1, 1, 0, noResult}
	case OpLandingPad, OpCleanupPad, OpCatchPad:
		return shape{0, many, 0, result}
	case OpCatchSwitch:
		return shape{0, many, -1, result}
	case OpCatchRet, OpCleanupRet:
		return shape{0, many, -1, noResult}
	}
	if op >= OpTrunc && op <= OpBitcast {
		return shape{1, 1, 0, result}
	}
	return shape{2, 2, 0, result} // arithmetic
}

func (v *verifier) shape(i ValueID, x *Value) error {
	s := shapeOf(x.Op)
	if n := int(x.NArgs); n < s.min || n > s.max {
		return fmt.Errorf("%d operands", n)
	}
	if has := x.Type.Kind() != Void; s.result == result && !has || s.result == noResult && has {
		return fmt.Errorf("the result is %s", x.Type)
	}
	nsucc := len(v.f.succs(i))
	if s.succs >= 0 && nsucc != s.succs {
		return fmt.Errorf("%d successors", nsucc)
	}
	if x.Op == OpSwitch && nsucc != int(x.NArgs) {
		return fmt.Errorf("%d cases, %d successors", x.NArgs-1, nsucc)
	}
	if x.Op == OpCallBr && nsucc == 0 {
		return errors.New("no successors")
	}
	return nil
}

// sub checks the predicate, the flags and the variable.
func (v *verifier) sub(x *Value) error {
	switch {
	case x.Op == OpICmp:
		if x.Sub == 0 || int(x.Sub) >= len(predNames) {
			return fmt.Errorf("predicate %d", x.Sub)
		}
	case x.Op == OpFCmp:
		if int(x.Sub) >= len(fcmpNames) {
			return fmt.Errorf("predicate %d", x.Sub)
		}
	case x.Op == OpMemcpy && x.Sub <= 1, x.Op == OpAtomicRMW:
	case x.Sub>>len(x.Op.flagNames()) != 0:
		return fmt.Errorf("sub is %d", x.Sub)
	}
	if x.Op == OpSet && x.Var == 0 {
		return errors.New("no variable")
	}
	return nil
}

// types checks the types of operands where an op fixes them.
func (v *verifier) types(i ValueID, x *Value) error {
	args := v.f.ArgsOf(i)
	arg := func(k int) Type { return v.f.Values[args[k]].Type }
	for k := range args {
		if arg(k).Kind() == Void {
			return fmt.Errorf("operand %%%d has no value", args[k])
		}
	}
	switch {
	case x.Op == OpLoad, x.Op == OpAtomicRMW, x.Op == OpCmpXchg:
		return pointer(arg(0))
	case x.Op == OpStore:
		return pointer(arg(1))
	case x.Op == OpGep:
		if n := v.f.Geps[x.Aux].NStride; int(n) != len(args)-1 {
			return fmt.Errorf("%d strides for %d indices", n, len(args)-1)
		}
	case x.Op >= OpAdd && x.Op <= OpFRem:
		return same(x.Type, arg(0), arg(1))
	case x.Op == OpFNeg, x.Op == OpFreeze:
		return same(x.Type, arg(0))
	case x.Op == OpICmp, x.Op == OpFCmp:
		if x.Type.Kind() == Int && x.Type.Size() != 1 {
			return fmt.Errorf("a comparison is %s", x.Type)
		}
		return same(arg(0), arg(1))
	case x.Op == OpSelect:
		return same(x.Type, arg(1), arg(2))
	case x.Op == OpPhi:
		for k := range args {
			if err := same(x.Type, arg(k)); err != nil {
				return err
			}
		}
	case x.Op == OpCondBr:
		return same(MakeType(Int, 1), arg(0))
	case x.Op == OpSwitch:
		for k := range args[1:] {
			if v.f.Values[args[k+1]].Op != OpConstInt {
				return fmt.Errorf("case %%%d is not an integer", args[k+1])
			}
			if err := same(arg(0), arg(k+1)); err != nil {
				return err
			}
		}
	case x.Op == OpRet:
		if len(args) == 0 {
			return same(v.f.Result, Type(Void))
		}
		return same(v.f.Result, arg(0))
	}
	return nil
}

func same(want Type, got ...Type) error {
	for _, t := range got {
		if t != want {
			return fmt.Errorf("types %s and %s differ", want, t)
		}
	}
	return nil
}

// pointer accepts vectors too: gathers of vectors of pointers.
func pointer(t Type) error {
	if t.Kind() != Ptr && t.Kind() != Vec {
		return fmt.Errorf("the address is %s", t)
	}
	return nil
}
