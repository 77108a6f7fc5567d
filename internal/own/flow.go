// This file follows what a slot points to: where it comes from, and who has it.

package own

import (
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
)

// addLoc looks at what is done with an address of the slot.
func (h *holding) addLoc(at value) {
	if h.locs[at] {
		return
	}
	h.locs[at] = true
	h.early = append(h.early, func() {
		for _, u := range h.x.usesOf(at) {
			h.locUse(at, value{at.fn, u})
		}
	})
}

func (h *holding) locUse(at, use value) {
	x := h.x
	f := &x.p.Funcs[at.fn]
	args := f.ArgsOf(use.id)
	switch op := f.Values[use.id].Op; {
	case (op == ir.OpLoad || op == ir.OpStore) && f.Values[use.id].Sub != 0:
		h.refuse(use, "others may change %s at any time", h.text())
	case op == ir.OpLoad:
		h.loads = append(h.loads, access{use, x.spelling(at), use.id})
		h.addVal(use)
	case op == ir.OpStore && args[1] == at.id && args[0] != at.id:
		h.stores = append(h.stores, access{use, x.spelling(at), args[0]})
		h.work = append(h.work, func() { h.addOrigin(value{at.fn, args[0]}, use, 0) })
	case op == ir.OpGep && args[0] == at.id:
		if h.isHere(use) || f.Geps[f.Values[use.id].Aux].NStep == 0 {
			h.addLoc(use) // an element; otherwise another field
		}
	case op == ir.OpMemset && args[0] == at.id:
		if n, ok := f.ConstInt(args[1]); !ok || n != 0 {
			h.refuse(use, "%s is filled with bytes", h.text())
		}
	case op == ir.OpICmp || op == ir.OpLifetimeStart || op == ir.OpLifetimeEnd || op == ir.OpSet:
	case op.IsCall():
		for i, a := range args[1:] {
			if a == at.id {
				h.locPassed(use, i)
			}
		}
	default:
		h.refuse(use, "the address of %s is kept", h.text())
	}
}

// locPassed looks at a call that is given the address of the slot.
func (h *holding) locPassed(call value, i int) {
	x := h.x
	targets, known := x.targets(call)
	if !known {
		h.refuse(call, "a function that is not known gets the address of %s", h.text())
	}
	for _, t := range targets {
		callee := &x.p.Funcs[t]
		switch {
		case !callee.IsDecl() && i < int(callee.NParams):
			h.addLoc(value{t, ir.ValueID(i + 1)})
		case callee.IsDecl() && x.fillsNew(call, i):
			h.families[x.familyAt(call, i)] = true
		default:
			m := x.models.Lookup(callee.Name)
			if m == nil || m.WritesParam(i) || m.KeepsParam(i) {
				h.refuse(call, "%s gets the address of %s", callee.SourceName(), h.text())
			}
		}
	}
}

// fillsNew reports whether a library function leaves nothing but new objects where
// argument i points to.
func (x *Index) fillsNew(call value, i int) bool {
	return slices.ContainsFunc(x.view.Made(call.fn, call.id), func(m leak.Made) bool {
		return m.Place != nil && m.Place.Arg == i && m.Place.Off == 0 && !m.Place.Deep && m.Family != ""
	})
}

func (x *Index) familyAt(call value, i int) string {
	for _, m := range x.view.Made(call.fn, call.id) {
		if m.Place == nil && i < 0 || m.Place != nil && m.Place.Arg == i {
			return m.Family
		}
	}
	return ""
}

// targets returns the functions that a call may lead to, if they are known.
func (x *Index) targets(call value) ([]ir.FuncID, bool) {
	if c := x.p.Funcs[call.fn].Callee(call.id); c != 0 {
		return []ir.FuncID{c}, true
	}
	for _, c := range x.calls.CallsOf(call.fn) {
		if c.Site == call.id {
			return c.Targets, len(c.Targets) > 0
		}
	}
	return nil, false
}

