// This file builds SSA: it turns local variables whose address goes nowhere
// into values.

package lower

import (
	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/graph"
	"github.com/plumb-project/plumb/internal/ir"
)

// A subst is what stands in for a value: 0 for nothing, else another value's
// number plus one, a phi, or the undefined value of a variable.
type subst uint32

const (
	substPhi   subst = 1 << 30
	substUndef subst = 2 << 30
	substMask  subst = 3 << 30
)

func substValue(v bitcode.ValueID) subst { return subst(v) + 1 }

// A variable is a promoted alloca.
type variable struct {
	inst uint32 // the alloca
	typ  ir.Type
	src  ir.VarID // the source variable, or 0 for the compiler's own
	many bool     // accessed in several blocks
}

// A phi joins the values of one variable at the start of a block.
type phi struct {
	block uint32
	v     uint32 // variable
	args  uint32 // first operand in builder.phiArg; one for each predecessor
	next  uint32 // 1 + the next phi of the block
}

// accesses lists, for each variable, the blocks that assign it and the blocks
// that read it before they assign it.
type accesses struct {
	defs, uses []graph.Edge // variable, block
	def, use   graph.CSR
	seen       []uint32 // by variable: 1 + the block where an access was last seen
	assigned   []uint32 // by variable: 1 + the block where it was last assigned; by block while phis are placed
	live       []uint32 // by block: the variable it was last found live in, plus one
	work       []uint32
	at         []uint32
}

type renameFrame struct {
	block, child uint32
	undo         int
}

type undo struct {
	v   uint32
	was subst
}

// promote finds the variables' values.
func (b *builder) promote() {
	b.phis, b.phiArg = b.phis[:0], b.phiArg[:0]
	b.phiAt = cleared(b.phiAt, len(b.body.Blocks))
	if len(b.vars) == 0 {
		return
	}
	if b.collectAccesses() {
		b.placePhis()
	}
	b.rename()
}

// variableOf returns the promoted variable that v is the address of.
func (b *builder) variableOf(v bitcode.ValueID) (i uint32, ok bool) {
	if v < b.body.NumModule {
		return 0, false
	}
	k := b.local[v-b.body.NumModule]
	return k - 1, k != 0
}

// accessOf tells whether an instruction reads or assigns a promoted variable.
func (b *builder) accessOf(in *bitcode.Inst) (i uint32, assigns, ok bool) {
	switch in.Op {
	case bitcode.Load, bitcode.Store:
		i, ok = b.variableOf(b.body.Ops[in.Ops])
	}
	return i, in.Op == bitcode.Store, ok
}

// collectAccesses fills b.access and reports whether any variable is accessed
// in more than one block.
func (b *builder) collectAccesses() bool {
	a := &b.access
	a.seen, a.assigned = cleared(a.seen, len(b.vars)), cleared(a.assigned, len(b.vars))
	a.defs, a.uses = a.defs[:0], a.uses[:0]
	several := false
	for blk := range uint32(len(b.body.Blocks)) {
		if b.blockID[blk] == 0 {
			continue
		}
		r := b.body.Blocks[blk]
		for i := r.First; i < r.End; i++ {
			v, assigns, ok := b.accessOf(&b.body.Insts[i])
			if !ok {
				continue
			}
			if a.seen[v] != 0 && a.seen[v] != blk+1 {
				b.vars[v].many = true
				several = true
			}
			a.seen[v] = blk + 1
			switch {
			case assigns && a.assigned[v] != blk+1:
				a.assigned[v] = blk + 1
				a.defs = append(a.defs, graph.Edge{From: v, To: blk})
			case !assigns && a.assigned[v] != blk+1:
				a.uses = append(a.uses, graph.Edge{From: v, To: blk})
			}
		}
	}
	return several
}

