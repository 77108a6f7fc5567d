// This file follows the object through calls.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// A way is one way in which a call ends for the object, its roles put together.
type way struct {
	ret   interval
	acts  []act
	doubt bool // the caller cannot tell it from ways on which something else happens
}

// An act is what a call does to the object in one role: as an argument, or as
// what a cell of an argument holds.
type act struct {
	outcome
	cell   cell       // the cell, when that is the role
	param  int        // the argument, when that is
	owner  ir.ValueID // for stores and returns: it is the owner of the cell that goes there
	orphan ir.ValueID // an owner that is held no more
}

// maxWays bounds how many ways a call is followed.
const maxWays = 12

// call follows the object through call v. It reports whether the path goes on
// on the way that s becomes; other ways go to the queue.
func (w *walker) call(s *state, v ir.ValueID) bool {
	f := w.fn.f
	args := f.ArgsOf(v)
	s.setValue(v, false) // a new round: the value is another object now
	sum, flags := w.fn.callee(v)
	if w.fn.noReturn(v, sum, flags) {
		if sum == nil && slices.ContainsFunc(args, s.holdsValue) {
			return w.escape(s)
		}
		if sum != nil && sum.throws {
			return w.unwinds(s, v, sum)
		}
		w.atExit(s, v, sum)
		return false
	}
	if sum != nil && !w.comesBack(s, v, sum) {
		w.atExit(s, v, sum)
		return false
	}
	if !w.again(s, v) && !w.escape(s) {
		return false
	}
	roles := w.roles(s, v, sum)
	if s.holdsValue(args[0]) {
		return w.escape(s)
	}
	w.thrownOver(s, v, roles, sum)
	if !w.fn.onlyLooks(v) {
		w.forgetMemory(s, v)
	}
	if w.fn.rep[v] == v { // a call of a pure function that was made before is known already
		s.env.keep(func(x ir.ValueID) bool { return x != v })
	}
	if sum != nil && sum.ret != everything && w.usesResult(v) {
		w.narrow(s, v, sum.ret, 0)
	}
	w.succeed(s, v, sum)
	if len(roles) == 0 {
		return true
	}
	ways := combine(roles)
	if !w.fn.tested[w.fn.rep[v]] && !w.allWays() {
		ways = presumeSuccess(ways)
	}
	return w.follow(s, v, ways, sum)
}

// allWays reports whether ways are wanted that the caller cannot tell from others.
func (w *walker) allWays() bool { return w.graph != nil && w.graph.all || w.fn.strict }

// presumeSuccess leaves out the ways on which the callee does not take the
// object, if there are others: a caller that does not look at the result holds
// that there is no failure.
func presumeSuccess(ways []way) []way {
	if !slices.ContainsFunc(ways, func(x way) bool { return x.takes() }) {
		return ways
	}
	n := len(ways)
	ways = slices.DeleteFunc(ways, func(x way) bool { return x.ret != everything && !x.takes() })
	for i := range ways {
		ways[i].doubt = len(ways) < n
	}
	return ways
}

// callee returns what is known of the function that v calls.
func (fn *function) callee(v ir.ValueID) (*summary, ir.FuncFlags) {
	if sum, last := fn.last[v]; last {
		return sum, 0
	}
	if c := fn.f.Callee(v); c != 0 {
		flags := fn.p.Funcs[c].Flags
		if fn.policy.NoAttributes {
			flags &^= attributes
		}
		return fn.sums[c], flags
	}
	if !fn.f.Values[v].Op.IsCall() {
		return nil, 0
	}
	sum, known := fn.indirect[v]
	if !known {
		sum = fn.throughPointer(v)
		fn.indirect[v] = sum
	}
	return sum, 0
}

// throughPointer puts the summaries together of all that call v may lead to.
func (fn *function) throughPointer(v ir.ValueID) *summary {
	call, ok := fn.callAt(v)
	if !ok || len(call.Targets) == 0 {
		return nil
	}
	var sums []*summary
	for _, t := range call.Targets {
		if fn.sums[t] == nil {
			return nil
		}
		if !fn.sums[t].noReturn { // what does not return is of no interest after the call
			sums = append(sums, fn.sums[t])
		}
	}
	switch len(sums) {
	case 0:
		return &summary{name: fn.sums[call.Targets[0]].name, noReturn: true}
	case 1:
		return sums[0]
	}
	return eitherOf(sums)
}