// addOrigin looks at where a value comes from that is stored in the slot: it must be null
// or new. The store is an instruction of its function that stores it, or leads there.
func (h *holding) addOrigin(v, store value, depth int) {
	if slices.Contains(h.origins[v], store) || h.err != nil {
		return
	}
	h.origins[v] = append(h.origins[v], store)
	x := h.x
	f := &x.p.Funcs[v.fn]
	val := &f.Values[v.id]
	args := f.ArgsOf(v.id)
	switch {
	case val.Op == ir.OpConstNull:
		return
	case val.Op == ir.OpConstInt:
		if n, _ := f.ConstInt(v.id); n == 0 {
			return
		}
		h.refuse(store, "%s may be a number", h.text())
	case val.Op == ir.OpPhi:
		for _, a := range args {
			h.addOrigin(value{v.fn, a}, store, depth)
		}
	case val.Op == ir.OpSelect:
		h.addOrigin(value{v.fn, args[1]}, store, depth)
		h.addOrigin(value{v.fn, args[2]}, store, depth)
	case val.Op == ir.OpFreeze || val.Op == ir.OpBitcast:
		h.addOrigin(value{v.fn, args[0]}, store, depth)
	case val.Op == ir.OpLoad:
		h.fromMemory(v, store, depth)
	case val.Op == ir.OpParam:
		h.fromCallers(v, store, int(val.Aux), depth)
	case val.Op.IsCall():
		h.fromCall(v, store, depth)
	case val.Op == ir.OpGlobalAddr && strings.HasPrefix(x.p.Globals[val.Aux].Name, ".str"):
		h.refuse(store, "%s may be a string literal", h.text())
	case val.Op == ir.OpGlobalAddr:
		h.refuse(store, "%s may be the address of %s", h.text(), x.p.Globals[val.Aux].SourceName())
	default:
		h.refuse(store, "it is not known what %s is after this", h.text())
	}
	h.addVal(v)
}

// fromMemory follows a stored value that was read from a variable of the function; from
// other memory it may not come.
func (h *holding) fromMemory(v, store value, depth int) {
	f := &h.x.p.Funcs[v.fn]
	addr := f.ArgsOf(v.id)[0]
	if f.Values[addr].Op == ir.OpAlloca && h.x.plain(value{v.fn, addr}) {
		h.cells[value{v.fn, addr}] = true
		for _, u := range h.x.usesOf(value{v.fn, addr}) {
			if f.Values[u].Op == ir.OpStore {
				h.addOrigin(value{v.fn, f.ArgsOf(u)[0]}, store, depth)
			}
		}
		return
	}
	if a, ok := h.filledLocal(value{v.fn, addr}); ok {
		for _, o := range a {
			h.addOrigin(o, store, depth)
		}
		return
	}
	from, err := h.x.holdingAt(value{v.fn, addr})
	if err != nil || !from.moves(v, store) {
		h.refuse(store, "%s may be what other memory holds, too", h.text())
		return
	}
	if !slices.Contains(h.from, from) {
		h.from = append(h.from, from)
	}
}

// filledLocal returns what is stored in a variable whose address is passed to nothing but
// library functions that leave something new there.
func (h *holding) filledLocal(at value) (stored []value, ok bool) {
	x := h.x
	f := &x.p.Funcs[at.fn]
	if f.Values[at.id].Op != ir.OpAlloca {
		return nil, false
	}
	for _, u := range x.usesOf(at) {
		args := f.ArgsOf(u)
		switch op := f.Values[u].Op; {
		case op == ir.OpLoad || op == ir.OpLifetimeStart || op == ir.OpLifetimeEnd:
		case op == ir.OpStore && args[1] == at.id && args[0] != at.id:
			stored = append(stored, value{at.fn, args[0]})
		case op.IsCall():
			i := slices.Index(args[1:], at.id)
			if i < 0 || !x.fillsNew(value{at.fn, u}, i) {
				return nil, false
			}
			h.families[x.familyAt(value{at.fn, u}, i)] = true
		default:
			return nil, false
		}
	}
	h.cells[at] = true
	for _, u := range x.usesOf(at) { // who reads it has the object
		if f.Values[u].Op == ir.OpLoad {
			h.addVal(value{at.fn, u})
		}
	}
	return stored, true
}

