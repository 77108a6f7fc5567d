// This file finds memory that has one name only, so that its cells can be followed.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// hasCells reports whether memory has one name only, so that its cells can hold
// an object for certain.
func (fn *function) hasCells(base ir.ValueID) bool {
	if isContent(base) {
		return true
	}
	switch x := fn.value(base); {
	case x.Op == ir.OpGlobalAddr:
		return fn.owners[x.Aux]
	case x.Op == ir.OpAlloca:
		return fn.isLocal(base)
	case x.Op == ir.OpParam:
		return x.Type.Kind() == ir.Ptr && !fn.isIndexed(base)
	case x.Op.IsCall():
		sum, _ := fn.callee(base)
		return sum != nil && sum.fresh && fn.makesNew(base, sum) && !fn.isIndexed(base)
	}
	return false
}

// isIndexed reports whether memory is accessed through a pointer that moves along,
// or with an index that counts bytes: one address may then be any cell.
func (fn *function) isIndexed(base ir.ValueID) bool {
	yes, known := fn.indexed[base]
	if !known {
		yes = fn.hasIndex(base, 0)
		fn.indexed[base] = yes
	}
	return yes
}

// isCursor reports whether a phi is moved along by an offset in each round.
func (fn *function) isCursor(phi ir.ValueID) bool {
	f := fn.f
	return slices.ContainsFunc(f.ArgsOf(phi), func(a ir.ValueID) bool {
		moved := false
		for f.Values[a].Op == ir.OpGep {
			a, moved = f.ArgsOf(a)[0], true
		}
		return moved && a == phi
	})
}

func (fn *function) hasIndex(v ir.ValueID, depth int) bool {
	f := fn.f
	for _, u := range fn.uses.Succs(uint32(v)) {
		x := &f.Values[u]
		switch {
		case x.Op == ir.OpPhi && fn.isCursor(ir.ValueID(u)):
			return true
		case x.Op != ir.OpGep || f.ArgsOf(ir.ValueID(u))[0] != v:
		case fn.countsBytes(ir.ValueID(u)) || depth > 8 || fn.hasIndex(ir.ValueID(u), depth+1):
			return true
		}
	}
	return false
}

// isLocal reports whether an alloca is seen by loads and stores, and by functions
// that only look, alone.
func (fn *function) isLocal(a ir.ValueID) bool {
	ok, known := fn.local[a]
	if !known {
		ok = fn.f.Values[a].NArgs == 0 && fn.onlyAccessed(a, 0)
		fn.local[a] = ok
	}
	return ok
}

// maxDepth is how many addresses made from one another are looked through.
const maxDepth = 8

func (fn *function) onlyAccessed(v ir.ValueID, depth int) bool {
	f := fn.f
	for _, u := range fn.uses.Succs(uint32(v)) {
		u := ir.ValueID(u)
		x := &f.Values[u]
		switch x.Op {
		case ir.OpLoad, ir.OpSet, ir.OpICmp, ir.OpLifetimeStart, ir.OpLifetimeEnd:
		case ir.OpStore:
			if f.ArgsOf(u)[0] == v {
				return false
			}
		case ir.OpMemset:
			if n, ok := f.ConstInt(f.ArgsOf(u)[2]); !ok || n < 0 || f.ArgsOf(u)[0] != v {
				return false
			}
		case ir.OpMemcpy:
			if n, ok := f.ConstInt(f.ArgsOf(u)[2]); !ok || n < 0 {
				return false
			}
		case ir.OpGep:
			if f.ArgsOf(u)[0] != v || fn.countsBytes(u) || depth > maxDepth || !fn.onlyAccessed(u, depth+1) {
				return false
			}
		case ir.OpPhi: // which of its values it is, the path tells
			if fn.isCursor(u) {
				return false
			}
			if slices.Contains(fn.chain, u) {
				continue
			}
			fn.chain = append(fn.chain, u)
			ok := depth <= 2 && fn.onlyAccessed(u, depth+1)
			fn.chain = fn.chain[:len(fn.chain)-1]
			if !ok {
				return false
			}
		case ir.OpCall, ir.OpInvoke:
			if !fn.onlyLent(v, u) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// onlyLent reports whether call u does not keep v, one of its arguments.
func (fn *function) onlyLent(v, u ir.ValueID) bool {
	sum, _ := fn.callee(u)
	for i, a := range fn.f.ArgsOf(u)[1:] {
		if a == v && slices.ContainsFunc(fn.argument(u, sum, i), func(o outcome) bool {
			return o.effect != borrows && (o.effect != returns || !fn.onlyAccessed(u, maxDepth))
		}) {
			return false
		}
	}
	return fn.f.ArgsOf(u)[0] != v
}
