// This file finds what releasers expect of what they are given: whether it may be
// null, and what has to be in it.

package leak

import (
	"maps"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// takesNull reports whether the release does nothing when argument i is null.
func (c *checker) takesNull(i int) bool {
	return c.fn.callTakesNull(c.fn.id, c.call, i, 0)
}

// nullSafe reports whether function id does not look at what parameter i points to
// when that is null. Of functions of the library only those are known to that release
// plain memory.
func (fn *function) nullSafe(id ir.FuncID, i, depth int) bool {
	f := &fn.p.Funcs[id]
	if f.IsDecl() {
		sum := fn.sums[id]
		return sum != nil && sum.modelled && slices.ContainsFunc(sum.param(i), func(o outcome) bool { return o.effect == consumes && o.family.isMemory() })
	}
	if depth > 4 || i >= int(f.NParams) {
		return false
	}
	param := ir.ValueID(i + 1)
	names := map[ir.ValueID]bool{param: true}
	seen := map[ir.BlockID]bool{1: true}
	for work := []ir.BlockID{1}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for v := f.Blocks[b].First; v < f.Blocks[b].End; v++ {
			if !fn.leavesNull(id, v, names, depth) {
				return false
			}
		}
		null := nullEdge(f, f.Terminator(b), names)
		for k, s := range f.SuccsOf(b) {
			if (null < 0 || k == null) && !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return true
}

// isMemory reports whether what is released is plain memory, of C or C++.
func (f family) isMemory() bool { return f == "free" || f == "_ZdlPv" || f == "_ZdaPv" }

// leavesNull reports whether instruction v of function id does nothing with a null pointer but
// compare it and hand it on; names are the values that are it.
func (fn *function) leavesNull(id ir.FuncID, v ir.ValueID, names map[ir.ValueID]bool, depth int) bool {
	f := &fn.p.Funcs[id]
	for k, a := range f.ArgsOf(v) {
		if !names[a] {
			continue
		}
		switch op := f.Values[v].Op; {
		case op == ir.OpICmp, op == ir.OpSet, op == ir.OpRet:
		case op == ir.OpGep, op == ir.OpBitcast, op == ir.OpFreeze:
			names[v] = true
		case op == ir.OpStore && k == 0 && f.Values[f.ArgsOf(v)[1]].Op == ir.OpAlloca:
		case op.IsCall() && k > 0:
			if !fn.callTakesNull(id, v, k-1, depth) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// callTakesNull reports whether call v of function id does nothing when argument i is null,
// wherever it leads.
func (fn *function) callTakesNull(id ir.FuncID, v ir.ValueID, i, depth int) bool {
	if c := fn.p.Funcs[id].Callee(v); c != 0 {
		return fn.nullSafe(c, i, depth+1)
	}
	for _, call := range fn.graph.CallsOf(id) {
		if call.Site == v {
			return len(call.Targets) > 0 && !slices.ContainsFunc(call.Targets, func(t ir.FuncID) bool { return !fn.nullSafe(t, i, depth+1) })
		}
	}
	return false
}

// nullEdge returns the edge that branch t takes when these values are null, or -1.
func nullEdge(f *ir.Func, t ir.ValueID, names map[ir.ValueID]bool) int {
	if f.Values[t].Op != ir.OpCondBr {
		return -1
	}
	cmp := f.ArgsOf(t)[0]
	if f.Values[cmp].Op != ir.OpICmp || !names[f.ArgsOf(cmp)[0]] || f.Values[f.ArgsOf(cmp)[1]].Op != ir.OpConstNull {
		return -1
	}
	switch ir.Pred(f.Values[cmp].Sub) {
	case ir.EQ:
		return 0
	case ir.NE:
		return 1
	}
	return -1
}

// contents looks at what argument a of the release holds, when the releaser takes
// that too: what this function put there must be for it to take, what it reads must
// have been set, and what was read from there must not be used later.
func (c *checker) contents(i int, a ir.ValueID) {
	fn, f := c.fn, c.fn.f
	owners, _ := c.roots(a)
	if slices.ContainsFunc(owners, func(o ir.ValueID) bool { return f.Values[o].Op == ir.OpAlloca }) {
		return // which trace says
	}
	read := c.reads(f.Callee(c.call), i, 0)
	for _, o := range owners {
		sum, _ := fn.callee(o)
		for _, p := range slices.SortedFunc(maps.Keys(c.sum.places), comparePlaces) {
			list := c.sum.places[p]
			takes := slices.ContainsFunc(list, func(x outcome) bool { return x.effect == consumes })
			if p.param != i || p.deep != 0 || !takes {
				continue
			}
			at := cell{o, p.off}
			for v := f.Blocks[1].First; int(v) < len(f.Values) && !c.done(); v++ {
				switch op := f.Values[v].Op; {
				case op == ir.OpStore:
					c.stored(v, at)
				case op.IsCall() && v != c.call:
					if callee, _ := fn.callee(v); callee != nil {
						c.puts(v, callee, place{param: slices.Index(f.ArgsOf(v)[1:], o), off: p.off})
					}
				}
			}
		}
		if fn.contentOfNew(o, sum) != garbage {
			continue
		}
		for _, off := range read {
			c.add(origin{site: o, cell: cell{o, off}, kind: unset})
		}
	}
	c.loadedBefore(i, owners)
}

// reads lists the offsets at which function id reads what parameter i points to.
func (c *checker) reads(id ir.FuncID, i, depth int) []int64 {
	f := &c.fn.p.Funcs[id]
	if id == 0 || f.IsDecl() || depth > 3 || i >= int(f.NParams) {
		return nil
	}
	var out []int64
	at := map[ir.ValueID]int64{ir.ValueID(i + 1): 0}
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		for k, a := range f.ArgsOf(v) {
			off, ok := at[a]
			if !ok {
				continue
			}
			switch x := &f.Values[v]; {
			case x.Op == ir.OpGep && k == 0 && f.Geps[x.Aux].NStride == 0:
				at[v] = off + f.Geps[x.Aux].Off
			case x.Op == ir.OpBitcast, x.Op == ir.OpFreeze:
				at[v] = off
			case x.Op == ir.OpLoad:
				out = append(out, off)
			case x.Op.IsCall() && k > 0:
				for _, n := range c.reads(f.Callee(v), k-1, depth+1) {
					out = append(out, off+n)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// loadedBefore looks for pointers that were read from what is released, and are used
// after it: the releaser may have released what they point to.
func (c *checker) loadedBefore(i int, owners []ir.ValueID) {
	fn, f := c.fn, c.fn.f
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		if f.Values[v].Op != ir.OpLoad || f.Values[v].Type.Kind() != ir.Ptr || !fn.liveAfter(v, c.call, f.BlockOf(c.call)) {
			continue
		}
		addr := f.ArgsOf(v)[0]
		if !slices.ContainsFunc(owners, func(o ir.ValueID) bool { return fn.comesFrom(addr, o) || c.deepFrom(addr, o) }) {
			continue
		}
		if _, off, ok := fn.address(addr); ok && !c.deepFromAny(addr, owners) {
			stays := func(o outcome) bool { return o.effect == borrows }
			if list := c.sum.place(i, off); !slices.ContainsFunc(list, func(o outcome) bool { return !stays(o) }) {
				continue
			}
		}
		c.unsafe(v, "what is read from %s in line %d is used after that", c.what(), fn.position(v).Line)
	}
}

func (c *checker) deepFromAny(addr ir.ValueID, owners []ir.ValueID) bool {
	return slices.ContainsFunc(owners, func(o ir.ValueID) bool { return c.deepFrom(addr, o) })
}

// deepFrom reports whether an address was itself read from memory of o.
func (c *checker) deepFrom(addr, o ir.ValueID) bool {
	f := c.fn.f
	for range maxDepth {
		base := c.fn.baseOf(addr)
		if f.Values[base].Op != ir.OpLoad {
			return false
		}
		addr = f.ArgsOf(base)[0]
		if c.fn.comesFrom(addr, o) {
			return true
		}
	}
	return false
}
