// Package slice says what of a program must be instrumented to see where the memory
// of one finding is lost: the calls that allocate it, and the functions that it
// flows through.
//
// It follows pointers to the object forwards from the allocation: through values,
// into functions that they are given to, out of those that return them, through
// variables in memory, and through fields. A field is one cell for all objects
// of its struct type, an array is one cell, and calls have no context. So a slice
// has too much rather than too little, and through a struct that is used
// everywhere it would become the program; it is cut off at a bound, nearest
// functions first. The functions that the finding itself tells of are always in it.
//
// A function that only looks at the object is left out: no reference goes away
// there. So is one that only passes it to others that do the same. Functions with
// variables of a struct type that holds the object are in, since such a variable may
// end, or be released, with the object in it.
package slice

import (
	"cmp"
	"slices"

	"github.com/plumb-project/plumb/internal/callgraph"
	"github.com/plumb-project/plumb/internal/graph"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// maxFunctions bounds how many functions one finding's slice visits.
const maxFunctions = 256

// Config says what a slicer knows.
type Config struct {
	Calls     *callgraph.Graph
	Allocates func(caller ir.FuncID, site ir.ValueID) bool // a call makes a new object
}

// A Slicer makes slices of one program. It is for one goroutine.
type Slicer struct {
	Config
	p     *ir.Program
	index *index
	uses  map[ir.FuncID]*graph.CSR
}

// New returns a slicer.
func New(p *ir.Program, cfg Config) *Slicer {
	return &Slicer{Config: cfg, p: p, index: newIndex(p, cfg.Calls), uses: map[ir.FuncID]*graph.CSR{}}
}

// Of returns the slice of a finding.
func (s *Slicer) Of(f *report.Finding) *report.Slice {
	t := &tracer{Slicer: s, seen: map[use]bool{}, places: map[place]bool{}, memory: map[use]bool{}, reached: map[ir.FuncID]bool{}, matters: map[ir.FuncID]bool{}}
	for _, p := range append([]source.Position{f.Alloc, f.Loss}, positions(f.Steps)...) {
		for _, id := range s.index.lines[lineOf(p)] {
			t.matters[id] = true
		}
	}
	out := &report.Slice{}
	for _, u := range s.index.calls[f.Alloc] {
		if s.Allocates(u.fn, u.at) {
			t.value(u.fn, u.at)
			t.matters[u.fn] = true
			out.Allocs = append(out.Allocs, s.tracked(u, f)...)
		}
	}
	if len(out.Allocs) == 0 { // what allocates there is not seen as such: take the line
		out.Allocs = []source.Position{f.Alloc}
	}
	slices.SortFunc(out.Allocs, source.Position.Compare)
	out.Allocs = slices.Compact(out.Allocs)
	t.run()
	for id := range t.between() {
		fn := &s.p.Funcs[id]
		out.Functions = append(out.Functions, report.SliceFunction{File: s.p.Files[fn.File], Name: fn.Name})
	}
	slices.SortFunc(out.Functions, func(a, b report.SliceFunction) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Name, b.Name))
	})
	out.Functions = slices.Compact(out.Functions)
	return out
}

func positions(steps []report.Step) []source.Position {
	var out []source.Position
	for _, s := range steps {
		out = append(out, s.Pos)
	}
	return out
}

// maxDepth bounds how deep in callees the allocation itself is looked for.
const maxDepth = 16

// tracked returns the calls before which the runtime is told to track the next block.
// For a function that makes one object, or one of several to return, that is the call of
// it: who else calls it does not matter then. In one that makes several objects at a
// time, it is the call there that the finding tells of.
func (s *Slicer) tracked(u use, f *report.Finding) []source.Position {
	at := []source.Position{s.position(u.fn, u.at)}
	for range maxDepth {
		callee := s.p.Funcs[u.fn].Callee(u.at)
		if callee == 0 || s.p.Funcs[callee].IsDecl() {
			break
		}
		var inner []use
		for _, c := range s.Calls.CallsOf(callee) {
			if s.Allocates(callee, c.Site) {
				inner = append(inner, use{callee, c.Site})
			}
		}
		switch len(inner) {
		case 0:
			return at
		case 1:
			u = inner[0]
			continue
		}
		if !slices.ContainsFunc(inner, func(x use) bool { return !s.returned(x) }) {
			return at
		}
		told := slices.DeleteFunc(slices.Clone(inner), func(x use) bool { return !slices.Contains(positions(f.Steps), s.position(x.fn, x.at)) })
		if len(told) == 0 {
			told = inner
		}
		at = nil
		for _, x := range told {
			at = append(at, s.position(x.fn, x.at))
		}
		if len(told) > 1 {
			break
		}
		u = told[0]
	}
	return at
}

// returned reports whether the function returns what a call in it returns, or leaves
// in a variable.
func (s *Slicer) returned(u use) bool {
	f := &s.p.Funcs[u.fn]
	seen := map[ir.ValueID]bool{}
	var work []ir.ValueID
	add := func(v ir.ValueID) {
		if !seen[v] {
			seen[v] = true
			work = append(work, v)
		}
	}
	add(u.at)
	for _, a := range f.ArgsOf(u.at) {
		if f.Values[a].Op == ir.OpAlloca {
			add(a)
		}
	}
	for ; len(work) > 0; work = work[1:] {
		for _, n := range s.usesOf(u.fn).Succs(uint32(work[0])) {
			v := ir.ValueID(n)
			switch f.Values[v].Op {
			case ir.OpRet:
				return true
			case ir.OpPhi, ir.OpSelect, ir.OpGep, ir.OpBitcast, ir.OpFreeze:
				add(v)
			case ir.OpLoad:
				if f.Values[work[0]].Op == ir.OpAlloca {
					add(v)
				}
			case ir.OpStore:
				if to := f.ArgsOf(v)[1]; f.Values[to].Op == ir.OpAlloca {
					add(to)
				}
			}
		}
	}
	return false
}

// position returns where an instruction is.
func (s *Slicer) position(id ir.FuncID, v ir.ValueID) source.Position {
	f := &s.p.Funcs[id]
	return positionOf(s.p, f, f.Values[v].Loc)
}

func positionOf(p *ir.Program, f *ir.Func, l ir.LocID) source.Position {
	if l == 0 {
		return source.Position{}
	}
	return source.Position{File: p.Files[f.FileOf(l)], Line: int(f.Locs[l].Line), Col: int(f.Locs[l].Col)}
}

// usesOf returns who uses the values of a function.
func (s *Slicer) usesOf(id ir.FuncID) *graph.CSR {
	if c := s.uses[id]; c != nil {
		return c
	}
	f := &s.p.Funcs[id]
	var edges []graph.Edge
	for v := 1; v < len(f.Values); v++ {
		for _, a := range f.ArgsOf(ir.ValueID(v)) {
			edges = append(edges, graph.Edge{From: uint32(a), To: uint32(v)})
		}
	}
	c := &graph.CSR{}
	c.Build(len(f.Values), edges)
	s.uses[id] = c
	return c
}
