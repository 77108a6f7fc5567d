// This file decides what becomes of each instruction: which allocas turn into
// values, and what is only another name for something else.

package lower

import (
	"strings"

	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/ir"
)

// An intrinsic is an LLVM function that lower treats specially.
type intrinsic uint8

const (
	intrNone intrinsic = iota
	intrDebug
	intrLifetimeStart
	intrLifetimeEnd
	intrMemcpy
	intrMemmove
	intrMemset
	intrVaStart
	intrVaEnd
	intrVaCopy
	intrSame // returns its first argument
)

// intrinsics are found by prefix: what follows are type suffixes.
var intrinsics = []struct {
	prefix string
	is     intrinsic
}{
	{"llvm.dbg.", intrDebug},
	{"llvm.lifetime.start", intrLifetimeStart},
	{"llvm.lifetime.end", intrLifetimeEnd},
	{"llvm.memcpy.", intrMemcpy},
	{"llvm.memmove.", intrMemmove},
	{"llvm.memset.", intrMemset},
	{"llvm.va_start", intrVaStart},
	{"llvm.va_end", intrVaEnd},
	{"llvm.va_copy", intrVaCopy},
	{"llvm.expect.", intrSame},
	{"llvm.launder.invariant.group", intrSame},
	{"llvm.strip.invariant.group", intrSame},
	{"llvm.ptr.annotation", intrSame},
	{"llvm.ssa.copy", intrSame},
	{"llvm.threadlocal.address", intrSame},
}

// findIntrinsics classifies the functions of a module by index.
func findIntrinsics(m *bitcode.Module) []intrinsic {
	out := make([]intrinsic, len(m.Funcs))
	for i := range m.Funcs {
		name := m.Funcs[i].Name
		if !strings.HasPrefix(name, "llvm.") {
			continue
		}
		for _, x := range intrinsics {
			if strings.HasPrefix(name, x.prefix) {
				out[i] = x.is
				break
			}
		}
	}
	return out
}

// intrinsicOf tells which intrinsic an instruction calls.
func (b *builder) intrinsicOf(in *bitcode.Inst) intrinsic {
	if in.Op != bitcode.Call {
		return intrNone
	}
	callee := b.body.Ops[in.Ops]
	if callee >= b.body.NumModule || b.m.Values[callee].Kind != bitcode.ValFunc {
		return intrNone
	}
	k := b.m.intrinsics[b.m.Values[callee].Index]
	if k != intrNone && k != intrDebug && !b.plainArgs(in) {
		return intrNone // broken input: none of them takes metadata
	}
	return k
}

// plainArgs reports whether all parameters of a call are values.
func (b *builder) plainArgs(in *bitcode.Inst) bool {
	for _, p := range b.m.Types[in.Src].Elems {
		if !isValue(b.m.Types[p].Kind) {
			return false
		}
	}
	return in.NOps > 1
}

// isValue reports whether arguments of this kind are values: those of some
// intrinsics are metadata or labels.
func isValue(k bitcode.TypeKind) bool { return k != bitcode.TMetadata && k != bitcode.TLabel }

// decide fills fate, vars and the plain part of repl.
func (b *builder) decide() {
	body := b.body
	b.fate = cleared(b.fate, len(body.Insts))
	b.local = cleared(b.local, len(body.Types))
	b.repl = cleared(b.repl, len(body.Types))
	b.vars = b.vars[:0]
	b.defBlock = cleared(b.defBlock, len(body.Types))
	b.findCandidates()
	for blk := range body.Blocks {
		r := body.Blocks[blk]
		for i := r.First; i < r.End; i++ {
			if v := body.Insts[i].Result; v != bitcode.NoValue {
				b.defBlock[v-body.NumModule] = uint32(blk)
			}
			if b.blockID[blk] != 0 {
				b.decideInst(&body.Insts[i], &b.fate[i])
			}
		}
	}
	b.dropEscaped()
}

// findCandidates takes every scalar alloca of the entry block as a variable.
func (b *builder) findCandidates() {
	r := b.body.Blocks[0]
	for i := r.First; i < r.End; i++ {
		in := &b.body.Insts[i]
		if in.Op != bitcode.Alloca {
			continue
		}
		t := b.m.types[in.Src]
		if n, ok := b.constInt(b.body.Ops[in.Ops]); !ok || n != 1 || t.Kind() == ir.Agg || t.Kind() == ir.Void {
			continue
		}
		b.vars = append(b.vars, variable{inst: i, typ: t})
		b.local[in.Result-b.body.NumModule] = uint32(len(b.vars))
	}
}

// escapes takes back a candidate whose address is used otherwise.
func (b *builder) escapes(v bitcode.ValueID) {
	if v >= b.body.NumModule {
		b.local[v-b.body.NumModule] = 0
	}
}

