// This file looks at what comes after a release: the slot must not point to what is gone.

package own

import (
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
)

// after checks one release of what the slot points to, by a value that was read from it:
// on every path the slot is set again, or what it is in goes too, before the function ends.
func (h *holding) after(a access) {
	x := h.x
	for _, from := range x.readFrom(value{a.fn, a.val}) {
		f := &x.p.Funcs[from.fn]
		switch val := &f.Values[from.id]; {
		case val.Op == ir.OpLoad && h.isHere(value{from.fn, f.ArgsOf(from.id)[0]}):
			if e := h.setAfter(a, from); e != nil && h.err == nil {
				h.err = e
			}
		case val.Op == ir.OpLoad || val.Op.IsConst():
		case val.Op == ir.OpParam:
			// What callers pass was read from the slot there, if it was: the call is a release then.
			if !x.releasesParam(value{a.fn, from.id}) {
				h.refuse(a.value, "%s may be released here, and nobody is told", h.text())
			}
		case val.Op.IsCall() && x.makesResult(from):
			if e := h.newReleased(a, from); e != nil && h.err == nil {
				h.err = e
			}
		default:
			h.refuse(a.value, "it is not known whether %s is released here", h.text())
		}
	}
}

// readFrom returns what a value is, phis looked through.
func (x *Index) readFrom(v value) []value {
	var out []value
	seen := map[value]bool{}
	for work := []value{v}; len(work) > 0; {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		f := &x.p.Funcs[v.fn]
		args := f.ArgsOf(v.id)
		switch f.Values[v.id].Op {
		case ir.OpPhi:
			for _, a := range args {
				work = append(work, value{v.fn, a})
			}
		case ir.OpSelect:
			work = append(work, value{v.fn, args[1]}, value{v.fn, args[2]})
		case ir.OpGep, ir.OpFreeze, ir.OpBitcast:
			work = append(work, value{v.fn, args[0]})
		case ir.OpLoad:
			if at := (value{v.fn, args[0]}); f.Values[at.id].Op == ir.OpAlloca && x.plain(at) {
				for _, u := range x.usesOf(at) {
					if f.Values[u].Op == ir.OpStore {
						work = append(work, value{v.fn, f.ArgsOf(u)[0]})
					}
				}
				continue
			}
			out = append(out, v)
		default:
			out = append(out, v)
		}
	}
	return out
}

// releasesParam reports whether callers know that a function releases a parameter.
func (x *Index) releasesParam(v value) bool {
	for _, r := range x.releasedBy(v.fn) {
		if !r.Held && r.Arg == int(x.p.Funcs[v.fn].Values[v.id].Aux) {
			return true
		}
	}
	return false
}

// newReleased checks the release of an object that the function made: it is not in the
// slot then, or the slot is set again.
func (h *holding) newReleased(a access, made value) *Shared {
	x := h.x
	for _, s := range h.stores {
		if s.fn != a.fn || !x.mayBe(value{s.fn, s.val}, made) || !x.follows(s.value, a.value, made) {
			continue
		}
		if e := h.setAfterStore(a, s); e != nil {
			return e
		}
	}
	return nil
}

// mayBe reports whether v is, or may be, what a call made.
func (x *Index) mayBe(v, made value) bool {
	for _, from := range x.readFrom(v) {
		if from == made {
			return true
		}
	}
	return false
}

// setAfter checks that the slot that load read is set again: between the load and the
// release, or after that.
func (h *holding) setAfter(a access, load value) *Shared {
	x := h.x
	f := &x.p.Funcs[load.fn]
	at := value{load.fn, f.ArgsOf(load.id)[0]}
	if a.fn == load.fn && x.setBefore(h, a.value, load) {
		return nil
	}
	return h.cleared(a, at)
}

func (h *holding) setAfterStore(a, store access) *Shared {
	f := &h.x.p.Funcs[store.fn]
	return h.cleared(a, value{store.fn, f.ArgsOf(store.id)[1]})
}

