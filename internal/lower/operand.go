// This file lowers operands: values stand for themselves, constants are
// interned, constant expressions become instructions of the entry block.

package lower

import (
	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/ir"
)

// A ref is an operand in the making: what it is in the top bits, which one below.
type ref uint32

const (
	refLocal ref = 0 << 30 // a value of the body, by local number
	refPhi   ref = 1 << 30 // a phi
	refConst ref = 2 << 30 // a constant
	refExpr  ref = 3 << 30 // a constant expression
	refMask  ref = 3 << 30
)

// A constKey identifies a constant of the program.
type constKey struct {
	op  ir.Op
	sub uint8
	typ ir.Type
	n   int64
	s   string
}

// operand returns what v is once variables are gone.
func (b *builder) operand(v bitcode.ValueID) ref {
	for range len(b.repl) + 1 {
		if v < b.body.NumModule {
			return b.moduleValue(v)
		}
		k := uint32(v - b.body.NumModule)
		if c := int(k) - int(b.body.NumParams); c >= 0 && c < len(b.body.Consts) {
			return b.nested(v, 0)
		}
		s := b.repl[k]
		if s == 0 {
			if k >= b.body.NumParams && b.blockID[b.defBlock[k]] == 0 {
				return b.undef(b.typeOf(b.body.Types[k])) // made where control never gets
			}
			return refLocal | ref(k)
		}
		if s&substMask != 0 {
			return b.substRef(s)
		}
		v = bitcode.ValueID(s - 1)
	}
	return b.undef(b.m.types[0]) // only broken input closes a cycle
}

// substRef lowers a subst that is not 0.
func (b *builder) substRef(s subst) ref {
	switch s & substMask {
	case substPhi:
		return refPhi | ref(s&^substMask)
	case substUndef:
		return b.undef(b.vars[s&^substMask].typ)
	}
	return b.operand(bitcode.ValueID(s - 1))
}

func (b *builder) undef(t ir.Type) ref { return b.constant(constKey{op: ir.OpUndef, typ: t}) }

// constant interns a constant of the function.
func (b *builder) constant(k constKey) ref {
	if id, ok := b.constID[k]; ok {
		return refConst | ref(id)
	}
	v := ir.Value{Op: k.op, Sub: k.sub, Type: k.typ}
	switch k.op {
	case ir.OpConstInt, ir.OpConstFloat:
		v.Aux = uint32(len(b.fn.Ints))
		b.fn.Ints = append(b.fn.Ints, k.n)
	case ir.OpConstData, ir.OpAsm:
		v.Aux = uint32(len(b.fn.Strs))
		b.fn.Strs = append(b.fn.Strs, k.s)
	case ir.OpFuncAddr, ir.OpGlobalAddr, ir.OpBlockAddr:
		v.Aux = uint32(k.n)
	}
	id := uint32(len(b.consts))
	b.consts = append(b.consts, v)
	b.constID[k] = id
	return refConst | ref(id)
}

func (b *builder) moduleValue(v bitcode.ValueID) ref {
	if b.m.Values[v].Kind == bitcode.ValConst {
		return b.nested(v, 0)
	}
	m := &b.modRef[v]
	if m.stamp != b.stamp {
		*m = modRef{b.stamp, b.symbolRef(b.m.syms[v])}
	}
	return m.ref
}

// symbolRef returns the address of a symbol.
func (b *builder) symbolRef(s symbol) ref {
	ptr := ir.MakeType(ir.Ptr, b.m.layout.ptrBits)
	if s.fn != 0 {
		return b.constant(constKey{op: ir.OpFuncAddr, typ: ptr, n: int64(s.fn)})
	}
	if s.gl == 0 { // an alias of something that is no symbol
		return b.undef(ptr)
	}
	base := b.constant(constKey{op: ir.OpGlobalAddr, typ: ptr, n: int64(s.gl)})
	if s.off == 0 {
		return base
	}
	g := b.gepAt(s.off, nil, nil)
	return b.expr(ir.Value{Op: ir.OpGep, Type: ptr, Aux: g}, base)
}

// expr adds a constant expression.
func (b *builder) expr(v ir.Value, args ...ref) ref {
	v.Args, v.NArgs = uint32(len(b.cargs)), uint32(len(args))
	b.cargs = append(b.cargs, args...)
	b.cvals = append(b.cvals, v)
	return refExpr | ref(len(b.cvals)-1)
}

