// This file tells trees and lists from structures with cycles.

package own

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// below reports whether what a call is given is below v: it was read from a slot in what v
// points to, this one or another. It is another object then, if there are no cycles.
func (h *holding) below(v, call value) bool {
	x := h.x
	f := &x.p.Funcs[call.fn]
	return slices.ContainsFunc(f.ArgsOf(call.id)[1:], func(a ir.ValueID) bool {
		at := value{call.fn, a}
		if f.Values[a].Op == ir.OpLoad {
			at.id = f.ArgsOf(a)[0]
		} else if f.Values[a].Op != ir.OpGep || !h.isHere(at) {
			return false
		}
		base := x.baseOf(at)
		if h.isHere(at) {
			for base != v && f.Values[base.id].Op == ir.OpLoad && h.isHere(value{call.fn, f.ArgsOf(base.id)[0]}) {
				base = x.baseOf(value{call.fn, f.ArgsOf(base.id)[0]})
			}
			return base == v && h.acyclic()
		}
		if base != v {
			return false
		}
		other, err := x.holdingAt(at)
		return err == nil && other.verdict() == nil && h.growsOnTop() && other.growsOnTop()
	})
}

// onlyBelow reports whether a call is given one pointer, to what is below v.
func (h *holding) onlyBelow(v, call value) bool {
	f := &h.x.p.Funcs[call.fn]
	pointers := 0
	for _, a := range f.ArgsOf(call.id)[1:] {
		if f.Values[a].Type.Kind() == ir.Ptr {
			pointers++
		}
	}
	return pointers == 1 && h.below(v, call)
}

// acyclic reports whether no object can be reached from itself by way of the slot. That
// holds if every store links something new that nothing leads to yet, to others or to the
// end of others.
func (h *holding) acyclic() bool {
	return !slices.ContainsFunc(h.stores, func(s access) bool { return !h.linksNew(s, false) })
}

// growsOnTop reports whether all that is stored in the slot is stored in something new. If
// that holds for several, no object can be reached from itself by way of any of them.
func (h *holding) growsOnTop() bool {
	return !slices.ContainsFunc(h.stores, func(s access) bool { return !h.linksNew(s, true) })
}

// linksNew reports whether a store links something new: if onTop is set, to others.
func (h *holding) linksNew(s access, onTop bool) bool {
	x := h.x
	f := &x.p.Funcs[s.fn]
	base := x.baseOf(value{s.fn, f.ArgsOf(s.id)[1]})
	val := value{s.fn, s.val}
	isNew := func(v value) bool {
		return f.Values[v.id].Op.IsCall() && x.makesResult(v) && !slices.ContainsFunc(x.usesOf(v), func(u ir.ValueID) bool {
			op := f.Values[u].Op
			known := op == ir.OpStore && f.ArgsOf(u)[0] == v.id || op.IsCall() && x.hasBody(value{s.fn, u}) || op == ir.OpPhi || op == ir.OpSelect
			return known && u != s.id && x.follows(value{s.fn, u}, s.value, v)
		})
	}
	switch {
	case f.Values[val.id].Op == ir.OpConstNull:
		return true
	case x.mayBe(val, base):
		return false
	case isNew(base):
		return true
	}
	return !onTop && isNew(val) && !slices.ContainsFunc(h.stores, func(t access) bool {
		return t.fn == s.fn && x.baseOf(value{t.fn, x.p.Funcs[t.fn].ArgsOf(t.id)[1]}) == val && f.Values[t.val].Op != ir.OpConstNull
	})
}
