// This file executes instructions that are no calls and no branches.

package prove

import (
	"fmt"
	"strings"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/modref"
)

// width returns how many bits a value of a type has, if a term can stand for it.
// Structs and floating-point numbers are terms of which only equality is known.
func (m *machine) width(t ir.Type) (bits uint8, ok bool) {
	switch t.Kind() {
	case ir.Int:
		return uint8(t.Size()), t.Size() <= 64 && t.Size() > 0
	case ir.Ptr:
		return 64, true
	case ir.Float:
		return uint8(min(t.Size(), 64)), true
	case ir.Agg, ir.Vec:
		return 64, true
	}
	return 0, false
}

// fit makes a term as wide as asked: its low bits, or with zeros in front.
func (m *machine) fit(t cond.Term, bits uint8) cond.Term {
	switch have := m.pool.Bits(t); {
	case have > bits:
		return m.pool.Trunc(bits, t)
	case have < bits:
		return m.pool.ZExt(bits, t)
	}
	return t
}

func (m *machine) add(t cond.Term, n int64) cond.Term {
	if n == 0 {
		return t
	}
	return m.pool.Binary(cond.Add, t, m.pool.Const(m.pool.Bits(t), uint64(n)))
}

// global returns the address of a global.
func (m *machine) global(id ir.GlobalID) cond.Term {
	t, ok := m.addrs[id]
	if !ok {
		t = m.pool.Address("&" + m.p.Globals[id].SourceName())
		m.addrs[id], m.globals[t] = t, id
	}
	return t
}

// function returns the address of a function.
func (m *machine) function(id ir.FuncID) cond.Term {
	t, ok := m.funcs[id]
	if !ok {
		t = m.pool.Address(m.p.Funcs[id].SourceName())
		m.funcs[id], m.funcOf[t] = t, id
	}
	return t
}

// value returns the term of a value in the top frame: a new variable for what was
// not computed on the path, as when the path begins in the middle of the function.
func (m *machine) value(s *state, v ir.ValueID) cond.Term {
	if t := s.top.env[v]; t != 0 {
		return t
	}
	t := m.constant(s.top.f, v)
	if t == 0 {
		bits, ok := m.width(s.top.f.Values[v].Type)
		if !ok {
			bits = 64
		}
		t = m.pool.Fresh(bits, m.spell(s.top.f, v))
		if s.top.f.Values[v].Op == ir.OpAlloca {
			t = m.pool.Address(m.spell(s.top.f, v))
		}
		m.note(s, t, s.top.f.Values[v].Type)
		s.set(v, t)
		m.alwaysSo(s, v, t)
		return t
	}
	s.set(v, t)
	return t
}

// constant returns the term of a constant; 0 for what is none.
func (m *machine) constant(f *ir.Func, v ir.ValueID) cond.Term {
	x := &f.Values[v]
	bits, ok := m.width(x.Type)
	switch x.Op {
	case ir.OpConstInt:
		if ok && x.Sub == 0 {
			return m.pool.Const(bits, uint64(f.Ints[x.Aux]))
		}
	case ir.OpConstNull:
		if ok {
			return m.pool.Const(bits, 0)
		}
	case ir.OpGlobalAddr:
		return m.global(ir.GlobalID(x.Aux))
	case ir.OpFuncAddr:
		return m.function(ir.FuncID(x.Aux))
	}
	return 0
}

var binaries = map[ir.Op]cond.Op{
	ir.OpAdd: cond.Add, ir.OpSub: cond.Sub, ir.OpMul: cond.Mul, ir.OpUDiv: cond.UDiv, ir.OpSDiv: cond.SDiv, ir.OpURem: cond.URem, ir.OpSRem: cond.SRem,
	ir.OpShl: cond.Shl, ir.OpLShr: cond.LShr, ir.OpAShr: cond.AShr, ir.OpAnd: cond.And, ir.OpOr: cond.Or, ir.OpXor: cond.Xor,
}

