// This file reads instructions and constants.

package ir

import (
	"slices"
	"strconv"
	"strings"
)

// opsByName has the instructions as the text spells them.
var opsByName = func() map[string]Op {
	m := map[string]Op{}
	for op := OpAlloca; op < NumOps; op++ {
		m[op.String()] = op
	}
	return m
}()

// inst reads one line of a block.
func (b *body) inst() {
	if len(b.blocks) == 0 {
		b.unexpected("a block")
		return
	}
	x := Value{Args: uint32(len(b.f.Args))}
	if b.tok.kind == tokValue {
		b.define(b.tok)
		b.advance()
		b.expect(":")
		x.Type = b.typ()
		if !b.is("=") {
			x.Var = b.varRef()
		}
		b.expect("=")
	}
	line := b.tok.line
	word := b.word()
	x.Op = opsByName[word]
	if word == "memmove" {
		x.Op, x.Sub = OpMemcpy, 1
	}
	switch {
	case x.Op == OpInvalid:
		b.fail(line, "unknown operation %q", word)
	case x.Op.IsCall():
		b.call(&x)
	case x.Op == OpGep:
		b.gep(&x)
	case x.Op == OpPhi:
		b.phi(&x)
	case x.Op == OpSwitch:
		b.switchInst(&x)
	default:
		b.plain(&x)
	}
	if b.accept("var") {
		b.expect("=")
		x.Var = b.varRef()
	}
	x.NArgs = uint32(len(b.f.Args)) - x.Args
	if b.accept(";") {
		x.Loc = b.loc()
	}
	b.insts = append(b.insts, x)
	b.blocks[len(b.blocks)-1].end = len(b.insts)
}

// define says that a name is the instruction about to be read.
func (b *body) define(t token) {
	v, ok := b.names[t.text]
	if !ok {
		v = b.newName(t)
	}
	if v&nameBit == 0 || b.uses[v&^nameBit].inst >= 0 {
		b.fail(t.line, "%s is defined twice", t)
		return
	}
	b.uses[v&^nameBit].inst = len(b.insts)
}

func (b *body) newName(t token) ValueID {
	v := nameBit | ValueID(len(b.uses))
	b.uses = append(b.uses, use{name: t.text, line: t.line, inst: -1})
	b.names[t.text] = v
	return v
}

// succ adds a successor to the block being read.
func (b *body) succ() {
	blk := &b.blocks[len(b.blocks)-1]
	blk.succs = append(blk.succs, b.prefixed("b"))
}

func (b *body) arg() { b.f.Args = append(b.f.Args, b.operand()) }

// atEnd reports whether the operands are over.
func (b *body) atEnd() bool {
	return b.err != nil || b.tok.kind == tokNewline || b.tok.kind == tokEOF || b.is(";") || b.is("at") || b.is("aux") || b.is("var")
}

// plain reads what Printer.plain writes.
func (b *body) plain(x *Value) {
	b.sub(x)
	switch x.Op {
	case OpSet:
		x.Var = b.varRef()
		b.expect("=")
	case OpAlloca:
		x.Aux = uint32(len(b.f.Ints))
		b.f.Ints = append(b.f.Ints, b.immediate(), int64(b.structRef()))
		if !b.accept(",") && !b.atEnd() {
			b.unexpected("a comma")
		}
	}
	for first := true; !b.atEnd(); first = false {
		if !first {
			b.expect(",")
		}
		if _, ok := numbered(b.tok, "b"); ok {
			b.succ()
		} else {
			b.arg()
		}
	}
	switch x.Op {
	case OpExtractValue, OpInsertValue:
		b.expect("at")
		x.Aux = uint32(len(b.f.Ints))
		b.f.Ints = append(b.f.Ints, b.immediate())
	}
	if b.accept("aux") {
		x.Aux = b.attr()
	}
}

// sub reads the predicate or the flags.
func (b *body) sub(x *Value) {
	switch x.Op {
	case OpICmp:
		x.Sub = uint8(b.index(predNames[:], b.word(), "predicate"))
		return
	case OpFCmp:
		x.Sub = uint8(b.index(fcmpNames, b.word(), "predicate"))
		return
	}
	for bit := b.flag(x.Op.flagNames()); bit != 0; bit = b.flag(x.Op.flagNames()) {
		x.Sub |= uint8(bit)
	}
	if b.accept("sub") {
		line := b.tok.line
		n := b.attr()
		if n > 255 {
			b.fail(line, "sub %d is too large", n)
		}
		x.Sub = uint8(n)
	}
}

func (b *body) call(x *Value) {
	b.arg()
	b.expect("(")
	for first := true; b.err == nil && !b.accept(")"); first = false {
		if !first {
			b.expect(",")
		}
		b.arg()
	}
	for bit := b.flag(callFlagNames); bit != 0; bit = b.flag(callFlagNames) {
		x.Sub |= uint8(bit)
	}
	if b.accept("sig") {
		x.Aux = uint32(b.sigAttr())
	} else {
		b.calls = append(b.calls, len(b.insts))
	}
	if !b.accept("to") {
		return
	}
	b.succ()
	for b.accept("unwind") || b.accept(",") {
		b.succ()
	}
}

