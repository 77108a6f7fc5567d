// This file finds the objects that something may still refer to after their
// release.

package leak

import (
	"maps"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
)

// A prey is an object that the function releases, whoever made it: what a value
// points to from its definition on, or what a cell holds when a call releases it.
type prey struct {
	root     ir.ValueID   // the value, or the call
	cell     cell         // the cell, when that is what tells the object
	releases []ir.ValueID // calls that may release it
	number   bool         // a number stands for it
}

// hunt returns what is wrong with objects after their release.
//
// Most of them are the last that is heard of an object, and have no prey. The
// others are first followed from where they are known, with what holds on all
// paths to there; only if that finds something the walk starts at the entry of the
// function, where a path is seen to be impossible.
func (fn *function) hunt() []report.Finding {
	var found []report.Finding
	for _, p := range fn.preys() {
		w := &walker{fn: fn, given: true, prey: p, number: p.number, site: p.root, limit: fn.states / 4}
		w.ready = make(bits, len(fn.f.Blocks)/64+1)
		for _, v := range p.releases {
			b := uint32(fn.f.BlockOf(v))
			w.ready.add(b)
			fn.back(w.ready, []uint32{b}, 0)
		}
		w.leads = make(bits, len(fn.f.Blocks)/64+1)
		w.fromRoot()
		if w.over || len(w.found) == 0 {
			continue
		}
		w.limit = fn.states
		w.fromEntry()
		for _, f := range w.found {
			same := func(g report.Finding) bool { return g.Kind == f.Kind && g.Loss == f.Loss }
			if !w.over && !slices.ContainsFunc(found, same) { // one object may be prey under several names
				found = append(found, f)
			}
		}
	}
	return found
}

// fromRoot follows the prey from its root.
func (w *walker) fromRoot() {
	f := w.fn.f
	b := f.BlockOf(w.prey.root)
	switch {
	case b == 0:
		w.fromEntry()
	case f.Values[w.prey.root].Op == ir.OpPhi:
		var starts []*state
		for k, p := range f.PredsOf(b) {
			s := &state{before: true, block: b, at: w.firstAfterPhis(b)}
			if w.assumeDominators(s) && w.assumeEdge(s, p, b, 0) && w.sight(s, f.ArgsOf(w.prey.root)[k]) {
				starts = append(starts, s)
			}
		}
		w.from(starts...)
	default:
		s := &state{before: true, block: b, at: w.prey.root}
		if w.assumeDominators(s) {
			w.from(s)
		}
	}
}

// fromEntry follows it from the entry of the function.
func (w *walker) fromEntry() {
	f := w.fn.f
	s := &state{before: true, block: 1, at: f.Blocks[1].First}
	if b := uint32(f.BlockOf(w.prey.root)); b == 0 {
		s.before, s.vals, s.origin = false, []ir.ValueID{w.prey.root}, w.prey.root
	} else {
		w.leads.add(b)
		w.fn.back(w.leads, []uint32{b}, 0)
	}
	w.from(s)
}

// sight gives s the prey, where its root, a phi, takes the value a. It reports
// whether there is an object.
func (w *walker) sight(s *state, a ir.ValueID) bool {
	if w.rangeOf(s, a, 0).meet(w.exists()).empty() {
		return false
	}
	s.before, s.trail, s.origin, s.vals = false, nil, w.fn.cameFrom(a), nil
	s.setValue(w.prey.root, true)
	if !w.fn.f.Values[a].Op.IsConst() {
		s.setValue(a, true)
	}
	return true
}

// sightAt begins where control comes to the phi that is the root by the i-th edge
// out of the block of s.
func (w *walker) sightAt(s *state, i int, to ir.BlockID) {
	f := w.fn.f
	root := w.prey.root
	for v := f.Blocks[to].First; f.Values[v].Op == ir.OpPhi; v++ {
		s.dropCellsOf(v)
	}
	if !s.before || f.BlockOf(root) != to || f.Values[root].Op != ir.OpPhi {
		return
	}
	n := s.clone()
	if w.sight(n, f.ArgsOf(root)[w.predIndex(s.block, i, to)]) {
		n.block, n.at = to, w.firstAfterPhis(to)
		w.push(n)
	}
}

// settled reports whether nothing more can happen to the prey from the start of
// block to on.
func (w *walker) settled(s *state, to ir.BlockID) bool {
	if s.freed == nil {
		return !w.ready.has(uint32(to))
	}
	return len(s.vals) == 0 && len(s.cells) == 0
}

