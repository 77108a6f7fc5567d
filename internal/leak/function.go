// This file prepares a function: who uses a value, where it is live, which
// values are the same.

package leak

import (
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/callgraph"
	"github.com/plumb-project/plumb/internal/graph"
	"github.com/plumb-project/plumb/internal/ir"
)

// A function is the function being looked at, with what is computed of it. It is
// reused for one function after the other.
type function struct {
	p      *ir.Program
	graph  *callgraph.Graph
	sums   []*summary // by FuncID; nil is not known
	states int

	id        ir.FuncID
	f         *ir.Func
	indirect  map[ir.ValueID]*summary // by call through a pointer: of all it may lead to
	uses      graph.CSR               // by value: the instructions that use it
	cfg, pred graph.CSR
	dom       graph.Dom
	rpo       []uint32                // by block: its place in reverse postorder
	rep       []ir.ValueID            // by value: the first value that is always equal
	live      map[ir.ValueID]bits     // by value: blocks at whose start it is live
	deciders  map[ir.ValueID][]uint32 // by rep: the blocks whose branch or return depends on it
	tested    map[ir.ValueID]bool     // by rep: a branch depends on it
	writes    map[cell]int64          // while values are numbered: how often a place may have been written
	returnsOn map[ir.ValueID]bool     // by rep: what is returned depends on it
	tests     map[cell]bool           // places that a branch depends on
	relevant  map[ir.ValueID]bits     // by rep: blocks from which a decider is reached
	local     map[ir.ValueID]bool     // by alloca: nothing but loads and stores see it
	indexed   map[ir.ValueID]bool     // by base of cells: it is accessed with an index
	scopes    []ir.ScopeID            // by block: the scope it starts in, or 0
	doomed    []bool                  // by block: all paths from it end in a call that does not return

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
	fn.live, fn.relevant, fn.local = map[ir.ValueID]bits{}, map[ir.ValueID]bits{}, map[ir.ValueID]bool{}
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
		succs := f.SuccsOf(b)
		fn.doomed[b] = f.Values[f.Terminator(b)].Op == ir.OpUnreachable || fn.stops(b) ||
			len(succs) > 0 && !slices.ContainsFunc(succs, func(s ir.BlockID) bool { return !fn.doomed[s] })
	}
}

// A numberKey is equal for instructions that compute the same from the same.
type numberKey struct {
	op      ir.Op
	sub     uint8
	typ     ir.Type
	a, b, c ir.ValueID
	off     int64
}

// number fills rep. Loads of one address are the same value unless the function
// may have written there in between, on any path: see the package comment for when
// that is too bold.
func (fn *function) number() {
	f := fn.f
	fn.rep = slices.Grow(fn.rep[:0], len(f.Values))[:len(f.Values)]
	for v := range fn.rep {
		fn.rep[v] = ir.ValueID(v)
	}
	known := map[numberKey]ir.ValueID{}
	fn.writes = map[cell]int64{}
	for _, b := range fn.dom.RPO {
		for v := f.Blocks[b].First; v < f.Blocks[b].End; v++ {
			fn.noteWrites(v)
			k, ok := fn.key(v)
			if !ok {
				continue
			}
			// An earlier load or call tells of a later one only if control came by it.
			if r, ok := known[k]; ok && (k.op != ir.OpLoad && k.op != ir.OpCall || fn.dom.Dominates(uint32(f.BlockOf(r)), b)) {
				fn.rep[v] = r
			} else {
				known[k] = v
			}
		}
	}
}

// noteWrites counts what may write to memory with a name: stores, and calls that
// are given its address.
func (fn *function) noteWrites(v ir.ValueID) {
	f := fn.f
	args := f.ArgsOf(v)
	switch op := f.Values[v].Op; {
	case op == ir.OpStore:
		base, off, ok := (&walker{fn: fn}).address(args[1])
		if !ok {
			base, off = fn.baseOf(args[1]), anywhere
		}
		fn.writes[cell{base, off}]++
	case op == ir.OpMemcpy || op == ir.OpMemset:
		fn.writes[cell{fn.baseOf(args[0]), anywhere}]++
	case op.IsCall() && !fn.onlyLooks(v):
		for _, a := range args[1:] {
			if base := fn.baseOf(a); f.Values[a].Type.Kind() == ir.Ptr && !fn.isConst(base) {
				fn.writes[cell{base, anywhere}]++
			}
		}
	}
}

