// This file holds what the execution of the paths of one candidate needs.

package prove

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/modref"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/solve"
)

// A machine executes paths of one candidate.
type machine struct {
	*worker
	ctx    context.Context
	solver *solve.Solver
	pool   *cond.Pool
	graph  *leak.Graph

	given []cond.Term // what is assumed of the parameters

	budget, steps int
	most          int               // nodes that are come to, one path after the other
	limit         int               // of steps, in the function that is executed
	brief         bool              // loops of the function itself are taken as briefly as those of others
	disagree      bool              // a call released the object of which stage one says that it does not
	early         bool              // what comes before the allocation is executed
	cheap         bool              // calls that have nothing to do with the object are seen from outside
	only          map[hop]bool      // the steps that may be taken; nil for all
	asked         int               // paths that the solver was asked about
	by            cond.Stage        // the last stage that was needed to end a path
	cut           [cond.SMT + 1]int // paths that ended in a contradiction, by who saw it

	origins   map[origin]cond.Term
	epochs    int
	made      map[string][]*state // after the call that makes the object, by the way to it
	serial    int                 // of calls
	widenings map[widening]int
	loaded    map[cond.Term]int         // what was in memory: when
	new       map[cond.Term]bool        // results of calls that are new objects, if not null
	pointers  map[cond.Term]bool        // variables that are no numbers
	home      map[cond.Term]bool        // variables that have a name in the function of the candidate
	globals   map[cond.Term]ir.GlobalID // by address
	addrs     map[ir.GlobalID]cond.Term
	funcOf    map[cond.Term]ir.FuncID // by address
	funcs     map[ir.FuncID]cond.Term
	costly    [3]map[ir.FuncID]int // functions with too many paths, by how much there is to spend: how many steps were left when that was found
	skipped   []report.GaveUp      // calls of them
}

func (w *worker) machine(ctx context.Context) *machine {
	return &machine{
		worker: w, ctx: ctx, solver: w.cfg.Solver, pool: cond.NewPool(), budget: w.cfg.Budget, limit: w.cfg.Budget, most: maxVisits,
		origins: map[origin]cond.Term{}, made: map[string][]*state{}, widenings: map[widening]int{}, new: map[cond.Term]bool{}, loaded: map[cond.Term]int{}, pointers: map[cond.Term]bool{}, home: map[cond.Term]bool{},
		globals: map[cond.Term]ir.GlobalID{}, addrs: map[ir.GlobalID]cond.Term{}, funcOf: map[cond.Term]ir.FuncID{}, funcs: map[ir.FuncID]cond.Term{},
		costly: [3]map[ir.FuncID]int{{}, {}, {}},
	}
}

// refuted notes that a path has ended in a contradiction.
func (m *machine) refuted(by cond.Stage) {
	m.by = max(m.by, by)
	m.cut[by]++
}

// spent reports whether there is no more to do for this candidate.
func (m *machine) spent() bool { return m.steps > m.budget || m.asked > maxAsked || m.ctx.Err() != nil }

// anyByte is what a function of the library looks at.
func (m *machine) anyByte() modref.Place { return modref.Place{Type: ir.MakeType(ir.Int, 8)} }

// maxSkipped bounds the calls that a finding names.
const maxSkipped = 8

// skip notes that a call in f was seen from outside.
func (m *machine) skip(f *ir.Func, v ir.ValueID, callee ir.FuncID) {
	g := report.GaveUp{Reason: report.TooManyPaths, Function: f.SourceName(), Pos: m.position(f, v),
		Text: "what " + m.p.Funcs[callee].SourceName() + " returns was not tied to what it does: it has too many paths"}
	if !m.cheap && len(m.skipped) < maxSkipped && !slices.Contains(m.skipped, g) {
		m.skipped = append(m.skipped, g)
	}
}

// tooMuch is what is known of functions with too many paths.
func (m *machine) tooMuch() map[ir.FuncID]int {
	switch {
	case m.cheap:
		return m.costly[0]
	case m.early:
		return m.costly[1]
	}
	return m.costly[2]
}

// nextEpoch returns a number for memory that may have been written.
func (m *machine) nextEpoch() int {
	m.epochs++
	return m.epochs
}

// trace describes a verdict, and the conditions of the path that was found.
func (m *machine) trace(c *leak.Candidate, v verdict) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d alloc %d: %s %s; %d steps, %d asked, by %s, %d nodes\n", c.Loss.File, c.Loss.Line, c.Alloc.Line, answers[v.answer], v.why, m.steps, m.asked, v.by, len(c.Graph.Nodes))
	for _, g := range m.skipped {
		fmt.Fprintf(&b, "    %s: %s\n", g.Function, g.Text)
	}
	if v.state == nil {
		return b.String()
	}
	var list []*assumption
	for a := v.state.path; a != nil; a = a.prev {
		list = append(list, a)
	}
	for i := len(list) - 1; i >= 0; i-- {
		if a := list[i]; a.term != 0 {
			line := uint32(0)
			if a.at != 0 {
				line = a.frame.f.Locs[a.frame.f.Values[a.at].Loc].Line
			}
			fmt.Fprintf(&b, "    %s%s:%d %s\n", strings.Repeat("  ", a.frame.depth), a.frame.f.Name, line, m.pool.String(a.term))
		}
	}
	return b.String()
}

var answers = [...]string{refuted: "refuted", proved: "proved", latent: "latent", blurred: "blurred", noAnswer: "no answer", spent: "spent"}
