// This file tells whether functions are the same, ids and positions included.

package ir

import "slices"

// SameHeader reports whether f and g look the same from outside: all but their bodies
// and where they are written.
func (f *Func) SameHeader(g *Func) bool {
	return f.Name == g.Name && f.Display == g.Display && f.Linkage == g.Linkage && f.Flags == g.Flags && f.Unit == g.Unit &&
		f.Sig == g.Sig && f.Result == g.Result && f.File == g.File && f.Alloc == g.Alloc && f.NParams == g.NParams &&
		slices.Equal(f.Params, g.Params) && f.Personality == g.Personality
}

// Same reports whether f and g are equal, value by value. They are of programs with
// the same tables.
func (f *Func) Same(g *Func) bool {
	return f.SameHeader(g) && f.Line == g.Line && slices.Equal(f.Values, g.Values) && slices.Equal(f.Args, g.Args) &&
		slices.Equal(f.Blocks, g.Blocks) && slices.Equal(f.Edges, g.Edges) && slices.Equal(f.Ints, g.Ints) &&
		slices.Equal(f.Strs, g.Strs) && slices.Equal(f.Geps, g.Geps) && slices.Equal(f.Steps, g.Steps) &&
		slices.Equal(f.Strides, g.Strides) && slices.Equal(f.Vars, g.Vars) && slices.Equal(f.Scopes, g.Scopes) && slices.Equal(f.Locs, g.Locs)
}

// SameTables reports whether an id of q means the same in p: of a unit, file,
// signature, struct, global, and, but for what is in its body, of a function. p may
// have more functions.
func (p *Program) SameTables(q *Program) bool {
	return p.PtrBits == q.PtrBits && slices.Equal(p.Units, q.Units) && slices.Equal(p.Files, q.Files) && slices.Equal(p.Sigs, q.Sigs) &&
		slices.EqualFunc(p.Structs, q.Structs, func(x, y Struct) bool {
			return x.Name == y.Name && x.Union == y.Union && x.Size == y.Size && slices.Equal(x.Fields, y.Fields)
		}) &&
		slices.EqualFunc(p.Globals, q.Globals, sameGlobal) &&
		len(p.Funcs) >= len(q.Funcs) && slices.EqualFunc(p.Funcs[:len(q.Funcs)], q.Funcs, func(f, g Func) bool { return f.Name == g.Name && f.Unit == g.Unit && f.IsDecl() == g.IsDecl() })
}

// sameGlobal compares two globals; the line does not count, it is only for people.
func sameGlobal(x, y Global) bool {
	return x.Name == y.Name && x.Linkage == y.Linkage && x.Unit == y.Unit && x.Decl == y.Decl && x.Const == y.Const &&
		x.ThreadLocal == y.ThreadLocal && x.Type == y.Type && x.Size == y.Size && x.Struct == y.Struct && x.File == y.File &&
		x.Display == y.Display && slices.Equal(x.Init, y.Init)
}