// isConst reports whether v is a parameter that points to something const: then
// the functions it is passed to do not write there either.
func (fn *function) isConst(v ir.ValueID) bool {
	x := &fn.f.Values[v]
	return x.Op == ir.OpParam && x.Var != 0 && strings.HasPrefix(fn.f.Vars[x.Var].Type, "const ")
}

// onlyLooks reports whether call v writes nothing that the function can see, so
// that its result follows from its arguments and what they point to.
func (fn *function) onlyLooks(v ir.ValueID) bool {
	c := fn.f.Callee(v)
	return c != 0 && fn.p.Funcs[c].Flags&(ir.ReadOnly|ir.ReadNone) != 0
}

// anywhere is the offset of a write that may be at any.
const anywhere = -1 << 62

// baseOf returns what an address is an offset from.
func (fn *function) baseOf(v ir.ValueID) ir.ValueID {
	for fn.f.Values[v].Op == ir.OpGep {
		v = fn.f.ArgsOf(v)[0]
	}
	return v
}

func (fn *function) key(v ir.ValueID) (numberKey, bool) {
	f := fn.f
	x := &f.Values[v]
	k := numberKey{op: x.Op, sub: x.Sub, typ: x.Type}
	switch {
	case x.Op == ir.OpGep:
		g := &f.Geps[x.Aux]
		if g.NStride > 0 {
			return k, false
		}
		k.off = g.Off
	case x.Op == ir.OpLoad:
		if x.Sub&ir.MemVolatile != 0 {
			return k, false
		}
		if base, off, ok := (&walker{fn: fn}).address(f.ArgsOf(v)[0]); ok {
			k.off = fn.writes[cell{base, off}]
		}
		k.off += fn.writes[cell{fn.baseOf(f.ArgsOf(v)[0]), anywhere}] << 32
	case x.Op == ir.OpCall && fn.onlyLooks(v):
		for _, a := range f.ArgsOf(v)[1:] {
			if f.Values[a].Type.Kind() == ir.Ptr {
				k.off += fn.writes[cell{fn.baseOf(a), anywhere}]
			}
		}
	case x.Op >= ir.OpAdd && x.Op <= ir.OpFreeze:
	default:
		return k, false
	}
	args := f.ArgsOf(v)
	if len(args) > 3 {
		return k, false
	}
	for i, p := range []*ir.ValueID{&k.a, &k.b, &k.c}[:len(args)] {
		*p = fn.rep[args[i]]
	}
	return k, true
}

// isPure reports whether the truth of v follows from that of its operands.
func isPure(op ir.Op) bool { return op >= ir.OpAdd && op <= ir.OpPhi }

// findDeciders notes for each value the branches that depend on it.
func (fn *function) findDeciders() {
	f := fn.f
	fn.deciders, fn.tested, fn.returnsOn = map[ir.ValueID][]uint32{}, map[ir.ValueID]bool{}, map[ir.ValueID]bool{}
	fn.tests = map[cell]bool{}
	for b := ir.BlockID(1); int(b) < len(f.Blocks); b++ {
		for v := f.Blocks[b].First; v < f.Blocks[b].End; v++ {
			switch x := &f.Values[v]; {
			case x.Op == ir.OpCondBr, x.Op == ir.OpSwitch, x.Op == ir.OpSelect && x.Type.Kind() == ir.Ptr:
				for _, r := range fn.decide(uint32(b), f.ArgsOf(v)[0]) {
					fn.tested[r] = true
					if f.Values[r].Op != ir.OpLoad {
						continue
					}
					if base, off, ok := (&walker{fn: fn}).address(f.ArgsOf(r)[0]); ok {
						fn.tests[cell{base, off}] = true
					}
				}
			case x.Op == ir.OpRet && x.NArgs > 0: // callers decide by what is returned
				for _, r := range fn.decide(uint32(b), f.ArgsOf(v)[0]) {
					fn.returnsOn[r] = true
				}
			}
		}
	}
}

