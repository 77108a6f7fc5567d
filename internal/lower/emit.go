// This file writes the body: blocks in LLVM's order, phis first.

package lower

import (
	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/ir"
)

// emit lowers every instruction that is left. Operands are refs until finish.
func (b *builder) emit() {
	f, body := b.fn, b.body
	b.vals, b.args = b.vals[:0], b.args[:0]
	b.cvals, b.cargs = b.cvals[:0], b.cargs[:0]
	b.consts = b.consts[:0]
	clear(b.constID)
	b.conRef = cleared(b.conRef, len(body.Consts))
	b.valNum = cleared(b.valNum, len(body.Types))
	b.phiNum = cleared(b.phiNum, len(b.phis))
	f.Blocks = make([]ir.Block, 1, len(body.Blocks)+1)
	for blk := range uint32(len(body.Blocks)) {
		if b.blockID[blk] == 0 {
			continue
		}
		b.block = blk
		first := len(b.vals)
		b.emitPhis(blk)
		b.emitInsts(blk)
		f.Blocks = append(f.Blocks, ir.Block{First: ir.ValueID(first), End: ir.ValueID(len(b.vals))})
	}
	b.emitEdges()
}

// emitPhis writes the phis that promotion made.
func (b *builder) emitPhis(blk uint32) {
	for k := b.phiAt[blk]; k != 0; k = b.phis[k-1].next {
		p := &b.phis[k-1]
		for _, s := range b.phiArg[p.args : p.args+b.npreds[blk]] {
			b.push(b.substRef(s))
		}
		v := &b.vars[p.v]
		b.phiNum[k-1] = uint32(len(b.vals))
		b.add(ir.Value{Op: ir.OpPhi, Type: v.typ, Var: v.src}, nil)
	}
}

func (b *builder) emitInsts(blk uint32) {
	r := b.body.Blocks[blk]
	for i := r.First; i < r.End; i++ {
		in := &b.body.Insts[i]
		if in.Op != bitcode.Phi {
			b.emitSets(r.First, i)
		}
		switch b.fate[i] {
		case fateKeep:
			b.emitInst(i, in)
		case fateSet:
			v, _, _ := b.accessOf(in)
			b.push(b.operand(b.body.Ops[in.Ops+1]))
			b.add(ir.Value{Op: ir.OpSet, Var: b.vars[v].src, Loc: b.loc(in.Loc)}, nil)
		}
	}
}

// emitSets writes the debug values that hold before instruction i: optimised
// code has these in place of stores.
func (b *builder) emitSets(from, i uint32) {
	d := &b.debug
	for ; d.next < len(b.body.Dbg) && b.body.Dbg[d.next].Inst <= i; d.next++ {
		g := &b.body.Dbg[d.next]
		if g.Declare || g.Inst < from || g.Value == bitcode.NoValue || !b.body.MD.IsPlain(g.Expr) {
			continue
		}
		if _, ok := b.variableOf(g.Value); ok {
			continue
		}
		r := b.operand(g.Value)
		if v := b.variable(g.Var); v != 0 && b.defined(r) {
			b.push(r)
			b.add(ir.Value{Op: ir.OpSet, Var: v}, nil)
		}
	}
}

// defined reports whether an operand has its value where emit stands. Debug
// values may name one that does not, once optimisation has moved code.
func (b *builder) defined(r ref) bool {
	k := uint32(r &^ refMask)
	switch {
	case r&refMask == refPhi:
		return b.dom.Dominates(b.phis[k].block, b.block)
	case r&refMask != refLocal || k < b.fn.NParams:
		return true
	case b.valNum[k] == 0: // not emitted yet
		return false
	}
	return b.dom.Dominates(b.defBlock[k], b.block)
}

// push adds an operand for the value that add will make.
func (b *builder) push(r ref) { b.args = append(b.args, r) }

// add makes a value of the operands pushed since the last one. In, if not nil,
// is the instruction whose result it is.
func (b *builder) add(v ir.Value, in *bitcode.Inst) {
	v.Args = 0
	if n := len(b.vals); n > 0 {
		v.Args = b.vals[n-1].Args + b.vals[n-1].NArgs
	}
	v.NArgs = uint32(len(b.args)) - v.Args
	if in != nil && in.Result != bitcode.NoValue {
		b.valNum[in.Result-b.body.NumModule] = uint32(len(b.vals)) + 1
	}
	b.vals = append(b.vals, v)
}