// plain reports whether a variable in memory is loaded and stored, and nothing else.
func (x *Index) plain(at value) bool {
	f := &x.p.Funcs[at.fn]
	return !slices.ContainsFunc(x.usesOf(at), func(u ir.ValueID) bool {
		switch op := f.Values[u].Op; op {
		case ir.OpLoad, ir.OpLifetimeStart, ir.OpLifetimeEnd:
			return false
		case ir.OpStore:
			return f.ArgsOf(u)[0] == at.id
		}
		return true
	})
}

// fromCallers follows a stored parameter.
func (h *holding) fromCallers(v, store value, i, depth int) {
	x := h.x
	callers := x.callers[v.fn]
	if x.takenAddress(v.fn) && x.calls.Unresolved() > 0 || len(callers) == 0 && !x.whole() {
		h.refuse(store, "it is not known what callers of %s pass for %s", x.p.Funcs[v.fn].SourceName(), x.valueName(v))
		return
	}
	if depth > 6 {
		h.refuse(store, "%s is passed on too often to be followed", h.text())
		return
	}
	for _, c := range callers {
		if args := x.p.Funcs[c.fn].ArgsOf(c.id)[1:]; i < len(args) {
			h.addOrigin(value{c.fn, args[i]}, c, depth+1)
		}
	}
}

// fromCall follows the result of a call that is stored.
func (h *holding) fromCall(v, store value, depth int) {
	x := h.x
	at := x.view.At(v.fn, v.id)
	if at.Fresh {
		h.families[x.familyAt(v, -1)] = true
		if _, moved := x.innermost(Object{Func: v.fn, Site: v.id}); moved {
			h.families[""] = true // not what the family's function takes
		}
		for _, other := range h.origins[v] {
			if x.follows(store, other, v) || x.follows(other, store, v) {
				h.refuse(store, "one object may be in %s twice", h.text())
			}
		}
		return
	}
	targets, known := x.targets(v)
	for _, t := range targets {
		if x.p.Funcs[t].IsDecl() || depth > 6 {
			known = false
			break
		}
		for _, r := range x.results[t] {
			h.addOrigin(r, store, depth+1)
		}
	}
	if !known {
		h.refuse(store, "%s may be what a function returns that others have, too", h.text())
	}
}

// takenAddress reports whether a function is called through pointers.
func (x *Index) takenAddress(fn ir.FuncID) bool {
	if x.taken == nil {
		x.taken = map[ir.FuncID]bool{}
		for id := range x.p.Funcs {
			f := &x.p.Funcs[id]
			if f.IsDecl() || id == 0 {
				continue
			}
			for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
				for i, a := range f.ArgsOf(v) {
					if f.Values[a].Op == ir.OpFuncAddr && !(f.Values[v].Op.IsCall() && i == 0) {
						x.taken[ir.FuncID(f.Values[a].Aux)] = true
					}
				}
			}
		}
		for i := range x.p.Globals {
			for _, c := range x.p.Globals[i].Init {
				if c.Kind == ir.CellFunc {
					x.taken[c.Func] = true
				}
			}
		}
	}
	return x.taken[fn]
}

// whole reports whether the program has a main, so that who is not called in it is not
// called at all.
func (x *Index) whole() bool {
	return slices.ContainsFunc(x.p.Funcs, func(f ir.Func) bool { return f.Name == "main" && !f.IsDecl() })
}

// valueName returns how the source calls a value.
func (x *Index) valueName(v value) string {
	f := &x.p.Funcs[v.fn]
	if n := f.Values[v.id].Var; n != 0 && f.Vars[n].Name != "" {
		return f.Vars[n].Name
	}
	return "an argument"
}

func (h *holding) text() string { return h.x.spellSlot(h.slot) }