// decide notes that the branch of b depends on v and what v is made of, and
// returns what that is.
func (fn *function) decide(b uint32, v ir.ValueID) []ir.ValueID {
	const limit = 200 // values looked through for one branch
	work := []ir.ValueID{fn.rep[v]}
	for i := 0; i < len(work) && i < limit; i++ {
		r := work[i]
		if l := fn.deciders[r]; len(l) == 0 || l[len(l)-1] != b {
			fn.deciders[r] = append(l, b)
		}
		if !isPure(fn.f.Values[r].Op) {
			continue
		}
		for _, a := range fn.f.ArgsOf(r) {
			if a = fn.rep[a]; !slices.Contains(work, a) {
				work = append(work, a)
			}
		}
	}
	return work
}

// matters reports whether a branch that depends on v can come after the start of b.
func (fn *function) matters(v ir.ValueID, b ir.BlockID) bool {
	r := fn.rep[v]
	set, ok := fn.relevant[r]
	if !ok {
		set = make(bits, len(fn.f.Blocks)/64+1)
		work := slices.Clone(fn.deciders[r])
		for _, d := range work {
			set.add(d)
		}
		fn.back(set, work, 0)
		fn.relevant[r] = set
	}
	return set.has(uint32(b))
}

// back adds to set what leads to the blocks in work without passing through stop.
func (fn *function) back(set bits, work []uint32, stop uint32) {
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range fn.pred.Succs(b) {
			if p != stop && !set.has(p) {
				set.add(p)
				work = append(work, p)
			}
		}
	}
}

// liveIn reports whether v has a use that can come after the start of b, phis of b not counted.
func (fn *function) liveIn(v ir.ValueID, b ir.BlockID) bool {
	set, ok := fn.live[v]
	if !ok {
		set = make(bits, len(fn.f.Blocks)/64+1)
		def := uint32(fn.f.BlockOf(v))
		var work []uint32
		add := func(b uint32) {
			if b != def && !set.has(b) {
				set.add(b)
				work = append(work, b)
			}
		}
		for _, u := range fn.uses.Succs(uint32(v)) {
			u := ir.ValueID(u)
			b := fn.f.BlockOf(u)
			if fn.f.Values[u].Op != ir.OpPhi {
				add(uint32(b))
				continue
			}
			for i, a := range fn.f.ArgsOf(u) {
				if a == v {
					add(uint32(fn.f.PredsOf(b)[i]))
				}
			}
		}
		fn.back(set, work, def)
		fn.live[v] = set
	}
	return set.has(uint32(b))
}

// liveAfter reports whether v has a use that can come after instruction i of block b.
func (fn *function) liveAfter(v, i ir.ValueID, b ir.BlockID) bool {
	f := fn.f
	for _, u := range fn.uses.Succs(uint32(v)) {
		if u := ir.ValueID(u); u > i && u < f.Blocks[b].End && f.Values[u].Op != ir.OpPhi {
			return true
		}
	}
	for _, s := range f.SuccsOf(b) {
		if fn.liveIn(v, s) || fn.phiUses(v, b, s) {
			return true
		}
	}
	return false
}

// phiUses reports whether a phi of s takes v from b.
func (fn *function) phiUses(v ir.ValueID, b, s ir.BlockID) bool {
	f := fn.f
	for p := f.Blocks[s].First; f.Values[p].Op == ir.OpPhi; p++ {
		for i, a := range f.ArgsOf(p) {
			if a == v && f.PredsOf(s)[i] == b {
				return true
			}
		}
	}
	return false
}

// hasCells reports whether memory has one name only, so that its cells can hold
// an object for certain.
func (fn *function) hasCells(base ir.ValueID) bool {
	switch x := &fn.f.Values[base]; {
	case x.Op == ir.OpAlloca:
		return fn.isLocal(base)
	case x.Op == ir.OpParam:
		return x.Type.Kind() == ir.Ptr && !fn.isIndexed(base)
	case x.Op.IsCall():
		sum, _ := fn.callee(base)
		return sum != nil && sum.fresh && fn.makesNew(base, sum) && !fn.isIndexed(base)
	}
	return false
}

// isIndexed reports whether memory is accessed with an index that varies: one
// address may then be any cell.
func (fn *function) isIndexed(base ir.ValueID) bool {
	yes, known := fn.indexed[base]
	if !known {
		yes = fn.hasIndex(base, 0)
		fn.indexed[base] = yes
	}
	return yes
}