// placePhis puts phis where several values of a variable meet and the variable
// is still read.
func (b *builder) placePhis() {
	a := &b.access
	a.def.Build(len(b.vars), a.defs)
	a.use.Build(len(b.vars), a.uses)
	b.dom.BuildFrontier(&b.preds)
	a.live = cleared(a.live, len(b.body.Blocks))
	a.assigned = cleared(a.assigned, len(b.body.Blocks))
	for v := range uint32(len(b.vars)) {
		if !b.vars[v].many || len(a.use.Succs(v)) == 0 {
			continue
		}
		b.findLive(v)
		a.at = b.dom.IteratedFrontier(a.def.Succs(v), a.at[:0])
		for _, blk := range a.at {
			if a.live[blk] == v+1 {
				b.addPhi(blk, v)
			}
		}
	}
}

// findLive marks the blocks at whose start v will still be read.
func (b *builder) findLive(v uint32) {
	a := &b.access
	for _, blk := range a.def.Succs(v) {
		a.assigned[blk] = v + 1
	}
	a.work = a.work[:0]
	for _, blk := range a.use.Succs(v) {
		if a.live[blk] != v+1 {
			a.live[blk] = v + 1
			a.work = append(a.work, blk)
		}
	}
	for len(a.work) > 0 {
		blk := a.work[len(a.work)-1]
		a.work = a.work[:len(a.work)-1]
		for _, p := range b.preds.Succs(blk) {
			if b.blockID[p] != 0 && a.assigned[p] != v+1 && a.live[p] != v+1 {
				a.live[p] = v + 1
				a.work = append(a.work, p)
			}
		}
	}
}

func (b *builder) addPhi(blk, v uint32) {
	b.phis = append(b.phis, phi{block: blk, v: v, args: uint32(len(b.phiArg)), next: b.phiAt[blk]})
	b.phiAt[blk] = uint32(len(b.phis))
	for range b.npreds[blk] {
		b.phiArg = append(b.phiArg, substUndef|subst(v))
	}
}

// rename walks the dominator tree and replaces loads by what was stored.
func (b *builder) rename() {
	b.cur = cleared(b.cur, len(b.vars))
	for v := range b.cur {
		b.cur[v] = substUndef | subst(v)
	}
	b.undo = b.undo[:0]
	b.stack = append(b.stack[:0], renameFrame{block: 0, child: graph.None})
	b.renameBlock(0)
	b.stack[0].child = b.dom.Child[0]
	for len(b.stack) > 0 {
		f := &b.stack[len(b.stack)-1]
		if f.child == graph.None {
			for len(b.undo) > f.undo {
				u := b.undo[len(b.undo)-1]
				b.cur[u.v] = u.was
				b.undo = b.undo[:len(b.undo)-1]
			}
			b.stack = b.stack[:len(b.stack)-1]
			continue
		}
		c := f.child
		f.child = b.dom.Sibling[c]
		b.stack = append(b.stack, renameFrame{block: c, child: b.dom.Child[c], undo: len(b.undo)})
		b.renameBlock(c)
	}
}

func (b *builder) assign(v uint32, to subst) {
	b.undo = append(b.undo, undo{v, b.cur[v]})
	b.cur[v] = to
}

func (b *builder) renameBlock(blk uint32) {
	for k := b.phiAt[blk]; k != 0; k = b.phis[k-1].next {
		b.assign(b.phis[k-1].v, substPhi|subst(k-1))
	}
	r := b.body.Blocks[blk]
	for i := r.First; i < r.End; i++ {
		in := &b.body.Insts[i]
		v, assigns, ok := b.accessOf(in)
		switch {
		case !ok:
		case assigns:
			b.assign(v, substValue(b.body.Ops[in.Ops+1]))
		default:
			b.repl[in.Result-b.body.NumModule] = b.cur[v]
		}
	}
	for e := b.cfg.Off[blk]; e < b.cfg.Off[blk+1]; e++ {
		for k := b.phiAt[b.cfg.To[e]]; k != 0; k = b.phis[k-1].next {
			p := &b.phis[k-1]
			b.phiArg[p.args+b.edgeSlot[e]] = b.cur[p.v]
		}
	}
}
