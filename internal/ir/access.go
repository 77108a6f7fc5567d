// This file holds the accessors that hide the flat arrays.

package ir

// ArgsOf returns the operands of v.
func (f *Func) ArgsOf(v ValueID) []ValueID {
	x := &f.Values[v]
	return f.Args[x.Args : x.Args+x.NArgs]
}

// SuccsOf returns the successors of b, in the terminator's order.
func (f *Func) SuccsOf(b BlockID) []BlockID {
	x := &f.Blocks[b]
	return f.Edges[x.Succ : x.Succ+x.NSucc]
}

// PredsOf returns the predecessors of b, one for each edge.
func (f *Func) PredsOf(b BlockID) []BlockID {
	x := &f.Blocks[b]
	return f.Edges[x.Pred : x.Pred+x.NPred]
}

// Terminator returns the last instruction of b.
func (f *Func) Terminator(b BlockID) ValueID { return f.Blocks[b].End - 1 }

// DropBody makes f a declaration.
func (f *Func) DropBody() {
	*f = Func{
		Name: f.Name, Display: f.Display, Linkage: f.Linkage, Flags: f.Flags | Decl, Sig: f.Sig, Result: f.Result,
		Alloc: f.Alloc, NParams: f.NParams, Params: f.Params,
	}
}

// IsDecl reports whether f has no body.
func (f *Func) IsDecl() bool { return f.Flags&Decl != 0 }

// ConstInt returns the value of an integer constant.
func (f *Func) ConstInt(v ValueID) (n int64, ok bool) {
	x := &f.Values[v]
	if x.Op != OpConstInt || x.Sub != 0 {
		return 0, false
	}
	return f.Ints[x.Aux], true
}

// Callee returns the function that call v names directly, or 0.
func (f *Func) Callee(v ValueID) FuncID {
	x := &f.Values[v]
	if !x.Op.IsCall() {
		return 0
	}
	c := &f.Values[f.Args[x.Args]]
	if c.Op != OpFuncAddr {
		return 0
	}
	return FuncID(c.Aux)
}

// SourceName returns the name a programmer knows the function by.
func (f *Func) SourceName() string {
	if f.Display != "" {
		return f.Display
	}
	return f.Name
}

// SourceName returns the name a programmer knows the global by.
func (g *Global) SourceName() string {
	if g.Display != "" {
		return g.Display
	}
	return g.Name
}
