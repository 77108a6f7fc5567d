// This file follows a prey: what refers to it, when it is released, and what is
// done with it afterwards.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
)

// A freeing says where the object was released.
type freeing struct {
	at     ir.ValueID
	by     string // the function that did it
	chance bool   // a branch was taken since that may exclude the release
}

// phase returns where the prey is in its life.
func (s *state) phase() phase {
	if s.freed != nil {
		return freed
	}
	return live
}

// watch follows the prey through one instruction. It reports whether the path goes
// on.
//
// Here what refers to the object does so for certain, and what may not does not:
// the other way round than for leaks, where a reference that may be left is one.
func (w *walker) watch(s *state, v ir.ValueID) bool {
	f := w.fn.f
	x := &f.Values[v]
	args := f.ArgsOf(v)
	s.dropCellsOf(v)
	switch x.Op {
	case ir.OpLoad:
		if s.holdsValue(args[0]) && !w.advance(s, used, v, "") {
			return false
		}
		c, ok := w.fn.spot(args[0])
		s.setValue(v, ok && w.carries(x.Type) && slices.Contains(s.cells, c))
		w.recall(s, v, args[0])
		return w.dereferenced(s, args[0])
	case ir.OpStore:
		if s.holdsValue(args[1]) && !w.advance(s, used, v, "") || !w.dereferenced(s, args[1]) {
			return false
		}
		w.forgetLoads(s, args[1])
		w.remember(s, args[0], args[1])
		w.overwrite(s, args[1], w.carries(f.Values[args[0]].Type))
		if c, ok := w.fn.spot(args[1]); ok && s.holdsValue(args[0]) {
			s.setCell(c, true)
		}
	case ir.OpMemcpy, ir.OpMemset:
		if (s.holdsValue(args[0]) || x.Op == ir.OpMemcpy && s.holdsValue(args[1])) && !w.advance(s, used, v, "") {
			return false
		}
		w.forgetBytes(s, v)
		base := w.fn.root(w.fn.baseOf(args[0]))
		s.cells = slices.DeleteFunc(s.cells, func(c cell) bool { return w.mayBe(base, c.base) })
	case ir.OpCmpXchg, ir.OpAtomicRMW:
		if s.holdsValue(args[0]) && !w.advance(s, used, v, "") {
			return false
		}
		w.overwrite(s, args[0], true)
		s.setValue(v, false)
	case ir.OpGep, ir.OpBitcast, ir.OpFreeze:
		s.setValue(v, s.holdsValue(args[0]))
	case ir.OpSExt, ir.OpZExt, ir.OpTrunc:
		s.setValue(v, s.holdsValue(args[0]) && w.carries(x.Type))
	case ir.OpSelect:
		return w.choose(s, v)
	case ir.OpCall, ir.OpInvoke, ir.OpCallBr:
		return w.watchCall(s, v)
	case ir.OpLifetimeStart, ir.OpLifetimeEnd:
		s.dropCellsOf(args[0])
	default:
		s.setValue(v, false)
	}
	return true
}

// dropCellsOf forgets cells whose base is computed anew: it is other memory now.
func (s *state) dropCellsOf(base ir.ValueID) {
	s.cells = slices.DeleteFunc(s.cells, func(c cell) bool { return c.base == base })
}

// overwrite forgets the cells that a store to addr may write. Only a pointer can
// take the place of a pointer, and a number that of a number.
func (w *walker) overwrite(s *state, addr ir.ValueID, alike bool) {
	at, ok := w.fn.spot(addr)
	if !ok {
		at.base = w.fn.root(w.fn.baseOf(addr))
	}
	s.cells = slices.DeleteFunc(s.cells, func(c cell) bool {
		if c.base == at.base && ok {
			return at.off < c.off+8 && c.off < at.off+8
		}
		return alike && w.mayBe(at.base, c.base)
	})
}

// mayBe reports whether two bases may be the same memory.
func (w *walker) mayBe(a, b ir.ValueID) bool {
	if a == b {
		return true
	}
	named := func(v ir.ValueID) bool { op := w.fn.value(v).Op; return op == ir.OpAlloca || op == ir.OpGlobalAddr }
	return !w.fn.isOwn(a) && !w.fn.isOwn(b) && !(named(a) && named(b))
}

// isOwn reports whether memory is a variable of the function that nobody else
// sees, but for functions it is lent to.
func (fn *function) isOwn(base ir.ValueID) bool {
	return fn.value(base).Op == ir.OpAlloca && fn.isLocal(base)
}

// spot returns the cell that an address is, whoever may know it by another name.
func (fn *function) spot(addr ir.ValueID) (cell, bool) {
	base, off, ok := fn.address(addr)
	if !ok {
		return cell{}, false
	}
	return cell{fn.root(base), off}, true
}

