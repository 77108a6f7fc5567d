// This file looks for pointers that go when the object goes: to what a releaser takes
// with it, handed out by functions that were given the object.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// isDeep reports whether the release takes more with argument i than the memory that
// it points to.
func (c *checker) isDeep(i int) bool {
	if !c.sum.inferred {
		return slices.ContainsFunc(c.sum.param(i), func(o outcome) bool { return o.effect == consumes && !o.family.isMemory() })
	}
	if i >= len(c.sum.spread) || c.sum.spread[i] {
		return true
	}
	for p := range c.sum.places {
		if p.param == i {
			return true
		}
	}
	return false
}

// names returns the values that may point to what argument a of the release does.
func (c *checker) names(a ir.ValueID) map[ir.ValueID]bool {
	fn, f := c.fn, c.fn.f
	names := map[ir.ValueID]bool{}
	for work := []ir.ValueID{a}; len(work) > 0; {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if names[v] || f.Values[v].Op.IsConst() {
			continue
		}
		names[v] = true
		switch f.Values[v].Op {
		case ir.OpPhi, ir.OpBitcast, ir.OpFreeze, ir.OpGep:
			work = append(work, f.ArgsOf(v)...)
		case ir.OpSelect:
			work = append(work, f.ArgsOf(v)[1:]...)
		case ir.OpLoad:
			at, ok := fn.spot(f.ArgsOf(v)[0])
			if !ok {
				continue
			}
			for u := f.Blocks[1].First; int(u) < len(f.Values); u++ {
				switch f.Values[u].Op {
				case ir.OpLoad:
					if o, ok := fn.spot(f.ArgsOf(u)[0]); ok && o == at {
						work = append(work, u)
					}
				case ir.OpStore:
					if o, ok := fn.spot(f.ArgsOf(u)[1]); ok && o == at {
						work = append(work, f.ArgsOf(u)[0])
					}
				}
			}
		}
		for _, u := range fn.uses.Succs(uint32(v)) {
			if isPointerOf(f, ir.ValueID(u), v) {
				work = append(work, ir.ValueID(u))
			}
		}
	}
	for v := range names {
		if f.Values[v].Type.Kind() != ir.Ptr {
			delete(names, v)
		}
	}
	return names
}

// isPointerOf reports whether u is v, or a pointer into the same object.
func isPointerOf(f *ir.Func, u, v ir.ValueID) bool {
	switch f.Values[u].Op {
	case ir.OpPhi, ir.OpSelect, ir.OpBitcast, ir.OpFreeze:
		return true
	case ir.OpGep:
		return f.ArgsOf(u)[0] == v
	}
	return false
}

// derived looks at pointers that were got from the object that argument i is, and are
// used after the release.
func (c *checker) derived(i int, a ir.ValueID) {
	fn, f := c.fn, c.fn.f
	names := c.names(a)
	got := map[ir.ValueID]ir.ValueID{} // what was got, by which call or load
	given := map[ir.ValueID]bool{}     // variables whose address such calls were given
	for more := true; more && !c.done(); {
		more = false
		for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
			if by := c.gets(v, i, names, got); by != 0 && got[v] == 0 && !names[v] {
				got[v], more = by, true
			}
			if f.Values[v].Op.IsCall() && v != c.call {
				c.given(v, names, got, given)
			}
		}
	}
	for v := f.Blocks[1].First; int(v) < len(f.Values) && !c.done(); v++ {
		by := got[v]
		switch {
		case by != 0 && f.Values[by].Op == ir.OpLoad && c.usedAfter(v):
			c.unsafe(by, "what is read from %s in line %d is used after that", c.what(), fn.position(by).Line)
		case by != 0 && f.Values[by].Op.IsCall() && c.usedAfter(v):
			c.unsafe(by, "what %s gave of %s in line %d is used after that", fn.nameOf(by), c.what(), fn.position(by).Line)
		case f.Values[v].Op == ir.OpLoad && f.Values[v].Type.Kind() == ir.Ptr && given[fn.baseOf(f.ArgsOf(v)[0])] && !names[v] && c.isAfter(v):
			c.unsafe(v, "what functions that were given %s have put into %s is used after that, in line %d", c.what(), c.name(v), fn.position(v).Line)
		}
	}
}

