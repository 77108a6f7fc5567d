// This file is about the end of the process.

package leak

import (
	"cmp"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
)

// noReturn reports whether call v does not return.
func (fn *function) noReturn(v ir.ValueID, sum *summary, flags ir.FuncFlags) bool {
	return fn.f.Values[v].Sub&ir.CallNoReturn != 0 && !fn.policy.NoAttributes || flags&ir.NoReturn != 0 || sum != nil && sum.noReturn
}

// returnsIf returns what the arguments are when the function returns: where a branch
// that every return comes by can end the process, it has not.
func (fn *function) returnsIf() []guard {
	f := fn.f
	w := &walker{fn: fn, given: true}
	s := &state{block: 1, at: f.Blocks[1].First}
	for b := ir.BlockID(1); int(b) < len(f.Blocks); b++ {
		t, succs := f.Terminator(b), f.SuccsOf(b)
		if f.Values[t].Op == ir.OpCondBr && fn.doomed[succs[0]] != fn.doomed[succs[1]] && fn.onEveryPath(b) {
			w.assume(s, f.ArgsOf(t)[0], fn.doomed[succs[1]], 0)
		}
	}
	return w.guards(s)
}

// onEveryPath reports whether control comes by block b before every return.
func (fn *function) onEveryPath(b ir.BlockID) bool {
	for r := ir.BlockID(1); int(r) < len(fn.f.Blocks); r++ {
		if fn.f.Values[fn.f.Terminator(r)].Op == ir.OpRet && !fn.dom.Dominates(uint32(b), uint32(r)) {
			return false
		}
	}
	return true
}

// comesBack reports whether call v can return with these arguments, and notes what
// follows for them.
func (w *walker) comesBack(s *state, v ir.ValueID, sum *summary) bool {
	args := w.fn.f.ArgsOf(v)[1:]
	for _, g := range sum.backIf {
		if g.param < len(args) && !w.narrow(s, args[g.param], g.r, 0) {
			return false
		}
	}
	return true
}

// atExit reports an object that is still held where the process ends: at call v,
// which does not return, or at a return of main. What the call is given itself it
// may well need; an exception is another matter.
func (w *walker) atExit(s *state, v ir.ValueID, sum *summary) {
	if w.life != nil && (!w.fn.policy.ExitLeaks || s.life.status != Live) {
		w.life.end(s, LifeEnd{Kind: EndExit, At: v})
		return
	}
	if !w.fn.policy.ExitLeaks || s.before || w.given || sum != nil && sum.throws {
		return
	}
	if s.loss != nil { // lost before, which did not matter until here
		w.reportAs(s, report.LeakAtExit)
		return
	}
	if s.end != 0 || w.isHeldElsewhere(s) {
		return
	}
	text := "main returns without releasing it"
	if w.fn.f.Values[v].Op.IsCall() {
		args := w.fn.f.ArgsOf(v)[1:]
		if slices.ContainsFunc(args, s.holdsValue) || slices.ContainsFunc(args, func(a ir.ValueID) bool { return w.ownerStored(s, a) }) {
			return
		}
		name := "the call"
		if sum != nil {
			name = sum.name
		} else if c := w.fn.f.Callee(v); c != 0 {
			name = w.fn.p.Funcs[c].SourceName()
		}
		text = cmp.Or(name, "the call") + " does not return, and it is not released"
	}
	n := s.clone()
	n.last = w.holderName(n)
	n.lose(exited, v, text)
	w.report(n, n.loss)
}

// reportAs reports a loss as one of another kind.
func (w *walker) reportAs(s *state, kind report.Kind) {
	other := *s.loss
	other.kind = kind
	w.report(s, &other)
}
