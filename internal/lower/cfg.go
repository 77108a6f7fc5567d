// This file finds the control flow of a body.

package lower

import (
	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/graph"
	"github.com/plumb-project/plumb/internal/ir"
)

// opsOf returns all operands of an instruction.
func (b *builder) opsOf(in *bitcode.Inst) []bitcode.ValueID {
	return b.body.Ops[in.Ops : in.Ops+in.NOps]
}

// terminatorOf returns the last instruction of a block.
func (b *builder) terminatorOf(blk int) *bitcode.Inst {
	return &b.body.Insts[b.body.Blocks[blk].End-1]
}

// targets calls f for every block a terminator may go to, in the order of the
// ir's successors.
func targets(in *bitcode.Inst, ops []bitcode.ValueID, f func(blk uint32)) {
	switch in.Op {
	case bitcode.Br:
		f(uint32(ops[0]))
		if len(ops) > 1 {
			f(uint32(ops[1]))
		}
	case bitcode.Switch:
		for i := 1; i < len(ops); i += 2 {
			f(uint32(ops[i]))
		}
	case bitcode.Invoke:
		f(uint32(ops[0]))
		f(uint32(ops[1]))
	case bitcode.CallBr:
		for _, t := range ops[1 : 2+int(ops[0])] {
			f(uint32(t))
		}
	case bitcode.IndirectBr, bitcode.CatchSwitch, bitcode.CatchRet, bitcode.CleanupRet:
		for _, t := range ops[1:] {
			f(uint32(t))
		}
	}
}

// values returns the operands of an instruction that are values, except those
// of phis and switches, whose operands alternate with blocks.
func values(in *bitcode.Inst, ops []bitcode.ValueID) []bitcode.ValueID {
	switch in.Op {
	case bitcode.Br:
		if len(ops) == 3 {
			return ops[2:]
		}
		return nil
	case bitcode.Switch, bitcode.IndirectBr, bitcode.CatchSwitch, bitcode.CatchRet, bitcode.CleanupRet, bitcode.ExtractValue:
		return ops[:1]
	case bitcode.InsertValue:
		return ops[:2]
	case bitcode.Invoke:
		return ops[2:]
	case bitcode.CallBr:
		return ops[2+int(ops[0]):]
	}
	return ops
}

// buildCFG builds the graph, its dominators, and the ids of reachable blocks.
func (b *builder) buildCFG() {
	n := len(b.body.Blocks)
	b.edges = b.edges[:0]
	for blk := range n {
		in := b.terminatorOf(blk)
		targets(in, b.opsOf(in), func(t uint32) {
			b.edges = append(b.edges, graph.Edge{From: uint32(blk), To: t})
		})
	}
	b.cfg.Build(n, b.edges)
	b.cfg.Reverse(&b.preds)
	b.dom.Build(&b.cfg, &b.preds, 0)

	b.blockID = cleared(b.blockID, n)
	id := ir.BlockID(0)
	for blk := range n {
		if b.dom.Reached(uint32(blk)) {
			id++
			b.blockID[blk] = id
		}
	}
	b.edgeSlot = cleared(b.edgeSlot, len(b.cfg.To))
	b.npreds = cleared(b.npreds, n)
	for blk := range uint32(n) {
		if b.blockID[blk] == 0 {
			continue
		}
		for e := b.cfg.Off[blk]; e < b.cfg.Off[blk+1]; e++ {
			t := b.cfg.To[e]
			b.edgeSlot[e] = b.npreds[t]
			b.npreds[t]++
		}
	}
}
