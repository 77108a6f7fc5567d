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
			fn.returnable[l] = true
		}
	}
	return fn.returnable[v]
}

// returnLeaves lists what the function may return, phis and pointers into the
// same object looked through.
func (fn *function) returnLeaves() []ir.ValueID {
	f := fn.f
	seen := map[ir.ValueID]bool{}
	var work, leaves []ir.ValueID
	for b := 1; b < len(f.Blocks); b++ {
		if t := f.Terminator(ir.BlockID(b)); f.Values[t].Op == ir.OpRet {
			work = append(work, f.ArgsOf(t)...)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		switch args := f.ArgsOf(v); f.Values[v].Op {
		case ir.OpPhi:
			work = append(work, args...)
		case ir.OpSelect:
			work = append(work, args[1], args[2])
		case ir.OpGep, ir.OpFreeze, ir.OpBitcast:
			work = append(work, args[0])
		default:
			if a := fn.returnedBy(v); a != 0 {
				work = append(work, a)
			} else {
				leaves = append(leaves, v)
			}
		}
	}
	return leaves
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
// is null, or an object that nobody else has.
func (fn *function) result(sum *summary, good map[ir.ValueID]bool, newIf map[ir.ValueID][]guard) {
	if fn.f.Result.Kind() != ir.Ptr {
		if fn.numbers {
			fn.numberResult(sum, good)
		}
		return
	}
	for _, l := range fn.returnLeaves() {
		switch op := fn.f.Values[l].Op; {
		case op == ir.OpConstNull:
			sum.mayFail = true
		case op == ir.OpUndef:
		case good[l]:
			one := outcome{guards: newIf[l]}
			if sum.fresh {
				one.join(&outcome{guards: sum.newIf})
			}
			callee, _ := fn.callee(l)
			if !sum.fresh {
				sum.family = callee.family
			}
			sum.family = sum.family.with(callee.family)
			sum.fresh, sum.newIf = true, one.guards
			sum.mayFail = sum.mayFail || callee.mayFail && fn.returnsNull(l)
			sum.object = callee.object
			if sum.calls == nil {
				sum.calls = fn.link(l, callee, callee.calls)
			}
		default:
			sum.fresh, sum.newIf = false, nil
			return
		}
	}
	switch {
	case !sum.fresh:
		sum.mayFail = false
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
	for _, l := range fn.returnLeaves() {
		one := everything
		if n, ok := f.ConstInt(l); ok {
			one = point(n)
		} else if sum, _ := fn.callee(l); sum != nil {
			one = sum.ret
		}
		if first {
			r, first = one, false
		} else {
			r = r.hull(one)
		}
	}
	return r
}

// notAnError narrows what is returned when it is computed and the function
// returns negative constants elsewhere: these are its errors, and a sum or a
// length is none.
func (fn *function) notAnError(v ir.ValueID, r interval) interval {
	if x := &fn.f.Values[v]; r.lo >= 0 || x.Type.Kind() != ir.Int || x.Op != ir.OpPhi && (x.Op < ir.OpAdd || x.Op > ir.OpXor) {
		return r
	}
	for _, l := range fn.returnLeaves() {
		if n, ok := fn.f.ConstInt(l); ok && n < 0 {
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
