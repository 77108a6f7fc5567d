// This file follows paths from block to block, and to the end of the function.

package leak

import (
	"fmt"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// terminate follows the terminator v.
func (w *walker) terminate(s *state, v ir.ValueID) {
	f := w.fn.f
	switch f.Values[v].Op {
	case ir.OpRet:
		w.leave(s, v, v)
	case ir.OpBr:
		w.edge(s, 0)
	case ir.OpCondBr:
		w.condBr(s, v)
	case ir.OpSwitch:
		w.switchOn(s, v)
	case ir.OpIndirectBr:
		for i := range f.SuccsOf(s.block) {
			w.edge(s.clone(), i)
		}
	}
	// The others leave the function, by an exception, or are never reached.
}

func (w *walker) condBr(s *state, v ir.ValueID) {
	cond := w.fn.f.ArgsOf(v)[0]
	if r := w.asBool(cond, w.rangeOf(s, cond, 0)); r.isPoint() { // most are known
		w.edge(s, 1-int(r.lo))
		return
	}
	yes, no := s.clone(), s
	canBe, canNot := w.assume(yes, cond, true, 0), w.assume(no, cond, false, 0)
	if canBe && canNot {
		yes.branch(v, cond, true)
		no.branch(v, cond, false)
		w.depend(cond, yes, no)
	}
	if canBe {
		w.edge(yes, 0)
	}
	if canNot {
		w.edge(no, 1)
	}
}

func (w *walker) switchOn(s *state, v ir.ValueID) {
	args := w.fn.f.ArgsOf(v)
	w.depend(args[0], s)
	rest := s.clone()
	open := true // the default can still be
	for i, c := range args[1:] {
		one := s.clone()
		if w.assumeCompare(one, ir.EQ, args[0], c, 0) {
			n, _ := w.fn.f.ConstInt(c)
			one.note(v, fmt.Sprintf("case %d taken", n))
			w.edge(one, i+1)
		}
		open = open && w.assumeCompare(rest, ir.NE, args[0], c, 0)
	}
	if open {
		rest.note(v, "default case taken")
		w.edge(rest, 0)
	}
}

// edge moves s, which it may change, along the i-th edge out of its block.
func (w *walker) edge(s *state, i int) {
	f := w.fn.f
	from := s.block
	to := f.SuccsOf(from)[i]
	if s.before && !w.leads.has(uint32(to)) || i > 0 && w.leavesByException(from, to) {
		return
	}
	s.life.succ = int16(i + 1)
	if w.fn.doomed[to] && !w.fn.policy.ExitLeaks && !w.fn.strict {
		if w.life != nil {
			w.life.end(s, LifeEnd{Kind: EndExit, At: f.Terminator(from)})
		}
		return
	}
	w.phis(s, i, to)
	if w.prey != nil {
		w.sightAt(s, i, to)
	}
	s.block, s.at, s.came.succ = to, w.firstAfterPhis(to), int32(i+1)
	if !s.before && w.fn.isReturn(to) && !w.leavesLoopOfMain(to) {
		w.leave(s, f.Terminator(to), w.fn.returnPlace(from, to))
		return
	}
	was := w.holders(s)
	ended := !s.before && w.leaveScopes(s, to)
	w.recordEdge(s, from, was)
	s.vals = slices.DeleteFunc(s.vals, func(v ir.ValueID) bool { return !w.liveAtStart(v, to) })
	w.dropParts(s, func(v ir.ValueID) bool { return w.liveAtStart(v, to) })
	s.aliases = slices.DeleteFunc(s.aliases, func(a alias) bool { return !s.owns(a.obj) })
	if w.prey != nil && !s.before && w.settled(s, to) {
		return
	}
	if !s.before && (!w.given || w.left(s)) && s.end == 0 && s.life.status == Live && len(s.vars) == 0 && len(s.cells) == 0 && len(s.vals) == 0 {
		if ended {
			w.lose(s, abandoned, f.Terminator(from), s.last+" goes out of scope without being released")
		} else {
			s.held("")
			w.lose(s, dropped, f.Terminator(from), "the last reference goes away")
		}
	}
	if s.loss != nil && w.fn.rpo[to] <= w.fn.rpo[from] {
		w.report(s, s.loss) // the program goes on
		return
	}
	s.mem = slices.DeleteFunc(s.mem, func(m stored) bool { return !w.fn.readLater(m.at, to) })
	var read []ir.ValueID // what loads that matter have read
	for _, b := range s.env.bindings {
		if f.Values[b.phi].Op == ir.OpLoad && w.fn.matters(b.phi, to) {
			read = append(read, b.v)
		}
	}
	s.env.keep(func(v ir.ValueID) bool {
		if f.Values[v].Op == ir.OpParam && (w.given || w.toCaller) {
			return true // callers know what they pass
		}
		if s.end != 0 && s.loss == nil && !w.fn.returnsOn[v] {
			return false // all that is still of interest is what is returned
		}
		if w.life != nil && w.life.tell != nil && w.life.tell.keeps(w.fn, v) {
			return true
		}
		return f.Values[v].Op.IsConst() || w.fn.matters(v, to) || s.hasStored(v) || slices.Contains(read, v)
	})
	if s.end != 0 && s.loss == nil {
		s.mem = nil
	}
	w.push(s)
}

// leavesByException reports whether an edge out of an invoke is taken by no
// exception at all, or by one that leaves the function: its landing pad catches
// nothing.
func (w *walker) leavesByException(from, to ir.BlockID) bool {
	f := w.fn.f
	call := f.Terminator(from)
	if f.Values[call].Op != ir.OpInvoke {
		return false
	}
	if sum, _ := w.fn.callee(call); sum != nil && !sum.inferred && !sum.fresh {
		return true // the C library throws nothing
	}
	pad := &f.Values[w.firstAfterPhis(to)]
	return !w.fn.strict && pad.Op == ir.OpLandingPad && pad.NArgs == 0
}

// leavesLoopOfMain reports whether control comes to the only return statement of
// main, and not from one. The end of main is no leak, but that of a loop is.
func (w *walker) leavesLoopOfMain(to ir.BlockID) bool {
	f := w.fn.f
	loc := f.Values[f.Terminator(to)].Loc
	return f.Name == "main" && !w.fn.mergesReturns(to) && loc != 0 && f.Locs[loc].Col > 1
}

// liveAtStart reports whether v, perhaps a phi of b, has a use after the phis of b.
func (w *walker) liveAtStart(v ir.ValueID, b ir.BlockID) bool {
	if w.fn.f.BlockOf(v) == b {
		return w.fn.liveAfter(v, w.firstAfterPhis(b)-1, b)
	}
	return w.fn.liveIn(v, b)
}

func (w *walker) firstAfterPhis(b ir.BlockID) ir.ValueID {
	v := w.fn.f.Blocks[b].First
	for w.fn.f.Values[v].Op == ir.OpPhi {
		v++
	}
	return v
}

// leaveScopes drops variables that are not in scope in block to. It reports
// whether one of them held the object.
func (w *walker) leaveScopes(s *state, to ir.BlockID) bool {
	ended := false
	f := w.fn.f
	for _, v := range slices.Clone(s.vars) {
		if w.fn.gone(v, to) && s.setVar(v, false) {
			s.held(f.Vars[v].Name)
			ended = true
		}
	}
	for _, c := range slices.Clone(s.cells) {
		// A destructor runs after the scope has ended, as far as blocks tell.
		if x := w.fn.value(c.base); x.Op == ir.OpAlloca && w.fn.gone(x.Var, to) && !w.fn.liveIn(c.base, to) && s.setCell(c, false) {
			w.heldBy(s, c)
			ended = true
		}
	}
	s.unlink(func(l holding) bool {
		x := w.fn.value(l.at.base)
		return x.Op == ir.OpAlloca && w.fn.gone(x.Var, to) && !w.fn.liveIn(l.at.base, to)
	})
	return ended
}