// gets returns by which load or call the pointer v was got from the object, or 0.
func (c *checker) gets(v ir.ValueID, i int, names map[ir.ValueID]bool, got map[ir.ValueID]ir.ValueID) ir.ValueID {
	fn, f := c.fn, c.fn.f
	x := &f.Values[v]
	args := f.ArgsOf(v)
	if x.Type.Kind() != ir.Ptr || v == c.call {
		return 0
	}
	switch {
	case x.Op == ir.OpLoad && got[args[0]] != 0:
		return got[args[0]]
	case x.Op == ir.OpLoad && names[fn.baseOf(args[0])]:
		if _, off, ok := fn.address(args[0]); ok && c.sum.inferred && !slices.ContainsFunc(c.sum.place(i, off), func(o outcome) bool { return o.effect != borrows }) {
			return 0 // which stays
		}
		return v
	case x.Op.IsCall():
		if sum, _ := fn.callee(v); sum != nil && sum.fresh {
			return 0
		}
		of := func(a ir.ValueID) bool { return names[a] || got[a] != 0 }
		if a := fn.returnedBy(v); a != 0 && !of(a) {
			return 0
		}
		if slices.ContainsFunc(args[1:], of) {
			return v
		}
	default:
		for _, a := range args {
			if got[a] != 0 && isPointerOf(f, v, a) {
				return got[a]
			}
		}
	}
	return 0
}

// given notes the variables of pointers whose address call v is given together with the
// object: it may put something there that goes with it.
func (c *checker) given(v ir.ValueID, names map[ir.ValueID]bool, got map[ir.ValueID]ir.ValueID, to map[ir.ValueID]bool) {
	fn, f := c.fn, c.fn.f
	sum, _ := fn.callee(v)
	args := f.ArgsOf(v)[1:]
	if sum != nil && (sum.quiet && !sum.modelled || sum.getter) || !slices.ContainsFunc(args, func(a ir.ValueID) bool { return names[a] || got[a] != 0 }) {
		return
	}
	for k, a := range args {
		base := fn.baseOf(a)
		isNew := sum != nil && slices.ContainsFunc(sum.outs, func(o out) bool { return o.to.param == k })
		if f.Values[base].Op == ir.OpAlloca && fn.holdsPointer(base) && !isNew {
			to[base] = true
		}
	}
}

// holdsPointer reports whether a variable is a pointer, or a struct that may have some.
func (fn *function) holdsPointer(alloca ir.ValueID) bool {
	x := &fn.f.Values[alloca]
	return fn.f.Ints[x.Aux+1] != 0 || x.Var != 0 && len(fn.f.Vars[x.Var].Type) > 0 && fn.f.Vars[x.Var].Type[len(fn.f.Vars[x.Var].Type)-1] == '*'
}

// usedAfter reports whether something is done with v after the release, before it is
// computed anew.
func (c *checker) usedAfter(v ir.ValueID) bool {
	f := c.fn.f
	b := f.BlockOf(c.call)
	reach := make(bits, len(f.Blocks)/64+1)
	c.fn.forward(reach, uint32(b), uint32(f.BlockOf(v)))
	if at := f.BlockOf(v); at == b && v > c.call {
		return false // it is not there yet
	}
	return slices.ContainsFunc(c.fn.uses.Succs(uint32(v)), func(u uint32) bool {
		at := f.BlockOf(ir.ValueID(u))
		return (at == b && ir.ValueID(u) > c.call || reach.has(uint32(at))) && c.touched(ir.ValueID(u), v, map[ir.ValueID]bool{})
	})
}

// touched reports whether instruction u does something with what v points to, or makes
// a pointer of it with which something is done.
func (c *checker) touched(u, v ir.ValueID, seen map[ir.ValueID]bool) bool {
	f := c.fn.f
	if op := f.Values[u].Op; touches(op) || op == ir.OpRet {
		return true
	}
	if seen[u] || !isPointerOf(f, u, v) {
		return false
	}
	seen[u] = true
	return slices.ContainsFunc(c.fn.uses.Succs(uint32(u)), func(w uint32) bool { return c.touched(ir.ValueID(w), u, seen) })
}

// isAfter reports whether control may come to v after the release.
func (c *checker) isAfter(v ir.ValueID) bool {
	f := c.fn.f
	b := f.BlockOf(c.call)
	reach := make(bits, len(f.Blocks)/64+1)
	c.fn.forward(reach, uint32(b), 0)
	return f.BlockOf(v) == b && v > c.call || reach.has(uint32(f.BlockOf(v)))
}
