// This file prepares a function: who uses a value, where it is live, which
// values are the same.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/graph"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/model"
	"github.com/plumb-project/plumb/internal/report"
)

// A function is the function being looked at, with what is computed of it. It is
// reused for one function after the other.
type function struct {
	p      *ir.Program
	models []*model.Func // by FuncID
	states int

	id        ir.FuncID
	f         *ir.Func
	uses      graph.CSR // by value: the instructions that use it
	cfg, pred graph.CSR
	dom       graph.Dom
	rpo       []uint32                // by block: its place in reverse postorder
	rep       []ir.ValueID            // by value: the first value that is always equal
	live      map[ir.ValueID]bits     // by value: blocks at whose start it is live
	deciders  map[ir.ValueID][]uint32 // by rep: the blocks whose branch depends on it
	relevant  map[ir.ValueID]bits     // by rep: blocks from which a decider is reached
	local     map[ir.ValueID]bool     // by alloca: nothing but loads and stores see it
	scopes    []ir.ScopeID            // by block: the scope it starts in, or 0
	edges     []graph.Edge
}

// bits is a set of blocks.
type bits []uint64

func (b bits) has(i uint32) bool { return b[i/64]&(1<<(i%64)) != 0 }
func (b bits) add(i uint32)      { b[i/64] |= 1 << (i % 64) }

// find returns the leaks of one function.
func (fn *function) find(id ir.FuncID) []report.Finding {
	fn.id, fn.f = id, &fn.p.Funcs[id]
	if fn.f.IsDecl() {
		return nil
	}
	sites := fn.sites()
	if len(sites) == 0 {
		return nil
	}
	fn.prepare()
	var out []report.Finding
	for _, s := range sites {
		out = append(out, fn.walk(s)...)
	}
	return out
}

// sites returns the calls that allocate. A function that calls setjmp has none:
// its paths are not those of its blocks.
func (fn *function) sites() []ir.ValueID {
	f := fn.f
	var sites []ir.ValueID
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		c := f.Callee(v)
		if c == 0 {
			continue
		}
		if fn.p.Funcs[c].Flags&ir.ReturnsTwice != 0 {
			return nil
		}
		if m := fn.models[c]; m != nil && m.Fresh() {
			sites = append(sites, v)
		}
	}
	return sites
}

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
	fn.number()
	fn.findDeciders()
	fn.findScopes()
}

// A numberKey is equal for instructions that compute the same from the same.
type numberKey struct {
	op      ir.Op
	sub     uint8
	typ     ir.Type
	a, b, c ir.ValueID
	off     int64
}

// number fills rep. Loads of one address are the same value: see the package
// comment for when that is too bold.
func (fn *function) number() {
	f := fn.f
	fn.rep = slices.Grow(fn.rep[:0], len(f.Values))[:len(f.Values)]
	for v := range fn.rep {
		fn.rep[v] = ir.ValueID(v)
	}
	known := map[numberKey]ir.ValueID{}
	for _, b := range fn.dom.RPO {
		for v := f.Blocks[b].First; v < f.Blocks[b].End; v++ {
			k, ok := fn.key(v)
			if !ok {
				continue
			}
			if r, ok := known[k]; ok {
				fn.rep[v] = r
			} else {
				known[k] = v
			}
		}
	}
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
	fn.deciders = map[ir.ValueID][]uint32{}
	for b := ir.BlockID(1); int(b) < len(f.Blocks); b++ {
		for v := f.Blocks[b].First; v < f.Blocks[b].End; v++ {
			switch x := &f.Values[v]; {
			case x.Op == ir.OpCondBr, x.Op == ir.OpSwitch, x.Op == ir.OpSelect && x.Type.Kind() == ir.Ptr:
				fn.decide(uint32(b), f.ArgsOf(v)[0])
			}
		}
	}
}

// decide notes that the branch of b depends on v and what v is made of.
func (fn *function) decide(b uint32, v ir.ValueID) {
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

// isLocal reports whether an alloca is seen by loads and stores of known offsets alone.
func (fn *function) isLocal(a ir.ValueID) bool {
	ok, known := fn.local[a]
	if !known {
		ok = fn.f.Values[a].NArgs == 0 && fn.onlyAccessed(a, 0)
		fn.local[a] = ok
	}
	return ok
}

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
			if f.Geps[x.Aux].NStride > 0 || depth > 8 || !fn.onlyAccessed(u, depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
