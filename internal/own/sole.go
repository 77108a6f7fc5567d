// This file says whether one release of what a field or a global points to is safe.

package own

import (
	"fmt"
	"maps"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// Sole returns nil if what a call releases is held by a field or a global that is the only
// owner of it in the whole program, and nobody can use it afterwards: the slot is set again
// or goes, no variable of the function or of those that call it has it. Otherwise it says
// what stands against that, as a *Shared.
func (x *Index) Sole(fn ir.FuncID, call ir.ValueID) error {
	at := value{fn, call}
	slots, err := x.releasedSlots(at)
	if err != nil {
		return err
	}
	for _, s := range slots {
		h, err := x.holdingAt(s.at)
		if err != nil {
			return err
		}
		if err := h.verdict(); err != nil {
			return err
		}
		if e := h.setAgain(at, s); e != nil {
			return e
		}
		if err := h.suits(at); err != nil {
			return err
		}
		if err := h.reads(at, s.at, s.load.id); err != nil {
			return err
		}
		if err := h.inUse(at, s); err != nil {
			return err
		}
	}
	return nil
}

// A victim is memory whose object is released: its address, and the load by which that was
// read, or the call itself if that is given the address.
type victim struct {
	at   value
	load value
	held bool
}

// setAgain checks that the slot is set, before the release or after it.
func (h *holding) setAgain(call value, s victim) *Shared {
	if s.held {
		return h.cleared(access{value: call}, s.at)
	}
	return h.setAfter(access{value: call, val: s.load.id}, s.load)
}

// releasedSlots returns where what a call releases is held.
func (x *Index) releasedSlots(call value) ([]victim, error) {
	f := &x.p.Funcs[call.fn]
	var out []victim
	taken := -1
	for _, r := range x.released(call.fn, call.id) {
		arg := value{call.fn, f.ArgsOf(call.id)[1+r.Arg]}
		if !r.Held {
			taken = r.Arg
		} else if r.Arg == taken {
			continue // it goes with its owner
		} else if r.Off != 0 {
			return nil, &Shared{At: x.position(call), Text: x.calleeName(call) + " releases what a field holds"}
		} else {
			out = append(out, victim{arg, call, true})
			continue
		}
		for _, from := range x.readFrom(arg) {
			switch val := &f.Values[from.id]; {
			case val.Op == ir.OpLoad:
				out = append(out, victim{value{call.fn, f.ArgsOf(from.id)[0]}, from, false})
			case val.Op != ir.OpConstNull:
				return nil, &Shared{At: x.position(call), Text: "what is released is not read from a field or a global"}
			}
		}
	}
	if len(out) == 0 {
		return nil, &Shared{At: x.position(call), Text: x.calleeName(call) + " is not known to release what it is given"}
	}
	return out, nil
}

// holdingAt returns the slot at an address that is not only known to one function.
func (x *Index) holdingAt(addr value) (*holding, error) {
	slots := x.slotsAt(addr.fn, addr.id, 0)
	for _, s := range slots {
		if s.kind != nearSlot {
			return x.holding(s), nil
		}
	}
	if x.readAddresses(); x.p.Funcs[addr.fn].Values[slots[0].val].Op == ir.OpParam {
		if h, ok := x.nearHolding(slots[0]); ok {
			return h, nil
		}
	}
	return nil, &Shared{At: x.position(addr), Text: "it is not known what memory is released here"}
}

// suits reports whether a release takes what is put in the slot.
func (h *holding) suits(call value) error {
	for _, r := range h.x.released(call.fn, call.id) {
		for _, f := range h.allFamilies() {
			if f == "" || r.Family != "" && r.Family != f {
				return &Shared{At: h.x.position(call), Text: fmt.Sprintf("%s may not be for %s", h.text(), h.x.calleeName(call))}
			}
		}
	}
	return nil
}

// allFamilies returns the functions that release what is put in the slot, and what is moved
// there from others.
func (h *holding) allFamilies() []string {
	all := map[string]bool{}
	seen := map[*holding]bool{}
	for work := []*holding{h}; len(work) > 0; {
		h := work[0]
		work = work[1:]
		if !seen[h] {
			seen[h] = true
			maps.Copy(all, h.families)
			work = append(work, h.from...)
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// inUse looks for variables that still have what is released: in the function, and in
// those that led to it.
func (h *holding) inUse(call value, s victim) error {
	x := h.x
	load := s.load
	leads := x.reaching([]ir.FuncID{call.fn})
	if h.raced(leads) {
		return &Shared{At: x.position(call), Text: fmt.Sprintf("%s may be read by another thread, or at the end", h.text())}
	}
	if err := h.inCells(call, leads); err != nil {
		return err
	}
	vals := make([]value, 0, len(h.vals))
	for v := range h.vals {
		vals = append(vals, v)
	}
	slices.SortFunc(vals, compareValues)
	f := &x.p.Funcs[call.fn]
	for _, v := range vals {
		if v.fn == call.fn && v.id != load.id && x.liveAfter(v, call.id) && !h.newer(v, load, call) && !h.below(v, call) {
			return &Shared{At: x.position(call), Text: fmt.Sprintf("%s may still be used here by way of %s", h.text(), x.valueName(v)), Late: f.Values[v.id].Op == ir.OpParam || f.BlockOf(v.id) != 0}
		}
		if v.fn == call.fn && v.id == load.id && x.liveAfter(v, call.id) {
			return &Shared{At: x.position(call), Text: fmt.Sprintf("%s is used after it", h.text())}
		}
		if !leads[v.fn] {
			continue
		}
		for _, c := range x.calls.CallsOf(v.fn) {
			if at := (value{v.fn, c.Site}); x.mayReach(at, leads) && v != at && x.liveAfter(v, c.Site) && x.knownAt(v, c.Site) && !h.below(v, at) {
				return &Shared{At: x.position(at), Text: fmt.Sprintf("%s may still be used after this call by way of %s", h.text(), x.valueName(v))}
			}
		}
	}
	return h.readBetween(call, s)
}

// inCells looks for variables in memory that still have what is released, and are read
// after the release, or after a call that leads to it.
func (h *holding) inCells(call value, leads map[ir.FuncID]bool) error {
	x := h.x
	for _, cell := range slices.SortedFunc(maps.Keys(h.cells), compareValues) {
		if !leads[cell.fn] {
			continue
		}
		f := &x.p.Funcs[cell.fn]
		after := []value{}
		if cell.fn == call.fn {
			after = append(after, call)
		}
		for _, c := range x.calls.CallsOf(cell.fn) {
			if at := (value{cell.fn, c.Site}); x.mayReach(at, leads) {
				after = append(after, at)
			}
		}
		for _, from := range after {
			read := false
			x.forward(from, func(v ir.ValueID) bool {
				args := f.ArgsOf(v)
				switch op := f.Values[v].Op; {
				case op == ir.OpStore && args[1] == cell.id:
					return false
				case op == ir.OpLoad && args[0] == cell.id || op.IsCall() && slices.Contains(args[1:], cell.id):
					read = true
				}
				return !read
			})
			if read {
				return &Shared{At: x.position(from), Text: fmt.Sprintf("%s may still be used after this by way of %s", h.text(), x.valueName(cell)), Late: cell.fn == call.fn}
			}
		}
	}
	return nil
}

func compareValues(a, b value) int {
	if a.fn != b.fn {
		return int(a.fn) - int(b.fn)
	}
	return int(a.id) - int(b.id)
}

// knownAt reports whether a value is there when an instruction is reached.
func (x *Index) knownAt(v value, at ir.ValueID) bool {
	f := &x.p.Funcs[v.fn]
	if f.BlockOf(v.id) == 0 {
		return true
	}
	found := false
	x.forward(v, func(u ir.ValueID) bool {
		found = found || u == at
		return !found
	})
	return found
}

// newer reports whether a value is not what the slot pointed to when that was loaded: it
// was made by the function, and not put there before.
func (h *holding) newer(v, load, call value) bool {
	x := h.x
	if !x.knownAt(v, call.id) {
		return true
	}
	for _, from := range x.readFrom(v) {
		if !h.isNew(from, load, 0) {
			return false
		}
	}
	return true
}

// isNew reports whether a value is null, or was made and not put in the slot before an
// instruction: by the function, or by all its callers.
func (h *holding) isNew(v, before value, depth int) bool {
	x := h.x
	f := &x.p.Funcs[v.fn]
	switch val := &f.Values[v.id]; {
	case val.Op == ir.OpConstNull:
		return true
	case val.Op.IsCall() && x.makesResult(v):
		return !h.putBefore(v, before)
	case val.Op != ir.OpParam || depth > 4 || x.takenAddress(v.fn) || !x.whole() || h.putBefore(v, before):
		return false
	default:
		for _, c := range x.callers[v.fn] {
			args := x.p.Funcs[c.fn].ArgsOf(c.id)[1:]
			if int(val.Aux) >= len(args) {
				return false
			}
			for _, from := range x.readFrom(value{c.fn, args[val.Aux]}) {
				if !h.isNew(from, c, depth+1) {
					return false
				}
			}
		}
		return true
	}
}

// putBefore reports whether what a call makes may be in the slot when that is loaded.
func (h *holding) putBefore(made, load value) bool {
	x := h.x
	f := &x.p.Funcs[made.fn]
	for v := range h.vals {
		if v.fn != made.fn || !x.mayBe(v, made) {
			continue
		}
		for _, u := range x.usesOf(v) {
			at := value{v.fn, u}
			if op := f.Values[u].Op; (op == ir.OpStore || op.IsCall() && x.hasBody(at)) && x.follows(at, load, made) {
				return true
			}
		}
	}
	return false
}

// readBetween checks that nobody reads the slot after the release and before it is set.
func (h *holding) readBetween(call value, s victim) error {
	x := h.x
	f := &x.p.Funcs[call.fn]
	at := s.at
	if !s.held && x.setBefore(h, call, s.load) {
		return nil
	}
	var way name // where the pointer was read to what the slot is in: that is another slot
	if base := x.baseOf(at); f.Values[base.id].Op == ir.OpLoad && h.acyclic() {
		way = x.spelling(value{at.fn, f.ArgsOf(base.id)[0]})
	}
	var bad *Shared
	readers := h.readers()
	x.forward(call, func(v ir.ValueID) bool {
		switch val := &f.Values[v]; {
		case bad != nil || h.sets(at, v) || h.dies(at, v):
			return false
		case val.Op == ir.OpLoad && h.isHere(value{call.fn, f.ArgsOf(v)[0]}) && x.spelling(value{call.fn, f.ArgsOf(v)[0]}) != way,
			val.Op.IsCall() && x.mayReach(value{call.fn, v}, readers) && !h.onlyBelow(x.baseOf(at), value{call.fn, v}):
			bad = &Shared{At: x.position(value{call.fn, v}), Text: fmt.Sprintf("%s may be read before it is set again", h.text()), Late: true}
		}
		return bad == nil
	})
	if bad != nil {
		return bad
	}
	return nil
}

// setBefore reports whether the slot was set between the load of what is released and the
// release.
func (x *Index) setBefore(h *holding, call, load value) bool {
	f := &x.p.Funcs[call.fn]
	at := value{load.fn, f.ArgsOf(load.id)[0]}
	before := true
	x.forward(load, func(v ir.ValueID) bool {
		if h.sets(at, v) {
			return false
		}
		before = before && v != call.id
		return before && v != load.id
	})
	return before
}
