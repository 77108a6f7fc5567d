// This file summarises functions that call one another.

package leak

import (
	"reflect"
	"slices"

	"github.com/plumb-project/plumb/internal/graph"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
)

// maxRounds is how often a cycle is gone through at most. More rounds cost as much
// as the first and were not seen to change a finding.
const maxRounds = 3

// cycle summarises a cycle, round by round until nothing changes. In the first
// round nothing is known of functions that come later, which is safe; each further
// round knows what the one before found out, which is as safe and says more, so
// that it is no harm to stop. A function is looked at again only if something
// that it calls has changed.
//
// The order in a round is that of direct calls: most cycles are closed by a call
// through a pointer, and without those most of their functions form none.
//
// A few functions that call one another by name are first tried the other way round,
// which says more; see grow.
func (e *engine) cycle(c *component, do func(n int, each func(fn *function, i int)) error) error {
	e.endless(c)
	if e.isPlain(c) {
		if done, err := e.grow(c, do); done || err != nil {
			return err
		}
	}
	callers := map[ir.FuncID][]ir.FuncID{}
	stale := map[ir.FuncID]bool{}
	for _, f := range c.members {
		stale[f] = true
		for _, call := range e.calls.CallsOf(f) {
			for callee := range call.All() {
				if e.calls.Scc.Comp[callee] == c.number {
					callers[callee] = append(callers[callee], f)
				}
			}
		}
	}
	stages := e.stages(c)
	for range maxRounds {
		for _, stage := range stages {
			stage = slices.DeleteFunc(slices.Clone(stage), func(f ir.FuncID) bool { return !stale[f] })
			made := make([]result, len(stage))
			if err := do(len(stage), func(fn *function, i int) { made[i] = e.look(fn, stage[i]) }); err != nil {
				return err
			}
			for _, f := range stage {
				delete(stale, f)
			}
			for i, f := range stage {
				if !e.sums[f].tells(made[i].sum) {
					for _, caller := range callers[f] {
						stale[caller] = true
					}
				}
				e.publish(f, made[i])
			}
		}
		if len(stale) == 0 {
			break
		}
	}
	for f := range stale {
		e.results[f].gaveUp = append(e.results[f].gaveUp, gave{reason: report.Recursion})
	}
	return nil
}

// maxPlain is how many functions a cycle has at most that grow is tried with, and
// maxTurns how often it goes through them.
const maxPlain, maxTurns = 4, 8

// isPlain reports whether a cycle is a recursion for certain: a few functions that
// call one another by name. Of a call through a pointer it is not known that it leads
// back.
func (e *engine) isPlain(c *component) bool {
	if len(c.members) > maxPlain {
		return false
	}
	for _, f := range c.members {
		for _, call := range e.calls.CallsOf(f) {
			for callee := range call.All() {
				if callee != call.Callee && e.calls.Scc.Comp[callee] == c.number {
					return false
				}
			}
		}
	}
	return true
}

// grow summarises a cycle from what its functions do when none of them is called
// again: at first no call within the cycle returns, and each turn takes in the calls
// that the one before understood. For what arguments ways differ is given up when two
// turns were not enough: a function that counts down would go on forever. What is
// known before nothing changes any more may be wrong, so that all is taken back if
// that is not reached; it reports whether it is.
func (e *engine) grow(c *component, do func(n int, each func(fn *function, i int)) error) (bool, error) {
	var open []ir.FuncID
	for _, f := range c.members {
		if e.sums[f] == nil && !e.p.Funcs[f].IsDecl() {
			open = append(open, f)
			e.sums[f] = &summary{name: e.p.Funcs[f].SourceName(), ret: everything, noReturn: true}
		}
	}
	for turn := range maxTurns {
		made := make([]result, len(open))
		if err := do(len(open), func(fn *function, i int) { made[i] = e.look(fn, open[i]) }); err != nil {
			return false, err
		}
		same := true
		for i, f := range open {
			if turn > 1 {
				made[i].sum.unguard()
			}
			same = same && e.sums[f].tells(made[i].sum)
			e.publish(f, made[i])
		}
		if same {
			return true, nil
		}
	}
	for _, f := range open {
		e.sums[f], e.results[f] = nil, result{}
	}
	return false, nil
}

