// This file goes through the program bottom up: each function is summarised with
// what is known of those it calls, and its leaks are found on the way.

package leak

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/plumb-project/plumb/internal/callgraph"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/model"
	"github.com/plumb-project/plumb/internal/report"
)

// Find returns the leaks of p in the order of report.Sort.
func Find(ctx context.Context, p *ir.Program, cfg Config) ([]report.Finding, error) {
	e, err := run(ctx, p, cfg)
	if err != nil {
		return nil, err
	}
	var all []report.Finding
	for _, fs := range e.found {
		all = append(all, fs...)
	}
	all = append(all, e.reachable()...)
	all = slices.DeleteFunc(all, func(f report.Finding) bool { return !cfg.wants(f.Kind) })
	report.Sort(all)
	return all, nil
}

// run goes through the whole program.
func run(ctx context.Context, p *ir.Program, cfg Config) (*engine, error) {
	if cfg.Jobs <= 0 {
		cfg.Jobs = runtime.GOMAXPROCS(0)
	}
	if cfg.Models == nil {
		cfg.Models = model.Builtin()
	}
	if cfg.States <= 0 {
		cfg.States = 1000
	}
	e := &engine{p: p, fixed: constants(p), owners: owners(p), calls: callgraph.Build(p), policy: cfg.Policy, allPaths: cfg.AllPaths, watch: cfg.watch, states: cfg.States, sums: summaries(p, cfg.Models, cfg.Policy), found: make([][]report.Finding, len(p.Funcs)), kept: make([]inGlobals, len(p.Funcs))}
	e.hunts = cfg.wants(report.DoubleFree) || cfg.wants(report.UseAfterFree) || cfg.wants(report.MismatchedFree)
	for _, level := range levels(e.calls) {
		if err := e.level(ctx, level, cfg.Jobs); err != nil {
			return nil, err
		}
	}
	if cfg.Stats != nil {
		cfg.Stats.Objects, cfg.Stats.GivenUp = int(e.objects.Load()), int(e.givenUp.Load())
	}
	return e, nil
}

// An engine is one run over a program.
type engine struct {
	p        *ir.Program
	calls    *callgraph.Graph
	fixed    map[ir.GlobalID]int64 // globals that nobody writes
	owners   []bool                // globals whose pointers are followed
	policy   Policy
	allPaths bool
	watch    *watch
	states   int
	hunts    bool               // look at what is done after a release
	sums     []*summary         // by FuncID; written once its level is done
	found    [][]report.Finding // by FuncID
	kept     []inGlobals        // by FuncID; for the policy GlobalsLeak

	objects, givenUp atomic.Int64
}

// A component is functions that call one another.
type component struct {
	members []ir.FuncID
	cyclic  bool
}

// levels groups the components of the call graph: what a level calls is in
// levels before it.
func levels(g *callgraph.Graph) [][]component {
	var out [][]component
	levelOf := make([]int, len(g.Program.Funcs))
	g.Components(func(comp int, members []ir.FuncID) {
		c := component{members: slices.Clone(members), cyclic: len(members) > 1}
		at := 0
		for _, f := range members {
			for _, call := range g.CallsOf(f) {
				for _, callee := range append(call.Targets[:len(call.Targets):len(call.Targets)], call.Callee) {
					if callee != 0 && g.Scc.Comp[callee] == uint32(comp) {
						c.cyclic = true
					} else if callee != 0 {
						at = max(at, levelOf[callee]+1)
					}
				}
			}
		}
		for _, f := range members {
			levelOf[f] = at
		}
		for len(out) <= at {
			out = append(out, nil)
		}
		out[at] = append(out[at], c)
	})
	return out
}

// level summarises independent components, several at a time.
func (e *engine) level(ctx context.Context, level []component, jobs int) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	var broken atomic.Value // what a worker panicked with
	for range min(jobs, len(level)) {
		wg.Go(func() {
			fn := &function{p: e.p, fixed: e.fixed, owners: e.owners, graph: e.calls, sums: e.sums, states: e.states, policy: e.policy, allPaths: e.allPaths, watch: e.watch}
			fn.hunts = e.hunts
			defer func() {
				if x := recover(); x != nil {
					broken.Store(fmt.Sprintf("leak: in %s: %v\n%s", fn.f.Name, x, debug.Stack()))
				}
			}()
			for ctx.Err() == nil && broken.Load() == nil {
				i := int(next.Add(1) - 1)
				if i >= len(level) {
					return
				}
				e.component(fn, &level[i])
			}
		})
	}
	wg.Wait()
	if x := broken.Load(); x != nil {
		panic(x) // here, where the caller can say which phase it was
	}
	return ctx.Err()
}

// rounds is how often a cycle is gone through. In the first round nothing is
// known of the cycle's own functions, which is safe; each further round knows
// what the one before found out, which is as safe and says more.
const rounds = 2