var preds = map[ir.Pred]cond.Pred{
	ir.EQ: cond.EQ, ir.NE: cond.NE, ir.UGT: cond.UGT, ir.UGE: cond.UGE, ir.ULT: cond.ULT, ir.ULE: cond.ULE,
	ir.SGT: cond.SGT, ir.SGE: cond.SGE, ir.SLT: cond.SLT, ir.SLE: cond.SLE,
}

// exec executes one instruction.
func (m *machine) exec(s *state, v ir.ValueID) {
	f := s.top.f
	x := &f.Values[v]
	args := f.ArgsOf(v)
	if x.Op == ir.OpStore {
		size := f.Values[args[0]].Type.Bytes()
		var val cond.Term
		if _, ok := m.width(f.Values[args[0]].Type); ok && size <= 8 {
			val = m.value(s, args[0])
		}
		if k := f.Values[args[0]].Type.Kind(); k == ir.Agg || k == ir.Vec {
			m.wipe(s, m.value(s, args[1]), int64(size))
			return
		}
		m.store(s, m.value(s, args[1]), val, uint8(size), m.placeOf(f, args[1], f.Values[args[0]].Type))
		return
	}
	switch x.Op {
	case ir.OpMemcpy:
		m.copy(s, m.value(s, args[0]), m.value(s, args[1]), m.length(s, args[2]))
		return
	case ir.OpMemset:
		m.fill(s, m.value(s, args[0]), m.value(s, args[1]), m.length(s, args[2]))
		return
	case ir.OpCmpXchg, ir.OpAtomicRMW:
		m.wipe(s, m.value(s, args[0]), 8)
	}
	bits, ok := m.width(x.Type)
	if !ok {
		return
	}
	s.set(v, m.result(s, v, bits))
}

// length returns a constant number of bytes; -1 if it is not known.
func (m *machine) length(s *state, v ir.ValueID) int64 {
	if n, ok := m.pool.ConstValue(m.value(s, v)); ok && n < 1<<40 {
		return int64(n)
	}
	return -1
}

// fill sets n bytes.
func (m *machine) fill(s *state, addr, val cond.Term, n int64) {
	m.wipe(s, addr, n)
	if c, ok := m.pool.ConstValue(val); ok && c == 0 {
		base, off := m.split(addr)
		s.zeros = append(s.zeros, span{base: base, off: off, size: max(n, 1)})
	}
}

// result returns the value of instruction v, which is no call.
func (m *machine) result(s *state, v ir.ValueID, bits uint8) cond.Term {
	p := m.pool
	f := s.top.f
	x := &f.Values[v]
	args := f.ArgsOf(v)
	arg := func(i int) cond.Term { return m.value(s, args[i]) }
	if op, ok := binaries[x.Op]; ok && x.Type.Kind() == ir.Int {
		return p.Binary(op, arg(0), arg(1))
	}
	switch x.Op {
	case ir.OpAlloca:
		t := p.Address(m.spell(f, v))
		return t
	case ir.OpLoad:
		if t := m.load(s, arg(0), x.Type, m.placeOf(f, args[0], x.Type), m.spell(f, v)); t != 0 && x.Sub&ir.MemVolatile == 0 {
			if m.isConst(f, args[0]) {
				m.fix(s, arg(0))
			}
			return t
		}
	case ir.OpGep:
		g := &f.Geps[x.Aux]
		t := m.add(arg(0), g.Off)
		for i, stride := range f.Strides[g.Stride : g.Stride+g.NStride] {
			idx := arg(i + 1)
			if p.Bits(idx) < 64 {
				idx = p.SExt(64, idx)
			}
			t = p.Binary(cond.Add, t, p.Binary(cond.Mul, m.fit(idx, 64), p.Const(64, uint64(stride))))
		}
		return t
	case ir.OpTrunc, ir.OpPtrToInt, ir.OpIntToPtr:
		return m.fit(arg(0), bits)
	case ir.OpZExt:
		return m.fit(arg(0), bits)
	case ir.OpSExt:
		return p.SExt(bits, arg(0))
	case ir.OpBitcast, ir.OpFreeze:
		if a := arg(0); p.Bits(a) == bits {
			return a
		}
	case ir.OpICmp:
		if a, b := arg(0), arg(1); p.Bits(a) == p.Bits(b) {
			return p.Compare(preds[ir.Pred(x.Sub)], a, b)
		}
	case ir.OpExtractValue:
		if op, ok := m.checked(f, args[0]); ok && f.Ints[x.Aux] == 0 {
			a := f.ArgsOf(args[0])
			return p.Binary(op, m.value(s, a[1]), m.value(s, a[2]))
		}
		return p.Apply(bits, fmt.Sprintf("field.%d.%d", f.Ints[x.Aux], bits), arg(0))
	case ir.OpSelect:
		if c := arg(0); p.Bits(c) == 1 {
			return p.Ite(c, m.fit(arg(1), bits), m.fit(arg(2), bits))
		}
	case ir.OpFCmp, ir.OpFAdd, ir.OpFSub, ir.OpFMul, ir.OpFDiv, ir.OpFRem, ir.OpFNeg, ir.OpFPToSI, ir.OpFPToUI, ir.OpSIToFP, ir.OpUIToFP,
		ir.OpFPExt, ir.OpFPTrunc, ir.OpExtractElement:
		var terms []cond.Term
		for i := range args {
			terms = append(terms, arg(i))
		}
		return p.Apply(bits, fmt.Sprintf("%s.%d.%d", x.Op, x.Sub, bits), terms...)
	}
	return p.Fresh(bits, m.spell(f, v))
}

