// This file says where things are in the source: positions, scopes, returns.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/graph"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/source"
)

// position returns where an instruction is in the source, or the nearest place
// before it in its block, or the function.
func (fn *function) position(v ir.ValueID) source.Position {
	f := fn.f
	b := f.BlockOf(v)
	for i := v; b != 0 && i >= f.Blocks[b].First; i-- {
		if l := f.Values[i].Loc; l != 0 && f.Locs[l].Line != 0 {
			return fn.positionOf(l)
		}
	}
	return source.Position{File: fn.p.Files[f.File], Line: int(f.Line)}
}

func (fn *function) positionOf(l ir.LocID) source.Position {
	x := &fn.f.Locs[l]
	return source.Position{File: fn.p.Files[fn.f.FileOf(l)], Line: int(x.Line), Col: int(x.Col)}
}

// outer returns the location in the function itself of code inlined into it.
func (fn *function) outer(l ir.LocID) *ir.Loc {
	for fn.f.Locs[l].Inlined != 0 {
		l = fn.f.Locs[l].Inlined
	}
	return &fn.f.Locs[l]
}

// findScopes notes the scope of each block: that of its first instruction with a location.
func (fn *function) findScopes() {
	f := fn.f
	fn.scopes = slices.Grow(fn.scopes[:0], len(f.Blocks))[:len(f.Blocks)]
	for b := 1; b < len(f.Blocks); b++ {
		fn.scopes[b] = 0
		for v := f.Blocks[b].First; v < f.Blocks[b].End; v++ {
			if l := f.Values[v].Loc; l != 0 && f.Values[v].Op != ir.OpPhi && f.Locs[l].Line != 0 {
				fn.scopes[b] = fn.outer(l).Scope
				break
			}
		}
	}
}

// inside reports whether scope s is outer or inside it.
func (fn *function) inside(s, outer ir.ScopeID) bool {
	for ; s != 0; s = fn.f.Scopes[s].Parent {
		if s == outer {
			return true
		}
	}
	return false
}

// gone reports whether variable v is out of scope at the start of block b.
func (fn *function) gone(v ir.VarID, b ir.BlockID) bool {
	s := fn.f.Vars[v].Scope
	return v != 0 && s != 0 && fn.scopes[b] != 0 && !fn.inside(fn.scopes[b], s)
}

// isReturn reports whether b does nothing but return, so that the frame ends on
// the edges into it.
func (fn *function) isReturn(b ir.BlockID) bool {
	f := fn.f
	for v := f.Blocks[b].First; v < f.Blocks[b].End-1; v++ {
		if op := f.Values[v].Op; op != ir.OpPhi && op != ir.OpLifetimeEnd {
			return false
		}
	}
	return f.Values[f.Terminator(b)].Op == ir.OpRet
}

// returnPlace returns the instruction that stands for the return statement when
// control goes from b to the return block r.
//
// Without optimisation, clang lets all return statements branch to one block
// whose ret is at the closing brace; the branch is then at the statement, and so
// is the branch of a goto to a label before the only return. But a branch may
// also merely fall through, at the closing brace of an inner block or at the last
// statement; then ret tells the place.
func (fn *function) returnPlace(b, r ir.BlockID) ir.ValueID {
	f := fn.f
	ret, br := f.Terminator(r), f.Terminator(b)
	loc := f.Values[br].Loc
	if f.Values[br].Op == ir.OpBr && fn.mergesReturns(r) && fn.scopes[b] != 0 {
		return br // at the end of a catch clause it has no place itself, what comes before it has
	}
	if f.Values[br].Op != ir.OpBr || loc == 0 || f.Locs[loc].Line == 0 {
		return ret
	}
	if br > f.Blocks[b].First && fn.lineOf(br-1) == f.Locs[loc].Line || fn.fallsThrough(b, r) {
		return ret
	}
	return br
}

// mergesReturns reports whether r merges the operands of several return statements: it returns a phi of no variable.
func (fn *function) mergesReturns(r ir.BlockID) bool {
	args := fn.f.ArgsOf(fn.f.Terminator(r))
	return len(args) == 1 && fn.f.BlockOf(args[0]) == r && fn.f.Values[args[0]].Var == 0
}

// fallsThrough reports whether control comes to r at the end of b because an if
// statement ends there, and not by a jump. It looks for the branch that decides
// whether b runs: its other side is r itself, or it leads to r too from a scope
// beside that of b, the else.
func (fn *function) fallsThrough(b, r ir.BlockID) bool {
	d := fn.decidesOn(b)
	if d == graph.None {
		return false
	}
	if slices.Contains(fn.cfg.Succs(d), uint32(r)) {
		return true
	}
	scope := fn.scopes[b]
	if scope == 0 || fn.f.Scopes[scope].Func != "" {
		return false
	}
	// Clang has a scope for an if with all its branches; a branch without braces has no other.
	ifElse := fn.f.Scopes[scope].Parent
	if t := fn.f.Terminator(ir.BlockID(d)); fn.scopeOf(t) == scope || fn.scopeOf(t-1) == scope { // clang 14 has the condition there, but not the branch
		ifElse = scope
	}
	return slices.ContainsFunc(fn.pred.Succs(uint32(r)), func(p uint32) bool {
		return p != uint32(b) && fn.dom.Dominates(d, p) && !fn.dom.Dominates(uint32(b), p) &&
			fn.inside(fn.scopes[p], ifElse) && !fn.inside(scope, fn.scopes[p])
	})
}

// scopeOf returns the scope of an instruction, or 0.
func (fn *function) scopeOf(v ir.ValueID) ir.ScopeID { return fn.f.Locs[fn.f.Values[v].Loc].Scope }

// decidesOn returns the nearest block above b from which the function can end without b.
func (fn *function) decidesOn(b ir.BlockID) uint32 {
	d := fn.dom.Idom[b]
	for d != graph.None && !fn.endsWithout(d, uint32(b)) {
		d = fn.dom.Idom[d]
	}
	return d
}

// endsWithout reports whether a path from d to an end of the function avoids b.
func (fn *function) endsWithout(d, b uint32) bool {
	seen := make(bits, len(fn.f.Blocks)/64+1)
	seen.add(d)
	seen.add(b)
	for work := []uint32{d}; len(work) > 0; {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		succs := fn.cfg.Succs(x)
		if len(succs) == 0 {
			return true
		}
		for _, y := range succs {
			if !seen.has(y) {
				seen.add(y)
				work = append(work, y)
			}
		}
	}
	return false
}

// lineOf returns the line of an instruction, or 0.
func (fn *function) lineOf(v ir.ValueID) uint32 {
	if l := fn.f.Values[v].Loc; l != 0 {
		return fn.f.Locs[l].Line
	}
	return 0
}