// watchCall follows the prey through a call.
func (w *walker) watchCall(s *state, v ir.ValueID) bool {
	s.setValue(v, false)
	sum, flags := w.fn.callee(v)
	if w.fn.noReturn(v, sum, flags) {
		return false
	}
	intrinsic := flags&ir.Intrinsic != 0
	if e, text := w.touchedBy(s, v, sum); e != 0 && s.freed != nil && !w.advance(s, e, v, text) {
		return false
	}
	var roles [][]act
	if s.freed == nil {
		roles = w.roles(s, v, sum)
	}
	if !w.fn.onlyLooks(v) && !intrinsic {
		w.forgetMemory(s, v)
		s.cells = slices.DeleteFunc(s.cells, func(c cell) bool { return !w.outlasts(c, v, sum) })
	}
	if w.fn.rep[v] == v {
		s.env.keep(func(x ir.ValueID) bool { return x != v })
	}
	if sum != nil && sum.ret != everything && w.usesResult(v) {
		w.narrow(s, v, sum.ret, 0)
	}
	if len(roles) == 0 {
		return true
	}
	return w.part(s, v, combine(roles), sum)
}

// outlasts reports whether what cell c holds is still there after call v.
func (w *walker) outlasts(c cell, v ir.ValueID, sum *summary) bool {
	if sum != nil && (sum.getter || sum.quiet && !w.number) {
		return true
	}
	passed := slices.ContainsFunc(w.fn.f.ArgsOf(v)[1:], func(a ir.ValueID) bool { return w.fn.root(w.fn.baseOf(a)) == c.base })
	return !passed && (w.fn.isOwn(c.base) || sum != nil && !sum.inferred)
}

// part takes each way the call can end for an object that is still there.
func (w *walker) part(s *state, v ir.ValueID, ways []way, sum *summary) bool {
	var can []way
	var on []*state
	for _, x := range ways {
		if n := s.clone(); w.possible(n, v, x) {
			can, on = append(can, x), append(on, n)
		}
	}
	first := true
	for i, n := range on {
		x := &can[i]
		sure := x.releasesSurely()
		if !sure && x.releases() || sure && (!w.certain(v, can, i) || w.inPart(s, v)) {
			continue // it may be gone then
		}
		for _, a := range x.acts {
			switch {
			case a.effect == returns && w.certain(v, can, i):
				n.setValue(v, w.usesResult(v))
			case a.cell != cell{} && a.effect == consumes && a.stays:
				n.setCell(a.cell, true)
			case a.cell != cell{} && a.effect != borrows:
				n.setCell(a.cell, false)
			}
		}
		if sure {
			n.freed = &freeing{at: v, by: sum.name}
			n.note(v, "released by "+sum.name)
			n.trail.in = x.release()
			if !w.remains(n, v) {
				continue
			}
		}
		switch {
		case first:
			*s, first = *n, false
		case w.fn.f.Values[v].Op != ir.OpCall:
			for k := range w.fn.f.SuccsOf(n.block) {
				w.edge(n.clone(), k)
			}
		default:
			w.push(n)
		}
	}
	return !first
}

// inPart reports whether a call is given the object somewhere inside.
func (w *walker) inPart(s *state, v ir.ValueID) bool {
	return slices.ContainsFunc(w.fn.f.ArgsOf(v)[1:], func(a ir.ValueID) bool { return s.holdsValue(a) && !w.fn.isWhole(a) })
}

func (x *way) releases() bool {
	return slices.ContainsFunc(x.acts, func(a act) bool { return a.effect == consumes })
}

func (x *way) releasesSurely() bool {
	return slices.ContainsFunc(x.acts, func(a act) bool { return a.effect == consumes && a.sure })
}

// release returns where in the callee the object is released, if not by the callee itself.
func (x *way) release() *where {
	for _, a := range x.acts {
		if a.effect == consumes {
			return a.where
		}
	}
	return nil
}

// certain reports whether the caller can tell way i from those on which something
// else happens to the object: by the result, which it looks at.
func (w *walker) certain(v ir.ValueID, ways []way, i int) bool {
	r := w.fn.rep[v]
	told := w.fn.tested[r] || w.fn.returnsOn[r]
	return !slices.ContainsFunc(ways, func(y way) bool {
		return (!told || !y.ret.meet(ways[i].ret).empty()) && !slices.EqualFunc(y.acts, ways[i].acts, sameAct)
	})
}

func sameAct(a, b act) bool { return a.effect == b.effect && a.sure == b.sure && a.to == b.to }

