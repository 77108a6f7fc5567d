// This file takes over what a run on another version of the program found out of
// functions that have not changed since.
//
// What is found out of a function comes from its own body, from what is known of the
// functions it calls (headers, summaries, what they write), and from a few tables of
// the whole program: see the fields of function. If all of these are as they were, so
// is the result. Positions count: a function that was moved by a line has another
// body, and if the summary tells of places, so it has another summary.

package leak

import (
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/plumb-project/plumb/internal/ir"
)

// A reuse is what can be taken over from an earlier run.
type reuse struct {
	e, prev *engine
	same    []bool // by FuncID: the body is as it was
	told    []bool // by FuncID: what callers are told is as it was; set bottom up
	taken   int    // functions that were taken over
}

// reuse compares the tables of two runs; nil if nothing can be taken over.
func (e *engine) reuse(prev *engine) *reuse {
	if prev == nil || e.watch != nil || prev.watch != nil || e.counts || e.policy != prev.policy || e.allPaths != prev.allPaths ||
		e.states != prev.states || e.hunts != prev.hunts || e.numbers != prev.numbers || e.wantGraphs != prev.wantGraphs ||
		!e.p.SameTables(prev.p) || !maps.Equal(e.fixed, prev.fixed) || !maps.Equal(e.counters, prev.counters) ||
		!slices.Equal(e.owners, prev.owners) || !e.modref.Comparable(prev.modref) {
		return nil
	}
	r := &reuse{e: e, prev: prev, same: make([]bool, len(e.p.Funcs)), told: make([]bool, len(e.p.Funcs))}
	for i := range prev.p.Funcs { // those that are new come after them
		f, was := &e.p.Funcs[i], &prev.p.Funcs[i]
		r.same[i] = f.Same(was) && e.codes[i] == prev.codes[i] && e.printers[i] == prev.printers[i]
		r.told[i] = f.IsDecl() && f.SameHeader(was) && reflect.DeepEqual(e.sums[i], prev.sums[i])
	}
	return r
}

// engine is the run behind a result; nil for none.
func (r *Result) engine() *engine {
	if r == nil {
		return nil
	}
	return r.e
}

// count is how many functions were taken over.
func (r *reuse) count() int {
	if r == nil {
		return 0
	}
	return r.taken
}

// isNew reports whether the earlier version did not have a function.
func (r *reuse) isNew(f ir.FuncID) bool { return int(f) >= len(r.prev.p.Funcs) }

// rest takes over what it can of a level, and returns the others.
func (r *reuse) rest(level []component) []component {
	if r == nil {
		return level
	}
	var rest []component
	for _, c := range level {
		if !r.holds(&c) {
			rest = append(rest, c)
			continue
		}
		r.taken += len(c.members)
		for _, f := range c.members {
			if !r.e.p.Funcs[f].IsDecl() {
				r.e.sums[f], r.e.results[f] = r.prev.sums[f], r.prev.results[f]
			}
		}
		r.compare(&c)
	}
	return rest
}

// compare notes whether callers of a component are told the same as before.
func (r *reuse) compare(c *component) {
	if r == nil || slices.ContainsFunc(c.members, r.isNew) {
		return
	}
	inside := func(f ir.FuncID) bool { return slices.Contains(c.members, f) }
	told := true
	for _, f := range c.members {
		now, was := r.e.sums[f], r.prev.sums[f]
		told = told && r.e.p.Funcs[f].SameHeader(&r.prev.p.Funcs[f]) && (now == was || reflect.DeepEqual(now, was))
		for _, g := range r.prev.mentioned(f) {
			told = told && (inside(g) || r.told[g])
		}
	}
	for _, f := range c.members {
		r.told[f] = told
	}
}

// holds reports whether what was found out of a component holds again.
func (r *reuse) holds(c *component) bool {
	if slices.ContainsFunc(c.members, r.isNew) {
		return false
	}
	first := c.members[0]
	was := r.prev.calls.Scc.Members.Succs(r.prev.calls.Scc.Comp[first])
	if len(was) != len(c.members) {
		return false
	}
	for _, f := range c.members {
		if !slices.Contains(was, uint32(f)) || !r.same[f] {
			return false
		}
		calls := r.e.calls.CallsOf(f)
		if !slices.EqualFunc(calls, r.prev.calls.CallsOf(f), reflectEqual) || !r.e.modref.SameCalls(r.prev.modref, f) {
			return false
		}
		for i := range calls {
			for callee := range calls[i].All() {
				if !r.told[callee] && !slices.Contains(c.members, callee) {
					return false
				}
			}
			if c := calls[i].Callee; c != 0 && !r.isNew(c) && !r.e.p.Funcs[c].SameHeader(&r.prev.p.Funcs[c]) {
				return false
			}
		}
	}
	return true
}

func reflectEqual[T any](a, b T) bool { return reflect.DeepEqual(a, b) }

// A mentions lists the functions that each summary names, once it was asked.
type mentions struct {
	once sync.Once
	list [][]ir.FuncID // by FuncID
}

// mentioned are the functions that a summary names: whoever reads it may go on to
// theirs.
func (e *engine) mentioned(f ir.FuncID) []ir.FuncID {
	m := &e.mentions
	m.once.Do(func() {
		m.list = make([][]ir.FuncID, len(e.sums))
		for i, s := range e.sums {
			if s == nil {
				continue
			}
			lists := append(slices.Collect(maps.Values(s.places)), s.rest)
			for _, o := range slices.Concat(append(lists, s.params...)...) {
				if o.by.fn != 0 && !slices.Contains(m.list[i], o.by.fn) {
					m.list[i] = append(m.list[i], o.by.fn)
				}
			}
		}
	})
	return m.list[f]
}