// isCursor reports whether a phi is moved along by an offset in each round.
func (fn *function) isCursor(phi ir.ValueID) bool {
	f := fn.f
	return slices.ContainsFunc(f.ArgsOf(phi), func(a ir.ValueID) bool {
		moved := false
		for f.Values[a].Op == ir.OpGep {
			a, moved = f.ArgsOf(a)[0], true
		}
		return moved && a == phi
	})
}

func (fn *function) hasIndex(v ir.ValueID, depth int) bool {
	f := fn.f
	for _, u := range fn.uses.Succs(uint32(v)) {
		x := &f.Values[u]
		switch {
		case x.Op == ir.OpPhi && fn.isCursor(ir.ValueID(u)):
			return true
		case x.Op != ir.OpGep || f.ArgsOf(ir.ValueID(u))[0] != v:
		case f.Geps[x.Aux].NStride > 0 || depth > 8 || fn.hasIndex(ir.ValueID(u), depth+1):
			return true
		}
	}
	return false
}

// isLocal reports whether an alloca is seen by loads and stores of known
// offsets, and by functions that only look, alone.
func (fn *function) isLocal(a ir.ValueID) bool {
	ok, known := fn.local[a]
	if !known {
		ok = fn.f.Values[a].NArgs == 0 && fn.onlyAccessed(a, 0)
		fn.local[a] = ok
	}
	return ok
}

// maxDepth is how many addresses made from one another are looked through.
const maxDepth = 8

func (fn *function) onlyAccessed(v ir.ValueID, depth int) bool {
	f := fn.f
	for _, u := range fn.uses.Succs(uint32(v)) {
		u := ir.ValueID(u)
		x := &f.Values[u]
		switch x.Op {
		case ir.OpLoad, ir.OpLifetimeStart, ir.OpLifetimeEnd:
		case ir.OpStore:
			if f.ArgsOf(u)[0] == v {
				return false
			}
		case ir.OpMemset:
			if n, ok := f.ConstInt(f.ArgsOf(u)[2]); !ok || n < 0 || f.ArgsOf(u)[0] != v {
				return false
			}
		case ir.OpGep:
			if f.Geps[x.Aux].NStride > 0 || depth > maxDepth || !fn.onlyAccessed(u, depth+1) {
				return false
			}
		case ir.OpCall, ir.OpInvoke:
			if !fn.onlyLent(v, u) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// onlyLent reports whether call u does not keep v, one of its arguments.
func (fn *function) onlyLent(v, u ir.ValueID) bool {
	sum, _ := fn.callee(u)
	if sum == nil {
		return false
	}
	for i, a := range fn.f.ArgsOf(u)[1:] {
		if a == v && slices.ContainsFunc(sum.param(i), func(o outcome) bool {
			return o.effect != borrows && (o.effect != returns || !fn.onlyAccessed(u, maxDepth))
		}) {
			return false
		}
	}
	return fn.f.ArgsOf(u)[0] != v
}

// mayReturn reports whether v may be what the function returns.
func (fn *function) mayReturn(v ir.ValueID) bool {
	if fn.returnable == nil {
		fn.returnable = map[ir.ValueID]bool{}
		for _, l := range fn.returnLeaves() {
			fn.returnable[l] = true
		}
	}
	return fn.returnable[v]
}

// returnLeaves lists what the function may return, phis and pointers into the
// same object looked through.
func (fn *function) returnLeaves() []ir.ValueID {
	f := fn.f
	seen := map[ir.ValueID]bool{}
	var work, leaves []ir.ValueID
	for b := 1; b < len(f.Blocks); b++ {
		if t := f.Terminator(ir.BlockID(b)); f.Values[t].Op == ir.OpRet {
			work = append(work, f.ArgsOf(t)...)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		switch args := f.ArgsOf(v); f.Values[v].Op {
		case ir.OpPhi:
			work = append(work, args...)
		case ir.OpSelect:
			work = append(work, args[1], args[2])
		case ir.OpGep, ir.OpFreeze, ir.OpBitcast:
			work = append(work, args[0])
		default:
			leaves = append(leaves, v)
		}
	}
	return leaves
}
