// This file gives a function that was read its final ids.

package ir

import "slices"

// finish puts parameters, constants and instructions together and turns names
// and labels into ids.
func (b *body) finish(params []Type, vars []token) {
	f := b.f
	f.Values = make([]Value, 1, 1+len(params)+len(b.consts)+len(b.insts))
	for i, t := range params {
		x := Value{Op: OpParam, Type: t, Aux: uint32(i)}
		if vars[i].kind == tokVar {
			x.Var = b.varOf(vars[i])
		}
		f.Values = append(f.Values, x)
	}
	f.Values = append(f.Values, b.consts...)
	first := ValueID(len(f.Values))
	f.Values = append(f.Values, b.insts...)
	for i := range f.Values[1:first] {
		if x := &f.Values[i+1]; x.Op == OpBlockAddr && x.Aux != 0 {
			x.Aux = uint32(b.block(x.Aux, b.tok.line))
		}
	}
	for i, a := range f.Args {
		switch {
		case a&nameBit != 0:
			u := b.uses[a&^nameBit]
			if u.inst < 0 {
				b.fail(u.line, "%%%s is not defined", u.name)
				return
			}
			f.Args[i] = first + ValueID(u.inst)
		case a&constBit != 0:
			f.Args[i] = ValueID(len(params)) + 1 + a&^constBit
		}
	}
	for _, i := range b.calls {
		b.reader.calls = append(b.reader.calls, callRef{b.id, first + ValueID(i)})
	}
	b.edges(first)
	b.orderPhis(first)
}

// block returns the block of a label.
func (b *body) block(label uint32, line int) BlockID {
	id := b.labels[label]
	if id == 0 {
		b.fail(line, "no block b%d", label)
	}
	return id
}

// edges fills Blocks and Edges. Predecessors that were not written are in the order of the blocks.
func (b *body) edges(first ValueID) {
	f := b.f
	f.Blocks = make([]Block, 1, len(b.blocks)+1)
	preds := make([][]BlockID, len(b.blocks)+1)
	for i := range b.blocks {
		raw := &b.blocks[i]
		blk := Block{First: first + ValueID(raw.first), End: first + ValueID(raw.end)}
		blk.Succ, blk.NSucc = uint32(len(f.Edges)), uint32(len(raw.succs))
		for _, l := range raw.succs {
			s := b.block(l, raw.line)
			f.Edges = append(f.Edges, s)
			preds[s] = append(preds[s], BlockID(i+1))
		}
		f.Blocks = append(f.Blocks, blk)
	}
	for i := range b.blocks {
		raw := &b.blocks[i]
		list := preds[i+1]
		if raw.hasPreds {
			var written []BlockID
			for _, l := range raw.preds {
				written = append(written, b.block(l, raw.line))
			}
			if !slices.Equal(slices.Sorted(slices.Values(written)), list) {
				b.fail(raw.line, "the predecessors are %d, not %d", list, written)
			}
			list = written
		}
		blk := &f.Blocks[i+1]
		blk.Pred, blk.NPred = uint32(len(f.Edges)), uint32(len(list))
		f.Edges = append(f.Edges, list...)
	}
}

// orderPhis puts the operands of phis in the order of the predecessors.
func (b *body) orderPhis(first ValueID) {
	for _, p := range b.phis {
		if b.err != nil {
			return
		}
		args := b.f.ArgsOf(first + ValueID(p.inst))
		given := slices.Clone(args)
		preds := b.f.PredsOf(BlockID(p.block + 1))
		if len(given) != len(preds) {
			b.fail(p.line, "a phi of %d values in a block with %d predecessors", len(given), len(preds))
			return
		}
		if !b.orderPhi(&p, preds, given, args) {
			b.fail(p.line, "the phi does not have one value for each predecessor")
		}
	}
}

// orderPhi puts the given operands, which come from p.from, into args.
func (b *body) orderPhi(p *rawPhi, preds []BlockID, given, args []ValueID) bool {
	next := 0 // operands are usually in order already
	used := make([]bool, len(given))
	for i, pred := range preds {
		k := -1
		for n := range given {
			j := (next + n) % len(given)
			if !used[j] && b.labels[p.from[j]] == pred {
				k = j
				break
			}
		}
		if k < 0 {
			return false
		}
		used[k] = true
		args[i] = given[k]
		next = k + 1
	}
	return true
}
