// This file finds the functions that a pointer can be, by following it back
// through the program: through parameters to the callers, through results to the
// callees, through memory to the stores.
//
// It is a small inclusion-based analysis on demand: a node stands for a value, or
// for what some memory holds, and is made only if the callee of some call depends
// on it. It ignores the order of statements and the context of calls. A call that
// is resolved on the way adds to what parameters and results can be, until
// nothing changes.

package callgraph

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// A flow is the analysis of one program.
type flow struct {
	*index
	nodes   []node
	ids     map[key]nodeID
	edges   map[[2]nodeID]bool
	offsets map[key]int // by node with offset 0: how many others there are
	todo    []nodeID    // made, and not yet expanded
	work    []nodeID    // changed, and not yet passed on
	budget  int         // instructions to look through for uses of local memory

	later    [][]use                   // by FuncID: calls through pointers that lead to it
	onCaller map[ir.FuncID][]func(use) // to be told of these
	onTarget map[use][]func(ir.FuncID) // by such a call: to be told where it leads
	asked    map[nodeID][]use          // by callee: the calls
	led      map[use][]ir.FuncID       // by such a call: where it leads so far
}

type nodeID uint32

// A node is a set of functions that grows.
type node struct {
	key   key
	funcs []ir.FuncID
	doubt doubt
	succs []nodeID // which have at least as much
	dirty bool
}

// A doubt says what else a pointer may be.
type doubt uint8

const (
	untracked doubt = 1 << iota // it is in memory that has no name here
	outside                     // it may come from outside the program
)

// A key names a node.
type key struct {
	kind kind
	a, b uint32
	off  int64
}

type kind uint8

const (
	aValue       kind = iota + 1 // value b of function a
	aResult                      // what function a returns
	aField                       // field b of struct a
	aGlobal                      // off bytes into global a
	aMemory                      // off bytes into what value b of function a points to
	aWritten                     // the same for a parameter, as far as the function and its callees write it
	behindField                  // off bytes into what field b of struct a points to
	behindGlobal                 // off bytes into what a pointer in global a points to
)

func newFlow(t *index) *flow {
	n := 0
	for i := range t.p.Funcs {
		n += len(t.p.Funcs[i].Values)
	}
	return &flow{
		index: t, ids: map[key]nodeID{}, edges: map[[2]nodeID]bool{}, offsets: map[key]int{}, budget: 8*n + 1000, later: make([][]use, len(t.p.Funcs)),
		onCaller: map[ir.FuncID][]func(use){}, onTarget: map[use][]func(ir.FuncID){}, asked: map[nodeID][]use{}, led: map[use][]ir.FuncID{},
	}
}

// ask adds a call through a pointer.
func (fl *flow) ask(call use) nodeID {
	n := fl.value(call.fn, fl.p.Funcs[call.fn].ArgsOf(call.at)[0])
	fl.asked[n] = append(fl.asked[n], call)
	return n
}

// solve works until nothing changes.
func (fl *flow) solve() {
	for {
		switch {
		case len(fl.todo) > 0:
			n := fl.todo[len(fl.todo)-1]
			fl.todo = fl.todo[:len(fl.todo)-1]
			fl.expand(n)
		case len(fl.work) > 0:
			n := fl.work[len(fl.work)-1]
			fl.work = fl.work[:len(fl.work)-1]
			fl.pass(n)
		default:
			return
		}
	}
}

// maxOffsets is how many offsets into one memory are told apart: a function that
// calls itself with a pointer that moves along has no end of them.
const maxOffsets = 16

func (fl *flow) node(k key) nodeID {
	n, ok := fl.ids[k]
	if !ok && k.off != 0 && k.off != anywhere {
		base := key{kind: k.kind, a: k.a, b: k.b}
		if fl.offsets[base]++; fl.offsets[base] > maxOffsets {
			k.off = anywhere
			n, ok = fl.ids[k]
		}
	}
	if !ok {
		n = nodeID(len(fl.nodes))
		fl.ids[k] = n
		fl.nodes = append(fl.nodes, node{key: k})
		fl.todo = append(fl.todo, n)
	}
	return n
}