// begin gives s the prey at the instruction that is its root.
func (w *walker) begin(s *state) {
	f := w.fn.f
	root := w.prey.root
	args := f.ArgsOf(root)
	s.before, s.trail, s.at, s.origin = false, nil, root+1, w.fn.cameFrom(root)
	switch op := f.Values[root].Op; {
	case w.prey.cell != cell{}:
		sum, _ := w.fn.callee(root)
		s.freed = &freeing{at: root, by: sum.name}
		s.note(root, "released by "+sum.name)
		s.cells = []cell{w.prey.cell}
	case op == ir.OpLoad:
		if c, ok := w.fn.spot(args[0]); ok && f.Values[root].Sub&ir.MemVolatile == 0 {
			s.cells = []cell{c}
		}
		fallthrough
	default:
		if w.rangeOf(s, root, 0).meet(w.exists()).empty() {
			return
		}
		s.vals = []ir.ValueID{root}
	}
	if f.Values[root].Op.IsCall() {
		w.forgetMemory(s, root)
		s.env.keep(func(v ir.ValueID) bool { return v != w.fn.rep[root] })
	}
	if f.Values[root].Op.IsTerminator() {
		w.edge(s, 0)
	} else {
		w.push(s)
	}
}

// preys lists the objects that something may refer to after their release.
func (fn *function) preys() []*prey {
	f := fn.f
	byRoot := map[ir.ValueID][]ir.ValueID{} // releases of what a value points to
	var inCells []*prey
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		if !f.Values[v].Op.IsCall() {
			continue
		}
		sum, _ := fn.callee(v)
		if sum == nil || sum.noReturn {
			continue
		}
		for i, a := range f.ArgsOf(v)[1:] {
			if f.Values[a].Type.Kind() != ir.Ptr && (!fn.numbers || !isHandle(f.Values[a].Type, true)) {
				continue
			}
			if root := fn.baseOf(a); releasesSurely(sum.param(i)) && fn.isWhole(a) && !f.Values[root].Op.IsConst() && f.Values[root].Op != ir.OpAlloca {
				byRoot[root] = append(byRoot[root], v)
			}
		}
		inCells = append(inCells, fn.heldPreys(v, sum)...)
	}
	if len(byRoot) == 0 && len(inCells) == 0 {
		return nil
	}
	after := fn.aftermath()
	for _, p := range inCells { // what a cell holds is also what was loaded from it
		for _, l := range after.loads[p.cell] {
			byRoot[l] = append(byRoot[l], p.root)
		}
	}
	var out []*prey
	for _, root := range slices.Sorted(maps.Keys(byRoot)) {
		p := &prey{root: root, number: f.Values[root].Type.Kind() == ir.Int}
		for _, v := range byRoot[root] {
			if after.linger(p, v) {
				p.releases = append(p.releases, v)
			}
		}
		if len(p.releases) > 0 {
			out = append(out, p)
		}
	}
	for _, p := range inCells {
		if after.linger(p, p.root) {
			out = append(out, p)
		}
	}
	return out
}

// heldPreys lists what call v releases of what is held behind its arguments and in
// globals, and leaves there.
func (fn *function) heldPreys(v ir.ValueID, sum *summary) []*prey {
	var out []*prey
	for _, p := range slices.SortedFunc(maps.Keys(sum.places), comparePlaces) {
		stay := func(o outcome) bool { return o.effect == consumes && o.sure && o.stays }
		if c, ok := fn.placeOf(v, p); ok && !slices.ContainsFunc(sum.places[p], func(o outcome) bool { return !stay(o) }) {
			out = append(out, &prey{root: v, cell: c, releases: []ir.ValueID{v}})
		}
	}
	return out
}

// placeOf returns the cell that a place of the callee is for the caller.
func (fn *function) placeOf(v ir.ValueID, p place) (cell, bool) {
	if p.deep != 0 {
		return cell{}, false
	}
	if g, ok := p.global(); ok {
		return cell{ofGlobal(g), p.off}, true
	}
	args := fn.f.ArgsOf(v)[1:]
	if p.param < 0 || p.param >= len(args) {
		return cell{}, false
	}
	c, ok := fn.spot(args[p.param])
	c.off += p.off
	return c, ok
}

func releasesSurely(list []outcome) bool {
	return slices.ContainsFunc(list, func(o outcome) bool { return o.effect == consumes && o.sure })
}

// isWhole reports whether a release of what v points to may be one of the whole
// object, and not of its end: "munmap(p + n, rest)". What comes before the address
// that is known, as a header, is part of the object.
func (fn *function) isWhole(v ir.ValueID) bool {
	if fn.f.Values[v].Type.Kind() != ir.Ptr {
		return true
	}
	_, off, ok := fn.address(v)
	return ok && off <= 0
}
