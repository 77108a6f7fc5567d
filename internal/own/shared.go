// This file says which memory owns what it points to, alone.

package own

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/source"
)

// Shared says why memory is not the only owner of what it points to, or why that cannot
// be released at some place.
type Shared struct {
	At   source.Position // where that shows
	Text string
	Null bool // it can if what it is in is tested for null before
	Late bool // it can be released after what comes next was stored in its place
}

func (e *Shared) Error() string {
	if !e.At.IsValid() {
		return e.Text
	}
	return fmt.Sprintf("%s: %s:%d", e.Text, filepath.Base(e.At.File), e.At.Line)
}

// verdict returns nil if a pointer field, of all objects of its type, or a global is the only
// owner of what it points to; otherwise a *Shared, of the slot or of one from which something
// is moved into it.
//
// It is if all that the program stores there is null or new, if nobody keeps what is read
// from there in other memory, if it is set again after each release or its struct goes too,
// and if it is set before anybody can look at it. The program is taken to be whole.
func (h *holding) verdict() error {
	seen := map[*holding]bool{}
	for work := []*holding{h}; len(work) > 0; {
		h := work[0]
		work = work[1:]
		if seen[h] {
			continue
		}
		seen[h] = true
		if h.err != nil {
			return h.err
		}
		work = append(work, h.from...)
	}
	return nil
}

// holding returns what there is to know of a slot.
func (x *Index) holding(s slot) *holding {
	if h := x.holdings[s]; h != nil {
		return h
	}
	x.readAddresses()
	h := &holding{x: x, slot: s, locs: map[value]bool{}, vals: map[value]bool{}, origins: map[value][]value{}, families: map[string]bool{}, cells: map[value]bool{}}
	x.holdings[s] = h
	h.look()
	return h
}

// nearHolding returns what there is to know of memory that a function is given the address
// of, if that is a variable of each of its callers.
func (x *Index) nearHolding(s slot) (*holding, bool) {
	if h := x.holdings[s]; h != nil {
		return h, true
	}
	roots, ok := x.variables(s)
	if !ok {
		return nil, false
	}
	h := &holding{x: x, slot: s, roots: roots, locs: map[value]bool{}, vals: map[value]bool{}, origins: map[value][]value{}, families: map[string]bool{}, cells: map[value]bool{}}
	x.holdings[s] = h
	h.look()
	return h, true
}

// variables returns the variables whose addresses a parameter can be.
func (x *Index) variables(s slot) ([]value, bool) {
	var out []value
	seen := map[value]bool{}
	for work := []value{{ir.FuncID(s.id), s.val}}; len(work) > 0; {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		f := &x.p.Funcs[v.fn]
		switch val := &f.Values[v.id]; {
		case s.off != 0:
			return nil, false
		case val.Op == ir.OpAlloca && f.Ints[val.Aux+1] == 0:
			out = append(out, v)
		case val.Op == ir.OpParam && !x.takenAddress(v.fn) && x.whole():
			for _, c := range x.callers[v.fn] {
				if args := x.p.Funcs[c.fn].ArgsOf(c.id)[1:]; int(val.Aux) < len(args) {
					work = append(work, value{c.fn, args[val.Aux]})
				}
			}
		default:
			return nil, false
		}
	}
	slices.SortFunc(out, compareValues)
	return out, len(out) > 0
}

// A holding is a slot, with all that the program does with what it points to.
type holding struct {
	x    *Index
	slot slot
	err  *Shared // why it is shared

	locs     map[value]bool    // addresses of it
	vals     map[value]bool    // values that may be what it points to
	origins  map[value][]value // values that are stored there: by what
	families map[string]bool
	cells    map[value]bool // variables in memory that may hold what it points to
	loads    []access
	stores   []access
	frees    []access
	from     []*holding         // slots whose objects are moved here
	reading  map[ir.FuncID]bool // functions that may lead to a read; nil until asked
	roots    []value            // for a variable whose address is passed: that
	early    []func()           // addresses come before values
	work     []func()
}

// An access is an instruction that reads or writes a slot, and by which name it goes there;
// or a release of what was read from there.
type access struct {
	value
	name name
	val  ir.ValueID // what was read, written or released
}

// maxValues bounds how many values are looked at for one slot.
const maxValues = 20000

// refuse notes a reason, unless there was one before.
func (h *holding) refuse(at value, format string, args ...any) {
	if h.err == nil {
		h.err = &Shared{At: h.x.position(at), Text: fmt.Sprintf(format, args...)}
	}
}

// look goes through the program for the slot.
func (h *holding) look() {
	x := h.x
	if h.slot.kind == fieldSlot && x.p.Structs[h.slot.id].Union {
		h.err = &Shared{Text: x.spellSlot(h.slot) + " is part of a union"}
		return
	}
	if h.slot.kind == fieldSlot && x.punned[ir.StructID(h.slot.id)] {
		h.err = &Shared{Text: x.p.Structs[h.slot.id].Name + " is used as another struct, too"}
		return
	}
	for _, at := range h.roots {
		h.addLoc(at)
	}
	for _, at := range x.addresses[h.slot] {
		h.addLoc(at)
	}
	h.initialisers()
	h.run()
	if h.err == nil {
		h.copies()
	}
	if h.err == nil {
		h.unset()
	}
	for _, a := range h.frees {
		if h.err == nil {
			h.after(a)
		}
	}
}

func (h *holding) run() {
	for len(h.early)+len(h.work) > 0 && h.err == nil {
		from := &h.early
		if len(h.early) == 0 {
			from = &h.work
		}
		next := (*from)[len(*from)-1]
		*from = (*from)[:len(*from)-1]
		next()
	}
}

// initialisers looks at what is there from the start.
func (h *holding) initialisers() {
	x := h.x
	for id := 1; id < len(x.p.Globals) && h.err == nil; id++ {
		g := &x.p.Globals[id]
		for _, c := range g.Init {
			s := slot{kind: globalSlot, id: uint32(id), off: int64(c.Off)}
			if g.Struct != 0 {
				s = x.fieldOf(g.Struct, int64(c.Off))
			}
			if s == h.slot && (c.Kind != ir.CellInt || c.Int != 0) {
				h.err = &Shared{At: source.Position{File: x.p.Files[g.File], Line: int(g.Line)}, Text: x.spellSlot(s) + " is not null from the start"}
			}
		}
	}
}
