// This file leaves out releases that are for another pointer than the one that the
// program has of an object, or that leave behind what the object holds.

package own

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// fits reports whether a function takes the pointer that its callers have of an object.
// When that points behind a header which the maker put in front, only a function that goes
// back over the header does; and nothing else may go back.
func (x *Index) fits(o Object, moved bool, by ir.FuncID, arg int) bool {
	return o.Place != nil || moved == x.goesBack(by, arg, 8)
}

// goesBack reports whether a function releases not its parameter itself but a place at
// some distance from it. It follows at most so many calls.
func (x *Index) goesBack(by ir.FuncID, arg, calls int) bool {
	f := &x.p.Funcs[by]
	if by == 0 || f.IsDecl() || calls == 0 { // 0: a function pointer
		return false
	}
	for at := f.Blocks[1].First; int(at) < len(f.Values); at++ {
		if !f.Values[at].Op.IsCall() {
			continue
		}
		for _, r := range x.released(by, at) {
			if r.Held {
				continue
			}
			reached, away := x.fromParam(f, f.ArgsOf(at)[1+r.Arg], arg)
			if reached && (away || x.goesBack(f.Callee(at), r.Arg, calls-1)) {
				return true
			}
		}
	}
	return false
}

// fromParam reports whether a value comes from a parameter, and whether from a place away
// from where that points.
func (x *Index) fromParam(f *ir.Func, v ir.ValueID, arg int) (reached, away bool) {
	seen := map[ir.ValueID]bool{}
	var from func(v ir.ValueID, moved bool)
	from = func(v ir.ValueID, moved bool) {
		if seen[v] {
			return
		}
		seen[v] = true
		switch args := f.ArgsOf(v); f.Values[v].Op {
		case ir.OpPhi:
			for _, a := range args {
				from(a, moved)
			}
		case ir.OpSelect:
			from(args[1], moved)
			from(args[2], moved)
		case ir.OpGep:
			g := &f.Geps[f.Values[v].Aux]
			from(args[0], moved || g.Off != 0 || g.NStride > 0)
		default:
			if v == ir.ValueID(arg+1) {
				reached, away = true, away || moved
			}
		}
	}
	from(v, false)
	return reached, away
}

// ofAll leaves out what releases an object alone, when whoever makes it also puts others into
// it and the program has a function that releases these with it.
func (x *Index) ofAll(o Object, list []Release) []Release {
	more := func(r Release) bool { return len(r.Also) > 0 || r.Counted || r.More }
	if !x.holdsMore(o) || !slices.ContainsFunc(list, more) {
		return list
	}
	return slices.DeleteFunc(list, func(r Release) bool { return !more(r) })
}

// isWrapped reports whether the program has a function of its own in place of a library's
// release, for memory of any kind. Then what is made far away and left in a place is
// not for the library's.
func (x *Index) isWrapped(family ir.FuncID) bool {
	for p := range x.always {
		f := &x.p.Funcs[p.fn]
		if f.NParams != 1 || p.i != 0 || x.pointee(value{p.fn, 1}) != 0 {
			continue
		}
		for at := f.Blocks[1].First; int(at) < len(f.Values); at++ {
			if f.Values[at].Op.IsCall() && f.Callee(at) == family {
				return true
			}
		}
	}
	return false
}
