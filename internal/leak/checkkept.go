// This file is about functions of the library that remember what they were given, and
// go on with it when they are given null: strtok.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// aliases returns the values that may point to what the release is given.
func (c *checker) aliases() map[ir.ValueID]bool {
	if c.same == nil {
		c.same = map[ir.ValueID]bool{}
		for i, a := range c.fn.f.ArgsOf(c.call)[1:] {
			if slices.ContainsFunc(c.sum.param(i), func(o outcome) bool { return o.effect == consumes }) {
				for v := range c.names(a) {
					c.same[v] = true
				}
			}
		}
	}
	return c.same
}

// remembers reports whether the function of the library that call v leads to may go on
// with argument k in a later call, in which null stands for it: it returns a pointer
// into it, and the caller gives it no place to note where it is.
func (c *checker) remembers(v ir.ValueID, k int) bool {
	fn, f := c.fn, c.fn.f
	sum, _ := fn.callee(v)
	if id := f.Callee(v); id == 0 || !fn.p.Funcs[id].IsDecl() || sum == nil || sum.fresh {
		return false
	}
	if !slices.ContainsFunc(sum.param(k), func(o outcome) bool { return o.effect == returns }) {
		return false
	}
	return !slices.ContainsFunc(f.ArgsOf(v)[1:], func(a ir.ValueID) bool { return f.Values[fn.baseOf(a)].Op == ir.OpAlloca })
}

// asksAgain reports whether call v passes null to a function that remembers the object.
func (c *checker) asksAgain(v ir.ValueID) bool {
	f := c.fn.f
	id := f.Callee(v)
	if id == 0 || !c.fn.p.Funcs[id].IsDecl() {
		return false
	}
	for k, a := range f.ArgsOf(v)[1:] {
		if f.Values[a].Op == ir.OpConstNull && c.remembers(v, k) && c.gave(id, k) != 0 {
			return true
		}
	}
	return false
}

// gave returns a call that gives the object to function id as argument k, or 0.
func (c *checker) gave(id ir.FuncID, k int) ir.ValueID {
	f := c.fn.f
	for u := f.Blocks[1].First; int(u) < len(f.Values); u++ {
		if f.Callee(u) == id && 1+k < len(f.ArgsOf(u)) && c.aliases()[f.ArgsOf(u)[1+k]] {
			return u
		}
	}
	return 0
}

// remembered looks for functions that remember the object, and that other functions of
// the program call to go on.
func (c *checker) remembered() {
	f := c.fn.f
	for v := f.Blocks[1].First; int(v) < len(f.Values) && !c.done(); v++ {
		if !f.Values[v].Op.IsCall() || v == c.call {
			continue
		}
		for k, a := range f.ArgsOf(v)[1:] {
			if c.aliases()[a] && c.remembers(v, k) && c.asksElsewhere(f.Callee(v), k) {
				c.unsafe(v, "%s remembers %s, and other functions go on with it", c.fn.nameOf(v), c.what())
			}
		}
	}
}

// asksElsewhere reports whether another function may pass null to function id as
// argument k without having given it something of its own before.
func (c *checker) asksElsewhere(id ir.FuncID, k int) bool {
	for i := range c.fn.p.Funcs {
		g := &c.fn.p.Funcs[i]
		if i > 0 && !g.IsDecl() && ir.FuncID(i) != c.fn.id && asksFirst(g, id, k) {
			return true
		}
	}
	return false
}

// asksFirst reports whether control may come in g to a call that passes null to
// function id as argument k, and to none before that passes something else.
func asksFirst(g *ir.Func, id ir.FuncID, k int) bool {
	seen := map[ir.BlockID]bool{1: true}
	for work := []ir.BlockID{1}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		gave := false
		for v := g.Blocks[b].First; v < g.Blocks[b].End && !gave; v++ {
			if g.Callee(v) != id || 1+k >= len(g.ArgsOf(v)) {
				continue
			}
			if g.Values[g.ArgsOf(v)[1+k]].Op == ir.OpConstNull {
				return true
			}
			gave = true
		}
		for _, s := range g.SuccsOf(b) {
			if !gave && !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}
