// This file holds the state of one path: what holds the object, and what is known.

package leak

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
)

// A state is one path at one place. In it, everything that holds the object does
// so for certain.
type state struct {
	before     bool // the allocation is still to come: nothing holds anything
	block      ir.BlockID
	at         ir.ValueID   // next instruction
	vars       []ir.VarID   // source variables that hold it, sorted
	cells      []cell       // fields of local variables that hold it, sorted
	vals       []ir.ValueID // values that point to it, sorted
	links      []holding    // what holds the owners of those cells, sorted
	aliases    []alias      // values that point to owners, sorted
	env        env          // what is known of other values
	mem        []stored     // what was stored last, where a branch will depend on it; sorted
	trail      *trail       // how control came here
	end        effect       // what became of it, when it is followed no more
	via        handed       // and who decides that
	last       string       // the holder that went last
	how        string       // and how, when a call took it
	in         *where       // and where in the callee that was
	refs       int8         // references to it that were taken and not given up, but for the first
	counted    bool         // it was released as a reference was given up
	forgotAt   ir.ValueID   // the call of a callee that forgot a reference
	unlinked   *where       // where a callee took it out of the last place that it knew of
	unlinkedAt ir.ValueID
	forgot     *where     // where a callee forgot a reference
	asked      bool       // an element of an array that was asked for held it, and does no more
	static     bool       // and it was a global
	loss       *loss      // where it was lost, when it is
	where      *where     // where a given object was dropped or released
	by         releaser   // who released it
	sure       bool       // a given object that was released was so for certain, and not as one reference of several
	family     family     // and by a function that takes this
	origin     ir.ValueID // where a prey comes from
	freed      *freeing   // where it was released, when it was

	came arrival // how it got here, in a walk whose graph is wanted
	life lived   // where it is, in a walk whose object is followed to the end
}

// A loss is a finding in the making. It becomes one when the path is seen to go
// on: what is lost right before the process ends is no leak, as when a failed
// realloc has overwritten the pointer and the program gives up.
type loss struct {
	kind  report.Kind
	at    ir.ValueID
	text  string
	last  string
	in    *where // the place in a callee, when it is lost there
	trail *trail
}

// lose says that the object is lost.
func (s *state) lose(e event, at ir.ValueID, text string) {
	_, kind := live.next(e)
	s.loss = &loss{kind, at, text, s.last, s.in, s.trail}
	s.gone(drops)
}

// held notes who held the object until now.
func (s *state) held(last string) { s.last, s.how, s.in, s.static = last, "", nil, false }

// A cell is a place in memory that has one name only: in a local variable, in
// what a parameter points to, in another new object, in a global.
type cell struct {
	base ir.ValueID // alloca, parameter, call that makes the object, or see ofGlobal
	off  int64
}

// A stored is the value that was stored last in a place.
type stored struct {
	at  cell
	val ir.ValueID
}

// remember notes that val was stored; 0 that something unknown was.
func (s *state) remember(at cell, val ir.ValueID) {
	i, ok := slices.BinarySearchFunc(s.mem, at, func(m stored, c cell) int { return compareCells(m.at, c) })
	switch {
	case ok && val == 0:
		s.mem = slices.Delete(s.mem, i, i+1)
	case ok:
		s.mem[i].val = val
	case val != 0:
		s.mem = slices.Insert(s.mem, i, stored{at, val})
	}
}

// recall returns the value stored last, or 0.
func (s *state) recall(at cell) ir.ValueID {
	i, ok := slices.BinarySearchFunc(s.mem, at, func(m stored, c cell) int { return compareCells(m.at, c) })
	if !ok {
		return 0
	}
	return s.mem[i].val
}

// hasStored reports whether v is still in memory somewhere.
func (s *state) hasStored(v ir.ValueID) bool {
	return slices.ContainsFunc(s.mem, func(m stored) bool { return m.val == v })
}

func compareCells(a, b cell) int {
	return cmp.Or(cmp.Compare(a.base, b.base), cmp.Compare(a.off, b.off))
}

// gone says that the object is followed no more.
func (s *state) gone(how effect) {
	s.end, s.vars, s.cells, s.vals, s.links, s.aliases = how, nil, nil, nil, nil, nil
}

// A trail is a list of events, the last one first.
type trail struct {
	prev  *trail
	at    ir.ValueID
	text  string     // "" for a branch, which is put into words when it is shown
	cond  ir.ValueID // of a branch
	truth bool
	in    *where // where in a callee it happens, when that is not here
	more  *more  // of a join or a point, in a walk that is recorded; no part of the story
}

func (s *state) clone() *state {
	c := *s
	c.vars, c.cells, c.vals = slices.Clone(s.vars), slices.Clone(s.cells), slices.Clone(s.vals)
	c.links, c.aliases = slices.Clone(s.links), slices.Clone(s.aliases)
	c.env, c.mem = s.env.clone(), slices.Clone(s.mem)
	return &c
}

// note adds an event to the trail.
func (s *state) note(at ir.ValueID, text string) { s.trail = &trail{prev: s.trail, at: at, text: text} }

