// This file follows paths from block to block, and to the end of the function.

package leak

import (
	"fmt"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
)

// terminate follows the terminator v.
func (w *walker) terminate(s *state, v ir.ValueID) {
	f := w.fn.f
	args := f.ArgsOf(v)
	switch f.Values[v].Op {
	case ir.OpRet:
		if !s.before && (len(args) == 0 || !s.holdsValue(args[0])) {
			w.frameEnd(s, v)
		}
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
	yes, no := s.clone(), s
	canBe, canNot := w.assume(yes, cond, true, 0), w.assume(no, cond, false, 0)
	if canBe && canNot {
		yes.note(v, w.branchText(cond, true))
		no.note(v, w.branchText(cond, false))
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
	w.phis(s, i, to)
	s.block, s.at = to, w.firstAfterPhis(to)
	if !s.before && w.fn.isReturn(to) && !w.leavesLoopOfMain(to) {
		ret := f.Terminator(to)
		if args := f.ArgsOf(ret); len(args) == 0 || !s.holdsValue(args[0]) {
			w.frameEnd(s, w.fn.returnPlace(from, to))
		}
		return
	}
	ended := !s.before && w.leaveScopes(s, to)
	s.vals = slices.DeleteFunc(s.vals, func(v ir.ValueID) bool { return !w.liveAtStart(v, to) })
	if !s.before && len(s.vars) == 0 && len(s.cells) == 0 && len(s.vals) == 0 {
		if ended {
			w.report(s, report.LeakForgotten, f.Terminator(from), s.last+" goes out of scope without being released")
		} else {
			s.last = ""
			w.report(s, report.LeakLost, f.Terminator(from), "the last reference goes away")
		}
		return
	}
	s.env.keep(func(v ir.ValueID) bool { return f.Values[v].Op.IsConst() || w.fn.matters(v, to) })
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
	if c := f.Callee(call); c != 0 && w.fn.models[c] != nil && !w.fn.models[c].Fresh() {
		return true // the C library throws nothing
	}
	pad := &f.Values[w.firstAfterPhis(to)]
	return pad.Op == ir.OpLandingPad && pad.NArgs == 0
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

// phis gives the phis of to their values, as control comes by the i-th edge out of the block of s.
func (w *walker) phis(s *state, i int, to ir.BlockID) {
	f := w.fn.f
	k := w.predIndex(s.block, i, to)
	first, end := f.Blocks[to].First, w.firstAfterPhis(to)
	type update struct {
		phi, v ir.ValueID
		holds  bool
	}
	var ups []update
	for v := first; v < end; v++ {
		a := f.ArgsOf(v)[k]
		ups = append(ups, update{v, w.bound(s, w.fn.rep[a]), s.holdsValue(a)})
	}
	if w.fn.rpo[to] <= w.fn.rpo[s.block] {
		w.nextRound(s, to)
	}
	for _, u := range ups {
		s.env.keep(func(v ir.ValueID) bool { return v != u.phi })
	}
	for _, u := range ups {
		s.setValue(u.phi, u.holds)
		if u.holds || !w.fn.matters(u.phi, to) {
			continue
		}
		// The first round of a loop is exact; after that a counter is any number.
		if !w.forgotten(u.v, s.block, to) {
			s.env.bind(u.phi, u.v)
		}
	}
}

// nextRound forgets what the loop with this head computes anew. The loop is taken
// to be all that comes after the head in reverse postorder.
func (w *walker) nextRound(s *state, head ir.BlockID) {
	s.env.keep(func(v ir.ValueID) bool { return !w.inRound(v, head) })
}

func (w *walker) inRound(v ir.ValueID, head ir.BlockID) bool {
	b := w.fn.f.BlockOf(v)
	return b != 0 && w.fn.rpo[b] >= w.fn.rpo[head]
}

// forgotten reports whether v is computed anew after the edge from one block to the other.
func (w *walker) forgotten(v ir.ValueID, from, to ir.BlockID) bool {
	return w.fn.rpo[to] <= w.fn.rpo[from] && w.inRound(v, to)
}

// predIndex returns which predecessor of to the i-th edge out of b is.
func (w *walker) predIndex(b ir.BlockID, i int, to ir.BlockID) int {
	f := w.fn.f
	nth := 0
	for _, s := range f.SuccsOf(b)[:i] {
		if s == to {
			nth++
		}
	}
	for k, p := range f.PredsOf(to) {
		if p == b {
			if nth == 0 {
				return k
			}
			nth--
		}
	}
	panic("leak: edge without predecessor\n" + w.fn.p.FuncString(w.fn.id))
}

// leaveScopes drops variables that are not in scope in block to. It reports
// whether one of them held the object.
func (w *walker) leaveScopes(s *state, to ir.BlockID) bool {
	ended := false
	f := w.fn.f
	for _, v := range slices.Clone(s.vars) {
		if w.fn.gone(v, to) && s.setVar(v, false) {
			s.last, ended = f.Vars[v].Name, true
		}
	}
	for _, c := range slices.Clone(s.cells) {
		if w.fn.gone(f.Values[c.alloca].Var, to) && s.setCell(c, false) {
			s.last, ended = w.cellName(c), true
		}
	}
	return ended
}

// frameEnd is the end of the function, at the return statement that instruction v stands for.
func (w *walker) frameEnd(s *state, v ir.ValueID) {
	if w.fn.f.Name == "main" {
		return
	}
	s.last = w.holderName(s)
	w.report(s, report.LeakForgotten, v, "returns without releasing it")
}
