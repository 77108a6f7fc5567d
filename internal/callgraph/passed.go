// This file finds functions that are given to other functions, which call them.

package callgraph

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/model"
)

// A Passed is an argument that the callee calls, itself or through what it passes
// it on to.
type Passed struct {
	Arg     int         // from 0
	Targets []ir.FuncID // what it may be; nil when that is not known
}

// calledParams returns, for each function, the parameters that it calls.
func (g *Graph) calledParams(t *index, models *model.Set) map[ir.FuncID][]int {
	called := map[ir.FuncID][]int{}
	type param struct {
		f ir.FuncID
		i int
	}
	var work []param
	add := func(f ir.FuncID, i int) {
		if !slices.Contains(called[f], i) {
			called[f] = append(called[f], i)
			work = append(work, param{f, i})
		}
	}
	for i := range g.Program.Funcs {
		f := &g.Program.Funcs[i]
		if !f.IsDecl() || models == nil {
			continue
		}
		if m := models.Lookup(f.Name); m != nil {
			for _, c := range m.Calls() {
				add(ir.FuncID(i), c.Func)
			}
		}
	}
	for _, c := range g.Calls {
		f := &g.Program.Funcs[c.Caller]
		if x := &f.Values[f.ArgsOf(c.Site)[0]]; x.Op == ir.OpParam {
			add(c.Caller, int(x.Aux))
		}
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range t.callers[p.f] {
			f := &g.Program.Funcs[c.fn]
			if args := f.ArgsOf(c.at); p.i+1 < len(args) && f.Values[args[p.i+1]].Op == ir.OpParam {
				add(c.fn, int(f.Values[args[p.i+1]].Aux))
			}
		}
	}
	for _, list := range called {
		slices.Sort(list)
	}
	return called
}

// A question is an argument that the callee calls, and the node of what it is.
type question struct {
	call, passed int
	node         nodeID
}

// askPassed asks what functions are passed to functions that call them.
func (g *Graph) askPassed(fl *flow, called map[ir.FuncID][]int) []question {
	var out []question
	for i := range g.Calls {
		c := &g.Calls[i]
		if c.Callee == 0 {
			continue
		}
		args := g.Program.Funcs[c.Caller].ArgsOf(c.Site)
		for _, p := range called[c.Callee] {
			if p+1 < len(args) {
				c.Passed = append(c.Passed, Passed{Arg: p})
				out = append(out, question{i, len(c.Passed) - 1, fl.value(c.Caller, args[p+1])})
			}
		}
	}
	return out
}

// answer notes what was found.
func (g *Graph) answer(fl *flow, qs []question) {
	for _, q := range qs {
		if n := &fl.nodes[q.node]; n.doubt == 0 && len(n.funcs) <= maxTargets {
			g.Calls[q.call].Passed[q.passed].Targets = n.funcs
		}
	}
}