// unguard takes back in what arguments the ways differ.
func (s *summary) unguard() {
	strip := func(list []outcome) []outcome {
		var all []outcome
		for _, o := range list {
			o.guards = nil
			all = merge(all, o)
		}
		return all
	}
	for i := range s.params {
		s.params[i] = strip(s.params[i])
	}
	for p := range s.places {
		s.places[p] = strip(s.places[p])
	}
	for i := range s.outs {
		s.outs[i].guards = nil
	}
	s.newIf, s.backIf, s.partly = nil, nil, false
}

// endless finds the functions of a cycle that do not return. Each may be known by
// the next one, so that they are asked until there are no more.
func (e *engine) endless(c *component) {
	if e.policy.DeclaredNoReturn {
		return
	}
	fn := e.function()
	for found := true; found; {
		found = false
		for _, id := range c.members {
			if e.sums[id] != nil || e.p.Funcs[id].IsDecl() {
				continue
			}
			fn.id, fn.f, fn.indirect = id, &e.p.Funcs[id], map[ir.ValueID]*summary{}
			if fn.neverReturns() {
				e.sums[id] = &summary{name: fn.f.SourceName(), ret: everything, noReturn: true, throws: fn.mayThrow(true)}
				found = true
			}
		}
	}
}

// tells reports whether two summaries say the same to a caller. Where in the
// source things happen is none of that: in a recursion, there is always one more
// call on the way.
func (s *summary) tells(t *summary) bool {
	return s != nil && t != nil && reflect.DeepEqual(s.plain(), t.plain())
}

// plain returns a summary without places in the source.
func (s *summary) plain() *summary {
	c := *s
	c.calls, c.params, c.places, c.outs = nil, nil, make(map[place][]outcome, len(s.places)), slices.Clone(s.outs)
	strip := func(list []outcome) []outcome {
		if !slices.ContainsFunc(list, func(o outcome) bool { return o.where != nil }) {
			return list
		}
		list = slices.Clone(list)
		for i := range list {
			list[i].where = nil
		}
		return list
	}
	for _, list := range s.params {
		c.params = append(c.params, strip(list))
	}
	for p, list := range s.places {
		c.places[p] = strip(list)
	}
	for i := range c.outs {
		c.outs[i].calls, c.outs[i].made = nil, made{}
	}
	return &c
}

// stages groups the functions of a cycle so that what a stage calls directly is
// in stages before it, but for recursion.
func (e *engine) stages(c *component) [][]ir.FuncID {
	index := map[ir.FuncID]uint32{}
	for i, f := range c.members {
		index[f] = uint32(i)
	}
	var edges []graph.Edge
	for i, f := range c.members {
		for _, call := range e.calls.CallsOf(f) {
			if k, ok := index[call.Callee]; ok {
				edges = append(edges, graph.Edge{From: uint32(i), To: k})
			}
		}
	}
	var calls graph.CSR
	var scc graph.SCC
	calls.Build(len(c.members), edges)
	scc.Build(&calls)
	var out [][]ir.FuncID
	stageOf := make([]int, scc.N())
	for comp := range scc.N() {
		for _, i := range scc.Members.Succs(uint32(comp)) {
			for _, k := range calls.Succs(i) {
				if other := scc.Comp[k]; other != uint32(comp) {
					stageOf[comp] = max(stageOf[comp], stageOf[other]+1)
				}
			}
		}
		for len(out) <= stageOf[comp] {
			out = append(out, nil)
		}
		for _, i := range scc.Members.Succs(uint32(comp)) {
			out[stageOf[comp]] = append(out[stageOf[comp]], c.members[i])
		}
	}
	return out
}
