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
	"github.com/plumb-project/plumb/internal/modref"
	"github.com/plumb-project/plumb/internal/report"
)

// Find returns the leaks of p in the order of report.Sort.
func Find(ctx context.Context, p *ir.Program, cfg Config) ([]report.Finding, error) {
	cfg.Graphs = false
	res, err := Search(ctx, p, cfg)
	if err != nil {
		return nil, err
	}
	var all []report.Finding
	for i := range res.Candidates {
		all = append(all, res.Candidates[i].Finding)
	}
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
	e := &engine{p: p, fixed: constants(p), owners: owners(p), counters: counters(p), calls: callgraph.Build(p, cfg.Models), policy: cfg.Policy, allPaths: cfg.AllPaths, watch: cfg.watch, states: cfg.States, sums: summaries(p, cfg.Models, cfg.Policy, cfg.Descriptors), results: make([]result, len(p.Funcs))}
	e.codes, e.printers = codes(e.calls), printers(p, e.sums)
	e.numbers, e.wantGraphs = cfg.Descriptors, cfg.Graphs
	e.modref = modref.BuildLoose(p, e.calls, cfg.Models)
	e.hunts = cfg.wants(report.DoubleFree) || cfg.wants(report.UseAfterFree) || cfg.wants(report.MismatchedFree)
	e.counts = cfg.Stats != nil && cfg.Stats.Counts != nil
	r := e.reuse(cfg.Previous.engine())
	for _, level := range levels(e.calls) {
		level = r.rest(level)
		if err := e.level(ctx, level, cfg.Jobs); err != nil {
			return nil, err
		}
		for i := range level {
			r.compare(&level[i])
		}
	}
	if cfg.Stats != nil {
		cfg.Stats.Reused = r.count()
		cfg.Stats.GaveUp = map[report.Reason]int{}
		for i := range e.results {
			if e.counts && e.results[i].counts != nil {
				cfg.Stats.Counts.add(e.results[i].counts)
			}
			cfg.Stats.Objects += int(e.results[i].objects)
			cfg.Stats.GivenUp += int(e.results[i].givenUp)
			for _, g := range e.results[i].gaveUp {
				cfg.Stats.GaveUp[g.reason]++
			}
		}
	}
	return e, nil
}

// An engine is one run over a program.
type engine struct {
	p          *ir.Program
	calls      *callgraph.Graph
	modref     *modref.Table
	fixed      map[ir.GlobalID]int64 // globals that nobody writes
	counters   map[ir.Step]bool      // fields that count references
	owners     []bool                // globals whose pointers are followed
	policy     Policy
	allPaths   bool
	watch      *watch
	states     int
	counts     bool       // count states
	hunts      bool       // look at what is done after a release
	numbers    bool       // follow what numbers stand for
	wantGraphs bool       // keep the graphs of walks that find something
	codes      []interval // by FuncID: what it can return
	printers   []bool     // by FuncID: variadic arguments are only printed
	sums       []*summary // by FuncID; nil is not known, or not yet
	results    []result   // by FuncID
	mentions   mentions   // what sums mention
}

// A component is functions that call one another.
type component struct {
	number  uint32 // of the call graph
	members []ir.FuncID
	cyclic  bool
}