func (e *engine) component(fn *function, c *component) {
	n := 1
	if c.cyclic {
		n = rounds
	}
	for round := range n {
		made := make([]*summary, len(c.members))
		for i, id := range c.members {
			if !e.p.Funcs[id].IsDecl() {
				made[i], e.found[id] = fn.summarise(id)
				e.kept[id] = fn.kept
				if round == n-1 {
					e.objects.Add(fn.objects)
					e.givenUp.Add(fn.givenUp)
				}
			}
		}
		for i, id := range c.members {
			if made[i] != nil {
				e.sums[id] = made[i]
			}
		}
	}
}

// summarise looks at one function: what it does for its callers, and what it leaks.
func (fn *function) summarise(id ir.FuncID) (*summary, []report.Finding) {
	fn.objects, fn.givenUp, fn.kept = 0, 0, inGlobals{}
	fn.watch.begin(id)
	fn.id, fn.f, fn.indirect = id, &fn.p.Funcs[id], map[ir.ValueID]*summary{}
	sum := &summary{name: fn.f.SourceName(), ret: everything, inferred: true, noReturn: !fn.policy.DeclaredNoReturn && fn.neverReturns(), params: make([][]outcome, fn.f.NParams)}
	if fn.f.Flags&ir.Variadic != 0 {
		sum.rest = unknown
	}
	if fn.jumps() {
		return &summary{name: sum.name, ret: everything, noReturn: sum.noReturn}, nil // its paths are not those of its blocks
	}
	fn.prepare()
	sum.ret = fn.resultRange()
	sum.throws = fn.mayThrow(sum.noReturn)
	fn.findEmptied()
	found := fn.followSites(sum)
	fn.followParams(sum)
	fn.resultWithMemory(sum)
	if fn.policy.NoWrappers {
		sum.ownNothing()
	}
	sum.looks, sum.quiet, sum.getter = fn.looksAt(), fn.isQuiet(), fn.isGetter()
	if fn.hunts {
		found = append(fn.mismatches(found), fn.hunt()...)
	}
	return sum, found
}

// jumps reports whether the function calls setjmp.
func (fn *function) jumps() bool {
	for v := fn.f.Blocks[1].First; int(v) < len(fn.f.Values); v++ {
		if _, flags := fn.callee(v); flags&ir.ReturnsTwice != 0 {
			return true
		}
	}
	return false
}

// neverReturns reports whether no return can be reached: all paths end in calls
// that do not return, or do not end.
func (fn *function) neverReturns() bool {
	f := fn.f
	seen := make([]bool, len(f.Blocks))
	seen[1] = true
	for work := []ir.BlockID{1}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if fn.stops(b) {
			continue
		}
		if f.Values[f.Terminator(b)].Op == ir.OpRet || f.Values[f.Terminator(b)].Op == ir.OpResume {
			return false
		}
		for _, s := range f.SuccsOf(b) {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return true
}

// stops reports whether b calls a function that does not return.
func (fn *function) stops(b ir.BlockID) bool {
	for v := fn.f.Blocks[b].First; v < fn.f.Blocks[b].End; v++ {
		if fn.f.Values[v].Op != ir.OpCall {
			continue
		}
		sum, flags := fn.callee(v)
		if fn.noReturn(v, sum, flags) {
			return true
		}
	}
	return false
}

// followSites follows every new object of the function.
func (fn *function) followSites(sum *summary) []report.Finding {
	f := fn.f
	var found []report.Finding
	good := map[ir.ValueID]bool{} // results that are handed on to the caller
	newIf := map[ir.ValueID][]guard{}
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		callee, _ := fn.callee(v)
		if callee == nil {
			continue
		}
		if callee.fresh && fn.makesNew(v, callee) {
			w := fn.walk(v, nil)
			found = append(found, w.found...)
			good[v] = w.returned && !w.shared
			newIf[v] = w.newIf
			for _, o := range w.outs {
				sum.outs = addOut(sum.outs, o)
			}
		}
		for i := range callee.outs {
			w := fn.walk(v, &callee.outs[i])
			found = append(found, w.found...)
			for _, o := range w.outs {
				sum.outs = addOut(sum.outs, o)
			}
		}
	}
	fn.result(sum, good, newIf)
	return found
}

// makesNew reports whether the result of this call is new.
func (fn *function) makesNew(v ir.ValueID, callee *summary) bool {
	args := fn.f.ArgsOf(v)
	return callee.ifNull == 0 || callee.ifNull < len(args) && fn.f.Values[args[callee.ifNull]].Op == ir.OpConstNull
}

// maxOuts bounds the places in which a function leaves new objects.
const maxOuts = 8

// addOut adds a place to a list; results that overlap become one.
func addOut(list []out, o out) []out {
	for i := range list {
		x := &list[i]
		if x.to == o.to && !x.ret.meet(o.ret).empty() {
			both := outcome{ret: x.ret, guards: x.guards}
			both.join(&outcome{ret: o.ret, guards: o.guards})
			x.ret, x.guards, x.both, x.family = both.ret, both.guards, x.both && o.both, x.family.with(o.family)
			return list
		}
	}
	if len(list) < maxOuts {
		list = append(list, o)
	}
	return list
}