// combine puts the roles together: what is returned must fit all of them.
func combine(roles [][]act) []way {
	ways := []way{{ret: everything}}
	for _, role := range roles {
		var next []way
		for _, w := range ways {
			for _, a := range role {
				if r := w.ret.meet(a.ret); !r.empty() && len(next) < maxWays {
					next = append(next, way{ret: r, acts: append(slices.Clip(w.acts), a)})
				}
			}
		}
		ways = next
	}
	return ways
}

// follow takes each way the call can end.
func (w *walker) follow(s *state, v ir.ValueID, ways []way, sum *summary) bool {
	var can []way
	var states []*state
	for _, x := range ways {
		if n := s.clone(); w.possible(n, v, x) {
			can, states = append(can, x), append(states, n)
		}
	}
	var on []*state
	for i, n := range states {
		can[i].doubt = can[i].doubt || !w.certain(v, can, i)
		if w.outdone(v, can, i) && !w.allWays() {
			continue
		}
		w.tookWay(n, v, can[i])
		goesOn := w.take(n, v, can[i], sum)
		w.recordWay(n, v, can[i])
		if goesOn {
			on = append(on, n)
		}
	}
	if len(on) == 0 {
		return false
	}
	for _, n := range on[1:] {
		switch {
		case w.fn.f.Values[v].Op != ir.OpCall:
			for i := range w.fn.f.SuccsOf(s.block) {
				w.edge(n.clone(), i)
			}
		default:
			w.loseAfter(n, v)
			w.push(n)
		}
	}
	*s = *on[0]
	return true
}

// outdone reports whether way i leaves the object with the caller although on
// another way the callee takes it, and the caller cannot tell which it was: what
// is returned may be the same, and so are the arguments for all we know. The
// callee knows better then. But what the caller is itself given can be anything.
func (w *walker) outdone(v ir.ValueID, ways []way, i int) bool {
	x := &ways[i]
	if x.takes() || w.isInput(v, x) {
		return false
	}
	return slices.ContainsFunc(ways, func(y way) bool { return y.takes() && !y.ret.meet(x.ret).empty() })
}

// isInput reports whether a way is decided by arguments that are made of the
// caller's own parameters alone.
func (w *walker) isInput(v ir.ValueID, x *way) bool {
	args := w.fn.f.ArgsOf(v)[1:]
	decided := false
	for _, a := range x.acts {
		for _, g := range a.guards {
			if g.param >= len(args) || !w.fromParams(args[g.param], 0) {
				return false
			}
			decided = true
		}
	}
	return decided
}

func (w *walker) fromParams(v ir.ValueID, depth int) bool {
	x := &w.fn.f.Values[v]
	if x.Op == ir.OpParam || x.Op.IsConst() {
		return true
	}
	return depth < 4 && isPure(x.Op) && x.Op != ir.OpPhi &&
		!slices.ContainsFunc(w.fn.f.ArgsOf(v), func(a ir.ValueID) bool { return !w.fromParams(a, depth+1) })
}

// takes reports whether the caller has the object no more.
func (x *way) takes() bool {
	return slices.ContainsFunc(x.acts, func(a act) bool { return a.effect >= stores && a.effect != returns })
}

// possible notes what the call returns on this way, and what its arguments are.
func (w *walker) possible(s *state, v ir.ValueID, x way) bool {
	if w.usesResult(v) && x.ret != everything && !w.narrow(s, v, x.ret, 0) {
		return false
	}
	args := w.fn.f.ArgsOf(v)[1:]
	for _, a := range x.acts {
		for _, g := range a.guards {
			if g.param < len(args) && !w.narrow(s, args[g.param], g.r, 0) {
				return false
			}
		}
	}
	return true
}

func (w *walker) usesResult(v ir.ValueID) bool {
	return w.fn.f.Values[v].Type.Kind() != ir.Void && len(w.fn.uses.Succs(uint32(v))) > 0
}

