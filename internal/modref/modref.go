// Package modref says which memory a call may write, by field, for the whole program
// and through all functions that are called from there.
//
// Memory is told apart by names that are the same in all functions: a field of a
// struct type, a global and where in it, or, behind a pointer of which nothing is
// known, the type of what is read or written. A store through such a pointer may
// write every field and global of that type whose address is taken somewhere in the
// program. Bytes that are set or copied are all fields of what the pointer is
// declared to point to; without a declaration, everything whose address is taken.
//
// What is written through a parameter is what the callers pass.
//
// What a function does to its own variables, and to memory that it makes itself, is
// nothing to its callers: it was not there before. A function without a body writes
// what its arguments point to, unless their declarations say const or its own says
// that it only reads, and memory of the library; it is taken not to write globals and
// fields of the program that it is not given, other than by the functions it is
// passed. One that has a model does not write globals that are defined nowhere either:
// that leaves out what getopt does to optarg. So does a call through a pointer of which the call graph knows no target; it also
// leads to all functions of its type whose address is taken when the pointer may come
// from outside.
//
// It is unsound where programs see one object as two types by other means than a
// union, write through pointers to characters what is no array of characters, or
// change memory in a second thread. Cost: linear in the program, but for the union of
// one bit set for each edge of the call graph: see BenchmarkBuild.
package modref

import (
	"slices"

	"github.com/plumb-project/plumb/internal/callgraph"
	"github.com/plumb-project/plumb/internal/graph"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/model"
)

// A Table says what each function of a program may write.
type Table struct {
	p      *ir.Program
	calls  *callgraph.Graph
	models *model.Set
	taken  taken
	loose  bool

	atoms map[atom]uint32 // its number in the sets
	names []atom          // by number
	comp  []uint32        // by function, then by type of function: its component
	sets  []set           // by component: what is written
	pure  []bool          // by component
	fresh []bool          // by FuncID: what it returns is new, or null

	params [][]through // by FuncID: what it writes besides, through parameters
}

// Build finds what the functions of p write.
func Build(p *ir.Program, g *callgraph.Graph, models *model.Set) *Table {
	return build(p, g, models, false)
}

// BuildLoose is Build for who can use only so much: what is written through a parameter
// is written whatever is passed. Who keeps less over a call has fewer states to follow.
func BuildLoose(p *ir.Program, g *callgraph.Graph, models *model.Set) *Table {
	return build(p, g, models, true)
}

func build(p *ir.Program, g *callgraph.Graph, models *model.Set, loose bool) *Table {
	if models == nil {
		models = &model.Set{}
	}
	t := &Table{loose: loose, p: p, calls: g, models: models, taken: findTaken(p, models), atoms: map[atom]uint32{}, fresh: make([]bool, len(p.Funcs)), params: make([][]through, len(p.Funcs))}
	var scc graph.SCC
	edges := t.edges()
	scc.Build(edges)
	t.comp = scc.Comp
	t.sets, t.pure = make([]set, scc.N()), make([]bool, scc.N())
	for c := range uint32(scc.N()) {
		t.component(c, scc.Members.Succs(c), edges)
	}
	return t
}

// edges returns what calls what: functions by their id, and after them one node for
// each type of function, for calls that may lead to any of that type.
func (t *Table) edges() *graph.CSR {
	n := len(t.p.Funcs)
	var list []graph.Edge
	for i := range t.calls.Calls {
		c := &t.calls.Calls[i]
		if t.ends(c) {
			continue
		}
		for f := range t.targets(c) {
			list = append(list, graph.Edge{From: uint32(c.Caller), To: f})
		}
	}
	for f, taken := range t.taken.funcs {
		if taken {
			list = append(list, graph.Edge{From: uint32(n) + uint32(t.p.Funcs[f].Sig), To: uint32(f)})
		}
	}
	g := &graph.CSR{}
	g.Build(n+len(t.p.Sigs), list)
	return g
}

// component finds what the functions of one component write, after those they call.
func (t *Table) component(c uint32, members []uint32, edges *graph.CSR) {
	s, pure := set(nil), true
	add := func(a atom) { s.add(t.number(a)) }
	for _, f := range members {
		cyclic := len(members) > 1 || slices.Contains(edges.Succs(f), f)
		if int(f) < len(t.p.Funcs) {
			b := body{t: t, id: ir.FuncID(f), f: &t.p.Funcs[f], cyclic: cyclic, pure: true}
			b.look(add)
			pure = pure && b.pure
		}
		for _, callee := range edges.Succs(f) {
			if int(f) >= len(t.p.Funcs) { // a type of functions
				t.unbound(ir.FuncID(callee), add)
			}
			if d := t.comp[callee]; d != c {
				s.join(t.sets[d])
				pure = pure && t.pure[d]
			}
		}
	}
	t.sets[c], t.pure[c] = s, pure && s.empty()
}

// MayWrite reports whether a call of fn may write at a place that was there before.
func (t *Table) MayWrite(fn ir.FuncID, pl Place) bool {
	s := t.sets[t.comp[fn]]
	return t.meets(pl, func(a atom) bool {
		return t.has(s, a) || slices.ContainsFunc(t.params[fn], func(th through) bool { return th.a == a })
	})
}

// CallMayWrite reports whether call site of caller may write at a place.
func (t *Table) CallMayWrite(caller ir.FuncID, site ir.ValueID, pl Place) bool {
	var own []atom
	b := body{t: t, id: caller, f: &t.p.Funcs[caller], all: true}
	b.call(site, func(a atom) { own = append(own, a) })
	var sets []set
	if c := t.callAt(caller, site); c != nil {
		for callee := range t.targets(c) {
			if s := t.sets[t.comp[callee]]; !s.empty() {
				sets = append(sets, s)
			}
		}
	}
	if len(own) == 0 && len(sets) == 0 {
		return false
	}
	return t.meets(pl, func(a atom) bool {
		return slices.Contains(own, a) || slices.ContainsFunc(sets, func(s set) bool { return t.has(s, a) })
	})
}

// WritesNothing reports whether fn writes nothing but its own variables, and memory
// that it makes, whatever it calls.
func (t *Table) WritesNothing(fn ir.FuncID) bool {
	f := &t.p.Funcs[fn]
	if f.IsDecl() {
		return f.Flags&(ir.ReadOnly|ir.ReadNone) != 0
	}
	return t.sets[t.comp[fn]].empty() && len(t.params[fn]) == 0
}

// Pure reports whether two calls of fn with the same arguments return the same, as
// long as nothing is written in between.
func (t *Table) Pure(fn ir.FuncID) bool {
	if t.p.Funcs[fn].IsDecl() {
		return t.WritesNothing(fn)
	}
	return t.pure[t.comp[fn]] && len(t.params[fn]) == 0
}

// Unknown reports whether it is not known which functions a call leads to; see the
// package comment for what it is taken to write then.
func (t *Table) Unknown(caller ir.FuncID, site ir.ValueID) bool {
	c := t.callAt(caller, site)
	return c == nil || unresolved(c)
}
