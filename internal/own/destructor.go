// This file finds the functions that are there to release objects of a type.

package own

import (
	"cmp"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
)

// findDestructors finds the functions that release what they are given a pointer to,
// by its type: first those that release most of what it holds, then those that are
// called most.
func (x *Index) findDestructors() {
	for id := ir.FuncID(1); int(id) < len(x.p.Funcs); id++ {
		f := &x.p.Funcs[id]
		if f.IsDecl() || f.Result.Kind() == ir.Ptr || x.canon(id) != id {
			continue
		}
		for _, r := range x.releasedBy(id) {
			if r.Held || !r.Always && !r.Counted {
				continue
			}
			if t := x.paramType(id, r.Arg); t != "" {
				x.ofType[t] = append(x.ofType[t], &group{by: id, arg: r.Arg, also: len(r.Also)})
			}
		}
	}
	calls := map[ir.FuncID][]int{}
	for i := range x.releases {
		if r := &x.releases[i]; !r.Held && r.by != 0 {
			calls[x.canon(r.by)] = append(calls[x.canon(r.by)], i)
		}
	}
	for _, list := range x.ofType {
		for _, g := range list {
			for _, i := range calls[g.by] {
				if x.releases[i].Arg == g.arg {
					g.all = append(g.all, i)
				}
			}
		}
		slices.SortStableFunc(list, func(a, b *group) int {
			return cmp.Or(cmp.Compare(x.clumsy(a), x.clumsy(b)), cmp.Compare(b.also, a.also), cmp.Compare(len(b.all), len(a.all)))
		})
	}
}

// destructors returns the functions that release objects of the type of this one.
func (x *Index) destructors(o Object) []*group { return x.ofType[x.typeOf(o)] }

// paramType returns the type of what a parameter points to, if it says what an object is:
// a struct, or a name for a pointer.
func (x *Index) paramType(fn ir.FuncID, i int) string {
	f := &x.p.Funcs[fn]
	if f.IsDecl() || i >= int(f.NParams) {
		return ""
	}
	v := value{fn, ir.ValueID(i + 1)}
	if s := x.pointee(v); s != 0 {
		return x.nameOf(s, "")
	}
	if n := f.Values[v.id].Var; n != 0 {
		if t, _ := pointedTo(f.Vars[n].Type); !basic[t] && !strings.HasSuffix(t, "*") {
			return t
		}
	}
	return ""
}

// isAlias reports whether the type of a parameter is a name for a pointer.
func (x *Index) isAlias(fn ir.FuncID, i int) bool {
	f := &x.p.Funcs[fn]
	return !f.IsDecl() && i < int(f.NParams) && !strings.HasSuffix(f.Vars[f.Values[i+1].Var].Type, "*")
}

// suits reports whether a function can be meant for the object: it takes such pointers, and
// does not give it back in another form.
func (x *Index) suits(o Object, fn ir.FuncID, r *leak.Release) bool {
	f := &x.p.Funcs[fn]
	if f.Result.Kind() == ir.Ptr {
		return false
	}
	if r.Held {
		return true
	}
	if o.Func == 0 {
		return x.paramType(fn, r.Arg) == "" // whatever it is
	}
	takes, is := x.paramType(fn, r.Arg), x.typeOf(o)
	return takes == "" || is == "" || takes == is || basic[is] && x.isAlias(fn, r.Arg)
}
