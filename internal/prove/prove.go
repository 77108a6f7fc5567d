// Package prove is the second stage of the check: of what the first stage found, it
// keeps what can happen.
//
// A candidate comes with a graph: the part of the walk that leads to the loss. A path
// in the graph is a path of the function on which, says stage one, the object is
// lost. Here it is executed, with a term for each value, and each branch on it adds a
// condition (internal/cond). The first path whose conditions can all hold is the
// witness: its branches are told in the words of the source, with values for which
// it is taken. If no path is left, there is nothing to report.
//
// # Calls
//
// Calls that have to do with the object are executed too, on all paths of the callee
// and of what that calls, as are small functions whose result is used: what they
// return, and what they leave in memory, then hangs together with the conditions
// under which they do. States of a callee that differ in nothing of use become one
// where paths meet (merge.go), and a call has few ways to end. A call that is not gone
// into returns what stage one says it may, and writes what internal/modref says it may.
//
// # Loops
//
// A loop is taken none, one and two times as it is, and from then on with all
// forgotten that it changes, but for the direction in which its counters go. A loop
// without an open branch is taken as often as it says (loops.go).
//
// # Memory
//
// See memory.go. What two pointers that are not known to differ point to is told apart
// by the names of fields and by types.
//
// # Giving up
//
// The number of instructions executed for a candidate is bounded. Past that, or when
// the solver gives no answer, the candidate is reported as possible, and the finding
// says why.
//
// # Where to look
//
// search.go is the order in which paths are tried, sweep.go all of them at once, begin.go
// what comes before the allocation; step.go takes one step of the graph, object.go the
// one that makes the object. eval.go, memory.go, call.go and inside.go execute, loops.go,
// trend.go and shape.go know of loops, merge.go makes one state of several. witness.go and
// spell.go put the path into words, latent.go asks for callers.
package prove

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/model"
	"github.com/plumb-project/plumb/internal/modref"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/solve"
)

// A Config says how to look.
type Config struct {
	Jobs   int                           // candidates looked at in parallel; 0 for one per processor
	Budget int                           // instructions executed for one candidate; 0 for the usual
	Models *model.Set                    // what library functions do; nil for model.Builtin
	Solver *solve.Solver                 // asked about what is left
	Stats  *report.Stats                 // stage two is filled in; nil for none
	Trace  func(f *ir.Func, text string) // hears of each candidate, for those who look into this package; nil for none
}

// An answer is what became of a candidate.
type answer uint8

const (
	refuted  answer = iota // no path to it can be
	proved                 // there is one
	latent                 // there is one, for arguments that nobody passes
	blurred                // there is one, but what a loop on it did is not known
	noAnswer               // the solver did not say
	spent                  // the budget was spent first
)

// A verdict is an answer, and what it rests on.
type verdict struct {
	answer  answer
	state   *state // at the end of the path, if there is one
	model   map[cond.Term]uint64
	why     string     // for what is not certain
	by      cond.Stage // for what is refuted: the last that was needed
	finding report.Finding
	skipped []report.GaveUp   // calls that were seen from outside because they have too many paths
	paths   int               // that got to their end
	cut     [cond.SMT + 1]int // that did not, by who saw it
}

// Check looks at each candidate and returns those that remain, in their order.
func Check(ctx context.Context, p *ir.Program, res *leak.Result, cfg Config) ([]report.Finding, error) {
	if cfg.Jobs <= 0 {
		cfg.Jobs = runtime.GOMAXPROCS(0)
	}
	if cfg.Budget <= 0 {
		cfg.Budget = 24_000
	}
	if cfg.Models == nil {
		cfg.Models = model.Builtin()
	}
	groups := group(res.Candidates)
	c := &checker{p: p, res: res, cfg: cfg, taken: takenFuncs(p), whole: isWhole(p)}
	if slices.ContainsFunc(groups, func(g []*leak.Candidate) bool { return g[0].Graph != nil }) {
		c.table = modref.Build(p, res.Calls(), cfg.Models)
	}
	out := make([]verdict, len(groups))
	walks := byGraph(groups)
	err := c.parallel(ctx, len(walks), func(w *worker, i int) {
		w.swept, w.current = nil, nil
		for _, k := range walks[i] {
			out[k] = w.look(ctx, groups[k])
		}
	})
	if err != nil {
		return nil, err
	}
	var fs []report.Finding
	for i, g := range groups {
		fs = append(fs, out[i].keep(g)...)
	}
	report.Sort(fs)
	if cfg.Stats != nil {
		count(cfg.Stats, out)
	}
	return fs, ctx.Err()
}