// levels groups the components of the call graph: what a level calls is in
// levels before it.
func levels(g *callgraph.Graph) [][]component {
	var out [][]component
	levelOf := make([]int, len(g.Program.Funcs))
	g.Components(func(comp int, members []ir.FuncID) {
		c := component{number: uint32(comp), members: slices.Clone(members), cyclic: len(members) > 1}
		at := 0
		for _, f := range members {
			for _, call := range g.CallsOf(f) {
				for callee := range call.All() {
					if g.Scc.Comp[callee] == uint32(comp) {
						c.cyclic = true
					} else {
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

// level summarises independent components, several at a time. Long cycles come
// one after the other, with several of their functions at a time.
func (e *engine) level(ctx context.Context, level []component, jobs int) error {
	const long = 16
	err := e.parallel(ctx, len(level), jobs, func(fn *function, i int) {
		switch c := &level[i]; {
		case !c.cyclic:
			e.publish(c.members[0], e.look(fn, c.members[0]))
		case len(c.members) < long:
			e.cycle(c, func(n int, each func(*function, int)) error {
				for k := range n {
					each(fn, k)
				}
				return nil
			})
		}
	})
	for i := range level {
		if c := &level[i]; err == nil && len(c.members) >= long {
			err = e.cycle(c, func(n int, each func(*function, int)) error { return e.parallel(ctx, n, jobs, each) })
		}
	}
	return err
}

// parallel does n independent things, several at a time.
func (e *engine) parallel(ctx context.Context, n, jobs int, do func(fn *function, i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	var broken atomic.Value // what a worker panicked with
	for range min(jobs, n) {
		wg.Go(func() {
			fn := e.function()
			defer func() {
				if x := recover(); x != nil {
					broken.Store(fmt.Sprintf("leak: in %s: %v\n%s", fn.f.Name, x, debug.Stack()))
				}
			}()
			for ctx.Err() == nil && broken.Load() == nil {
				i := int(next.Add(1) - 1)
				if i >= n {
					return
				}
				do(fn, i)
			}
		})
	}
	wg.Wait()
	if x := broken.Load(); x != nil {
		panic(x) // here, where the caller can say which phase it was
	}
	return ctx.Err()
}

// function returns what one worker needs to look at functions.
func (e *engine) function() *function {
	return &function{p: e.p, fixed: e.fixed, owners: e.owners, printers: e.printers, counters: e.counters, graph: e.calls, modref: e.modref, codes: e.codes, sums: e.sums, states: e.states, policy: e.policy,
		allPaths: e.allPaths, watch: e.watch, hunts: e.hunts, numbers: e.numbers, wantGraphs: e.wantGraphs}
}

// A result is all that was found out about one function.
type result struct {
	sum              *summary // nil for a function without a body: what its model says holds
	found            []report.Finding
	graphs           []*Graph  // of the walks that found something, when they are wanted
	kept             inGlobals // for the policy GlobalsLeak
	counts           *Counts   // nil unless asked for
	objects, givenUp int64
	gaveUp           []gave
}

// look summarises one function with what is known of those it calls.
func (e *engine) look(fn *function, id ir.FuncID) result {
	if e.p.Funcs[id].IsDecl() {
		return result{}
	}
	if e.counts {
		fn.counts = &Counts{}
	}
	sum, found := fn.summarise(id)
	return result{sum, found, fn.graphs, fn.kept, fn.counts, fn.objects, fn.givenUp, fn.places()}
}

// publish lets callers see a result.
func (e *engine) publish(id ir.FuncID, r result) {
	if r.sum != nil {
		e.sums[id] = r.sum
		e.results[id] = r
	}
}

// summarise looks at one function: what it does for its callers, and what it leaks.
func (fn *function) summarise(id ir.FuncID) (*summary, []report.Finding) {
	fn.objects, fn.givenUp, fn.kept, fn.gaveUp, fn.graphs = 0, 0, inGlobals{}, nil, nil
	fn.watch.begin(id)
	fn.id, fn.f, fn.indirect = id, &fn.p.Funcs[id], map[ir.ValueID]*summary{}
	fn.findLast()
	sum := &summary{name: fn.f.SourceName(), ret: everything, inferred: true, noReturn: !fn.policy.DeclaredNoReturn && fn.neverReturns(), params: make([][]outcome, fn.f.NParams)}
	if fn.f.Flags&ir.Variadic != 0 {
		sum.rest = unknown
		if fn.printers[id] {
			sum.rest = harmless
		}
	}
	if v := fn.jumps(); v != 0 {
		fn.giveUp(report.JumpTarget, v)
		return &summary{name: sum.name, ret: everything, noReturn: sum.noReturn}, nil // its paths are not those of its blocks
	}
	fn.prepare()
	sum.ret = fn.resultRange()
	sum.throws = fn.mayThrow(sum.noReturn)
	if !sum.noReturn && !sum.throws && !fn.policy.DeclaredNoReturn {
		sum.backIf = fn.returnsIf()
	}
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

// findLast finds the calls after which the process ends. All that is known of those
// is whether they return.
func (fn *function) findLast() {
	fn.last = map[ir.ValueID]*summary{}
	for _, c := range fn.graph.CallsOf(fn.id) {
		if c.Last {
			fn.last[c.Site] = nil
		}
		if c.Last && c.NoReturn && !fn.policy.DeclaredNoReturn {
			fn.last[c.Site] = &summary{name: fn.calleeName(c), noReturn: true}
		}
	}
}

func (fn *function) calleeName(c callgraph.Call) string {
	if c.Callee != 0 {
		return fn.p.Funcs[c.Callee].SourceName()
	}
	return fn.p.Funcs[c.Targets[0]].SourceName()
}

// jumps returns a call of setjmp in the function, or 0.
func (fn *function) jumps() ir.ValueID {
	for v := fn.f.Blocks[1].First; int(v) < len(fn.f.Values); v++ {
		if _, flags := fn.callee(v); flags&ir.ReturnsTwice != 0 {
			return v
		}
	}
	return 0
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
	good := map[leaf][]guard{} // what is handed on to the caller as the result
	left := map[leaf]place{}   // and in a place, which nobody else knows
	follow := func(l leaf) {
		w := fn.walk(l.v, l.out)
		found = append(found, w.found...)
		if len(w.found) > 0 && fn.wantGraphs {
			fn.graphs = append(fn.graphs, fn.graphOf(l.v, l.out))
		}
		if w.returned && !w.shared && (l.out == nil || !w.escaped) {
			good[l] = w.newIf
		}
		if len(w.outs) == 1 && len(w.outs[0].also) == 0 && !w.outs[0].both && !w.returned && !w.escaped {
			left[l] = w.outs[0].to
		}
		for _, o := range w.outs {
			sum.outs = addOut(sum.outs, o)
		}
	}
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		callee, _ := fn.callee(v)
		if callee == nil {
			continue
		}
		if (callee.fresh || callee.partly) && fn.makesNew(v, callee) {
			follow(leaf{v: v})
		}
		for i := range callee.outs {
			follow(leaf{v, &callee.outs[i]})
		}
	}
	if fn.returnsStruct() {
		sum.outs = slices.DeleteFunc(sum.outs, func(o out) bool { return o.to.param > 0 || f.Result.Kind() == ir.Agg && o.to.param == 0 })
	}
	fn.result(sum, good)
	fn.findFills(sum, left)
	return found
}

// returnsStruct reports whether the function returns a struct. That may well tell
// whether there is anything new in what its parameters point to, in a way that is
// not followed.
func (fn *function) returnsStruct() bool {
	f := fn.f
	return f.Result.Kind() == ir.Agg || len(f.Params) > 0 && f.Params[0]&ir.ParamSRet != 0
}

// makesNew reports whether the result of this call is new.
func (fn *function) makesNew(v ir.ValueID, callee *summary) bool {
	args := fn.f.ArgsOf(v)
	if callee.ifNull == 0 || callee.ifNull >= len(args) {
		return callee.ifNull == 0
	}
	n, ok := fn.f.ConstInt(args[callee.ifNull])
	return ok && n == 0 || fn.f.Values[args[callee.ifNull]].Op == ir.OpConstNull
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
			for _, p := range o.also {
				if !slices.Contains(x.also, p) {
					x.also = append(slices.Clip(x.also), p)
				}
			}
			return list
		}
	}
	if len(list) < maxOuts {
		list = append(list, o)
	}
	return list
}
