// This file looks into the functions that make objects.

package own

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
)

// innermost returns the function of the program that gets the memory of the result of a
// call from the library, or 0: what is released like all that comes from there. Moved says
// that what callers get does not point to the start of that memory.
func (x *Index) innermost(o Object) (fn ir.FuncID, moved bool) {
	if o.Place != nil {
		return 0, false
	}
	fn = x.p.Funcs[o.Func].Callee(o.Site)
	for range 8 {
		if fn == 0 || x.p.Funcs[fn].IsDecl() {
			break
		}
		inner, library := ir.FuncID(0), false
		results, away := x.madeResults(fn)
		moved = moved || away
		for _, v := range results {
			c := x.p.Funcs[v.fn].Callee(v.id)
			library = library || c != 0 && x.p.Funcs[c].IsDecl()
			inner = c
		}
		if library {
			return fn, moved
		}
		fn = inner
	}
	return 0, moved
}

// madeResults returns the calls in a function that make what it returns, and whether it
// returns a pointer to somewhere within that.
func (x *Index) madeResults(fn ir.FuncID) (calls []value, moved bool) {
	seen := map[value]bool{}
	for work := slices.Clone(x.results[fn]); len(work) > 0; {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		f := &x.p.Funcs[v.fn]
		args := f.ArgsOf(v.id)
		switch op := f.Values[v.id].Op; {
		case op == ir.OpPhi:
			for _, a := range args {
				work = append(work, value{v.fn, a})
			}
		case op == ir.OpSelect:
			work = append(work, value{v.fn, args[1]}, value{v.fn, args[2]})
		case op == ir.OpGep:
			g := &f.Geps[f.Values[v.id].Aux]
			if base, deep := x.madeBy(value{v.fn, args[0]}); base && (deep || g.Off != 0 || g.NStride > 0) {
				moved = true
			}
			work = append(work, value{v.fn, args[0]})
		case op.IsCall() && x.makesResult(v):
			calls = append(calls, v)
		}
	}
	return calls, moved
}

// madeBy reports whether a value is, or points into, the result of a call that makes it.
func (x *Index) madeBy(v value) (made, deep bool) {
	f := &x.p.Funcs[v.fn]
	for f.Values[v.id].Op == ir.OpGep {
		g := &f.Geps[f.Values[v.id].Aux]
		deep = deep || g.Off != 0 || g.NStride > 0
		v.id = f.ArgsOf(v.id)[0]
	}
	return f.Values[v.id].Op == ir.OpPhi || f.Values[v.id].Op.IsCall() && x.makesResult(v), deep
}

func (x *Index) makesResult(v value) bool {
	return slices.ContainsFunc(x.view.Made(v.fn, v.id), func(m leak.Made) bool { return m.Place == nil })
}