func (b *builder) decideInst(in *bitcode.Inst, f *fate) {
	ops := b.opsOf(in)
	switch in.Op {
	case bitcode.Load:
		if v, ok := b.variableOf(ops[0]); ok && (in.Flags != 0 || b.typeOf(in.Type) != b.vars[v].typ) {
			b.escapes(ops[0])
		}
		return
	case bitcode.Store:
		b.escapes(ops[1])
		if v, ok := b.variableOf(ops[0]); ok && (in.Flags != 0 || b.typeOf(in.Src) != b.vars[v].typ) {
			b.escapes(ops[0])
		}
		return
	case bitcode.Phi:
		for i := 0; i < len(ops); i += 2 {
			b.escapes(ops[i])
		}
		return
	case bitcode.Call:
		switch b.intrinsicOf(in) {
		case intrDebug:
			*f = fateDrop
			return
		case intrLifetimeStart, intrLifetimeEnd:
			return
		case intrSame:
			b.standIn(in, ops[1], f)
		}
		b.escapeArgs(in, ops)
		return
	case bitcode.Invoke, bitcode.CallBr:
		b.escapeArgs(in, values(in, ops))
		return
	case bitcode.BitCast, bitcode.AddrSpaceCast:
		if b.typeOf(in.Type).Kind() == ir.Ptr {
			b.standIn(in, ops[0], f)
		}
	case bitcode.GetElementPtr:
		if b.isDecay(in, ops) {
			b.standIn(in, ops[0], f)
		}
	}
	for _, v := range values(in, ops) {
		b.escapes(v)
	}
}

// escapeArgs lets go of the callee and arguments of a call; metadata are no values.
func (b *builder) escapeArgs(in *bitcode.Inst, ops []bitcode.ValueID) {
	params := b.m.Types[in.Src].Elems
	b.escapes(ops[0])
	for i, v := range ops[1:] {
		if i >= len(params) || isValue(b.m.Types[params[i]].Kind) {
			b.escapes(v)
		}
	}
}

// standIn lets v stand in for the result of in. Only a value that was numbered
// before may, so that no chain of these closes.
func (b *builder) standIn(in *bitcode.Inst, v bitcode.ValueID, f *fate) {
	if in.Result != bitcode.NoValue && v < in.Result {
		b.repl[in.Result-b.body.NumModule] = substValue(v)
		*f = fateDrop
	}
}

// isDecay reports whether a GEP only turns an array into the address of its
// first element.
func (b *builder) isDecay(in *bitcode.Inst, ops []bitcode.ValueID) bool {
	id := in.Src
	for i, op := range ops[1:] {
		if n, ok := b.constInt(op); !ok || n != 0 {
			return false
		}
		if i > 0 {
			t := b.fr.Type(id)
			if t.Kind != bitcode.TArray {
				return false
			}
			id = t.Elem
		}
	}
	return b.typeOf(in.Type).Kind() == ir.Ptr
}

// dropEscaped closes the ranks of vars, and marks what promotion takes away.
func (b *builder) dropEscaped() {
	kept := b.vars[:0]
	for _, v := range b.vars {
		res := b.body.Insts[v.inst].Result - b.body.NumModule
		if b.local[res] == 0 {
			continue
		}
		v.src = b.debug.allocas[v.inst]
		kept = append(kept, v)
		b.local[res] = uint32(len(kept))
		b.fate[v.inst] = fateDrop
	}
	b.vars = kept
	for i := range b.body.Insts {
		in := &b.body.Insts[i]
		switch v, assigns, ok := b.accessOf(in); {
		case ok && assigns && b.vars[v].src != 0:
			b.fate[i] = fateSet
		case ok:
			b.fate[i] = fateDrop
		case in.Op == bitcode.Call:
			if k := b.intrinsicOf(in); k == intrLifetimeStart || k == intrLifetimeEnd {
				if _, ok := b.variableOf(b.body.Ops[in.Ops+in.NOps-1]); ok {
					b.fate[i] = fateDrop
				}
			}
		}
	}
}

// typeOf returns the machine type of a type of this body.
func (b *builder) typeOf(id bitcode.TypeID) ir.Type {
	if int(id) < len(b.m.types) {
		return b.m.types[id]
	}
	t := b.fr.Type(id)
	switch t.Kind {
	case bitcode.TVector:
		return ir.MakeType(ir.Vec, mulSize(b.typeOf(t.Elem).Bytes(), t.N))
	case bitcode.TStruct: // {T, i1}
		n := b.typeOf(t.Elems[0]).Bytes()
		return ir.MakeType(ir.Agg, 2*n)
	}
	return irType(t, &b.m.layout, 0)
}

// constOf returns the constant that v is, or nil.
func (b *builder) constOf(v bitcode.ValueID) *bitcode.Value {
	if v < b.body.NumModule {
		if x := &b.m.Values[v]; x.Kind == bitcode.ValConst {
			return x
		}
		return nil
	}
	k := int(v-b.body.NumModule) - int(b.body.NumParams)
	if k >= 0 && k < len(b.body.Consts) {
		return &b.body.Consts[k]
	}
	return nil
}

// constInt returns the integer that v is.
func (b *builder) constInt(v bitcode.ValueID) (int64, bool) {
	c := b.constOf(v)
	if c == nil {
		return 0, false
	}
	switch c.Const.Kind {
	case bitcode.ConstInt:
		return c.Const.Int, true
	case bitcode.ConstNull:
		return 0, b.typeOf(c.Type).Kind() == ir.Int
	}
	return 0, false
}