// byGraph puts groups together that are of the same graph: what is found out of that
// serves all of them.
func byGraph(groups [][]*leak.Candidate) [][]int {
	var out [][]int
	at := map[*leak.Graph]int{}
	for i, g := range groups {
		k, ok := at[g[0].Graph]
		if !ok || g[0].Graph == nil {
			k = len(out)
			at[g[0].Graph] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], i)
	}
	return out
}

// group puts candidates together that tell the same: one is looked at for all.
func group(list []leak.Candidate) [][]*leak.Candidate {
	var out [][]*leak.Candidate
	for i := range list {
		c := &list[i]
		if n := len(out); n > 0 && out[n-1][0].Same(&c.Finding) {
			out[n-1] = append(out[n-1], c)
			continue
		}
		out = append(out, []*leak.Candidate{c})
	}
	return out
}

// A checker is one run.
type checker struct {
	p     *ir.Program
	res   *leak.Result
	cfg   Config
	table *modref.Table
	taken map[ir.FuncID]bool // functions whose address is taken
	whole bool               // the program has a main function
}

// A worker looks at one candidate after the other.
type worker struct {
	*checker
	view    *leak.View
	shapes  map[*ir.Func]*shape
	swept   *sweep   // of the current graph; nil until it is needed
	current *machine // of the current graph
}

// A sweep is what following all paths of a graph at once has shown.
type sweep struct {
	reached []leak.End
	by      cond.Stage // the last that was needed to end a path
	ok      bool       // it was not too much
}

// excluded reports whether no path leads to finding f, and who saw that.
func (w *worker) excluded(ctx context.Context, g *leak.Graph, f *report.Finding) (by cond.Stage, ok bool) {
	s := w.swept
	if s == nil {
		m := w.machine(ctx)
		s = &sweep{}
		s.reached, s.ok = m.sweep(g)
		s.by = m.by
		w.swept = s
	}
	return s.by, s.ok && !slices.ContainsFunc(s.reached, func(e leak.End) bool { return e.Is(*f) })
}