func (b *body) gep(x *Value) {
	f := b.f
	b.arg()
	g := Gep{Stride: uint32(len(f.Strides)), Step: uint32(len(f.Steps))}
	for b.is("+") || b.is("-") {
		if b.is("-") {
			g.Off += b.offset()
			continue
		}
		b.advance()
		if b.tok.kind == tokNumber {
			g.Off += b.immediate()
			continue
		}
		b.arg()
		b.expect("*")
		f.Strides = append(f.Strides, b.immediate())
	}
	if b.accept("{") {
		for first := true; b.err == nil && !b.accept("}"); first = false {
			if !first {
				b.expect(",")
			}
			f.Steps = append(f.Steps, b.step())
		}
	}
	g.NStride, g.NStep = uint32(len(f.Strides))-g.Stride, uint32(len(f.Steps))-g.Step
	x.Aux = uint32(len(f.Geps))
	f.Geps = append(f.Geps, g)
}

// step reads "cfg.name $1.1".
func (b *body) step() Step {
	if b.tok.kind == tokWord || b.tok.kind == tokString {
		b.advance()
	}
	s, field, _ := strings.Cut(b.tok.text, ".")
	n, err1 := strconv.ParseUint(s, 10, 32)
	k, err2 := strconv.ParseUint(field, 10, 32)
	if b.tok.kind != tokStruct || err1 != nil || err2 != nil {
		b.unexpected("$struct.field")
		return Step{}
	}
	b.advance()
	return Step{Struct: StructID(n), Field: uint32(k)}
}

func (b *body) phi(*Value) {
	p := rawPhi{inst: len(b.insts), block: len(b.blocks) - 1, line: b.tok.line}
	b.expect("[")
	for first := true; b.err == nil && !b.accept("]"); first = false {
		if !first {
			b.expect(",")
		}
		p.from = append(p.from, b.prefixed("b"))
		b.expect(":")
		b.arg()
	}
	b.phis = append(b.phis, p)
}

func (b *body) switchInst(*Value) {
	b.arg()
	blk := &b.blocks[len(b.blocks)-1]
	at := len(blk.succs)
	b.expect("[")
	for first := true; b.err == nil && !b.accept("]"); first = false {
		if !first {
			b.expect(",")
		}
		b.arg()
		b.expect(":")
		b.succ()
	}
	b.expect("else")
	blk.succs = slices.Insert(blk.succs, at, b.prefixed("b"))
}

// operand reads a use: a name or a constant.
func (b *body) operand() ValueID {
	t := b.tok
	if t.kind == tokValue {
		b.advance()
		if v, ok := b.names[t.text]; ok {
			return v
		}
		return b.newName(t)
	}
	x := Value{Type: MakeType(Ptr, uint64(b.p.PtrBits))}
	if typ, ok := parseType(t.text, b.p.PtrBits); ok && t.kind == tokWord {
		x.Type = typ
		b.advance()
	}
	key := b.constant(&x)
	if b.err != nil {
		return 0
	}
	v, ok := b.key[key]
	if !ok {
		v = constBit | ValueID(len(b.consts))
		b.key[key] = v
		b.consts = append(b.consts, x)
	}
	return v
}

// constant reads the rest of a constant whose type is known.
func (b *body) constant(x *Value) constKey {
	k := constKey{typ: x.Type}
	switch {
	case b.tok.kind == tokSymbol:
		s := b.symbol()
		x.Op, x.Aux = OpFuncAddr, uint32(s.f)
		if s.g != 0 {
			x.Op, x.Aux = OpGlobalAddr, uint32(s.g)
		}
		k.n = int64(x.Aux)
	case b.accept("null"):
		x.Op = OpConstNull
	case b.accept("undef"):
		x.Op = OpUndef
	case b.accept("label"):
		x.Op, x.Aux = OpBlockAddr, b.prefixed("b") // a label until finish
		k.n = int64(x.Aux)
	case b.is("data"), b.is("asm"):
		x.Op = OpConstData
		if b.is("asm") {
			x.Op = OpAsm
		}
		b.advance()
		k.data = b.string()
		x.Aux = uint32(len(b.f.Strs))
		b.f.Strs = append(b.f.Strs, k.data)
	default:
		x.Op = OpConstInt
		if b.accept("~") {
			x.Sub = 1
		}
		if b.tok.kind == tokNumber && strings.HasPrefix(b.tok.text, "0x") {
			x.Op = OpConstFloat
		}
		k.n = b.immediate()
		x.Aux = uint32(len(b.f.Ints))
		b.f.Ints = append(b.f.Ints, k.n)
	}
	k.op, k.sub = x.Op, x.Sub
	return k
}
