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

// itself is the offset of what a parameter is, and not of a field.
const itself = anywhere

// nullSafe reports whether function id does not look at what the pointer off bytes into
// what parameter i points to points to, or at what the parameter itself points to, when
// that is null. Of functions of the library only those are known to that release plain
// memory.
func (fn *function) nullSafe(id ir.FuncID, i int, off int64, depth int) bool {
	f := &fn.p.Funcs[id]
	if f.IsDecl() {
		sum := fn.sums[id]
		return off != itself || sum != nil && sum.modelled && slices.ContainsFunc(sum.param(i), func(o outcome) bool { return o.effect == consumes && o.family.isMemory() })
	}
	if depth > 4 || i >= int(f.NParams) {
		return false
	}
	param := ir.ValueID(i + 1)
	names := map[ir.ValueID]bool{param: off == itself}
	at := map[ir.ValueID]int64{param: 0} // pointers into what has the field
	seen := map[ir.BlockID]bool{1: true}
	for work := []ir.BlockID{1}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for v := f.Blocks[b].First; v < f.Blocks[b].End; v++ {
			if off != itself && !fn.leavesField(id, v, at, off, names, depth) || !fn.leavesNull(id, v, names, depth) {
				return false
			}
		}
		null := nullEdge(f, f.Terminator(b), names)
		for k, s := range f.SuccsOf(b) {
			if null >= 0 && k != null {
				continue
			}
			if !meets(f, b, s, names, seen[s]) {
				return false
			}
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return true
}

// meets notes which phis of block to are null when control comes from b. It reports
// whether that is so for all ways to it, if it was seen before.
func meets(f *ir.Func, b, to ir.BlockID, names map[ir.ValueID]bool, seen bool) bool {
	for v := f.Blocks[to].First; f.Values[v].Op == ir.OpPhi; v++ {
		for i, p := range f.PredsOf(to) {
			if p != b {
				continue
			}
			a := f.ArgsOf(v)[i]
			if seen && (names[v] && !names[a] && f.Values[a].Op != ir.OpConstNull || !names[v] && names[a]) {
				return false
			}
			names[v] = names[v] || names[a]
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
		case op == ir.OpICmp, op == ir.OpSet, op == ir.OpRet, op == ir.OpPhi:
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

// leavesField notes where instruction v reads the field that is null. It reports whether
// functions that are given what has it do nothing with that.
func (fn *function) leavesField(id ir.FuncID, v ir.ValueID, at map[ir.ValueID]int64, off int64, names map[ir.ValueID]bool, depth int) bool {
	f := &fn.p.Funcs[id]
	for k, a := range f.ArgsOf(v) {
		here, ok := at[a]
		if !ok {
			continue
		}
		switch x := &f.Values[v]; {
		case x.Op == ir.OpGep && k == 0 && f.Geps[x.Aux].NStride == 0:
			at[v] = here + f.Geps[x.Aux].Off
		case x.Op == ir.OpBitcast, x.Op == ir.OpFreeze:
			at[v] = here
		case x.Op == ir.OpLoad && here == off && x.Type.Kind() == ir.Ptr:
			names[v] = true
		case x.Op.IsCall() && k > 0:
			if c := f.Callee(v); c != 0 && !fn.nullSafe(c, k-1, off-here, depth+1) {
				return false
			}
		}
	}
	return true
}

// callTakesNull reports whether call v of function id does nothing when argument i is null,
// wherever it leads.
func (fn *function) callTakesNull(id ir.FuncID, v ir.ValueID, i, depth int) bool {
	if c := fn.p.Funcs[id].Callee(v); c != 0 {
		return fn.nullSafe(c, i, itself, depth+1)
	}
	for _, call := range fn.graph.CallsOf(id) {
		if call.Site == v {
			return len(call.Targets) > 0 && !slices.ContainsFunc(call.Targets, func(t ir.FuncID) bool { return !fn.nullSafe(t, i, itself, depth+1) })
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
	id := f.Callee(c.call)
	read := c.reads(id, i, 0)
	for _, off := range read {
		if !fn.nullSafe(id, i, off, 0) {
			c.fields = append(c.fields, off)
		}
	}
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
		for _, off := range c.fields {
			c.nulls(cell{o, off}, fn.contentOfNew(o, sum, off))
		}
		for _, off := range read {
			if fn.contentOfNew(o, sum, off) == garbage {
				c.add(origin{site: o, cell: cell{o, off}, kind: unset})
			}
		}
	}
}

// nulls adds what may be null in a cell that the releaser takes not to be null.
func (c *checker) nulls(at cell, from content) {
	fn, f := c.fn, c.fn.f
	if from == zeros {
		c.add(origin{site: at.base, cell: at, kind: missing})
	}
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		args := f.ArgsOf(v)
		switch f.Values[v].Op {
		case ir.OpStore:
			if _, off, ok := fn.address(args[1]); !ok || off != at.off || !fn.comesFrom(args[1], at.base) || f.Values[args[0]].Type.Kind() != ir.Ptr {
				continue
			}
			switch sum, _ := fn.callee(args[0]); {
			case f.Values[args[0]].Op.IsConst():
				c.add(origin{site: v, cell: at, kind: missing})
			case sum == nil || !sum.ret.not0():
				c.add(origin{site: args[0], kind: missing})
			}
		case ir.OpMemset, ir.OpMemcpy:
			if fn.comesFrom(args[0], at.base) {
				c.add(origin{site: v, cell: at, kind: missing})
			}
		}
	}
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