// isConst reports whether the source reads memory by a pointer to what is const.
func (m *machine) isConst(f *ir.Func, addr ir.ValueID) bool {
	for f.Values[addr].Op == ir.OpGep {
		addr = f.ArgsOf(addr)[0]
	}
	v := f.Values[addr].Var
	return v != 0 && f.Values[addr].Op != ir.OpAlloca && strings.HasPrefix(f.Vars[v].Type, "const ")
}

// checked returns what a call computes that also says whether it overflows.
func (m *machine) checked(f *ir.Func, v ir.ValueID) (cond.Op, bool) {
	c := f.Callee(v)
	if c == 0 || m.p.Funcs[c].Flags&ir.Intrinsic == 0 {
		return 0, false
	}
	kind, _, ok := strings.Cut(strings.TrimPrefix(m.p.Funcs[c].Name, "llvm."), ".with.overflow.")
	if !ok || len(kind) != 4 {
		return 0, false
	}
	op, ok := map[string]cond.Op{"add": cond.Add, "sub": cond.Sub, "mul": cond.Mul}[kind[1:]]
	return op, ok
}

// placeOf returns what an address names.
func (m *machine) placeOf(f *ir.Func, addr ir.ValueID, typ ir.Type) modref.Place {
	return modref.PlaceOf(m.p, f, addr, typ)
}

// phis gives the phis of block to their values, as control comes from another.
func (m *machine) phis(s *state, from, to ir.BlockID, succ int) {
	f := s.top.f
	first := f.Blocks[to].First
	if f.Values[first].Op != ir.OpPhi {
		return
	}
	k := predIndex(f, from, to, succ)
	var vals []cond.Term
	for v := first; f.Values[v].Op == ir.OpPhi; v++ {
		if _, ok := m.width(f.Values[v].Type); !ok {
			vals = append(vals, 0)
			continue
		}
		vals = append(vals, m.value(s, f.ArgsOf(v)[k]))
	}
	for i, t := range vals {
		if t != 0 {
			s.set(first+ir.ValueID(i), t)
		}
	}
}

// predIndex returns which predecessor of to the edge number succ out of from is.
func predIndex(f *ir.Func, from, to ir.BlockID, succ int) int {
	nth := 0
	for _, b := range f.SuccsOf(from)[:succ] {
		if b == to {
			nth++
		}
	}
	for k, b := range f.PredsOf(to) {
		if b == from {
			if nth == 0 {
				return k
			}
			nth--
		}
	}
	panic("prove: edge without predecessor")
}
