// This file follows an object through its whole life: past its release, and past
// the place where the check would stop because someone else has it. It is for those
// who want to change the program.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// A Status is what has become of an object on a path.
type Status uint8

// Several make a set: 1<<Live | 1<<Kept.
const (
	Live     Status = iota // the function has it
	Released               // a call released it
	Kept                   // it is where it cannot be followed: someone else may have it
	Lost                   // nothing holds it
	NotMade                // it is not made yet
)

var statusNames = [...]string{"live", "released", "kept", "lost", "not made"}

func (s Status) String() string { return statusNames[s] }

// A Life is all paths of one object through the function that makes it. Points are
// between instructions, and paths that are alike there share them: the same became
// of the object, the same holds it, and the same is known of what branches ask.
type Life struct {
	Func   ir.FuncID
	Site   ir.ValueID // the call that makes the object
	Place  *Place     // where the call leaves it, when it is not the result
	Number bool       // a number stands for it
	Points []Point    // Points[0] is the entry of the function
	GaveUp string     // why not all paths are there; "" when they are
}

// A Point is one place on paths that are alike.
type Point struct {
	Block   ir.BlockID
	At      ir.ValueID // the next instruction
	Status  Status
	By      ir.ValueID // the instruction that released it, or gave it to others
	Arg     int        // and as which argument of the call, or -1
	Holders []Holder   // what holds it, or still points to it
	Out     []Move
	End     *LifeEnd // the path ends here
}

// A Move leads from a point to the next: through one instruction, At of the point, or
// if Succ is not 0 along that edge out of its block, counted from 1.
type Move struct {
	To   int
	Succ int
	Use  Use // what the instruction does with the object
}

// A Use is what an instruction does with an object; they make a set.
type Use uint8

// Uses.
const (
	Reads    Use = 1 << iota // what is in it
	Writes                   // what is in it
	Passes                   // it, or what holds it, to a function
	Compares                 // its address
	Copies                   // its address, into a variable or a place in memory
)

// Needs reports whether the object has to be there for this.
func (u Use) Needs() bool { return u&(Reads|Writes|Passes) != 0 }

// A Holder is something that points to the object.
type Holder struct {
	Name   string      // as the source would write it here; "" when it cannot
	Var    ir.VarID    // the variable, when it is one that is not in memory
	Global ir.GlobalID // the global that it is, or is part of
	Param  int         // 1 + the parameter that it is reached from; 0 for none
	Base   ir.ValueID  // of a place in memory: the variable, or the call that makes what it is in
	Off    int64       // and how far into that
	Many   bool        // it stands for all elements of an array
	Inside bool        // it may point behind the start of the object
	Value  ir.ValueID  // a value without a variable
}

// An EndKind says how a path ends.
type EndKind uint8

// Kinds of ends.
const (
	EndLost     EndKind = iota + 1 // it is lost, and the function goes on or ends
	EndReturned                    // the caller gets it
	EndLeft                        // it is in memory that the caller sees, or in a global
	EndOwned                       // an object holds it that has a life of its own
	EndGone                        // the function ends; it was released, or someone else has it
	EndExit                        // the process ends
)

var endNames = [...]string{"", "lost", "returned", "left", "owned", "gone", "exit"}

func (k EndKind) String() string { return endNames[k] }

// A LifeEnd is the end of a path.
type LifeEnd struct {
	Kind  EndKind
	At    ir.ValueID      // the instruction that loses it, or that stands for the return statement
	Loss  source.Position // of a loss: where the finding says it is
	What  report.Kind     // and what kind that is
	Text  string          // and what it says
	Place *Place          // where it is left
	Still bool            // of one that is gone: the caller gets a pointer to it all the same
}

// Is reports whether the path ends in finding f.
func (e *LifeEnd) Is(f report.Finding) bool {
	return e != nil && e.Kind == EndLost && e.What == f.Kind && e.Loss == f.Loss
}