func (fl *flow) value(f ir.FuncID, v ir.ValueID) nodeID {
	return fl.node(key{kind: aValue, a: uint32(f), b: uint32(v)})
}

// content is the node of what is off bytes past an address.
func (fl *flow) content(id ir.FuncID, addr ir.ValueID, off int64) nodeID {
	f := &fl.p.Funcs[id]
	a := fl.address(f, addr)
	if a.step.Struct != 0 {
		step := fl.further(a.step, off)
		return fl.node(key{kind: aField, a: uint32(step.Struct), b: step.Field})
	}
	if x := &f.Values[a.base]; x.Op == ir.OpGlobalAddr {
		return fl.node(key{kind: aGlobal, a: x.Aux, off: plus(a.off, off)})
	}
	return fl.node(key{kind: aMemory, a: uint32(id), b: uint32(a.base), off: plus(a.off, off)})
}

// edge says that to has what from has.
func (fl *flow) edge(from, to nodeID) {
	if from == to || fl.edges[[2]nodeID{from, to}] {
		return
	}
	fl.edges[[2]nodeID{from, to}] = true
	fl.nodes[from].succs = append(fl.nodes[from].succs, to)
	fl.include(to, fl.nodes[from].funcs, fl.nodes[from].doubt)
}

// include adds to a node.
func (fl *flow) include(n nodeID, funcs []ir.FuncID, d doubt) {
	x := &fl.nodes[n]
	before, was := len(x.funcs), x.doubt
	for _, f := range funcs {
		x.funcs = add(x.funcs, f)
	}
	x.doubt |= d
	if (len(x.funcs) > before || x.doubt != was) && !x.dirty {
		x.dirty = true
		fl.work = append(fl.work, n)
	}
}

// pass hands on what a node has.
func (fl *flow) pass(n nodeID) {
	fl.nodes[n].dirty = false
	funcs, d := fl.nodes[n].funcs, fl.nodes[n].doubt
	for _, s := range fl.nodes[n].succs {
		fl.include(s, funcs, d)
	}
	for _, call := range fl.asked[n] {
		for _, f := range funcs {
			if fl.fits(call, f) && !slices.Contains(fl.led[call], f) {
				fl.lead(call, f)
			}
		}
	}
}

// lead says that a call leads to f.
func (fl *flow) lead(call use, f ir.FuncID) {
	fl.led[call] = append(fl.led[call], f)
	fl.later[f] = append(fl.later[f], call)
	for _, tell := range fl.onCaller[f] {
		tell(call)
	}
	for _, tell := range fl.onTarget[call] {
		tell(f)
	}
}

// fits reports whether a call can be one of f: it passes what f takes, and wants
// what f returns, or nothing.
func (fl *flow) fits(call use, f ir.FuncID) bool {
	c, x := fl.shapes[fl.p.Funcs[call.fn].Values[call.at].Aux], fl.shapes[fl.p.Funcs[f].Sig]
	return c.params == x.params && (c.result == x.result || c.result == "void")
}

// callersOf calls tell for each call of f that is known, or comes to be known.
func (fl *flow) callersOf(f ir.FuncID, tell func(use)) {
	fl.onCaller[f] = append(fl.onCaller[f], tell)
	for _, c := range fl.callers[f] {
		tell(c)
	}
	for _, c := range slices.Clone(fl.later[f]) {
		tell(c)
	}
}

// targetsOf calls tell for each function that a call leads to.
func (fl *flow) targetsOf(call use, tell func(ir.FuncID)) {
	if f := fl.p.Funcs[call.fn].Callee(call.at); f != 0 {
		tell(f)
		return
	}
	fl.onTarget[call] = append(fl.onTarget[call], tell)
	for _, f := range slices.Clone(fl.led[call]) {
		tell(f)
	}
}