// parallel does n independent things, several at a time.
func (c *checker) parallel(ctx context.Context, n int, do func(w *worker, i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	var broken atomic.Value
	for range min(c.cfg.Jobs, n) {
		wg.Go(func() {
			at := 0
			defer func() {
				if x := recover(); x != nil {
					broken.Store(fmt.Sprintf("prove: candidate %d: %v\n%s", at, x, debug.Stack()))
				}
			}()
			w := &worker{checker: c, view: c.res.View(), shapes: map[*ir.Func]*shape{}}
			for ctx.Err() == nil && broken.Load() == nil {
				if at = int(next.Add(1) - 1); at >= n {
					return
				}
				do(w, at)
			}
		})
	}
	wg.Wait()
	if x := broken.Load(); x != nil {
		panic(x) // here, where the caller can say which phase it was
	}
	return ctx.Err()
}

// look returns the verdict on a group: that of the first of its members that is not
// refuted.
func (w *worker) look(ctx context.Context, group []*leak.Candidate) verdict {
	var out verdict
	for i, c := range group {
		v := verdict{answer: proved, finding: c.Finding}
		if c.Graph != nil {
			v = w.prove(ctx, c)
		}
		if i == 0 || out.answer == refuted || out.answer > latent && v.answer == proved {
			v.by = max(v.by, out.by)
			out = v
		}
		if out.answer == proved {
			break
		}
	}
	return out
}

// prove looks at one candidate.
func (w *worker) prove(ctx context.Context, c *leak.Candidate) verdict {
	if w.current == nil || w.current.graph != c.Graph {
		w.current, w.swept = w.machine(ctx), nil
	}
	m := w.current // what it has learned of functions serves all findings of the graph
	m.steps, m.asked, m.by, m.given, m.skipped = 0, 0, 0, nil, nil
	m.cut = [cond.SMT + 1]int{}
	v := m.search(c.Graph, &c.Finding)
	if v.answer == proved && m.latent(&c.Finding, &v) {
		v.answer, v.why = latent, "no call in the program passes arguments for which this happens"
	}
	v.finding, v.paths, v.cut = c.Finding, m.asked-m.cut[cond.SMT], m.cut
	v.skipped = m.skipped
	v.finding.GaveUp = m.gaveUp(c, v)
	m.tell(&v.finding, c.Graph, v)
	if w.cfg.Trace != nil {
		w.cfg.Trace(&w.p.Funcs[c.Graph.Func], m.trace(c, v))
	}
	return v
}

// gaveUp returns the places at which either stage gave up on the way to a finding.
func (m *machine) gaveUp(c *leak.Candidate, v verdict) []report.GaveUp {
	out := slices.Concat(c.GaveUp, v.skipped)
	f := &m.p.Funcs[c.Graph.Func]
	here := report.GaveUp{Function: f.SourceName(), Pos: m.position(f, c.Graph.Site), Text: v.why}
	switch v.answer {
	case noAnswer:
		here.Reason = report.NoAnswer
		out = append(out, here)
	case spent:
		here.Reason = report.TooManyPaths
		out = append(out, here)
	}
	slices.SortStableFunc(out, report.CompareGaveUp)
	return out
}

// keep returns the findings that are left of a group.
func (v *verdict) keep(group []*leak.Candidate) []report.Finding {
	if v.answer == refuted {
		return nil
	}
	one := v.finding
	switch v.answer {
	case proved:
		one.Confidence = report.Certain
	case latent:
		one.Confidence = report.Latent
	default:
		one.Confidence = report.Possible
	}
	if v.why != "" {
		one.Why = []string{v.why}
	}
	out := []report.Finding{one}
	for _, c := range group[1:] {
		if slices.Equal(c.Steps, group[0].Steps) {
			continue
		}
		f := c.Finding // another path to it, which is told as stage one saw it
		f.Confidence, f.Why = one.Confidence, one.Why
		out = append(out, f)
	}
	return out
}

// count fills in what became of the candidates.
func count(st *report.Stats, list []verdict) {
	if st.GaveUp == nil {
		st.GaveUp = map[report.Reason]int{}
	}
	st.Groups = len(list)
	for _, v := range list {
		st.GaveUp[report.TooManyPaths] += len(v.skipped)
		st.Paths += v.paths + v.cut[cond.Linear] + v.cut[cond.Interval] + v.cut[cond.SMT]
		st.Cut.Linear += v.cut[cond.Linear]
		st.Cut.Interval += v.cut[cond.Interval]
		st.Cut.SMT += v.cut[cond.SMT]
		switch v.answer {
		case proved:
			st.Proved++
		case latent:
			st.Latent++
		case blurred:
			st.Possible++
			st.Blurred++
		case noAnswer:
			st.Possible++
			st.Unknown++
			st.GaveUp[report.NoAnswer]++
		case spent:
			st.Possible++
			st.Spent++
			st.GaveUp[report.TooManyPaths]++
		default:
			switch v.by {
			case cond.Linear:
				st.Refuted.Linear++
			case cond.Interval:
				st.Refuted.Interval++
			case cond.SMT:
				st.Refuted.SMT++
			default:
				st.Refuted.Structure++
			}
		}
	}
}
