// Package callgraph says which function calls which, and in what order to visit
// them so that callees come first.
//
// It takes direct calls from the program as it is. A call through a pointer that
// was loaded from a field leads to what was stored in that field of that struct
// anywhere in the program, a virtual call to what stands in that slot of any
// virtual table, as far as the signature fits. Where something unknown was stored
// too, or there are more than eight, the call stays unresolved, and a component
// may be smaller than it really is. Inline assembly is not a call. Cost: linear in
// the size of the program.
package callgraph

import (
	"github.com/plumb-project/plumb/internal/graph"
	"github.com/plumb-project/plumb/internal/ir"
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
}

// Build makes the call graph of p.
func Build(p *ir.Program) *Graph {
	n := len(p.Funcs)
	g := &Graph{Program: p, out: make([]uint32, n+1)}
	ptrs := findPointers(p)
	for id := 1; id < n; id++ {
		g.out[id] = uint32(len(g.Calls))
		g.addCalls(ir.FuncID(id), ptrs)
	}
	g.out[n] = uint32(len(g.Calls))

	var edges, sites []graph.Edge
	for i, c := range g.Calls {
		if c.Callee != 0 {
			edges = append(edges, graph.Edge{From: uint32(c.Caller), To: uint32(c.Callee)})
			sites = append(sites, graph.Edge{From: uint32(c.Callee), To: uint32(i)})
		}
		for _, t := range c.Targets {
			edges = append(edges, graph.Edge{From: uint32(c.Caller), To: uint32(t)})
		}
	}
	var calls graph.CSR
	calls.Build(n, edges)
	g.in.Build(n, sites)
	g.Scc.Build(&calls)
	return g
}

func (g *Graph) addCalls(id ir.FuncID, ptrs *pointers) {
	f := &g.Program.Funcs[id]
	if f.IsDecl() {
		return
	}
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		if !f.Values[v].Op.IsCall() || f.Values[f.ArgsOf(v)[0]].Op == ir.OpAsm {
			continue
		}
		c := Call{Caller: id, Site: v, Callee: f.Callee(v)}
		if c.Callee == 0 {
			c.Targets = ptrs.targets(f, v)
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
