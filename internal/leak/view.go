// This file lets others ask what a search found out about calls.

package leak

import (
	"github.com/plumb-project/plumb/internal/callgraph"
	"github.com/plumb-project/plumb/internal/ir"
)

// A Callee is what a call does, as far as others ask.
type Callee struct {
	Name     string
	Known    bool // something is
	NoReturn bool
	Fresh    bool // the result is a new object, if it is not null
	MayFail  bool // and it may be null
	Zeroed   bool // and it is all zeros
	Makes    bool // it leaves a new object somewhere
	Ret      Range
	Frees    []int // arguments that it releases on every path
}

// A View answers questions about calls. It is for one goroutine.
type View struct {
	e   *engine
	fns map[ir.FuncID]*function
}

// View returns a new view of the result.
func (r *Result) View() *View { return &View{r.e, map[ir.FuncID]*function{}} }

// Calls returns the call graph.
func (r *Result) Calls() *callgraph.Graph { return r.e.calls }

// Fixed returns the value of a global that nobody writes.
func (r *Result) Fixed(g ir.GlobalID) (n int64, ok bool) {
	n, ok = r.e.fixed[g]
	return n, ok
}

// At returns what the call at site does.
func (v *View) At(caller ir.FuncID, site ir.ValueID) Callee {
	fn := v.function(caller)
	sum, flags := fn.callee(site)
	out := Callee{Ret: rangeOf(everything), NoReturn: fn.noReturn(site, sum, flags)}
	if sum == nil {
		return out
	}
	out.Name, out.Known, out.Ret = sum.name, true, rangeOf(sum.ret)
	out.Fresh, out.MayFail = sum.fresh && sum.newIf == nil && fn.makesNew(site, sum), sum.mayFail
	out.Zeroed = sum.zeroed
	out.Makes = sum.fresh || len(sum.outs) > 0
	for i := range fn.f.ArgsOf(site)[1:] {
		list := sum.param(i)
		frees := len(list) > 0
		for _, o := range list {
			frees = frees && o.effect == consumes && len(o.guards) == 0
		}
		if frees {
			out.Frees = append(out.Frees, i)
		}
	}
	return out
}

// function returns the caller, as far as its calls are asked for.
func (v *View) function(caller ir.FuncID) *function {
	fn := v.fns[caller]
	if fn == nil {
		fn = v.e.function()
		fn.id, fn.f, fn.indirect = caller, &v.e.p.Funcs[caller], map[ir.ValueID]*summary{}
		fn.findLast()
		v.fns[caller] = fn
	}
	return fn
}