// cleared checks that after a release the memory at an address is set again, or goes.
func (h *holding) cleared(a access, at value) *Shared {
	x := h.x
	f := &x.p.Funcs[a.fn]
	var bad *Shared
	say := func(v ir.ValueID, text string) {
		if bad == nil {
			bad = &Shared{At: x.position(value{a.fn, v}), Text: h.text() + " " + text}
		}
	}
	fresh := x.view.At(a.fn, a.id).Fresh // realloc: when it fails nothing is released
	x.forwardOn(a.value, func(v ir.ValueID) bool {
		val := &f.Values[v]
		switch {
		case bad != nil || h.sets(at, v) || h.dies(at, v):
			return false
		case val.Op == ir.OpRet || val.Op == ir.OpResume:
			if f.Values[x.baseOf(at).id].Op != ir.OpAlloca && !x.isDestructor(f, x.baseOf(at)) && !h.unread(a.fn, at) {
				bad = &Shared{At: x.position(a.value), Text: h.text() + " still points to what is released"}
			}
		case x.spelling(at).deep && (val.Op.IsCall() && x.hasBody(value{a.fn, v}) || val.Op == ir.OpStore && x.onTheWay(at, v)):
			say(v, "may be another one after this")
		}
		return true
	}, func(branch ir.ValueID, k int) bool { return !fresh || !x.nullOn(f, branch, k, a.id) })
	return bad
}

// isDestructor reports whether a function is the destructor of what v points to.
func (x *Index) isDestructor(f *ir.Func, v value) bool {
	val := &f.Values[v.id]
	return strings.Contains(f.Display, "::~") && val.Op == ir.OpParam && val.Var != 0 && f.Vars[val.Var].Artificial
}

// hasBody reports whether a call may run code of the program.
func (x *Index) hasBody(call value) bool {
	targets, known := x.targets(call)
	for _, t := range targets {
		known = known && x.p.Funcs[t].IsDecl()
	}
	return !known
}

// onTheWay reports whether a store may change a pointer by which an address is spelt.
func (x *Index) onTheWay(at value, store ir.ValueID) bool {
	f := &x.p.Funcs[at.fn]
	to := x.slotsAt(at.fn, f.ArgsOf(store)[1], 0)
	for base := x.baseOf(at); f.Values[base.id].Op == ir.OpLoad; {
		from := value{at.fn, f.ArgsOf(base.id)[0]}
		for _, s := range x.slotsAt(at.fn, from.id, 0) {
			for _, t := range to {
				if s == t {
					return true
				}
			}
		}
		base = x.baseOf(from)
	}
	return false
}

// sets reports whether an instruction sets the memory at an address.
func (h *holding) sets(at value, v ir.ValueID) bool {
	x := h.x
	f := &x.p.Funcs[at.fn]
	args := f.ArgsOf(v)
	switch val := &f.Values[v]; {
	case val.Op == ir.OpStore:
		return x.spelling(value{at.fn, args[1]}) == x.spelling(at) && !x.readThere(value{at.fn, args[0]}, at)
	case val.Op == ir.OpMemset: // of the struct
		n, ok := f.ConstInt(args[2])
		return ok && h.slot.kind == fieldSlot && int64(n) == int64(x.p.Structs[h.slot.id].Size) && x.baseOf(value{at.fn, args[0]}) == x.baseOf(at)
	case val.Op.IsCall():
		for i, a := range args[1:] {
			if x.spelling(value{at.fn, a}) == x.spelling(at) && x.fillsNew(value{at.fn, v}, i) {
				return true
			}
		}
	}
	return false
}

// readThere reports whether a value may be what was at an address before.
func (x *Index) readThere(v, at value) bool {
	f := &x.p.Funcs[v.fn]
	return slices.ContainsFunc(x.readFrom(v), func(from value) bool {
		return f.Values[from.id].Op == ir.OpLoad && x.spelling(value{v.fn, f.ArgsOf(from.id)[0]}) == x.spelling(at)
	})
}

// dies reports whether an instruction releases what the address is in.
func (h *holding) dies(at value, v ir.ValueID) bool {
	x := h.x
	f := &x.p.Funcs[at.fn]
	if !f.Values[v].Op.IsCall() {
		return false
	}
	owner := x.spelling(x.baseOf(at))
	for _, r := range x.released(at.fn, v) {
		if r.Held || !r.Always {
			continue
		}
		if arg := (value{at.fn, f.ArgsOf(v)[1+r.Arg]}); x.spelling(arg) == owner || x.spelling(x.baseOf(arg)) == owner {
			return true
		}
	}
	return false
}
