// This file finds all that a release may be given: what phis choose from, and what
// may be in memory that is read.

package leak

import (
	"math"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/modref"
)

// trace adds what v may be to the origins.
func (c *checker) trace(v ir.ValueID) {
	fn, f := c.fn, c.fn.f
	for work := []ir.ValueID{v}; len(work) > 0 && !c.done(); {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if c.traced[v] {
			continue
		}
		c.traced[v] = true
		args := f.ArgsOf(v)
		switch x := &f.Values[v]; x.Op {
		case ir.OpPhi:
			work = append(work, args...)
		case ir.OpSelect:
			work = append(work, args[1:]...)
		case ir.OpBitcast, ir.OpFreeze:
			work = append(work, args[0])
		case ir.OpGep:
			if g := &f.Geps[x.Aux]; g.Off != 0 || g.NStride > 0 {
				c.unsafe(c.call, "%s may point behind the start of what it points to", c.name(v))
			}
			work = append(work, args[0])
		case ir.OpConstNull:
			c.null(origin{site: v})
		case ir.OpUndef:
			c.add(origin{site: v, kind: unset})
		case ir.OpLoad:
			c.memory = true
			c.traceLoad(v)
		case ir.OpCall, ir.OpInvoke, ir.OpCallBr:
			sum, _ := fn.callee(v)
			switch {
			case sum != nil && sum.fresh && fn.makesNew(v, sum):
				c.add(origin{site: v, kind: fresh})
				if sum.mayFail || len(sum.newIf) > 0 {
					c.null(origin{site: v})
				}
			case sum != nil && sum.partly && fn.makesNew(v, sum):
				c.add(origin{site: v, kind: fresh})
				c.otherwise(v, sum)
			case fn.sameAs(v) != 0:
				work = append(work, fn.sameAs(v))
			default:
				c.add(origin{site: v, kind: wrong})
			}
		default:
			c.add(origin{site: v, kind: wrong})
		}
	}
}

// otherwise adds what call v returns when that is not new, for a function that returns
// something new only when its arguments are such.
func (c *checker) otherwise(v ir.ValueID, sum *summary) {
	if len(sum.newIf) == 0 {
		c.add(origin{site: v, kind: wrong})
	}
	for _, g := range sum.newIf {
		o := origin{site: v, arg: g.param + 1, kind: wrong}
		if g.param+1 >= len(c.fn.f.ArgsOf(v)) || g.r.gaps != (small{}) {
			o.arg = 0
			c.add(o)
			continue
		}
		add := func(r interval) {
			o.when = r
			c.add(o)
		}
		if g.r.lo > math.MinInt64 {
			add(span(math.MinInt64, g.r.lo-1))
		}
		if g.r.hi < math.MaxInt64 {
			add(span(g.r.hi+1, math.MaxInt64))
		}
		if g.r.ulo > 0 {
			add(unsignedSpan(0, g.r.ulo-1))
		}
		if g.r.uhi < math.MaxUint64 {
			add(unsignedSpan(g.r.uhi+1, math.MaxUint64))
		}
	}
}

// null adds that something may be null, if that matters.
func (c *checker) null(o origin) {
	if c.nullToo {
		o.kind = missing
		c.add(o)
	}
}

// traceLoad adds what a load may read.
func (c *checker) traceLoad(load ir.ValueID) {
	fn, f := c.fn, c.fn.f
	addr := f.ArgsOf(load)[0]
	base, off, ok := fn.address(addr)
	if !ok {
		base, off, ok = fn.elementOf(addr)
	}
	if !ok {
		c.unsafe(c.call, "%s is read from a place that varies", c.name(load))
		return
	}
	owners, local := c.roots(base)
	if !local {
		c.add(origin{site: load, kind: foreign})
		c.null(origin{site: load})
		if len(owners) > 0 {
			c.unsafe(c.call, "%s is read from different places", c.name(load))
		}
		return
	}
	pl := modref.PlaceOf(fn.p, f, addr, f.Values[load].Type)
	for _, o := range owners {
		c.inMemory(cell{o, off}, pl)
	}
}

// traceCell adds what may be in a variable whose address is passed to be released.
func (c *checker) traceCell(base ir.ValueID, off int64) {
	c.memory = true
	c.inMemory(cell{base, off}, modref.Place{Type: ir.MakeType(ir.Ptr, 0)})
}