// lowerConst lowers a constant. Constants nest; depth guards against cycles in
// broken input.
func (b *builder) lowerConst(v *bitcode.Value, depth int) ref {
	t := b.typeOf(v.Type)
	c := &v.Const
	switch c.Kind {
	case bitcode.ConstNull:
		if t.Kind() == ir.Int {
			return b.constant(constKey{op: ir.OpConstInt, sub: wide(t), typ: t})
		}
		if t.Kind() == ir.Float {
			return b.constant(constKey{op: ir.OpConstFloat, typ: t})
		}
		return b.constant(constKey{op: ir.OpConstNull, typ: t})
	case bitcode.ConstInt, bitcode.ConstWide:
		return b.constant(constKey{op: ir.OpConstInt, sub: wide(t), typ: t, n: c.Int})
	case bitcode.ConstFloat:
		return b.constant(constKey{op: ir.OpConstFloat, typ: t, n: c.Int})
	case bitcode.ConstData:
		return b.constant(constKey{op: ir.OpConstData, typ: t, s: c.Str})
	case bitcode.ConstAsm:
		return b.constant(constKey{op: ir.OpAsm, typ: t, s: c.Str})
	case bitcode.ConstBlockAddr:
		return b.blockAddr(c, t)
	}
	if c.Kind == bitcode.ConstUndef || depth > maxConstDepth {
		return b.undef(t)
	}
	return b.lowerExpr(v, t, depth+1)
}

// wide marks integers of which only the low 64 bits are kept.
func wide(t ir.Type) uint8 {
	if t.Size() > 64 {
		return 1
	}
	return 0
}

func (b *builder) blockAddr(c *bitcode.Const, t ir.Type) ref {
	var id ir.BlockID
	if fn := c.Ops[0]; fn < b.body.NumModule && b.m.Values[fn].Kind == bitcode.ValFunc &&
		&b.m.Funcs[b.m.Values[fn].Index] == b.body.Func && c.Int >= 0 && c.Int < int64(len(b.blockID)) {
		id = b.blockID[c.Int]
	}
	return b.constant(constKey{op: ir.OpBlockAddr, typ: t, n: int64(id)})
}

// nested lowers an operand of a constant.
func (b *builder) nested(v bitcode.ValueID, depth int) ref {
	c := b.constOf(v)
	if c == nil {
		return b.operand(v)
	}
	if v < b.body.NumModule {
		m := &b.modRef[v]
		if m.stamp != b.stamp {
			*m = modRef{b.stamp, b.lowerConst(c, depth)}
		}
		return m.ref
	}
	r := &b.conRef[uint32(v-b.body.NumModule)-b.body.NumParams]
	if *r == 0 {
		*r = b.lowerConst(c, depth)
	}
	return *r
}

func (b *builder) lowerExpr(v *bitcode.Value, t ir.Type, depth int) ref {
	c := &v.Const
	args := make([]ref, 0, 3)
	add := func(ops ...bitcode.ValueID) {
		for _, o := range ops {
			args = append(args, b.nested(o, depth))
		}
	}
	switch c.Kind {
	case bitcode.ConstSame:
		return b.nested(c.Ops[0], depth)
	case bitcode.ConstAgg:
		return b.aggregate(v, t, depth)
	case bitcode.ConstGEP:
		return b.exprGEP(c, t, depth)
	case bitcode.ConstCast:
		if (c.Op == bitcode.BitCast || c.Op == bitcode.AddrSpaceCast) && t.Kind() == ir.Ptr {
			return b.nested(c.Ops[0], depth)
		}
		add(c.Ops[0])
		return b.expr(ir.Value{Op: castOps[c.Op], Type: t}, args...)
	case bitcode.ConstBinop:
		add(c.Ops...)
		return b.expr(ir.Value{Op: arithOps[c.Op], Type: t}, args...)
	case bitcode.ConstSelect:
		add(c.Ops...)
		return b.expr(ir.Value{Op: ir.OpSelect, Type: t}, args...)
	case bitcode.ConstCmp:
		add(c.Ops...)
		op, sub := comparison(c.Op, c.Sub)
		return b.expr(ir.Value{Op: op, Sub: sub, Type: t}, args...)
	case bitcode.ConstVector:
		add(c.Ops...)
		return b.expr(ir.Value{Op: vectorOps[c.Op], Type: t}, args...)
	}
	return b.undef(t)
}

// aggregate builds a constant struct, array or vector element by element.
func (b *builder) aggregate(v *bitcode.Value, t ir.Type, depth int) ref {
	r := b.constant(constKey{op: ir.OpConstNull, typ: t})
	for i, e := range v.Const.Ops {
		if c := b.constOf(e); c != nil && c.Const.Kind == bitcode.ConstNull {
			continue
		}
		x := b.nested(e, depth)
		r = b.expr(ir.Value{Op: ir.OpInsertValue, Type: t, Aux: b.int(int64(b.m.elemOffset(v.Type, i)))}, r, x)
	}
	return r
}

// int adds an immediate.
func (b *builder) int(n int64) uint32 {
	b.fn.Ints = append(b.fn.Ints, n)
	return uint32(len(b.fn.Ints) - 1)
}
