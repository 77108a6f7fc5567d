// This file finds who has what a slot points to.

package own

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/model"
)

// addVal looks at what is done with a value that may be what the slot points to.
func (h *holding) addVal(v value) {
	if h.vals[v] {
		return
	}
	if f := &h.x.p.Funcs[v.fn]; f.Values[v.id].Op.IsConst() {
		return
	}
	h.vals[v] = true
	if len(h.vals) > maxValues {
		h.refuse(v, "%s goes through too many hands", h.text())
		return
	}
	h.work = append(h.work, func() {
		for _, u := range h.x.usesOf(v) {
			h.valUse(v, value{v.fn, u})
		}
	})
}

func (h *holding) valUse(v, use value) {
	f := &h.x.p.Funcs[v.fn]
	args := f.ArgsOf(use.id)
	switch op := f.Values[use.id].Op; {
	case op == ir.OpLoad || op == ir.OpICmp || op == ir.OpSet || op == ir.OpMemcpy || op == ir.OpMemset:
	case op == ir.OpGep && args[0] == v.id, op == ir.OpPhi, op == ir.OpSelect, op == ir.OpFreeze, op == ir.OpBitcast:
		h.addVal(use)
	case op == ir.OpStore && args[0] != v.id: // through it
	case op == ir.OpStore:
		h.valStored(v, use, args[1])
	case op == ir.OpPtrToInt && h.x.measured(use):
	case op == ir.OpRet:
		for _, c := range h.x.callers[v.fn] {
			h.addVal(c)
		}
		if h.x.takenAddress(v.fn) && h.x.calls.Unresolved() > 0 {
			h.refuse(use, "%s is returned to callers that are not known", h.text())
		}
	case op.IsCall():
		for i, a := range args[1:] {
			if a == v.id {
				h.valPassed(v, use, i)
			}
		}
	default:
		h.refuse(use, "what %s points to is used in a way that is not followed", h.text())
	}
}

// measured reports whether a number made of a pointer is only compared or subtracted.
func (x *Index) measured(v value) bool {
	f := &x.p.Funcs[v.fn]
	return !slices.ContainsFunc(x.usesOf(v), func(u ir.ValueID) bool {
		op := f.Values[u].Op
		return op != ir.OpSub && op != ir.OpICmp && op != ir.OpAnd
	})
}

// valStored looks at a store of what the slot points to. In the slot itself is where it
// belongs, if it is new; in a variable it may be for a while.
func (h *holding) valStored(v, store value, addr ir.ValueID) {
	x := h.x
	at := value{v.fn, addr}
	f := &x.p.Funcs[v.fn]
	if h.isHere(at) {
		return // and addOrigin looks at what it is
	}
	if base := x.baseOf(at); f.Values[base.id].Op == ir.OpAlloca && base == at {
		if _, ok := h.filledLocal(at); ok || x.plain(at) {
			h.cells[at] = true
			for _, u := range x.usesOf(at) {
				if f.Values[u].Op == ir.OpLoad {
					h.addVal(value{v.fn, u})
				}
			}
			return
		}
	}
	if h.moves(v, store) {
		return
	}
	slots := x.slotsAt(v.fn, addr, 0)
	h.refuse(store, "what %s points to is also in %s", h.text(), x.spellSlot(slots[len(slots)-1]))
}

// moves reports whether a store puts what was read from the slot elsewhere, and the slot
// is set again: on every path after the load, with nobody who reads it before.
func (h *holding) moves(v, store value) bool {
	x := h.x
	f := &x.p.Funcs[v.fn]
	if f.Values[v.id].Op != ir.OpLoad || v.fn != store.fn {
		return false
	}
	at := value{v.fn, f.ArgsOf(v.id)[0]}
	if !h.isHere(at) {
		return false
	}
	stored := 0
	for _, u := range x.usesOf(v) {
		if f.Values[u].Op == ir.OpStore && f.ArgsOf(u)[0] == v.id {
			stored++
		}
	}
	ok := stored == 1 && !x.follows(store, store, v)
	x.forward(v, func(u ir.ValueID) bool {
		switch val := &f.Values[u]; {
		case !ok || h.sets(at, u):
			return false
		case val.Op == ir.OpRet || val.Op == ir.OpResume, val.Op.IsCall() && x.hasBody(value{v.fn, u}),
			val.Op == ir.OpLoad && u != v.id && h.isHere(value{v.fn, f.ArgsOf(u)[0]}),
			val.Op == ir.OpStore && x.onTheWay(at, u):
			ok = false
		}
		return ok
	})
	return ok
}

// isHere reports whether an address is one of the slot.
func (h *holding) isHere(at value) bool {
	return h.locs[at] || slices.Contains(h.x.slotsAt(at.fn, at.id, 0), h.slot)
}

// baseOf returns what an address is an offset from.
func (x *Index) baseOf(at value) value {
	f := &x.p.Funcs[at.fn]
	for f.Values[at.id].Op == ir.OpGep {
		at.id = f.ArgsOf(at.id)[0]
	}
	return at
}

// valPassed looks at a call that is given what the slot points to.
func (h *holding) valPassed(v, call value, i int) {
	x := h.x
	for _, r := range x.released(call.fn, call.id) {
		if r.Arg == i && !r.Held {
			h.frees = append(h.frees, access{value: call, val: v.id})
		}
	}
	a := x.view.Argument(call.fn, call.id, i)
	targets, known := x.targets(call)
	inside := known
	for _, t := range targets {
		callee := &x.p.Funcs[t]
		if callee.IsDecl() || i >= int(callee.NParams) {
			inside = false
			continue
		}
		h.addVal(value{t, ir.ValueID(i + 1)})
	}
	switch {
	case inside: // it is followed there
	case a.Keeps:
		h.refuse(call, "%s may keep what %s points to", x.calleeName(call), h.text())
	case a.Releases && x.view.At(call.fn, call.id).Fresh: // realloc
		h.frees = append(h.frees, access{value: call, val: v.id})
	case a.Returns && x.remembers(call, i):
		h.refuse(call, "%s may remember what %s points to", x.calleeName(call), h.text())
	case a.Returns:
		h.addVal(call)
	}
}

// remembers reports whether a library function returns what argument i points into, or
// something else that may be what it was given before.
func (x *Index) remembers(call value, i int) bool {
	c := x.p.Funcs[call.fn].Callee(call.id)
	if c == 0 {
		return true
	}
	m := x.models.Lookup(x.p.Funcs[c].Name)
	return m != nil && slices.ContainsFunc(m.Outcomes, func(o model.Outcome) bool { return o.Result == model.ResultArg && o.Arg == i }) &&
		slices.ContainsFunc(m.Outcomes, func(o model.Outcome) bool { return o.Result == model.ResultAny })
}

func (x *Index) calleeName(call value) string {
	if c := x.p.Funcs[call.fn].Callee(call.id); c != 0 {
		return x.p.Funcs[c].SourceName()
	}
	return "a function that is called through a pointer"
}
