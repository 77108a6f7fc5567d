// This file turns getelementptr into bytes and fields.

package lower

import (
	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/ir"
)

// gepAt adds a Gep.
func (b *builder) gepAt(off int64, strides []int64, steps []ir.Step) uint32 {
	f := b.fn
	g := ir.Gep{Off: off, Stride: uint32(len(f.Strides)), NStride: uint32(len(strides)), Step: uint32(len(f.Steps)), NStep: uint32(len(steps))}
	f.Strides = append(f.Strides, strides...)
	f.Steps = append(f.Steps, steps...)
	f.Geps = append(f.Geps, g)
	return uint32(len(f.Geps) - 1)
}

// An address is a GEP being added up.
type address struct {
	off     int64
	strides []int64
	indices []bitcode.ValueID
	steps   []ir.Step
}

// addUp walks the indices of a GEP over source type id.
func (b *builder) addUp(id bitcode.TypeID, indices []bitcode.ValueID, a *address) {
	for i, op := range indices {
		n, known := b.constInt(op)
		t := b.fr.Type(id)
		switch {
		case i == 0:
			b.scale(a, op, n, known, b.sizeOf(id))
		case t.Kind == bitcode.TStruct && known && n >= 0 && n < int64(len(t.Elems)):
			a.off += int64(b.m.elemOffset(id, int(n)))
			if s := b.structOf(id); s != 0 {
				a.steps = append(a.steps, ir.Step{Struct: s, Field: uint32(n)})
			}
			id = t.Elems[n]
		case t.Kind == bitcode.TArray || t.Kind == bitcode.TVector:
			b.scale(a, op, n, known, b.sizeOf(t.Elem))
			id = t.Elem
		}
	}
}

func (b *builder) scale(a *address, op bitcode.ValueID, n int64, known bool, size uint64) {
	if known {
		a.off += n * int64(size)
		return
	}
	a.strides = append(a.strides, int64(size))
	a.indices = append(a.indices, op)
}

func (b *builder) sizeOf(id bitcode.TypeID) uint64 {
	if int(id) < len(b.m.types) {
		return b.m.layout.of(b.m.Module, id).size
	}
	return b.typeOf(id).Bytes()
}

// structOf returns the struct of a type. Without names it is asked for again
// in the next function, whose own metadata may have them.
func (b *builder) structOf(id bitcode.TypeID) ir.StructID {
	if int(id) >= len(b.structs) {
		return 0
	}
	c := &b.structs[id]
	if !c.named && c.stamp != b.stamp {
		c.stamp = b.stamp
		c.id, c.named = b.l.structNamed(b.m, id, &b.types)
	}
	return c.id
}

// lowerGEP lowers a getelementptr instruction.
func (b *builder) lowerGEP(in *bitcode.Inst, loc ir.LocID) {
	ops := b.opsOf(in)
	var a address
	b.addUp(in.Src, ops[1:], &a)
	if len(a.steps) == 0 && len(a.strides) == 0 {
		b.recoverSteps(ops[0], &a)
	}
	b.push(b.operand(ops[0]))
	for _, i := range a.indices {
		b.push(b.operand(i))
	}
	b.add(ir.Value{Op: ir.OpGep, Type: b.typeOf(in.Type), Aux: b.gepAt(a.off, a.strides, a.steps), Loc: loc}, in)
}

// exprGEP lowers a constant getelementptr. One into a global is added up to a
// single offset and gets its fields from the global's own type: clang writes
// &g.a.b in one step, in two, or as plain bytes, depending on its version.
func (b *builder) exprGEP(c *bitcode.Const, t ir.Type, depth int) ref {
	if g, off, ok := b.globalOffset(c, 0); ok {
		base := b.operand(g)
		if off == 0 {
			return base
		}
		steps := b.stepsAt(b.m.globalType(b.m.Values[g].Index), off)
		return b.expr(ir.Value{Op: ir.OpGep, Type: t, Aux: b.gepAt(off, nil, steps)}, base)
	}
	var a address
	b.addUp(c.Src, c.Ops[1:], &a)
	base := b.nested(c.Ops[0], depth)
	if a.off == 0 && len(a.steps) == 0 && len(a.strides) == 0 {
		return base
	}
	args := []ref{base}
	for _, i := range a.indices {
		args = append(args, b.nested(i, depth))
	}
	return b.expr(ir.Value{Op: ir.OpGep, Type: t, Aux: b.gepAt(a.off, a.strides, a.steps)}, args...)
}

// globalOffset adds up a constant GEP that leads into a global.
func (b *builder) globalOffset(c *bitcode.Const, depth int) (g bitcode.ValueID, off int64, ok bool) {
	var a address
	if c.Kind == bitcode.ConstGEP {
		b.addUp(c.Src, c.Ops[1:], &a)
	}
	if len(a.strides) > 0 || depth > maxConstDepth {
		return 0, 0, false
	}
	base := c.Ops[0]
	if base < b.body.NumModule && b.m.Values[base].Kind == bitcode.ValGlobal {
		return base, a.off, true
	}
	inner := b.constOf(base)
	if inner == nil || inner.Const.Kind != bitcode.ConstGEP &&
		(inner.Const.Kind != bitcode.ConstCast || inner.Const.Op != bitcode.BitCast) {
		return 0, 0, false
	}
	g, off, ok = b.globalOffset(&inner.Const, depth+1)
	return g, off + a.off, ok
}

// recoverSteps finds the fields behind a plain byte offset into a global.
func (b *builder) recoverSteps(base bitcode.ValueID, a *address) {
	if base < b.body.NumModule && b.m.Values[base].Kind == bitcode.ValGlobal && a.off > 0 {
		a.steps = b.stepsAt(b.m.globalType(b.m.Values[base].Index), a.off)
	}
}

// stepsAt returns the fields that lead to a byte of a type.
func (b *builder) stepsAt(id bitcode.TypeID, at int64) []ir.Step {
	var steps []ir.Step
	off := uint64(at)
	if at < 0 || off >= b.m.layout.of(b.m.Module, id).size {
		return nil
	}
	for {
		t := &b.m.Types[id]
		switch t.Kind {
		case bitcode.TArray:
			size := b.m.layout.of(b.m.Module, t.Elem).size
			if size == 0 {
				return steps
			}
			off %= size
			id = t.Elem
		case bitcode.TStruct:
			offs := b.m.layout.of(b.m.Module, id).offs
			i := fieldAt(offs, off)
			if i < 0 {
				return steps
			}
			if s := b.structOf(id); s != 0 {
				steps = append(steps, ir.Step{Struct: s, Field: uint32(i)})
			}
			off -= offs[i]
			id = t.Elems[i]
		default:
			return steps
		}
	}
}

// fieldAt returns the last field that starts at or before off.
func fieldAt(offs []uint64, off uint64) int {
	i := len(offs) - 1
	for i >= 0 && offs[i] > off {
		i--
	}
	return i
}
