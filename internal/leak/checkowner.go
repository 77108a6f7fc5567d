// This file looks at what a release reads to find what to release: free(p->name) looks
// at p, which must be there.

package leak

import (
	"github.com/plumb-project/plumb/internal/ir"
)

// owners adds the pointers that are read for argument a of the release, and what they may
// be when they are null.
func (c *checker) owners(a ir.ValueID) {
	fn, f := c.fn, c.fn.f
	for range maxDepth {
		a = fn.baseOf(a)
		if f.Values[a].Op != ir.OpLoad || c.isVariable(a) {
			return
		}
		a = fn.baseOf(f.ArgsOf(a)[0])
		if _, local := c.roots(a); !local {
			return // who says whether anybody else has what is there says that, too
		}
		switch op := f.Values[a].Op; {
		case op == ir.OpAlloca, op == ir.OpGlobalAddr, c.looksAnyway(a):
			continue
		}
		if c.reading == nil {
			c.reading = map[ir.ValueID]bool{}
		}
		c.reading[a] = true
		c.addNull(a)
	}
}

// isVariable reports whether a load reads what a variable is set to, so that it is not
// there for the release.
func (c *checker) isVariable(load ir.ValueID) bool {
	for _, u := range c.fn.uses.Succs(uint32(load)) {
		if op := c.fn.f.Values[u].Op; op == ir.OpSet || op == ir.OpPhi {
			return true
		}
	}
	return false
}

// looksAnyway reports whether the function reads or writes what v points to right after
// the release, whatever that does.
func (c *checker) looksAnyway(v ir.ValueID) bool {
	f := c.fn.f
	b := f.BlockOf(c.call)
	for u := c.call + 1; u < f.Blocks[b].End; u++ {
		args := f.ArgsOf(u)
		switch op := f.Values[u].Op; {
		case op == ir.OpStore && f.Values[args[0]].Op == ir.OpConstNull: // which may have come with the release
		case op == ir.OpLoad && c.fn.baseOf(args[0]) == v, op == ir.OpStore && c.fn.baseOf(args[1]) == v:
			return true
		case op.IsCall() && u > c.call:
			if sum, flags := c.fn.callee(u); c.fn.noReturn(u, sum, flags) {
				return false
			}
		}
	}
	return false
}

// addNull adds what v is when it is null.
func (c *checker) addNull(v ir.ValueID) {
	fn, f := c.fn, c.fn.f
	seen := map[ir.ValueID]bool{}
	for work := []ir.ValueID{v}; len(work) > 0; {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		switch sum, _ := fn.callee(v); {
		case f.Values[v].Op == ir.OpPhi:
			work = append(work, f.ArgsOf(v)...)
		case f.Values[v].Op == ir.OpSelect:
			work = append(work, f.ArgsOf(v)[1:]...)
		case f.Values[v].Op == ir.OpGep, sum != nil && sum.ret.not0(), sum != nil && sum.fresh && !sum.mayFail && len(sum.newIf) == 0:
		default:
			c.add(origin{site: v, kind: missing})
		}
	}
}

// readsNull looks for a null pointer that the release is about to read.
func (l *lifer) readsNull(s *state, v ir.ValueID) {
	c, f := l.check, l.w.fn.f
	if l.origin.kind != missing || f.Values[v].Op != ir.OpLoad {
		return
	}
	if base := l.w.fn.baseOf(f.ArgsOf(v)[0]); c.reading[base] && s.holdsValue(base) && !c.isVariable(v) && f.BlockOf(v) == f.BlockOf(c.call) && v < c.call {
		c.unsafe(v, "%s may be null here", c.name(base))
	}
}
