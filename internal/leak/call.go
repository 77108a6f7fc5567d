// This file follows the object through calls.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/model"
)

// call follows the object through call v. It reports whether the path goes on
// with it on the way that s becomes; other ways go to the queue.
func (w *walker) call(s *state, v ir.ValueID) bool {
	f := w.fn.f
	args := f.ArgsOf(v)
	s.setValue(v, false) // a new round: the value is another object now
	var m *model.Func
	var flags ir.FuncFlags
	if c := f.Callee(v); c != 0 {
		m, flags = w.fn.models[c], w.fn.p.Funcs[c].Flags
	}
	passed := slices.ContainsFunc(args, s.holdsValue)
	if passed && m == nil && flags&ir.Intrinsic == 0 {
		return false
	}
	if f.Values[v].Sub&ir.CallNoReturn != 0 || flags&ir.NoReturn != 0 || m != nil && m.NoReturn {
		return false
	}
	w.forgetPassed(s, args[1:])
	if !passed || m == nil {
		return true
	}
	for i, a := range args[1:] {
		if s.holdsValue(a) && m.KeepsParam(i) {
			return false
		}
	}
	return w.outcomes(s, v, m)
}

// outcomes follows each way the call can end.
func (w *walker) outcomes(s *state, v ir.ValueID, m *model.Func) bool {
	var ways []*state
	for i := range m.Outcomes {
		o := &m.Outcomes[i]
		if n := s.clone(); w.outcome(n, v, m, o) {
			ways = append(ways, n)
		}
	}
	if len(ways) == 0 {
		return false
	}
	for _, n := range ways[1:] {
		switch {
		case w.fn.f.Values[v].Op != ir.OpCall:
			for i := range w.fn.f.SuccsOf(s.block) {
				w.edge(n.clone(), i)
			}
		case !w.lostAfter(n, v):
			w.push(n)
		}
	}
	*s = *ways[0]
	return true
}

// outcome applies one outcome. It reports whether the object lives on.
func (w *walker) outcome(s *state, v ir.ValueID, m *model.Func, o *model.Outcome) bool {
	args := w.fn.f.ArgsOf(v)[1:]
	for _, p := range o.Consumes {
		if p < len(args) && s.holdsValue(args[p]) {
			return false
		}
	}
	hasResult := w.fn.f.Values[v].Type.Kind() == ir.Ptr && len(w.fn.uses.Succs(uint32(v))) > 0
	switch o.Result {
	case model.ResultArg:
		if o.Arg < len(args) && s.holdsValue(args[o.Arg]) {
			s.setValue(v, hasResult)
		}
	case model.ResultNull:
		if hasResult {
			s.env.setFact(v, point(0))
		}
		switch {
		case m.Fresh():
			s.note(v, m.DisplayName()+" fails")
		case hasResult:
			s.note(v, m.DisplayName()+" returns NULL")
		}
	}
	return true
}

// forgetPassed drops what is known of local variables and globals whose address is passed.
func (w *walker) forgetPassed(s *state, args []ir.ValueID) {
	for _, a := range args {
		if w.fn.f.Values[a].Type.Kind() != ir.Ptr {
			continue
		}
		base := w.base(a)
		if op := w.fn.f.Values[base].Op; op != ir.OpAlloca && op != ir.OpGlobalAddr && op != ir.OpParam {
			continue
		}
		s.env.keep(func(v ir.ValueID) bool {
			return !w.reads(v, func(l ir.ValueID) bool { return w.base(w.fn.f.ArgsOf(l)[0]) == base }, 0)
		})
	}
}

// base returns what an address is an offset from.
func (w *walker) base(v ir.ValueID) ir.ValueID {
	for w.fn.f.Values[v].Op == ir.OpGep {
		v = w.fn.f.ArgsOf(v)[0]
	}
	return v
}
