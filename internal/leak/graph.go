// This file keeps the graph of a walk that found something, for who looks at its
// paths more closely.

package leak

import (
	"context"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// A Graph is the part of the walk of one object that leads to its losses. A path in
// it that goes from the first node to one with an end is a path of the function on
// which the object is lost, if its branches agree.
type Graph struct {
	Func   ir.FuncID
	Site   ir.ValueID // the call that makes the object
	Place  *Place     // where the call leaves it, when it is not the result
	Ret    Range      // and what the call returns then
	Args   []Guard    // what its arguments are when it makes the object
	Number bool       // a number stands for the object
	Nodes  []Node     // Nodes[0] is where paths begin; none when the walk found nothing this time
	alloc  source.Position
}

// A Node is a point on paths that are alike: the same holds the object, and the
// same is known.
type Node struct {
	Block  ir.BlockID
	At     ir.ValueID // the next instruction
	Before bool       // the object is not made yet
	Out    []Step
	End    *End // the object is lost for good, and the path ends
}

// A Step leads from a node to another: through the instructions from the first to
// that before the other, or if Succ is not 0 to the end of the block and along that
// edge, counted from 1.
type Step struct {
	To    int
	Succ  int
	Ways  []Way         // decisions on the way that are no branches
	Notes []report.Step // what happens to the object on the way
}

// A Way is how a call ended for the object, or which arm of a select was taken.
type Way struct {
	At    ir.ValueID
	Ret   Range // what the call returns, or 1 or 0 for the arm
	Args  []Guard
	Frees bool // the object is released
	Takes bool // the caller has the object no more
}

// A Guard says what an argument is.
type Guard struct {
	Arg int
	Range
}

// A Range is what a number is in, signed and unsigned, sign-extended to 64 bits.
type Range struct {
	Lo, Hi   int64
	ULo, UHi uint64
}

// A Place is memory that a call leaves something in.
type Place struct {
	Arg    int // the argument that points there; -1 for the result
	Global ir.GlobalID
	Off    int64
	Deep   bool  // there is a pointer at Off, and the place is
	Inner  int64 // this far into what it points to
}

// An End is which finding a path ends in.
type End struct {
	Kind report.Kind
	Loss source.Position

	before, after int // steps of the story that are not about the path
}

// A Candidate is a finding, with the graph that leads to it where there is one.
type Candidate struct {
	report.Finding
	Graph *Graph // nil when the finding is not from a walk of paths
}

// Story returns how many steps of the finding come before what happens on the path,
// and how many after that.
func (g *Graph) Story(f report.Finding) (before, after int) {
	for _, n := range g.Nodes {
		if n.End.Is(f) {
			return n.End.before, n.End.after
		}
	}
	return 0, 0
}

// Everything reports whether the range says nothing.
func (r Range) Everything() bool { return r == rangeOf(everything) }

func rangeOf(r interval) Range { return Range{r.lo, r.hi, r.ulo, r.uhi} }

// A Result is what a search found out.
type Result struct {
	Candidates []Candidate // in the order of report.Sort
	e          *engine
	lender     lender
}

// Search finds candidates: what Find returns, and with Config.Graphs how it came to it.
func Search(ctx context.Context, p *ir.Program, cfg Config) (*Result, error) {
	e, err := run(ctx, p, cfg)
	if err != nil {
		return nil, err
	}
	res := &Result{e: e}
	for i := range e.results {
		r := &e.results[i]
		if len(r.found) == 0 {
			continue
		}
		places := e.tell(ir.FuncID(i))
		for _, f := range r.found {
			f.GaveUp = places
			res.Candidates = append(res.Candidates, Candidate{f, r.graphFor(f)})
		}
	}
	for _, f := range e.reachable() {
		res.Candidates = append(res.Candidates, Candidate{Finding: f})
	}
	res.Candidates = slices.DeleteFunc(res.Candidates, func(c Candidate) bool { return !cfg.wants(c.Kind) })
	slices.SortStableFunc(res.Candidates, func(a, b Candidate) int { return report.Compare(&a.Finding, &b.Finding) })
	return res, nil
}

// graphFor returns the graph of the walk that found f.
func (r *result) graphFor(f report.Finding) *Graph {
	for _, g := range r.graphs {
		if g.alloc == f.Alloc && g.Ends(f) {
			return g
		}
	}
	return nil
}

// Ends reports whether a path in g ends in finding f.
func (g *Graph) Ends(f report.Finding) bool {
	return slices.ContainsFunc(g.Nodes, func(n Node) bool { return n.End.Is(f) })
}

// Is reports whether f is the finding.
func (e *End) Is(f report.Finding) bool { return e != nil && e.Kind == f.Kind && e.Loss == f.Loss }

// An arrival is how a state came from the node before.
type arrival struct {
	node  int32 // the node that the state is, once it was pushed
	from  int32
	succ  int32
	ways  []Way
	trail *trail // as it was there
}

// A grapher makes the graph of a walk.
type grapher struct {
	w     *walker
	graph *Graph
	nodes map[string]int32 // by key
	begun bool
	all   bool // calls end in all ways
}

// graphOf walks an object once more and returns the graph of that. Calls end in it in
// all ways, also in those that stage one leaves out because the caller cannot tell
// them from others: who goes into the callee can. Where that is too much, they are left
// out here too.
func (fn *function) graphOf(site ir.ValueID, o *out) *Graph {
	was := *fn // what is counted was counted before
	fn.counts = nil
	g := &Graph{Func: fn.id, Site: site}
	var w *walker
	for _, all := range []bool{true, false} {
		w = fn.newWalker(site, o)
		w.graph = &grapher{w: w, graph: g, all: all}
		if w.explore(); !w.over {
			break
		}
	}
	fn.counts, fn.gaveUp, fn.objects, fn.givenUp = was.counts, was.gaveUp, was.objects, was.givenUp
	g.Number = w.number
	guards := []guard(nil)
	if sum, _ := fn.callee(site); o != nil {
		g.Place, g.Ret, guards = placeFor(o.to), rangeOf(o.ret), o.guards
	} else {
		guards = sum.newIf
	}
	for _, x := range guards {
		g.Args = append(g.Args, Guard{x.param, rangeOf(x.r)})
	}
	g.prune()
	return g
}

func placeFor(p place) *Place {
	out := &Place{Arg: p.param, Off: p.off}
	if g, ok := p.global(); ok {
		out.Arg, out.Global = 0, g
	}
	if p.deep != 0 {
		at, off := p.outer()
		out.Off, out.Deep, out.Inner = at.off, true, off
	}
	return out
}

// reset forgets what was walked before.
func (g *grapher) reset() {
	g.graph.Nodes, g.nodes, g.begun = nil, map[string]int32{}, false
}

// arrive notes that s has come to the point with this key.
func (g *grapher) arrive(s *state, key []byte) {
	n, ok := g.nodes[string(key)]
	if !ok {
		n = int32(len(g.graph.Nodes))
		g.nodes[string(key)] = n
		g.graph.Nodes = append(g.graph.Nodes, Node{Block: s.block, At: s.at, Before: s.before})
	}
	g.step(s, n)
	s.came.node = n
}

// end notes that s has come to the end of a path on which the object is lost.
func (g *grapher) end(s *state, l *loss) {
	f, before, after := g.w.story(l)
	g.graph.alloc = f.Alloc
	n := int32(len(g.graph.Nodes))
	end := &End{Kind: f.Kind, Loss: f.Loss, before: before, after: after}
	g.graph.Nodes = append(g.graph.Nodes, Node{Block: s.block, At: s.at, End: end})
	g.step(s, n)
}

func (g *grapher) step(s *state, to int32) {
	if !g.begun { // the first node
		g.begun = true
		return
	}
	from := &g.graph.Nodes[s.came.from]
	from.Out = append(from.Out, Step{To: int(to), Succ: int(s.came.succ), Ways: s.came.ways, Notes: g.w.notes(s.trail, s.came.trail)})
}

// notes tells what happened between two points of a trail, branches aside.
func (w *walker) notes(to, from *trail) []report.Step {
	var list []*trail
	for t := to; t != from && t != nil; t = t.prev {
		if t.text != "" && t.more == nil {
			list = append(list, t)
		}
	}
	return w.steps(chain(list))
}

// tookWay notes how call v ends.
func (w *walker) tookWay(s *state, v ir.ValueID, x way) {
	if w.graph == nil {
		return
	}
	out := Way{At: v, Ret: rangeOf(x.ret), Takes: x.takes()}
	for _, a := range x.acts {
		out.Frees = out.Frees || a.effect == consumes
		for _, g := range a.guards {
			out.Args = append(out.Args, Guard{g.param, rangeOf(g.r)})
		}
	}
	s.came.ways = append(slices.Clip(s.came.ways), out)
}

// tookArm notes which arm of the select v is taken.
func (w *walker) tookArm(s *state, v ir.ValueID, yes bool) {
	if w.graph == nil {
		return
	}
	r := point(0)
	if yes {
		r = point(1)
	}
	s.came.ways = append(slices.Clip(s.came.ways), Way{At: v, Ret: rangeOf(r)})
}

// prune leaves only nodes on paths that end.
func (g *Graph) prune() {
	preds := make([][]int, len(g.Nodes))
	for i := range g.Nodes {
		for _, s := range g.Nodes[i].Out {
			preds[s.To] = append(preds[s.To], i)
		}
	}
	keep := make([]bool, len(g.Nodes))
	var work []int
	for i := range g.Nodes {
		if g.Nodes[i].End != nil {
			keep[i], work = true, append(work, i)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range preds[n] {
			if !keep[p] {
				keep[p], work = true, append(work, p)
			}
		}
	}
	number := make([]int, len(g.Nodes))
	var nodes []Node
	for i, n := range g.Nodes {
		if keep[i] {
			number[i] = len(nodes)
			nodes = append(nodes, n)
		}
	}
	for i := range nodes {
		out := slices.DeleteFunc(nodes[i].Out, func(s Step) bool { return !keep[s.To] })
		for k := range out {
			out[k].To = number[out[k].To]
		}
		nodes[i].Out = out
	}
	g.Nodes = nodes
}