// emitEdges writes successors and predecessors.
func (b *builder) emitEdges() {
	f := b.fn
	f.Edges = make([]ir.BlockID, 0, 2*len(b.cfg.To))
	for blk, id := range b.blockID {
		if id == 0 {
			continue
		}
		x := &f.Blocks[id]
		x.Succ = uint32(len(f.Edges))
		for _, t := range b.cfg.Succs(uint32(blk)) {
			f.Edges = append(f.Edges, b.blockID[t])
		}
		x.NSucc = uint32(len(f.Edges)) - x.Succ
		x.Pred = uint32(len(f.Edges))
		for _, p := range b.preds.Succs(uint32(blk)) {
			if b.blockID[p] != 0 {
				f.Edges = append(f.Edges, b.blockID[p])
			}
		}
		x.NPred = uint32(len(f.Edges)) - x.Pred
	}
}

// finish numbers values: parameters, constants in order of first use, constant
// expressions, instructions. Only then are operands known.
func (b *builder) finish() {
	f := b.fn
	b.order = cleared(b.order, len(b.consts))
	nc := b.orderConsts(b.cargs, 0)
	nc = b.orderConsts(b.args, nc)
	np, ne := f.NParams, uint32(len(b.cvals))
	exprs := 1 + np + nc // number of the first constant expression
	insts := exprs + ne  // and of the first instruction

	f.Values = make([]ir.Value, insts+uint32(len(b.vals)))
	for i := range np {
		f.Values[1+i] = ir.Value{Op: ir.OpParam, Type: b.paramType(i), Aux: i, Var: b.debug.params[i]}
	}
	for k, pos := range b.order {
		if pos != 0 {
			f.Values[np+pos] = b.consts[k]
		}
	}
	copy(f.Values[exprs:], b.cvals)
	copy(f.Values[insts:], b.vals)
	for i := insts; i < uint32(len(f.Values)); i++ {
		f.Values[i].Args += uint32(len(b.cargs))
	}
	f.Args = make([]ir.ValueID, 0, len(b.cargs)+len(b.args))
	f.Args = b.number(f.Args, b.cargs, exprs, insts)
	f.Args = b.number(f.Args, b.args, exprs, insts)
	for i := 1; i < len(f.Blocks); i++ {
		f.Blocks[i].First += ir.ValueID(insts)
		f.Blocks[i].End += ir.ValueID(insts)
	}
	f.Blocks[1].First = ir.ValueID(exprs)
	b.nameValues()
	f.Ints, f.Strs, f.Geps = exact(f.Ints), exact(f.Strs), exact(f.Geps)
	f.Steps, f.Strides = exact(f.Steps), exact(f.Strides)
	f.Locs, f.Scopes, f.Vars = exact(f.Locs), exact(f.Scopes), exact(f.Vars)
}

// orderConsts gives the constants among refs their place, from n+1 on.
func (b *builder) orderConsts(refs []ref, n uint32) uint32 {
	for _, r := range refs {
		if k := r &^ refMask; r&refMask == refConst && b.order[k] == 0 {
			n++
			b.order[k] = n
		}
	}
	return n
}

// number turns refs into value ids.
func (b *builder) number(out []ir.ValueID, refs []ref, exprs, insts uint32) []ir.ValueID {
	np := b.fn.NParams
	for _, r := range refs {
		k := uint32(r &^ refMask)
		switch {
		case r&refMask == refPhi:
			k = insts + b.phiNum[k]
		case r&refMask == refExpr:
			k += exprs
		case r&refMask == refConst:
			k = np + b.order[k]
		case k < np:
			k++
		default:
			k = insts + b.valNum[k] - 1
		}
		out = append(out, ir.ValueID(k))
	}
	return out
}

func (b *builder) paramType(i uint32) ir.Type {
	return b.m.types[b.m.Types[b.body.Func.Type].Elems[i]]
}

// nameValues gives values the variable they are first assigned to.
func (b *builder) nameValues() {
	f := b.fn
	for i := range f.Values {
		if v := &f.Values[i]; v.Op == ir.OpSet {
			x := &f.Values[f.Args[v.Args]]
			if x.Var == 0 && (x.Op.IsInst() || x.Op == ir.OpParam) {
				x.Var = v.Var
			}
		}
	}
}
