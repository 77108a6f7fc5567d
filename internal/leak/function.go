// This file prepares a function: who uses a value, where it is live, which
// values are the same.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/callgraph"
	"github.com/plumb-project/plumb/internal/graph"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/modref"
)

// A function is the function being looked at, with what is computed of it. It is
// reused for one function after the other.
type function struct {
	p          *ir.Program
	graph      *callgraph.Graph
	modref     *modref.Table
	fixed      map[ir.GlobalID]int64 // globals that nobody writes
	counters   map[ir.Step]bool      // fields that count references
	owners     []bool                // by GlobalID: its pointers are followed
	codes      []interval            // by FuncID: what it can return
	printers   []bool                // by FuncID: variadic arguments are only printed
	sums       []*summary            // by FuncID; nil is not known
	policy     Policy
	allPaths   bool
	watch      *watch // whose walks are recorded; nil for none
	states     int
	hunts      bool // look at what is done after a release
	numbers    bool // follow what numbers stand for
	wantGraphs bool // keep the graphs of walks that find something
	strict     bool // doubt counts against what is to be shown, and not for it
	graphs     []*Graph

	kept             inGlobals
	counts           *Counts // nil unless asked for
	objects, givenUp int64   // new objects of this function, and those with too many paths
	gaveUp           map[gave]bool

	id         ir.FuncID
	f          *ir.Func
	indirect   map[ir.ValueID]*summary // by call through a pointer: of all it may lead to
	last       map[ir.ValueID]*summary // by call after which the process ends: whose callees need not be known yet
	uses       graph.CSR               // by value: the instructions that use it
	cfg, pred  graph.CSR
	dom        graph.Dom
	rpo        []uint32              // by block: its place in reverse postorder
	rep        []ir.ValueID          // by value: the first value that is always equal
	live       []bits                // by value: blocks at whose start it is live; nil until asked
	deciders   [][]uint32            // by rep: the blocks whose branch or return depends on it
	laterOn    [][]uint32            // those of them that depend on it by way of a phi
	tested     []bool                // by rep: a branch depends on it
	writes     map[cell]int64        // while values are numbered: how often a place may have been written
	calls      []ir.ValueID          // and calls that may write memory
	changers   []ir.ValueID          // and all that may, when strict
	writers    map[cell][]ir.ValueID // and by what
	returnsOn  []bool                // by rep: what is returned depends on it
	testedBy   map[cell][]ir.ValueID // places that a branch depends on, with the loads that are not always the same
	testedFrom map[cell]bits         // by such a place: blocks from which one of these is reached; absent until asked
	relevant   []bits                // by rep: blocks from which a decider is reached; nil until asked
	chain      []ir.ValueID          // phis that are being looked through
	local      map[ir.ValueID]bool   // by alloca: nothing but loads and stores see it
	indexed    map[ir.ValueID]bool   // by base of cells: it is accessed with an index
	scopes     []ir.ScopeID          // by block: the scope it starts in, or 0
	doomed     []bool                // by block: all paths from it end in a call that does not return

	returnable map[ir.ValueID]bool // values that may be what the function returns
	edges      []graph.Edge
}

// bits is a set of blocks.
type bits []uint64

func (b bits) has(i uint32) bool { return b[i/64]&(1<<(i%64)) != 0 }
func (b bits) add(i uint32)      { b[i/64] |= 1 << (i % 64) }

func (fn *function) prepare() {
	f := fn.f
	fn.edges = fn.edges[:0]
	for b := ir.BlockID(1); int(b) < len(f.Blocks); b++ {
		for _, s := range f.SuccsOf(b) {
			fn.edges = append(fn.edges, graph.Edge{From: uint32(b), To: uint32(s)})
		}
	}
	fn.cfg.Build(len(f.Blocks), fn.edges)
	fn.cfg.Reverse(&fn.pred)
	fn.dom.Build(&fn.cfg, &fn.pred, 1)
	fn.rpo = slices.Grow(fn.rpo[:0], len(f.Blocks))[:len(f.Blocks)]
	for i, b := range fn.dom.RPO {
		fn.rpo[b] = uint32(i)
	}
	fn.edges = fn.edges[:0]
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		for _, a := range f.ArgsOf(v) {
			fn.edges = append(fn.edges, graph.Edge{From: uint32(a), To: uint32(v)})
		}
	}
	fn.uses.Build(len(f.Values), fn.edges)
	n := len(f.Values)
	fn.live, fn.relevant, fn.local = cleared(fn.live, n), cleared(fn.relevant, n), map[ir.ValueID]bool{}
	fn.laterOn = cleared(fn.laterOn, n)
	fn.deciders, fn.tested, fn.returnsOn = cleared(fn.deciders, n), cleared(fn.tested, n), cleared(fn.returnsOn, n)
	fn.returnable, fn.indexed = nil, map[ir.ValueID]bool{}
	fn.number()
	fn.findDeciders()
	fn.findScopes()
	fn.findDoomed()
}

// findDoomed finds the blocks after which the process ends.
func (fn *function) findDoomed() {
	f := fn.f
	fn.doomed = make([]bool, len(f.Blocks))
	for i := len(fn.dom.RPO) - 1; i >= 0; i-- { // successors first, but for loops, which are not doomed
		b := ir.BlockID(fn.dom.RPO[i])
		if fn.jumpsFrom(b) {
			continue
		}
		succs := f.SuccsOf(b)
		fn.doomed[b] = f.Values[f.Terminator(b)].Op == ir.OpUnreachable || fn.stops(b) ||
			len(succs) > 0 && !slices.ContainsFunc(succs, func(s ir.BlockID) bool { return !fn.doomed[s] })
	}
}

// cleared returns s with n zero elements, reusing its array.
func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}
