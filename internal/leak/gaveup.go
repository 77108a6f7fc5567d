// This file keeps the places at which something was not followed any further.

package leak

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
)

// A gave is a place of a function at which the analysis gave up.
type gave struct {
	reason report.Reason
	at     ir.ValueID // the call, the allocation, or the parameter; 0 for the function as a whole
}

// giveUp notes a place; many objects may come to it.
func (fn *function) giveUp(r report.Reason, at ir.ValueID) {
	if fn.gaveUp == nil {
		fn.gaveUp = map[gave]bool{}
	}
	fn.gaveUp[gave{r, at}] = true
}

// outOfSight notes that call v, of which nothing is known, gets the object.
func (fn *function) outOfSight(v ir.ValueID) {
	c := fn.f.Callee(v)
	switch {
	case c == 0 && fn.f.Values[fn.f.ArgsOf(v)[0]].Op == ir.OpAsm:
		fn.giveUp(report.InlineAssembly, v)
	case c == 0:
		fn.giveUp(report.UnknownTarget, v)
	case fn.p.Funcs[c].IsDecl():
		fn.giveUp(report.UnknownCallee, v)
	}
	// A function with a body of which nothing is known is in a cycle, and this is
	// not the last time that the caller is looked at.
}

// places returns the places of the function in order.
func (fn *function) places() []gave {
	var list []gave
	for g := range fn.gaveUp {
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b gave) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.reason, b.reason)) })
	return list
}

// tell says what the places of a function are about.
func (e *engine) tell(id ir.FuncID) []report.GaveUp {
	if len(e.results[id].gaveUp) == 0 {
		return nil
	}
	fn := e.function()
	fn.id, fn.f = id, &e.p.Funcs[id]
	var out []report.GaveUp
	for _, g := range e.results[id].gaveUp {
		out = append(out, report.GaveUp{Reason: g.reason, Function: fn.f.SourceName(), Pos: fn.position(g.at), Text: fn.gaveUpText(g)})
	}
	slices.SortStableFunc(out, report.CompareGaveUp)
	return slices.Compact(out)
}

// gaveUpText says what was given up.
func (fn *function) gaveUpText(g gave) string {
	switch g.reason {
	case report.UnknownCallee:
		return fn.p.Funcs[fn.f.Callee(g.at)].SourceName() + " has no body and no model: what it is given counts as kept"
	case report.UnknownTarget:
		return fn.targetText(g.at) + ": what it is given counts as kept"
	case report.InlineAssembly:
		return "inline assembly: what it is given counts as kept"
	case report.TooManyStates:
		if g.at != 0 && fn.f.Values[g.at].Op.IsCall() {
			return fmt.Sprintf("what is allocated here has more than %d states: leaks of it are not found", fn.states)
		}
		if x := &fn.f.Values[g.at]; g.at != 0 && x.Var != 0 {
			return fmt.Sprintf("what %s points to has more than %d states: callers take it for kept", fn.f.Vars[x.Var].Name, fn.states/8)
		}
		return fmt.Sprintf("what is reached from a parameter or a global has more than %d states: callers take it for kept", fn.states/8)
	case report.Recursion:
		return fmt.Sprintf("%s calls itself by way of other functions: what these do was looked at %d times and might have told more", fn.f.SourceName(), maxRounds)
	case report.JumpTarget:
		return fn.f.SourceName() + " calls setjmp: it is not looked at"
	}
	panic(fmt.Sprintf("leak: nothing to tell of %s", g.reason))
}

// targetText says why it is not known where a call through a pointer leads.
func (fn *function) targetText(v ir.ValueID) string {
	call, ok := fn.callAt(v)
	switch {
	case ok && len(call.Many) > 0:
		return fmt.Sprintf("a call through a pointer that may lead to %d functions", len(call.Many))
	case ok:
		for _, t := range call.Targets {
			if fn.sums[t] == nil {
				return "a call through a pointer that may lead to " + fn.p.Funcs[t].SourceName() + ", which has no body and no model"
			}
		}
	}
	return "a call through a pointer that may lead anywhere"
}