// remains reports whether anything refers to the prey after instruction v.
func (w *walker) remains(s *state, v ir.ValueID) bool {
	return len(s.cells) > 0 || slices.ContainsFunc(s.vals, func(a ir.ValueID) bool { return w.fn.liveAfter(a, v, s.block) })
}

// touchedBy returns what call v does to the released prey for certain: on every
// way it can end.
func (w *walker) touchedBy(s *state, v ir.ValueID, sum *summary) (event, string) {
	if sum == nil || s.freed == nil {
		return 0, ""
	}
	for i, a := range w.fn.f.ArgsOf(v)[1:] {
		if s.holdsValue(a) {
			switch list := sum.param(i); {
			case w.always(s, v, list, sum) && w.fn.isWhole(a):
				s.in = releaseOf(list)
				return released, "released again by " + sum.name
			case sum.looksAt(i):
				return used, "passed to " + sum.name + ", which uses it"
			}
		}
		at, ok := w.fn.spot(a)
		for _, c := range s.cells {
			if ok && c.base == at.base && w.always(s, v, sum.place(i, c.off-at.off), sum) {
				s.in = releaseOf(sum.place(i, c.off-at.off))
				return released, "released again by " + sum.name
			}
		}
	}
	for _, c := range s.cells {
		if g, ok := globalOf(c.base); ok && w.always(s, v, sum.global(globalPlace(g, c.off)), sum) {
			s.in = releaseOf(sum.global(globalPlace(g, c.off)))
			return released, "released again by " + sum.name
		}
	}
	return 0, ""
}

// releaseOf returns where the first of these outcomes releases the object.
func releaseOf(list []outcome) *where {
	for _, o := range list {
		if o.effect == consumes {
			return o.where
		}
	}
	return nil
}

// always reports whether the object is released on every way the call can end. A
// function of the library that releases it on one has looked at it on all.
func (w *walker) always(s *state, v ir.ValueID, list []outcome, sum *summary) bool {
	yes := false
	for _, o := range list {
		if !w.possible(s.clone(), v, way{ret: o.ret, acts: []act{{outcome: o}}}) {
			continue
		}
		sure := o.effect == consumes && o.sure
		if !sure && sum.inferred {
			return false
		}
		yes = yes || sure
	}
	return yes
}

// advance lets the machine go on. It reports whether nothing is wrong.
func (w *walker) advance(s *state, e event, v ir.ValueID, text string) bool {
	_, kind := s.phase().next(e)
	if kind == 0 {
		return true
	}
	if s.freed != nil && s.freed.chance && !w.fn.dom.Dominates(uint32(w.fn.f.BlockOf(s.freed.at)), uint32(s.block)) {
		return false
	}
	if text == "" {
		text = "used here"
	}
	w.reportAfter(s, kind, v, text)
	return false
}

// reportAfter adds a finding about a released object.
func (w *walker) reportAfter(s *state, kind report.Kind, v ir.ValueID, text string) {
	fn := w.fn
	f := report.Finding{
		Kind:       kind,
		Alloc:      fn.position(s.origin),
		Loss:       fn.position(v),
		Function:   fn.f.SourceName(),
		Holder:     w.preyName(s),
		Confidence: report.Certain,
	}
	if sum, _ := fn.callee(s.origin); sum != nil && sum.fresh && w.prey.cell == (cell{}) {
		f.Allocator, f.Object = sum.name, sum.object
	}
	switch {
	case f.Allocator != "":
		f.Steps = append([]report.Step{{Pos: f.Alloc, Text: f.Origin()}}, fn.originSteps(s.origin)...)
	case w.prey.cell == (cell{}):
		f.Steps = []report.Step{{Pos: f.Alloc, Text: w.fromText(s.origin)}}
	}
	f.Steps = append(f.Steps, w.steps(s.trail)...)
	f.Steps = append(f.Steps, report.Step{Pos: f.Loss, Text: text})
	f.Steps = append(f.Steps, s.in.steps()...)
	w.add(f)
}

// preyName names the prey as the source does: by a variable, or by the place it
// is read from.
func (w *walker) preyName(s *state) string {
	f := w.fn.f
	for _, v := range append([]ir.ValueID{w.prey.root, s.origin}, s.vals...) {
		x := &f.Values[v]
		switch {
		case w.prey.cell != cell{}:
		case x.Var != 0:
			return f.Vars[x.Var].Name
		case x.Op == ir.OpLoad:
			if c, ok := w.fn.spot(f.ArgsOf(v)[0]); ok && w.cellName(c) != "" {
				return w.cellName(c)
			}
		}
	}
	if len(s.cells) > 0 {
		return w.cellName(s.cells[0])
	}
	return ""
}
