// This file finds what may be in a local variable that other functions fill
// through its address, and in what a parameter points to.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// A leaf is something that a value may be, or that may be in a place: the value v,
// or what call v leaves where one of its outs says.
type leaf struct {
	v   ir.ValueID
	out *out // nil for the value itself
}

// held returns what may be in a cell: all that is ever stored there. It reports
// false if something else may write to it. That the cell has no value yet, or is
// cleared, is null to whoever looks there.
func (fn *function) held(at cell) (leaves []leaf, ok bool) {
	f := fn.f
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		args := f.ArgsOf(v)
		switch op := f.Values[v].Op; {
		case op == ir.OpStore:
			base, off, ok := fn.address(args[1])
			switch {
			case fn.baseOf(args[1]) != at.base:
				if fn.comesFrom(args[1], at.base) {
					return nil, false // by another name
				}
			case !ok:
				return nil, false
			case cell{base, off} == at:
				leaves = append(leaves, leaf{v: args[0]})
			}
		case op == ir.OpMemcpy && fn.comesFrom(args[0], at.base):
			return nil, false
		case op.IsCall():
			list, ok := fn.leftIn(v, at)
			if !ok {
				return nil, false
			}
			leaves = append(leaves, list...)
		}
	}
	return leaves, true
}

// comesFrom reports whether an address may be one in base, by phis and selects.
func (fn *function) comesFrom(addr, base ir.ValueID) bool {
	f := fn.f
	var seen []ir.ValueID
	for work := []ir.ValueID{addr}; len(work) > 0; {
		v := fn.baseOf(work[len(work)-1])
		work = work[:len(work)-1]
		if v == base {
			return true
		}
		if slices.Contains(seen, v) {
			continue
		}
		seen = append(seen, v)
		switch f.Values[v].Op {
		case ir.OpPhi, ir.OpBitcast, ir.OpFreeze:
			work = append(work, f.ArgsOf(v)...)
		case ir.OpSelect:
			work = append(work, f.ArgsOf(v)[1:]...)
		}
	}
	return false
}

// leftIn returns what call v may leave in a cell. It reports false if that is not known.
func (fn *function) leftIn(v ir.ValueID, at cell) (leaves []leaf, ok bool) {
	sum, _ := fn.callee(v)
	for i, a := range fn.f.ArgsOf(v)[1:] {
		base, off, known := fn.address(a)
		if fn.f.Values[a].Type.Kind() != ir.Ptr || base != at.base && !fn.comesFrom(a, at.base) {
			continue
		}
		if !known || base != at.base || sum == nil {
			return nil, false
		}
		p := place{param: i, off: at.off - off}
		if sum.fills[p] || sum.modelled {
			found := false
			for k := range sum.outs {
				if sum.outs[k].to == p {
					leaves, found = append(leaves, leaf{v, &sum.outs[k]}), true
				}
			}
			if found {
				continue
			}
		}
		if slices.ContainsFunc(sum.place(i, p.off), func(o outcome) bool { return o.effect != borrows }) {
			return nil, false
		}
	}
	return leaves, true
}

// findFills notes the places of parameters in which the function puts nothing but
// new objects that nobody else has, or null: those that are left there for its callers,
// as good says.
func (fn *function) findFills(sum *summary, good map[leaf]place) {
	for i := range sum.outs {
		p := sum.outs[i].to
		if p.param < 0 || p.deep != 0 || sum.fills[p] {
			continue
		}
		leaves, ok := fn.held(cell{ir.ValueID(p.param + 1), p.off})
		if !ok {
			continue
		}
		leaves = fn.leaves(leaves)
		if slices.ContainsFunc(leaves, func(l leaf) bool {
			to, found := good[l]
			return !(found && to == p) && !fn.isNothing(l)
		}) {
			continue
		}
		if sum.fills == nil {
			sum.fills = map[place]bool{}
		}
		sum.fills[p] = true
	}
}

// isNothing reports whether a leaf is null, or has no value.
func (fn *function) isNothing(l leaf) bool {
	op := fn.f.Values[l.v].Op
	return l.out == nil && (op == ir.OpConstNull || op == ir.OpUndef)
}