// take applies one way. It reports whether the path goes on.
func (w *walker) take(s *state, v ir.ValueID, x way, sum *summary) bool {
	used := w.usesResult(v)
	if used && x.ret.isZero() && w.fn.f.Values[v].Type.Kind() == ir.Ptr {
		if sum.fresh {
			s.note(v, sum.name+" fails")
		} else {
			s.note(v, sum.name+" returns NULL")
		}
	}
	for _, a := range x.acts {
		a.sure = a.sure && !x.doubt
		if !w.act(s, v, a, sum, used) {
			return false
		}
	}
	return true
}

func (w *walker) act(s *state, v ir.ValueID, a act, sum *summary, used bool) bool {
	if a.moves && !a.cell.isElement() {
		s.setCell(a.cell, false)
	}
	if a.orphan != 0 {
		s.unlink(func(l holding) bool { return l.obj == a.orphan })
	}
	if w.reference(s, v, &a) {
		return true
	}
	switch a.effect {
	case consumes:
		w.relate(s, v, a, sum)
		s.family, s.by = a.family, w.releaser(v, a.param)
		on := w.release(s, v, a.where, a.sure)
		if w.life != nil && a.cell != (cell{}) && !a.stays && (sum.modelled || !w.fn.strict) {
			s.setCell(a.cell, false) // something else is there now
		}
		return on
	case keeps:
		s.via = a.via
		if sum == nil {
			w.fn.outOfSight(v)
		}
		return w.escape(s)
	case returns:
		if a.owner != 0 {
			s.setAlias(v, a.owner)
			break
		}
		s.setValue(v, used)
	case stores:
		c, ok := w.placeCell(s, v, a.to)
		if at, held := s.linkOf(a.owner); a.owner != 0 && held && at.isElement() {
			break // it is reached from the array as before
		}
		if !ok || a.owner != 0 && !s.setLink(a.owner, c) {
			return w.escape(s)
		}
		if a.owner != 0 {
			break
		}
		s.setCell(c, true)
		s.note(v, sum.name+" stores it in "+w.cellName(c))
	case drops:
		switch {
		case a.dies && w.takesElements(a.cell.base, v):
			return w.escape(s)
		case !a.dies && a.cell.isElement():
			return true // it may be another element
		}
		if s.setCell(a.cell, false) {
			w.heldBy(s, a.cell)
			if !w.isPointer(a.cell.base) {
				s.in = a.where
			}
			s.how = "is overwritten by " + sum.name
			if a.dies {
				s.how = "is lost with its owner, which " + sum.name + " releases"
			}
		}
	}
	return true
}

// isPointer reports whether a cell is a local variable of pointer type. A caller
// that passes its address has it overwritten itself; that is not for the callee
// to know.
func (w *walker) isPointer(base ir.ValueID) bool {
	x := w.fn.value(base)
	return x.Op == ir.OpAlloca && w.fn.f.Ints[x.Aux+1] == 0
}

// releaser returns how call v releases what it is given as argument i.
func (w *walker) releaser(v ir.ValueID, i int) releaser {
	f := w.fn.f
	args := f.ArgsOf(v)[1:]
	switch c := f.Callee(v); {
	case c == 0 || i >= len(args) || f.Values[args[i]].Op == ir.OpGep:
		return several
	case w.fn.p.Funcs[c].IsDecl():
		if sum := w.fn.sums[c]; sum != nil && sum.fresh { // what it held is in the result
			return several
		}
		return releaser{}
	default:
		return releaser{c, i}
	}
}

// placeCell returns the cell that a place of the callee is for the caller.
func (w *walker) placeCell(s *state, v ir.ValueID, p place) (cell, bool) {
	if p.deep != 0 {
		p, off := p.outer()
		c, ok := w.placeCell(s, v, p)
		if !ok {
			return cell{}, false
		}
		obj, known := s.linkAt(c)
		if !known {
			if obj = w.contentOf(c); s.owns(obj) || !s.setLink(obj, c) {
				return cell{}, false
			}
		}
		return cell{obj, off}, true
	}
	if p.param == theResult {
		return cell{v, p.off}, true
	}
	args := w.fn.f.ArgsOf(v)[1:]
	if g, ok := p.global(); ok {
		base := ofGlobal(g)
		return cell{base, p.off}, w.fn.hasCells(base)
	}
	if p.param >= len(args) {
		return cell{}, false
	}
	c, ok := w.cellOf(s, args[p.param])
	c.off += p.off
	return c, ok
}
