// This file follows what is held by what: the object is in a cell of its owner,
// and the owner in a cell of its own.

package leak

import (
	"cmp"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// A holding says that a cell holds the owner of a cell: only owners of the object
// that is followed are noted, and owners of owners.
type holding struct {
	obj ir.ValueID
	at  cell
}

// An alias is a value that points to an owner.
type alias struct{ v, obj ir.ValueID }

// contentBit marks the base of cells as an object that no value stands for: what
// a place held when it was met, or what an allocation in a loop made before.
const contentBit ir.ValueID = 1 << 30

// older is the offset that stands for what an allocation made in earlier rounds.
const older = anywhere + 1

// contentOf returns a name for what a cell holds.
func (w *walker) contentOf(c cell) ir.ValueID {
	i := slices.Index(w.contents, c)
	if i < 0 {
		i = len(w.contents)
		w.contents = append(w.contents, c)
	}
	return contentBit | ir.ValueID(i)
}

// isContent reports whether an object is named by what held it.
func isContent(obj ir.ValueID) bool { return obj&contentBit != 0 && obj&globalBit == 0 }

// linkOf returns the cell that holds an owner.
func (s *state) linkOf(obj ir.ValueID) (cell, bool) {
	for _, l := range s.links {
		if l.obj == obj {
			return l.at, true
		}
	}
	return cell{}, false
}

// linkAt returns the owner that a cell holds.
func (s *state) linkAt(c cell) (ir.ValueID, bool) {
	for _, l := range s.links {
		if l.at == c {
			return l.obj, true
		}
	}
	return 0, false
}

// setLink says that a cell holds an owner. It reports false if that makes a
// circle, or a chain that is too long to follow.
func (s *state) setLink(obj ir.ValueID, at cell) bool {
	if !at.isElement() {
		s.unlink(func(l holding) bool { return l.at == at })
	}
	up := at.base
	for range 3 {
		if up == obj {
			return false
		}
		c, ok := s.linkOf(up)
		if !ok {
			s.links = append(s.links, holding{obj, at})
			slices.SortFunc(s.links, func(a, b holding) int {
				return cmp.Or(cmp.Compare(a.obj, b.obj), compareCells(a.at, b.at))
			})
			return true
		}
		up = c.base
	}
	return false
}

func (s *state) unlink(which func(holding) bool) { s.links = slices.DeleteFunc(s.links, which) }

// owns reports whether obj is an owner of the object, or holds one.
func (s *state) owns(obj ir.ValueID) bool {
	return slices.ContainsFunc(s.cells, func(c cell) bool { return c.base == obj }) ||
		slices.ContainsFunc(s.links, func(l holding) bool { return l.obj == obj || l.at.base == obj })
}

// setAlias says which owner v points to; 0 for none.
func (s *state) setAlias(v, obj ir.ValueID) {
	s.aliases = slices.DeleteFunc(s.aliases, func(a alias) bool { return a.v == v })
	if obj != 0 && obj != v {
		s.aliases = append(s.aliases, alias{v, obj})
		slices.SortFunc(s.aliases, func(a, b alias) int { return cmp.Compare(a.v, b.v) })
	}
}

func (s *state) aliasOf(v ir.ValueID) ir.ValueID {
	for _, a := range s.aliases {
		if a.v == v {
			return a.obj
		}
	}
	return v
}

// rename lets an owner go by another name.
func (s *state) rename(from, to ir.ValueID) {
	for i := range s.cells {
		if s.cells[i].base == from {
			s.cells[i].base = to
		}
	}
	slices.SortFunc(s.cells, compareCells)
	for i := range s.links {
		l := &s.links[i]
		if l.obj == from {
			l.obj = to
		}
		if l.at.base == from {
			l.at.base = to
		}
	}
	for i := range s.aliases {
		if s.aliases[i].obj == from {
			s.aliases[i].obj = to
		}
	}
}

// pointee returns the object that v points into, and where.
func (w *walker) pointee(s *state, v ir.ValueID) (obj ir.ValueID, off int64, ok bool) {
	base, off, ok := w.fn.address(v)
	if !ok {
		base, off, ok = w.fn.elementOf(v)
	}
	if !ok {
		return 0, 0, false
	}
	if base = w.fn.root(base); base&globalBit != 0 {
		return base, off, true
	}
	if obj := s.aliasOf(w.fn.rep[base]); obj != w.fn.rep[base] {
		return obj, off, true
	}
	return base, off, true
}

// pointsTo notes what a pointer that is loaded from a cell points to.
func (w *walker) pointsTo(s *state, load ir.ValueID, c cell, ok bool) {
	load = w.fn.rep[load]
	obj, held := s.linkAt(c)
	if !ok || !held {
		s.setAlias(load, 0)
		return
	}
	s.setAlias(load, obj)
	if w.fn.tested[load] {
		s.env.setFact(load, nonzero)
	}
}

// again is called when an allocation runs again: what it made before goes by
// another name now. It reports false if that one is taken.
func (w *walker) again(s *state, v ir.ValueID) bool {
	if !s.owns(v) {
		return true
	}
	old := w.contentOf(cell{v, older})
	if s.owns(old) {
		return false
	}
	s.aliases = slices.DeleteFunc(s.aliases, func(a alias) bool { return a.v == v })
	s.rename(v, old)
	return true
}

// A path is how an object is reached from an argument of a call: off bytes into
// it, or deep bytes into what is held there.
type path struct {
	cell  cell // the one that holds the object
	owner ir.ValueID
	off   int64
	deep  int64
	depth int
}

// pathFrom returns how a cell is reached from off bytes into obj.
func (s *state) pathFrom(c cell, obj ir.ValueID, off int64) (path, bool) {
	if c.base == obj {
		return path{cell: c, owner: c.base, off: c.off - off, depth: 1}, true
	}
	for _, l := range s.links {
		if l.obj == c.base && l.at.base == obj {
			return path{cell: c, owner: c.base, off: l.at.off - off, deep: c.off, depth: 2}, true
		}
	}
	for _, l := range s.links {
		if up, ok := s.linkOf(l.at.base); ok && l.obj == c.base && up.base == obj {
			return path{cell: c, owner: l.at.base, off: up.off - off, depth: 3}, true
		}
	}
	return path{}, false
}