// roots returns the variables and new objects that a pointer may point into. It
// reports whether it points to nothing else, but for null.
func (c *checker) roots(v ir.ValueID) (owners []ir.ValueID, local bool) {
	fn, f := c.fn, c.fn.f
	local = true
	var seen []ir.ValueID
	for work := []ir.ValueID{v}; len(work) > 0; {
		v := fn.baseOf(work[len(work)-1])
		work = work[:len(work)-1]
		if slices.Contains(seen, v) {
			continue
		}
		seen = append(seen, v)
		switch x := &f.Values[v]; x.Op {
		case ir.OpPhi, ir.OpBitcast, ir.OpFreeze:
			work = append(work, f.ArgsOf(v)...)
		case ir.OpSelect:
			work = append(work, f.ArgsOf(v)[1:]...)
		case ir.OpConstNull, ir.OpUndef:
		case ir.OpAlloca:
			owners = append(owners, v)
		case ir.OpCall, ir.OpInvoke:
			if sum, _ := fn.callee(v); sum != nil && sum.fresh && fn.makesNew(v, sum) {
				owners = append(owners, v)
			} else if a := fn.sameAs(v); a != 0 {
				work = append(work, a)
			} else {
				local = false
			}
		default:
			local = false
		}
	}
	return owners, local
}

// inMemory adds what may be in a cell of a variable or of a new object.
func (c *checker) inMemory(at cell, pl modref.Place) {
	fn, f := c.fn, c.fn.f
	if c.cells[at] {
		return
	}
	c.cells[at] = true
	if !fn.hasCells(at.base) {
		c.unsafe(c.call, "%s may be known by other names", c.nameAt(at))
		return
	}
	for v := f.Blocks[1].First; int(v) < len(f.Values) && !c.done(); v++ {
		args := f.ArgsOf(v)
		switch op := f.Values[v].Op; {
		case op == ir.OpStore:
			c.stored(v, at)
		case op == ir.OpMemcpy && fn.comesFrom(args[0], at.base):
			c.unsafe(c.call, "%s may be a copy of something", c.nameAt(at))
		case op == ir.OpMemset && fn.comesFrom(args[0], at.base):
			if n, ok := f.ConstInt(args[1]); !ok || n != 0 {
				c.unsafe(c.call, "%s may be overwritten by bytes", c.nameAt(at))
			}
			c.null(origin{site: v, cell: at})
		case op == ir.OpCmpXchg || op == ir.OpAtomicRMW:
			if fn.comesFrom(args[0], at.base) {
				c.unsafe(c.call, "%s may be exchanged", c.nameAt(at))
			}
		case op.IsCall():
			c.left(v, at, pl)
		}
	}
	c.initial(at)
}

// stored adds what a store puts into a cell.
func (c *checker) stored(v ir.ValueID, at cell) {
	fn, f := c.fn, c.fn.f
	val, addr := f.ArgsOf(v)[0], f.ArgsOf(v)[1]
	if !fn.comesFrom(addr, at.base) {
		return
	}
	_, off, ok := fn.address(addr)
	if !ok {
		_, off, ok = fn.elementOf(addr)
	}
	here := cell{at.base, off}
	size := int64(f.Values[val].Type.Bytes())
	switch {
	case !ok:
		c.unsafe(c.call, "%s may be written through a pointer that varies", c.nameAt(at))
	case here == at && f.Values[val].Type.Kind() == ir.Ptr, here.isElement() != at.isElement() && (here.off-at.off)%8 == 0 && f.Values[val].Type.Kind() == ir.Ptr:
		c.trace(val)
	case here.isElement() == at.isElement() && here.off < at.off+8 && at.off < here.off+size:
		c.unsafe(c.call, "%s may be written in parts", c.nameAt(at))
	}
}

// left adds what call v leaves in a cell.
func (c *checker) left(v ir.ValueID, at cell, pl modref.Place) {
	fn, f := c.fn, c.fn.f
	sum, flags := fn.callee(v)
	if v == at.base || v == c.call || flags&ir.Intrinsic != 0 || fn.noReturn(v, sum, flags) {
		return
	}
	for i, a := range f.ArgsOf(v)[1:] {
		if f.Values[a].Type.Kind() != ir.Ptr || !fn.comesFrom(a, at.base) {
			continue
		}
		_, off, ok := fn.address(a)
		p := place{param: i, off: at.off - off}
		switch {
		case !ok || sum == nil:
			c.unsafe(v, "%s may put anything into %s", fn.nameOf(v), c.nameAt(at))
			return
		case c.leftNew(v, sum, p, at), sum.quiet, sum.getter, fn.onlyLooks(v), sum.modelled:
			continue
		case releasesSurely(sum.param(i)) && !slices.ContainsFunc(sum.param(i), func(o outcome) bool { return o.effect != consumes }):
			continue // which is the end of it
		}
		puts := c.puts(v, sum, p)
		if fn.modref.CallMayWrite(fn.id, v, pl) && !puts && slices.ContainsFunc(sum.place(i, p.off), func(o outcome) bool { return o.effect != borrows }) {
			c.unsafe(v, "%s may put something into %s", sum.name, c.nameAt(at))
		}
	}
}