// Life returns the life of the object that the call at site makes in function f;
// place says where the call leaves it when it is not the result. It returns nil if
// nothing is made there.
func (r *Result) Life(f ir.FuncID, site ir.ValueID, place *Place) *Life {
	fn, done := r.borrow(f)
	defer done()
	life := &Life{Func: f, Site: site, Place: place}
	if fn.jumps() != 0 {
		life.GaveUp = "the function is a target of long jumps"
		return life
	}
	o, ok := fn.outFor(site, place)
	if !ok {
		return nil
	}
	w := fn.newWalker(site, o)
	life.Number = w.number
	w.life = &lifer{w: w, life: life}
	if w.explore(); w.over {
		life.GaveUp = "there are too many paths"
	}
	fn.gaveUp = nil
	return life
}

// outFor returns the out of the call at site that leaves a new object in place; nil
// for the result. It reports whether there is such an object.
func (fn *function) outFor(site ir.ValueID, place *Place) (*out, bool) {
	sum, _ := fn.callee(site)
	switch {
	case sum == nil:
		return nil, false
	case place == nil:
		return nil, (sum.fresh || sum.partly) && fn.makesNew(site, sum)
	}
	for i := range sum.outs {
		if *placeFor(sum.outs[i].to) == *place {
			return &sum.outs[i], true
		}
	}
	return nil, false
}

// Made lists where calls of function f leave new objects: nil is the result of the call.
func (r *Result) Made(f ir.FuncID, site ir.ValueID) []*Place {
	fn, done := r.borrow(f)
	defer done()
	sum, _ := fn.callee(site)
	if sum == nil {
		return nil
	}
	var out []*Place
	if (sum.fresh || sum.partly) && fn.makesNew(site, sum) {
		out = append(out, nil)
	}
	for i := range sum.outs {
		out = append(out, placeFor(sum.outs[i].to))
	}
	return out
}

// Position returns where an instruction is in the source, or the nearest place
// before it.
func (r *Result) Position(f ir.FuncID, v ir.ValueID) source.Position {
	return (&function{p: r.e.p, f: &r.e.p.Funcs[f]}).position(v)
}

// lived is where a state is in a Life that is being written.
type lived struct {
	status Status
	by     ir.ValueID
	arg    int16
	point  int32
	use    Use
	succ   int16
}

// A lifer writes down a Life.
type lifer struct {
	w      *walker
	life   *Life
	check  *checker         // looks for what stands against a release, instead
	origin origin           // and this is what is followed
	tell   *teller          // or collects what is known at one place
	points map[string]int32 // by key
	last   []Holder         // the list that was made last, which the next point most often has too
}

// reset forgets what was walked before.
func (l *lifer) reset() {
	if l.life != nil {
		l.life.Points, l.points, l.last = nil, map[string]int32{}, nil
	}
}

// arrive notes that s has come to the point with this key.
func (l *lifer) arrive(s *state, key []byte) {
	if l.life == nil {
		return
	}
	n, ok := l.points[string(key)]
	if !ok {
		n = l.add(s)
		l.points[string(key)] = n
	}
	if n > 0 || ok {
		l.move(s, n)
	}
	s.life.point, s.life.use, s.life.succ = n, 0, 0
}

// pass notes that s is before instruction v, in the middle of its block.
func (l *lifer) pass(s *state, v ir.ValueID) {
	switch {
	case l.tell != nil && v == l.tell.at:
		l.tell.hear(l.w, s)
	case l.check != nil:
		l.watch(s, v)
	}
	if l.life == nil {
		return
	}
	if p := &l.life.Points[s.life.point]; p.At != v || p.Block != s.block {
		s.at = v
		n := l.add(s)
		l.move(s, n)
		s.life.point = n
	}
	s.life.use, s.life.succ = l.useOf(s, v), 0
}

// end notes that the path of s ends.
func (l *lifer) end(s *state, e LifeEnd) {
	if l.life == nil {
		return
	}
	n := l.add(s)
	l.move(s, n)
	l.life.Points[n].End = &e
}

