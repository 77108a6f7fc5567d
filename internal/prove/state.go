// This file holds the state of one path: values, frames, and what is assumed.

package prove

import (
	"slices"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
)

// A state is one path at one place.
type state struct {
	top     *frame
	mem     []cell      // what memory is known to hold, sorted by base and offset
	zeros   []span      // memory that is 0 where no cell says more
	epoch   int         // changes when memory that is not known may have been written
	shown   []cond.Term // objects of the path that others may know by now
	made    []cond.Term // objects that calls on the path have made
	freed   []cond.Term // addresses that were released
	facts   *cond.Facts // what the branches say
	path    *assumption // the same, one by one, the last one first
	forks   int         // branches at which both sides were possible
	outside bool        // the call that makes it was not gone into
	begun   int         // which of the ways to the allocation the path begins with, when it begins there
	hops    *hop        // the steps taken in the graph
	weak    bool        // any number of rounds of a loop went by after the object was made
	target  cond.Term   // what it is to be left in, when it is not the result
	making  bool        // the call that makes the object is being executed
	object  cond.Term   // the object, once it is made; 0 before
	ret     cond.Term   // what the function returns that has just ended
}

// A frame is one function that is being executed.
type frame struct {
	owner  *state // who may write it
	id     ir.FuncID
	f      *ir.Func
	env    []cond.Term // by ValueID; 0 when it was not computed
	loops  []round     // loops that control is in
	site   ir.ValueID  // the call in the frame above
	up     *frame
	depth  int
	serial int // of the call
	asides int // calls that lead here and have nothing to do with the object
}

// A round is how often a loop was gone through.
type round struct {
	head    ir.BlockID
	n       int
	forks   int         // of the state, when the round began
	entry   []cond.Term // its phis, when control came to the loop
	widened bool        // any number of rounds may have gone by
}

// An assumption is what one branch, or one call, says.
type assumption struct {
	prev  *assumption
	term  cond.Term
	frame *frame       // where the branch is
	at    ir.ValueID   // the branch, or the call
	truth int          // of a branch: the successor taken
	seen  bool         // the object was made before
	free  bool         // both sides were possible
	facts *cond.Facts  // what is known with it
	note  *report.Step // or what happens to the object, and no condition
}

// clone returns a copy that goes its own way.
func (s *state) clone() *state {
	c := *s
	c.mem, c.zeros = slices.Clone(s.mem), slices.Clone(s.zeros)
	c.shown, c.made, c.freed = slices.Clip(s.shown), slices.Clip(s.made), slices.Clip(s.freed)
	c.facts = s.facts.Clone()
	return &c
}

// frame returns the top frame to write to.
func (s *state) frame() *frame {
	if s.top.owner != s {
		c := *s.top
		c.owner, c.env, c.loops = s, slices.Clone(s.top.env), slices.Clone(s.top.loops)
		s.top = &c
	}
	return s.top
}

// set gives v its value.
func (s *state) set(v ir.ValueID, t cond.Term) { s.frame().env[v] = t }

// enter makes a frame for a call of function id.
func (s *state) enter(id ir.FuncID, f *ir.Func, site ir.ValueID, args []cond.Term, serial int) {
	fr := &frame{owner: s, id: id, f: f, env: make([]cond.Term, len(f.Values)), site: site, up: s.top, serial: serial}
	if s.top != nil {
		fr.depth, fr.asides = s.top.depth+1, s.top.asides
	}
	for i := range min(int(f.NParams), len(args)) {
		fr.env[i+1] = args[i]
	}
	s.top = fr
}

// leave ends the top frame.
func (s *state) leave() { s.top = s.top.up }

// calls reports whether function id is being executed.
func (s *state) calls(id ir.FuncID) bool {
	for fr := s.top; fr != nil; fr = fr.up {
		if fr.id == id {
			return true
		}
	}
	return false
}

// assume adds a condition. It reports whether that is possible, as far as the
// quick checks tell.
func (m *machine) assume(s *state, t cond.Term, at ir.ValueID, truth int, free bool) bool {
	if n, ok := m.pool.ConstValue(t); ok {
		if n == 0 {
			m.refuted(cond.Linear)
		}
		return n != 0
	}
	if stage := s.facts.Assume(m.pool, t); stage != 0 {
		m.refuted(stage)
		return false
	}
	s.path = &assumption{prev: s.path, term: t, frame: s.top, at: at, truth: truth, seen: s.object != 0, free: free, facts: s.facts.Clone()}
	return true
}

// conditions returns all that is assumed, in order.
func (s *state) conditions() []cond.Term {
	var out []cond.Term
	for a := s.path; a != nil; a = a.prev {
		if a.term != 0 {
			out = append(out, a.term)
		}
	}
	slices.Reverse(out)
	return out
}
