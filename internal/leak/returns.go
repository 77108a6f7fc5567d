// This file finds what a function may return.

package leak

import (
	"math"

	"github.com/plumb-project/plumb/internal/ir"
)

// mayReturn reports whether v may be what the function returns.
func (fn *function) mayReturn(v ir.ValueID) bool {
	if fn.returnable == nil {
		fn.returnable = map[ir.ValueID]bool{}
		for _, l := range fn.returnLeaves() {
			fn.returnable[l.v] = true
		}
	}
	return fn.returnable[v]
}

// returnLeaves lists what the function may return.
func (fn *function) returnLeaves() []leaf {
	f := fn.f
	var roots []leaf
	for b := 1; b < len(f.Blocks); b++ {
		if t := f.Terminator(ir.BlockID(b)); f.Values[t].Op == ir.OpRet && f.Values[t].NArgs > 0 {
			roots = append(roots, leaf{v: f.ArgsOf(t)[0]})
		}
	}
	return fn.leaves(roots)
}

// leaves lists what these may be: phis, pointers into the same object and pointers
// in local variables are looked through.
func (fn *function) leaves(work []leaf) []leaf {
	f := fn.f
	seen := map[leaf]bool{}
	var leaves []leaf
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[l] {
			continue
		}
		seen[l] = true
		if l.out != nil {
			leaves = append(leaves, l)
			continue
		}
		switch args := f.ArgsOf(l.v); f.Values[l.v].Op {
		case ir.OpPhi:
			for _, a := range args {
				work = append(work, leaf{v: a})
			}
		case ir.OpSelect:
			work = append(work, leaf{v: args[1]}, leaf{v: args[2]})
		case ir.OpGep, ir.OpFreeze, ir.OpBitcast:
			work = append(work, leaf{v: args[0]})
		default:
			if a := fn.returnedBy(l.v); a != 0 {
				work = append(work, leaf{v: a})
			} else if list, ok := fn.loadedFrom(l.v); ok {
				work = append(work, list...)
			} else {
				leaves = append(leaves, l)
			}
		}
	}
	return leaves
}

// loadedFrom returns what a pointer that is loaded from a local variable may be.
func (fn *function) loadedFrom(v ir.ValueID) ([]leaf, bool) {
	x := &fn.f.Values[v]
	if x.Op != ir.OpLoad || x.Type.Kind() != ir.Ptr {
		return nil, false
	}
	base, off, ok := fn.address(fn.f.ArgsOf(v)[0])
	if !ok || fn.f.Values[base].Op != ir.OpAlloca || !fn.isLocal(base) {
		return nil, false
	}
	return fn.held(cell{base, off})
}

// returnedBy returns the argument that call v always returns, or 0.
func (fn *function) returnedBy(v ir.ValueID) ir.ValueID {
	sum, _ := fn.callee(v)
	if sum == nil {
		return 0
	}
	for i, a := range fn.f.ArgsOf(v)[1:] {
		if i < len(sum.params) && len(sum.params[i]) == 1 && sum.params[i][0].effect == returns && sum.params[i][0].guards == nil {
			return a
		}
	}
	return 0
}

// result decides whether the function returns a new object: all it can return
// is null, or an object that nobody else has; or all it can return when its
// arguments say so (partly.go). These are in good, with what the parameters are then.
func (fn *function) result(sum *summary, good map[leaf][]guard) {
	if fn.f.Result.Kind() != ir.Ptr {
		if fn.numbers {
			fn.numberResult(sum, good)
		}
		return
	}
	open := false // there may be results that are not new
	for _, l := range fn.returnLeaves() {
		newIf, isNew := good[l]
		switch callee, _ := fn.callee(l.v); {
		case callee != nil && callee.noReturn: // in a recursion, as far as is known yet
		case fn.isNothing(l):
			sum.mayFail = sum.mayFail || fn.f.Values[l.v].Op == ir.OpConstNull
		case isNew:
			one := outcome{guards: newIf}
			if sum.fresh {
				one.join(&outcome{guards: sum.newIf})
			}
			open = open || l.out == nil && callee.partly
			family, object, calls := callee.family, callee.object, callee.calls
			if l.out != nil {
				family, object, calls = l.out.family, l.out.made.object, l.out.calls
			}
			if !sum.fresh {
				sum.family = family
			}
			sum.family = sum.family.with(family)
			sum.fresh, sum.newIf = true, one.guards
			sum.mayFail = sum.mayFail || l.out != nil || callee.mayFail && fn.returnsNull(l.v)
			sum.object = object
			if sum.calls == nil {
				sum.calls = fn.link(l.v, callee, calls)
			}
		default:
			open = true
		}
	}
	if open && sum.fresh {
		always := fn.alwaysNew(sum.newIf, good)
		sum.fresh, sum.partly = always && sum.newIf == nil, always && sum.newIf != nil
	}
	switch {
	case !sum.fresh:
		sum.mayFail = sum.mayFail && sum.partly
	case !sum.mayFail:
		sum.ret = nonzero
	}
}

// resultRange returns all that the function can return, as far as constants and
// the functions it calls tell.
func (fn *function) resultRange() interval {
	f := fn.f
	if f.Result.Kind() == ir.Ptr && f.Flags&ir.NonNull != 0 && !fn.policy.NoAttributes {
		return nonzero
	}
	if f.Result.Kind() != ir.Int {
		return everything
	}
	r, first := everything, true
	known := fn.codes[fn.id]
	for _, l := range fn.returnLeaves() {
		one := everything
		if n, ok := f.ConstInt(l.v); ok {
			one = point(n)
		} else if sum, _ := fn.callee(l.v); sum != nil {
			one = sum.ret
		}
		if first {
			r, first = one, false
		} else {
			r = r.hull(one)
		}
	}
	if known.empty() { // it does not return
		return r
	}
	return r.meet(known)
}

// notAnError narrows what is returned when it is computed and the function
// returns negative constants elsewhere: these are its errors, and a sum or a
// length is none.
func (fn *function) notAnError(v ir.ValueID, r interval) interval {
	if x := &fn.f.Values[v]; r.lo >= 0 || x.Type.Kind() != ir.Int || x.Op != ir.OpPhi && (x.Op < ir.OpAdd || x.Op > ir.OpXor) {
		return r
	}
	for _, l := range fn.returnLeaves() {
		if n, ok := fn.f.ConstInt(l.v); ok && n < 0 {
			return r.meet(span(0, math.MaxInt64))
		}
	}
	return r
}

// returnsNull reports whether the function can return when the allocation at site fails.
func (fn *function) returnsNull(site ir.ValueID) bool {
	w := &walker{fn: fn, given: true, limit: fn.states / 2}
	s := &state{block: fn.f.BlockOf(site), at: site + 1, end: borrows}
	s.env.setFact(fn.rep[site], point(0))
	w.from(s)
	return w.over || len(w.ends) > 0
}