// leftNew adds the new object that call v leaves in a place of its argument. It
// reports whether that is all that the call puts there.
func (c *checker) leftNew(v ir.ValueID, sum *summary, p place, at cell) bool {
	found := false
	for k := range sum.outs {
		o := &sum.outs[k]
		if o.to != p {
			continue
		}
		found = true
		c.add(origin{site: v, out: o, kind: fresh})
		if !sum.modelled || !slices.ContainsFunc(sum.place(p.param, p.off), func(x outcome) bool { return x.effect == drops }) {
			continue
		}
		// What is there when it fails is not said.
		if o.ret.lo > math.MinInt64 {
			c.add(origin{site: v, cell: at, when: span(math.MinInt64, o.ret.lo-1), kind: unset})
		}
		if o.ret.hi < math.MaxInt64 {
			c.add(origin{site: v, cell: at, when: span(o.ret.hi+1, math.MaxInt64), kind: unset})
		}
	}
	return found && (sum.modelled || sum.fills[p])
}

// puts adds the arguments that call v stores in a place of another. It reports
// whether there are any.
func (c *checker) puts(v ir.ValueID, sum *summary, p place) bool {
	found := false
	for j, a := range c.fn.f.ArgsOf(v)[1:] {
		if c.fn.f.Values[a].Type.Kind() == ir.Ptr && slices.ContainsFunc(sum.param(j), func(o outcome) bool { return o.effect == stores && o.to == p }) {
			found = true
			c.trace(a)
		}
	}
	return found
}

// initial adds what is in a cell before anything is put there.
func (c *checker) initial(at cell) {
	f := c.fn.f
	if f.Values[at.base].Op == ir.OpAlloca {
		c.add(origin{cell: at, kind: unset})
		return
	}
	sum, _ := c.fn.callee(at.base)
	switch c.fn.contentOfNew(at.base, sum, at.off) {
	case zeros:
		c.null(origin{site: at.base, cell: at})
	case garbage:
		c.add(origin{site: at.base, cell: at, kind: unset})
	default:
		p := place{param: theResult, off: at.off}
		for k := range sum.outs {
			if o := &sum.outs[k]; o.to == p {
				c.add(origin{site: at.base, out: o, kind: fresh})
				return
			}
		}
		if c.puts(at.base, sum, p) {
			return
		}
		c.unsafe(at.base, "it is not known what %s puts into %s", sum.name, c.nameAt(at))
	}
}

// nameOf names the function that a call leads to.
func (fn *function) nameOf(v ir.ValueID) string { return (&walker{fn: fn}).calleeName(v) }

// name spells a value as the source does.
func (c *checker) name(v ir.ValueID) string {
	f := c.fn.f
	w := &walker{fn: c.fn}
	for range maxDepth {
		x := &f.Values[v]
		switch {
		case x.Var != 0 && x.Op != ir.OpAlloca:
			return f.Vars[x.Var].Name
		case x.Op == ir.OpGep, x.Op == ir.OpBitcast, x.Op == ir.OpFreeze:
			v = f.ArgsOf(v)[0]
			continue
		case x.Op == ir.OpLoad:
			if at, ok := c.fn.spot(f.ArgsOf(v)[0]); ok {
				return c.nameAt(at)
			}
		}
		for _, u := range c.fn.uses.Succs(uint32(v)) {
			if y := &f.Values[u]; y.Op == ir.OpSet {
				return f.Vars[y.Var].Name
			}
		}
		if n := w.operand(v); n != "" {
			return n
		}
		break
	}
	return "it"
}

// nameAt spells a cell.
func (c *checker) nameAt(at cell) string {
	if n := (&walker{fn: c.fn}).cellName(at); n != "" {
		return n
	}
	return "it"
}
