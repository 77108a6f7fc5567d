// This file says where things are in the source: positions, scopes, returns.

package leak

import (
	"slices"

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
	if f.Values[br].Op != ir.OpBr || loc == 0 || f.Locs[loc].Line == 0 {
		return ret
	}
	if args := f.ArgsOf(ret); len(args) == 1 && f.BlockOf(args[0]) == r && f.Values[args[0]].Var == 0 {
		return br // a phi of no variable merges the operands of return statements
	}
	if fn.isBrace(loc) || br > f.Blocks[b].First && fn.lineOf(br-1) == f.Locs[loc].Line {
		return ret
	}
	return br
}

// lineOf returns the line of an instruction, or 0.
func (fn *function) lineOf(v ir.ValueID) uint32 {
	if l := fn.f.Values[v].Loc; l != 0 {
		return fn.f.Locs[l].Line
	}
	return 0
}

// isBrace reports whether a location looks like the brace that closes its scope:
// it is further left than everything else in it. Declarations do not count,
// they are located at the name.
func (fn *function) isBrace(l ir.LocID) bool {
	f := fn.f
	x := fn.outer(l)
	if x.Col == 1 {
		return true
	}
	others := false
	for i := range f.Locs[1:] {
		o := &f.Locs[i+1]
		if o.Line == 0 || o.Inlined != 0 || o.Line == x.Line && o.Col == x.Col || !fn.inside(o.Scope, x.Scope) || fn.declares(o.Line) {
			continue
		}
		others = true
		if o.Col <= x.Col {
			return false
		}
	}
	return others
}

// declares reports whether a variable is declared on this line.
func (fn *function) declares(line uint32) bool {
	return slices.ContainsFunc(fn.f.Vars[1:], func(v ir.Var) bool { return v.Line == line })
}