// lost notes that the path of s ends because the object is lost.
func (l *lifer) lost(s *state, x *loss) {
	if l.life == nil {
		return
	}
	f, _, _ := l.w.story(x)
	l.end(s, LifeEnd{Kind: EndLost, At: x.at, Loss: f.Loss, What: f.Kind, Text: f.Steps[len(f.Steps)-1].Text})
}

// leave notes that the function ends at the return statement that instruction at
// stands for; holds says that the object is returned, places where it is left. It
// reports whether that is all there is to say.
func (l *lifer) leave(s *state, at ir.ValueID, holds bool, places []place) bool {
	e := LifeEnd{At: at}
	switch {
	case l.tell != nil:
		if at == l.tell.at && l.w.fn.f.Values[at].Op == ir.OpRet {
			l.tell.hear(l.w, s)
		}
	case l.life == nil:
		l.ends(s, holds, places)
	case s.end != 0 || s.life.status != Live:
		e.Kind, e.Still = EndGone, holds || len(places) > 0
	case len(places) > 0:
		e.Kind, e.Place = EndLeft, placeFor(places[0])
	case holds:
		e.Kind = EndReturned
	case l.w.isHeldElsewhere(s):
		e.Kind = EndOwned
	default:
		return false
	}
	l.end(s, e)
	return true
}

func (l *lifer) move(s *state, to int32) {
	p := &l.life.Points[s.life.point]
	m := Move{To: int(to), Succ: int(s.life.succ), Use: s.life.use}
	if !slices.Contains(p.Out, m) {
		p.Out = append(p.Out, m)
	}
}

func (l *lifer) add(s *state) int32 {
	p := Point{Block: s.block, At: s.at, Status: s.lifeStatus(), By: s.life.by, Arg: int(s.life.arg) - 1}
	if p.Status != NotMade && p.Status != Lost {
		p.Holders = l.w.holdersOf(s)
		if slices.Equal(p.Holders, l.last) {
			p.Holders = l.last
		}
		l.last = p.Holders
	}
	l.life.Points = append(l.life.Points, p)
	return int32(len(l.life.Points) - 1)
}

// lifeStatus returns what has become of the object.
func (s *state) lifeStatus() Status {
	switch {
	case s.before:
		return NotMade
	case s.loss != nil:
		return Lost
	case s.end != 0:
		return Kept
	}
	return s.life.status
}

// setStatus notes what instruction v makes of the object, if that is news. What was
// released stays so.
func (s *state) setStatus(to Status, v ir.ValueID) {
	if s.life.status == Live || s.life.status == Kept && to == Released {
		s.life.status, s.life.by, s.life.arg = to, v, 0
	}
}

// useOf says what instruction v does with the object.
func (l *lifer) useOf(s *state, v ir.ValueID) Use {
	if s.before || s.loss != nil {
		return 0
	}
	f := l.w.fn.f
	args := f.ArgsOf(v)
	has := func(i int) bool { return i < len(args) && s.holdsValue(args[i]) }
	var u Use
	switch op := f.Values[v].Op; {
	case op == ir.OpLoad && has(0):
		u |= Reads
	case op == ir.OpStore:
		if has(1) {
			u |= Writes
		}
		if has(0) {
			u |= Copies
		}
	case op == ir.OpSet && has(0):
		u |= Copies
	case op == ir.OpMemcpy:
		if has(0) {
			u |= Writes
		}
		if has(1) {
			u |= Reads
		}
	case op == ir.OpMemset && has(0), op == ir.OpCmpXchg && has(0), op == ir.OpAtomicRMW && has(0):
		u |= Writes
	case op == ir.OpICmp:
		if slices.ContainsFunc(args, s.holdsValue) {
			u |= Compares
		}
	case op.IsCall():
		reached := func(a ir.ValueID) bool {
			if s.holdsValue(a) {
				return true
			}
			obj, _, ok := l.w.pointee(s, a)
			return ok && s.owns(obj)
		}
		if slices.ContainsFunc(args[1:], reached) {
			u |= Passes
		}
	case op == ir.OpRet && has(0):
		u |= Copies
	}
	return u
}
