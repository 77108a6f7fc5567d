// This file follows objects that are handed to a function that was itself handed
// over: to the callback of a library function, or of one of the program.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/callgraph"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/model"
)

// A handed says that a function calls one of its parameters with the object. The
// caller, who passes both, knows best what becomes of it then.
type handed struct {
	param int // 1 + the parameter that is called; 0 for none
	arg   int // the object is this argument
}

// callAt returns the call v in the call graph.
func (fn *function) callAt(v ir.ValueID) (callgraph.Call, bool) {
	calls := fn.graph.CallsOf(fn.id)
	i, ok := slices.BinarySearchFunc(calls, v, func(c callgraph.Call, v ir.ValueID) int { return int(c.Site) - int(v) })
	if !ok {
		return callgraph.Call{}, false
	}
	return calls[i], true
}

// handOver puts in the place of outcomes that hand the object over what becomes
// of it in the functions that call v passes, where these are known.
func (fn *function) handOver(v ir.ValueID, list []outcome) []outcome {
	if !slices.ContainsFunc(list, func(o outcome) bool { return o.via.param != 0 }) {
		return list
	}
	call, _ := fn.callAt(v)
	var out []outcome
	for _, o := range list {
		for _, x := range fn.throughPassed(call, o) {
			out = merge(out, x)
		}
	}
	return out
}

// throughPassed returns what becomes of the object in the functions that it is
// handed to.
func (fn *function) throughPassed(call callgraph.Call, o outcome) []outcome {
	via := o.via
	o.via = handed{}
	if via.param == 0 {
		return []outcome{o}
	}
	i := slices.IndexFunc(call.Passed, func(p callgraph.Passed) bool { return p.Arg == via.param-1 })
	if i < 0 || len(call.Passed[i].Targets) == 0 {
		return []outcome{o}
	}
	var out []outcome
	for _, t := range call.Passed[i].Targets {
		sum := fn.sums[t]
		if sum == nil {
			return []outcome{o}
		}
		for _, p := range sum.param(via.arg) {
			x := outcome{ret: o.ret, guards: o.guards, effect: keeps}
			if p.via.param == 0 && (p.effect == borrows || p.effect == consumes) {
				x.effect = p.effect
			}
			out = append(out, x)
		}
	}
	return out
}

// handsOn returns the outcomes of a given object as argument i of call v, if that
// is up to a function that our own caller passes: v calls a parameter, or passes
// one on to be called.
func (w *walker) handsOn(v ir.ValueID, sum *summary, i int) ([]outcome, bool) {
	if !w.given {
		return nil, false
	}
	f := w.fn.f
	args := f.ArgsOf(v)
	if x := &f.Values[args[0]]; x.Op == ir.OpParam {
		return []outcome{{ret: everything, effect: keeps, via: handed{int(x.Aux) + 1, i}}}, true
	}
	if sum == nil {
		return nil, false
	}
	found := false
	list := slices.Clone(sum.param(i))
	for k := range list {
		o := &list[k]
		if o.via.param == 0 || o.via.param >= len(args) {
			continue
		}
		if x := &f.Values[args[o.via.param]]; x.Op == ir.OpParam {
			o.via.param, found = int(x.Aux)+1, true
		}
	}
	return list, found
}

// modelVia returns the callback that a model calls with parameter i, on one of the
// ways in which it can end. What is kept for a call later is up to that call; what
// is kept, and looked at by a callback now, stays kept, and so does what is kept for
// several.
func modelVia(o *model.Outcome, i int) handed {
	kept := slices.Contains(o.Keeps, i)
	var via handed
	for _, c := range o.Calls {
		k := slices.Index(c.Args, i)
		if k < 0 || kept && !c.Later {
			continue
		}
		if kept && via.param != 0 {
			return handed{}
		}
		if via.param == 0 {
			via = handed{c.Func + 1, k}
		}
	}
	return via
}
