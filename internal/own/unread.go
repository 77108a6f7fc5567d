// This file finds releases after which nobody looks at the slot any more.

package own

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// unread reports whether nothing reads the slot any more once a function has returned, in
// which it was left pointing to what is gone; at is its address there. Callers may also
// release what it is in.
func (h *holding) unread(fn ir.FuncID, at value) bool {
	return h.unreadAfter(fn, at, map[ir.FuncID]bool{})
}

func (h *holding) unreadAfter(fn ir.FuncID, at value, seen map[ir.FuncID]bool) bool {
	x := h.x
	if seen[fn] {
		return true
	}
	seen[fn] = true
	if x.takenAddress(fn) || !x.whole() {
		return false
	}
	owner := -1 // the parameter that the slot is in
	if at.fn == fn {
		if base := x.p.Funcs[fn].Values[x.baseOf(at).id]; base.Op == ir.OpParam {
			owner = int(base.Aux)
		}
	}
	readers := h.readers()
	for _, c := range x.callers[fn] {
		f := &x.p.Funcs[c.fn]
		var given name
		if args := f.ArgsOf(c.id)[1:]; owner >= 0 && owner < len(args) {
			given = x.spelling(x.baseOf(value{c.fn, args[owner]}))
		}
		ok, returns := true, false
		x.forward(c, func(v ir.ValueID) bool {
			switch val := &f.Values[v]; {
			case !ok:
			case val.Op == ir.OpLoad:
				ok = !h.isHere(value{c.fn, f.ArgsOf(v)[0]})
			case val.Op == ir.OpRet || val.Op == ir.OpResume:
				returns = true
			case val.Op.IsCall():
				if given != (name{}) && h.releasesNamed(value{c.fn, v}, given) {
					return false
				}
				ok = !x.mayReach(value{c.fn, v}, readers)
			}
			return ok
		})
		if !ok || returns && !h.unreadAfter(c.fn, value{}, seen) {
			return false
		}
	}
	return true
}

// releasesNamed reports whether a call releases what goes by a name.
func (h *holding) releasesNamed(call value, n name) bool {
	x := h.x
	for _, r := range x.released(call.fn, call.id) {
		if !r.Held && r.Always && x.spelling(value{call.fn, x.p.Funcs[call.fn].ArgsOf(call.id)[1+r.Arg]}) == n {
			return true
		}
	}
	return false
}

// readers returns the functions that read the slot, and those that call them.
func (h *holding) readers() map[ir.FuncID]bool {
	if h.reading == nil {
		var roots []ir.FuncID
		for _, l := range h.loads {
			roots = append(roots, l.fn)
		}
		h.reading = h.x.reaching(roots)
	}
	return h.reading
}

// reaching returns the functions from which one of some can be reached by calls.
func (x *Index) reaching(roots []ir.FuncID) map[ir.FuncID]bool {
	out := map[ir.FuncID]bool{}
	for work := slices.Clone(roots); len(work) > 0; {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		if out[fn] {
			continue
		}
		out[fn] = true
		work = append(work, x.everyCaller(fn)...)
	}
	return out
}

// everyCaller returns the functions that may call fn, or pass it to who calls it.
func (x *Index) everyCaller(fn ir.FuncID) []ir.FuncID {
	if x.whoCalls == nil {
		x.whoCalls = map[ir.FuncID][]ir.FuncID{}
		for i := range x.calls.Calls {
			c := &x.calls.Calls[i]
			add := func(t ir.FuncID) {
				if list := x.whoCalls[t]; len(list) == 0 || list[len(list)-1] != c.Caller {
					x.whoCalls[t] = append(list, c.Caller)
				}
			}
			if c.Callee != 0 {
				add(c.Callee)
			}
			for _, t := range slices.Concat(c.Targets, c.Many) {
				add(t)
			}
			for _, p := range c.Passed {
				for _, t := range p.Targets {
					add(t)
				}
			}
			if c.Callee == 0 && len(c.Targets) == 0 {
				x.strange = append(x.strange, c.Caller)
			}
		}
	}
	if x.takenAddress(fn) {
		return slices.Concat(x.whoCalls[fn], x.strange)
	}
	return x.whoCalls[fn]
}

// mayReach reports whether a call may lead to one of some functions, which reaching
// returned.
func (x *Index) mayReach(call value, funcs map[ir.FuncID]bool) bool {
	for _, c := range x.calls.CallsOf(call.fn) {
		if c.Site != call.id {
			continue
		}
		found := funcs[c.Callee]
		for _, t := range slices.Concat(c.Targets, c.Many) {
			found = found || funcs[t]
		}
		for _, p := range c.Passed {
			for _, t := range p.Targets {
				found = found || funcs[t]
			}
		}
		if c.Callee == 0 && len(c.Targets) == 0 {
			for t := range funcs {
				found = found || x.takenAddress(t)
			}
		}
		return found
	}
	return false
}