// branch adds a branch to the trail.
func (s *state) branch(at, cond ir.ValueID, truth bool) {
	s.trail = &trail{prev: s.trail, at: at, cond: cond, truth: truth}
}

func (s *state) holdsValue(v ir.ValueID) bool { return contains(s.vals, v) }

func contains(s []ir.ValueID, v ir.ValueID) bool {
	_, ok := slices.BinarySearch(s, v)
	return ok
}

// setValue says whether v points to the object.
func (s *state) setValue(v ir.ValueID, holds bool) {
	i, ok := slices.BinarySearch(s.vals, v)
	switch {
	case holds && !ok:
		s.vals = slices.Insert(s.vals, i, v)
	case !holds && ok:
		s.vals = slices.Delete(s.vals, i, i+1)
	}
}

// setVar says whether variable v holds the object; it reports whether it did and does not any more.
func (s *state) setVar(v ir.VarID, holds bool) (gone bool) {
	i, ok := slices.BinarySearch(s.vars, v)
	switch {
	case holds && !ok:
		s.vars = slices.Insert(s.vars, i, v)
	case !holds && ok:
		s.vars = slices.Delete(s.vars, i, i+1)
		return true
	}
	return false
}

// setCell is setVar for cells.
func (s *state) setCell(c cell, holds bool) (gone bool) {
	i := slices.Index(s.cells, c)
	switch {
	case holds && i < 0:
		s.cells = append(s.cells, c)
		slices.SortFunc(s.cells, compareCells)
	case !holds && i >= 0:
		s.cells = slices.Delete(s.cells, i, i+1)
		return true
	}
	return false
}

// key is equal for states with the same future.
func (s *state) key(buf []byte) []byte { return s.factKey(s.pairKey(buf)) }

// pairKey is equal for states in which the same has become of the object, and
// the same holds it.
func (s *state) pairKey(buf []byte) []byte {
	u := func(n uint32) { buf = binary.LittleEndian.AppendUint32(buf, n) }
	at := func(c cell) {
		u(uint32(c.base))
		buf = binary.LittleEndian.AppendUint64(buf, uint64(c.off))
	}
	u(uint32(s.block))
	u(uint32(s.at))
	buf = append(buf, byte(s.end), byte(s.via.param), byte(s.via.arg))
	if s.loss != nil {
		u(uint32(s.loss.at))
	}
	if s.before {
		buf = append(buf, 1)
	}
	if s.where != nil {
		u(uint32(s.where.pos.Line))
	}
	if s.sure {
		buf = append(buf, 2)
	}
	if s.life.status != Live {
		buf = append(buf, 6, byte(s.life.status))
		u(uint32(s.life.by))
	}
	if s.refs != 0 || s.forgot != nil {
		buf = append(buf, 5, byte(s.refs))
		if s.forgot != nil {
			u(uint32(s.forgot.pos.Line))
		}
	}
	buf = append(buf, s.family...)
	if s.freed != nil {
		buf = append(buf, 3)
		if s.freed.chance {
			buf = append(buf, 4)
		}
		u(uint32(s.freed.at))
	}
	u(uint32(len(s.vars)))
	for _, v := range s.vars {
		u(uint32(v))
	}
	u(uint32(len(s.cells)))
	for _, c := range s.cells {
		at(c)
	}
	u(uint32(len(s.links)))
	for _, l := range s.links {
		u(uint32(l.obj))
		at(l.at)
	}
	u(uint32(len(s.aliases)))
	for _, a := range s.aliases {
		u(uint32(a.v))
		u(uint32(a.obj))
	}
	u(uint32(len(s.vals)))
	for _, v := range s.vals {
		u(uint32(v))
	}
	return buf
}

// factKey is equal for states in which the same is known.
func (s *state) factKey(buf []byte) []byte {
	u := func(n uint32) { buf = binary.LittleEndian.AppendUint32(buf, n) }
	u(uint32(len(s.env.facts)))
	for _, f := range s.env.facts {
		gaps := f.r.gaps != small{}
		if gaps {
			u(0) // which is no value
		}
		u(uint32(f.v))
		for _, n := range [...]uint64{uint64(f.r.lo), uint64(f.r.hi), f.r.ulo, f.r.uhi} {
			buf = binary.LittleEndian.AppendUint64(buf, n)
		}
		if gaps {
			buf = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(buf, f.r.gaps[0]), f.r.gaps[1])
		}
	}
	u(uint32(len(s.env.rels)))
	for _, r := range s.env.rels {
		u(uint32(r.a))
		u(uint32(r.b))
		buf = append(buf, r.mask)
	}
	u(uint32(len(s.mem)))
	for _, m := range s.mem {
		u(uint32(m.at.base))
		buf = binary.LittleEndian.AppendUint64(buf, uint64(m.at.off))
		u(uint32(m.val))
	}
	for _, b := range s.env.bindings {
		u(uint32(b.phi))
		u(uint32(b.v))
	}
	return buf
}
