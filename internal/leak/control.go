// This file follows paths from block to block, and to the end of the function.

package leak

import (
	"fmt"
	"math"
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
	if s.before && !w.leads.has(uint32(to)) || w.fn.doomed[to] && !w.fn.policy.ExitLeaks || i > 0 && w.leavesByException(from, to) {
		return
	}
	w.phis(s, i, to)
	if w.prey != nil {
		w.sightAt(s, i, to)
	}
	s.block, s.at = to, w.firstAfterPhis(to)
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
	if !s.before && (!w.given || w.left(s)) && s.end == 0 && len(s.vars) == 0 && len(s.cells) == 0 && len(s.vals) == 0 {
		if ended {
			w.lose(s, abandoned, f.Terminator(from), s.last+" goes out of scope without being released")
		} else {
			s.held("")
			w.lose(s, dropped, f.Terminator(from), "the last reference goes away")
		}
	}
	if s.loss != nil && w.fn.rpo[to] <= w.fn.rpo[from] {
		w.report(s.loss) // the program goes on
		return
	}
	s.env.keep(func(v ir.ValueID) bool {
		if f.Values[v].Op == ir.OpParam && (w.given || w.toCaller) {
			return true // callers know what they pass
		}
		if s.end != 0 && s.loss == nil && !w.fn.returnsOn[v] {
			return false // all that is still of interest is what is returned
		}
		return f.Values[v].Op.IsConst() || w.fn.matters(v, to) || s.hasStored(v)
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
		part   ir.ValueID // v as it is written
		holds  bool
		obj    ir.ValueID // the owner it points to, or 0
		r      interval   // what is known of it in the next round of a loop too
		rels   []relation // and how it compares with what the loop does not change
	}
	var ups []update
	for v := first; v < end; v++ {
		a := f.ArgsOf(v)[k]
		u := update{phi: v, part: a, v: w.bound(s, w.fn.rep[a]), holds: s.holdsValue(a), r: everything}
		if f.Values[v].Type.Kind() == ir.Ptr {
			if obj, off, ok := w.pointee(s, a); ok && off == 0 && s.owns(obj) {
				u.obj = obj
			}
		}
		if !u.holds && w.forgotten(u.v, s.block, to) && w.fn.matters(v, to) {
			u.r = w.fn.counted(v, w.rangeOf(s, a, 0))
			u.rels = w.outerRelations(s, u.v, to)
		}
		ups = append(ups, u)
	}
	if w.fn.rpo[to] <= w.fn.rpo[s.block] {
		w.nextRound(s, to)
	}
	for _, u := range ups {
		s.env.keep(func(v ir.ValueID) bool { return v != u.phi })
	}
	for _, u := range ups {
		if w.fn.isStruct(u.phi) { // which holds no owners
			w.copyCells(s, cell{base: u.part}, cell{base: u.phi}, int64(f.Values[u.phi].Type.Size()))
		}
		s.setValue(u.phi, u.holds)
		s.setAlias(u.phi, u.obj)
		if u.holds || !w.fn.matters(u.phi, to) {
			continue
		}
		// The first round of a loop is exact; after that only the sign of a counter
		// is known, and how it compares with what the loop does not change.
		if !w.forgotten(u.v, s.block, to) {
			s.env.bind(u.phi, u.v)
			continue
		}
		if u.r != everything {
			s.env.setFact(u.phi, u.r)
		}
		for _, r := range u.rels {
			s.env.setRelation(u.phi, r.b, r.mask)
		}
	}
}

// counted returns what is kept in the next round of a loop of a counter that was
// in r: its sign, and if it is compared with certain numbers, also which small ones
// it is past.
func (fn *function) counted(phi ir.ValueID, r interval) interval {
	if r.lo > 1 && r.lo <= 8 && fn.isTestedFor(phi, 0) {
		return span(r.lo, math.MaxInt64)
	}
	return r.coarse()
}

// isTestedFor reports whether v is compared with a number it may be equal to.
func (fn *function) isTestedFor(v ir.ValueID, depth int) bool {
	f := fn.f
	for _, u := range fn.uses.Succs(uint32(v)) {
		u := ir.ValueID(u)
		switch x := &f.Values[u]; x.Op {
		case ir.OpSwitch:
			return true
		case ir.OpICmp:
			if n, ok := f.ConstInt(f.ArgsOf(u)[1]); ok && n > 0 && (ir.Pred(x.Sub) == ir.EQ || ir.Pred(x.Sub) == ir.NE) {
				return true
			}
		case ir.OpSExt, ir.OpZExt, ir.OpTrunc:
			if depth < 2 && fn.isTestedFor(u, depth+1) {
				return true
			}
		}
	}
	return false
}

// outerRelations returns how v compares with values that the loop with this head
// does not compute, each as a relation of v to the other.
func (w *walker) outerRelations(s *state, v ir.ValueID, head ir.BlockID) []relation {
	var out []relation
	for _, r := range s.env.rels {
		switch {
		case r.a == v && !w.inRound(r.b, head):
			out = append(out, r)
		case r.b == v && !w.inRound(r.a, head):
			out = append(out, relation{v, r.a, turn(r.mask)})
		}
	}
	return out
}

// nextRound forgets what the loop with this head computes anew. The loop is taken
// to be all that comes after the head in reverse postorder.
func (w *walker) nextRound(s *state, head ir.BlockID) {
	s.env.keep(func(v ir.ValueID) bool { return !w.inRound(v, head) })
	s.aliases = slices.DeleteFunc(s.aliases, func(a alias) bool { return w.inRound(a.v, head) })
	s.mem = slices.DeleteFunc(s.mem, func(m stored) bool { return w.inRound(m.val, head) || w.inRound(m.at.base, head) })
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

// leave is the end of the function by the instruction ret, at the return
// statement that instruction at stands for.
func (w *walker) leave(s *state, ret, at ir.ValueID) {
	if w.prey != nil {
		return
	}
	if s.loss != nil {
		w.report(s.loss)
	}
	if s.before || s.loss != nil {
		return
	}
	var val ir.ValueID
	r := everything
	if args := w.fn.f.ArgsOf(ret); len(args) > 0 {
		val = args[0]
		r = w.fn.notAnError(w.bound(s, w.fn.rep[val]), w.rangeOf(s, val, 0))
	}
	w.dropParts(s, func(v ir.ValueID) bool { return v == val })
	holds := val != 0 && s.holdsValue(val)
	places := w.outlives(s, val)
	elsewhere := len(places) > 0
	var to place
	if elsewhere {
		to = places[0]
	}
	w.recordReturn(s, at, holds, elsewhere)
	switch {
	case w.given:
		w.ends = merge(w.ends, w.endOf(s, at, r, holds, to, elsewhere))
	case s.end != 0:
		w.shared = w.shared || holds
	case elsewhere:
		w.addOut(out{to: to, also: places[1:], ret: r, guards: w.guards(s), both: holds, calls: w.link(), made: w.made(), family: w.family(), number: w.number})
		w.shared = w.shared || holds
	case holds:
		one := outcome{guards: w.guards(s)}
		if w.returned {
			one.join(&outcome{guards: w.newIf})
		}
		w.returned, w.newIf = true, one.guards
	case w.isHeldElsewhere(s):
		// It goes with what holds it, and that is followed on its own.
	default:
		w.frameEnd(s, at)
	}
}

// outlives returns the places that still hold the object when the function returns val.
func (w *walker) outlives(s *state, val ir.ValueID) []place {
	var out []place
	for _, c := range s.cells {
		if c == w.home {
			continue
		}
		if p, ok := w.placeOf(s, c, val); ok {
			out = append(out, p)
		} else if up, ok := s.linkOf(c.base); ok && up != w.in {
			if p, ok := w.placeOf(s, up, val); ok {
				out = append(out, p.inner(c.off))
			}
		}
	}
	return out
}

// placeOf returns the place that a cell is for the caller, if val is returned.
func (w *walker) placeOf(s *state, c cell, val ir.ValueID) (place, bool) {
	switch x := w.fn.value(c.base); {
	case x.Op == ir.OpParam:
		return place{param: int(x.Aux), off: c.off}, true
	case x.Op == ir.OpGlobalAddr:
		return globalPlace(ir.GlobalID(x.Aux), c.off), true
	case val != 0 && c.base == val && w.fn.isStruct(val):
		return place{param: theResult, off: c.off}, true
	case val != 0:
		obj, off, ok := w.pointee(s, w.bound(s, w.fn.rep[val]))
		if ok && obj == c.base && (isContent(obj) || x.Op.IsCall()) {
			return place{param: theResult, off: c.off - off}, true
		}
	}
	return place{}, false
}

// endOf says what became of a given object.
func (w *walker) endOf(s *state, at ir.ValueID, r interval, holds bool, to place, elsewhere bool) outcome {
	o := outcome{ret: r, effect: borrows, guards: w.guards(s), where: s.where, by: s.by, asked: s.asked}
	switch {
	case s.end != 0:
		o.effect, o.via, o.sure, o.family = s.end, s.via, s.end == consumes && s.sure, s.family
		o.counted = s.end == consumes && s.counted
	case elsewhere:
		o.effect, o.to = stores, to
	case holds:
		o.effect, o.ret = returns, nonzero
	case w.left(s):
		o.effect = drops
		if o.where == nil { // a variable has it until now
			o.where = w.here(at, abandoned, w.holderName(s), "returns without releasing it")
			if _, static := globalOf(w.home.base); static && w.doubtful(s) {
				o.effect = keeps
			}
		}
	}
	o.moves = (o.effect == returns || o.effect == stores) && w.left(s)
	if s.refs > 0 && (o.effect == borrows || o.effect == returns) {
		o.refs = s.refs
		if o.effect == borrows {
			o.where = w.here(at, abandoned, w.holderName(s), "returns without giving up its reference")
		}
	}
	return o
}

// left reports whether the object is no longer in the place it was given in.
func (w *walker) left(s *state) bool { return w.home != cell{} && !slices.Contains(s.cells, w.home) }

// guards returns what is known of the parameters, those with the object aside.
func (w *walker) guards(s *state) []guard {
	var out []guard
	for i := range w.fn.f.NParams {
		v := ir.ValueID(i + 1)
		if r, ok := s.env.fact(v); ok && r != everything && v != w.home.base && v != w.param {
			out = append(out, guard{int(i), r})
		}
	}
	return out
}

// made returns where the object was allocated.
func (w *walker) made() made {
	if w.out != nil && w.out.made.by != "" {
		return w.out.made
	}
	sum, _ := w.fn.callee(w.site)
	return made{w.fn.position(w.site), sum.name, w.object(sum)}
}

// object says what the object of a call is, when it is not memory.
func (w *walker) object(sum *summary) string {
	if w.out != nil {
		return w.out.made.object
	}
	return sum.object
}

// addOut notes where a new object is at a return.
func (w *walker) addOut(o out) { w.outs = addOut(w.outs, o) }

// frameEnd reports an object that the function still has when it ends.
func (w *walker) frameEnd(s *state, v ir.ValueID) {
	if w.fn.f.Name == "main" {
		w.atExit(s, v, nil)
		return
	}
	s.held(w.holderName(s))
	s.lose(abandoned, v, "returns without releasing it")
	w.report(s.loss)
}
