// Package callgraph says which function calls which, and in what order to visit
// them so that callees come first.
//
// It takes direct calls from the program as it is. A call through a pointer that
// was loaded from a field leads to what was stored in that field of that struct
// anywhere in the program, a virtual call to what stands in that slot of any
// virtual table. Any other pointer is followed back through parameters, results,
// variables and arrays to the functions it can be. Where the trail is lost in
// memory without a name, it is any function of the same type whose address is
// taken. Functions that are passed to a function that calls them, of the program
// or of the library, count as called where they are passed.
//
// Where the pointer may come from outside the program, or there are more than eight
// functions, the call stays unresolved, and a component may be smaller than it
// really is. Fields are told apart by the type of their struct alone, and a struct
// that is copied from outside is taken to hold what the program itself puts there.
// Inline assembly is not a call, and a call after which the process ends is no edge. Cost: close to linear in the size of the program;
// the search for uses of local memory has a bound.
package callgraph

import (
	"iter"

	"github.com/plumb-project/plumb/internal/graph"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/model"
)

// A Graph is the call graph of a program.
type Graph struct {
	Program *ir.Program
	Calls   []Call    // by caller, then in the order of instructions
	Scc     graph.SCC // components by FuncID, numbered bottom up; node 0 is a component of its own

	out []uint32  // calls of f: Calls[out[f]:out[f+1]]
	in  graph.CSR // by callee: indices of Calls
}

// A Call is one call site.
type Call struct {
	Caller  ir.FuncID
	Site    ir.ValueID  // in Caller
	Callee  ir.FuncID   // 0 for a call through a pointer
	Targets []ir.FuncID // what that may lead to; nil when it is not known
	Way     Way         // how that is known, or why it is not
	Many    []ir.FuncID // what it may lead to when that is too many to follow; Targets is nil then
	Passed  []Passed    // functions that it is given to call

	Last     bool // the process ends at it, or soon after: it is no edge of the graph
	NoReturn bool // for these: it does not return itself
	Doomed   bool // no path from it returns, but for exceptions and long jumps
}

// All yields every function that the call may lead to, those it passes included;
// none for a last call.
func (c *Call) All() iter.Seq[ir.FuncID] {
	return func(yield func(ir.FuncID) bool) {
		if c.Last {
			return
		}
		if c.Callee != 0 && !yield(c.Callee) {
			return
		}
		for _, f := range c.Targets {
			if !yield(f) {
				return
			}
		}
		for _, p := range c.Passed {
			for _, f := range p.Targets {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// Build makes the call graph of p. The models say which functions of the library
// call what they are given; nil for none.
func Build(p *ir.Program, models *model.Set) *Graph {
	n := len(p.Funcs)
	g := &Graph{Program: p, out: make([]uint32, n+1)}
	for id := 1; id < n; id++ {
		g.out[id] = uint32(len(g.Calls))
		g.addCalls(ir.FuncID(id))
	}
	g.out[n] = uint32(len(g.Calls))
	g.resolve(newIndex(p), models)
	g.findEnds(models)

	var edges, sites []graph.Edge
	for i, c := range g.Calls {
		if c.Callee != 0 {
			sites = append(sites, graph.Edge{From: uint32(c.Callee), To: uint32(i)})
		}
		for t := range c.All() {
			edges = append(edges, graph.Edge{From: uint32(c.Caller), To: uint32(t)})
		}
	}
	var calls graph.CSR
	calls.Build(n, edges)
	g.in.Build(n, sites)
	g.Scc.Build(&calls)
	return g
}

func (g *Graph) addCalls(id ir.FuncID) {
	f := &g.Program.Funcs[id]
	if f.IsDecl() {
		return
	}
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		if !f.Values[v].Op.IsCall() || f.Values[f.ArgsOf(v)[0]].Op == ir.OpAsm {
			continue
		}
		c := Call{Caller: id, Site: v, Callee: f.Callee(v)}
		if c.Callee != 0 {
			c.Way = Direct
		}
		g.Calls = append(g.Calls, c)
	}
}

// CallsOf returns the calls in f, in the order of instructions.
func (g *Graph) CallsOf(f ir.FuncID) []Call { return g.Calls[g.out[f]:g.out[f+1]] }

// CallersOf returns the indices in Calls of the direct calls of f.
func (g *Graph) CallersOf(f ir.FuncID) []uint32 { return g.in.Succs(uint32(f)) }

// Unresolved returns how many calls go through a pointer to nobody knows what.
func (g *Graph) Unresolved() int {
	n := 0
	for _, c := range g.Calls {
		if c.Callee == 0 && len(c.Targets) == 0 {
			n++
		}
	}
	return n
}

// Components calls visit for each component, callees first. The functions of a
// component call one another, or are one function.
func (g *Graph) Components(visit func(comp int, funcs []ir.FuncID)) {
	var funcs []ir.FuncID
	for c := range g.Scc.N() {
		funcs = funcs[:0]
		for _, f := range g.Scc.Members.Succs(uint32(c)) {
			if f != 0 {
				funcs = append(funcs, ir.FuncID(f))
			}
		}
		if len(funcs) > 0 {
			visit(c, funcs)
		}
	}
}
