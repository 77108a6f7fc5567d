// This file works out what a call can do to the object, for each way it is given it.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// roles returns, for each role the object has in a call, what can happen to it.
func (w *walker) roles(s *state, v ir.ValueID, sum *summary) [][]act {
	var roles [][]act
	for i, a := range w.fn.f.ArgsOf(v)[1:] {
		if s.holdsValue(a) {
			list, ok := w.handsOn(v, sum, i)
			if !ok {
				list = w.fn.argument(v, sum, i)
			}
			acts := asActs(list)
			for k := range acts {
				acts[k].param = i
			}
			roles = append(roles, acts)
		}
		obj, off, ok := w.pointee(s, a)
		if !ok {
			continue
		}
		for _, c := range s.cells {
			if p, ok := s.pathFrom(c, obj, off); ok {
				roles = append(roles, w.content(v, sum, i, p))
			}
		}
	}
	for _, c := range s.cells {
		if p, g, ok := s.pathFromGlobal(c); ok {
			roles = append(roles, w.static(v, sum, g, p))
		}
	}
	return roles
}

// pathFromGlobal returns how a cell is reached from a global.
func (s *state) pathFromGlobal(c cell) (path, ir.GlobalID, bool) {
	for base := c.base; ; {
		if g, ok := globalOf(base); ok {
			p, ok := s.pathFrom(c, base, 0)
			return p, g, ok
		}
		up, ok := s.linkOf(base)
		if !ok {
			return path{}, 0, false
		}
		base = up.base
	}
}

// static returns what can happen to the object that is reached from a global,
// which the callee may know by itself.
func (w *walker) static(v ir.ValueID, sum *summary, g ir.GlobalID, p path) []act {
	if sum == nil {
		return []act{{outcome: w.fn.unknownContent(v), cell: p.cell}}
	}
	at := globalPlace(g, p.off)
	switch {
	case p.depth == 1:
		return inCell(sum.global(at), p.cell)
	case p.depth == 2 && sum.places[at.inner(p.deep)] != nil:
		return inCell(sum.places[at.inner(p.deep)], p.cell)
	}
	return w.withOwner(sum.global(at), func(b outcome) []outcome {
		if b.effect == consumes && p.depth == 2 {
			return w.fn.nested(sum, at.param, p.off, p.deep)
		}
		return unknown
	}, p)
}

// withOwner returns what becomes of an object when these are the outcomes for its
// owner: it goes where that goes, and if more happens to it, other says what.
func (w *walker) withOwner(list []outcome, other func(outcome) []outcome, p path) []act {
	var acts []act
	for _, b := range list {
		switch b.effect {
		case borrows:
			acts = append(acts, act{outcome: b, cell: p.cell})
		case stores, returns:
			b.moves = false
			acts = append(acts, act{outcome: b, cell: p.cell, owner: p.owner})
		default:
			for _, o := range other(b) {
				if o.ret = o.ret.meet(b.ret); !o.ret.empty() {
					acts = append(acts, act{outcome: o, cell: p.cell})
				}
			}
		}
	}
	return acts
}

// argument returns what can happen to what argument i of call v points to.
func (fn *function) argument(v ir.ValueID, sum *summary, i int) []outcome {
	if fn.strict && fn.isStranger(v, sum, i) {
		return unknown
	}
	if sum == nil {
		return fn.unknownArgument(v, i)
	}
	return fn.handOver(v, sum.param(i))
}

func asActs(list []outcome) []act {
	acts := make([]act, len(list))
	for k, o := range list {
		acts[k] = act{outcome: o}
	}
	return acts
}

func inCell(list []outcome, c cell) []act {
	acts := asActs(list)
	for i := range acts {
		acts[i].cell = c
	}
	return acts
}

// content returns what can happen to the object that is reached from argument i.
func (w *walker) content(v ir.ValueID, sum *summary, i int, p path) []act {
	switch {
	case sum == nil:
		return []act{{outcome: w.fn.unknownContent(v), cell: p.cell}}
	case p.depth == 1:
		var acts []act
		for _, o := range contentOutcomes(sum, i, p.off) {
			x := act{outcome: o, cell: p.cell}
			if o.owner {
				x.owner = p.owner
			}
			acts = append(acts, x)
		}
		return acts
	case !sum.inferred && len(sum.param(i)) == 1 && sum.param(i)[0].effect == consumes:
		// The owner's owner goes: nothing happens to the owner, but nothing holds it.
		return []act{{outcome: harmless[0], cell: p.cell, orphan: p.owner}}
	case p.depth == 2:
		if slices.ContainsFunc(sum.param(i), func(b outcome) bool { return b.effect == keeps || b.effect == stores }) {
			return []act{{outcome: unknown[0], cell: p.cell}}
		}
		if list := sum.places[place{param: i, off: p.off}.inner(p.deep)]; list != nil {
			return inCell(list, p.cell)
		}
		return w.withOwner(sum.place(i, p.off), func(outcome) []outcome {
			return w.fn.nested(sum, i, p.off, p.deep)
		}, p)
	}
	return w.withOwner(sum.param(i), func(outcome) []outcome { return unknown }, path{cell: p.cell})
}

// contentOutcomes returns what can happen to an object that is held off bytes
// into what argument i points to.
func contentOutcomes(sum *summary, i int, off int64) []outcome {
	var list []outcome
	for _, b := range sum.param(i) {
		if b.effect == consumes && sum.fresh { // realloc: what it held is in the result now
			list = append(list, outcome{ret: b.ret, effect: keeps, guards: b.guards})
			continue
		}
		if b.effect == consumes && !sum.inferred { // free: the memory goes, and the cell with it
			list = append(list, outcome{ret: b.ret, effect: drops, dies: true})
			continue
		}
		for _, x := range sum.place(i, off) {
			if x.excludes(&b) {
				continue
			}
			x.ret = x.ret.meet(b.ret)
			switch {
			case x.effect == consumes || x.effect == keeps || x.effect == stores || x.effect == returns:
			case b.effect == consumes:
				x.effect, x.dies, x.where = drops, true, b.where
			case b.effect == returns && x.effect == drops:
			case b.effect == stores || b.effect == returns:
				x = b
				x.moves, x.owner = false, true
			case b.effect != borrows:
				x.effect = keeps // the memory itself is now known elsewhere
			}
			list = append(list, x)
		}
	}
	return list
}
