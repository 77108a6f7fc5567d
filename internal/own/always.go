// This file finds functions that release a parameter whatever they do with it before.

package own

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
)

// findReleasers finds the parameters that functions release on all their paths, but for
// those on which they are null. The check may not say so of a function that passes the
// object to callbacks first, who might keep it; but it is what the function is for.
func (x *Index) findReleasers() {
	x.calls.Components(func(_ int, funcs []ir.FuncID) {
		for _, id := range funcs {
			f := &x.p.Funcs[id]
			for i := range int(f.NParams) {
				if !f.IsDecl() && f.Result.Kind() != ir.Ptr && x.releasesAlways(id, i) {
					x.always[param{id, i}] = true
				}
			}
		}
	})
}

// A param is a parameter of a function.
type param struct {
	fn ir.FuncID
	i  int
}

// releasesAlways reports whether no path avoids the calls that release parameter i.
func (x *Index) releasesAlways(id ir.FuncID, i int) bool {
	f := &x.p.Funcs[id]
	v := ir.ValueID(i + 1)
	by := map[ir.BlockID]bool{}
	for at := f.Blocks[1].First; int(at) < len(f.Values); at++ {
		if f.Values[at].Op.IsCall() && slices.Contains(f.ArgsOf(at)[1:], v) && slices.ContainsFunc(x.released(id, at), func(r leak.Release) bool {
			return !r.Held && r.Always && (r.Sure || r.Counted) && f.ArgsOf(at)[1+r.Arg] == v
		}) {
			by[f.BlockOf(at)] = true
		}
	}
	if len(by) == 0 {
		return false
	}
	seen := map[ir.BlockID]bool{}
	for work := []ir.BlockID{1}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || by[b] {
			continue
		}
		seen[b] = true
		end := f.Terminator(b)
		if op := f.Values[end].Op; op == ir.OpRet || op == ir.OpResume {
			return false
		}
		for k, s := range f.SuccsOf(b) {
			if !x.nullOn(f, end, k, v) {
				work = append(work, s)
			}
		}
	}
	return true
}

// nullOn reports whether v is null where a branch takes edge k.
func (x *Index) nullOn(f *ir.Func, branch ir.ValueID, k int, v ir.ValueID) bool {
	if f.Values[branch].Op != ir.OpCondBr {
		return false
	}
	c := f.ArgsOf(branch)[0]
	if f.Values[c].Op != ir.OpICmp {
		return false
	}
	args := f.ArgsOf(c)
	if args[0] != v || f.Values[args[1]].Op != ir.OpConstNull {
		return false
	}
	switch ir.Pred(f.Values[c].Sub) {
	case ir.EQ:
		return k == 0
	case ir.NE:
		return k == 1
	}
	return false
}

// released returns what a call releases.
func (x *Index) released(id ir.FuncID, at ir.ValueID) []leak.Release {
	return x.withAlways(x.view.Released(id, at), x.p.Funcs[id].Callee(at))
}

// releasedBy returns what a call of fn releases.
func (x *Index) releasedBy(fn ir.FuncID) []leak.Release {
	return x.withAlways(x.view.ReleasedBy(fn), fn)
}

func (x *Index) withAlways(list []leak.Release, fn ir.FuncID) []leak.Release {
	for i := range int(x.p.Funcs[fn].NParams) {
		if !x.always[param{fn, i}] {
			continue
		}
		k := slices.IndexFunc(list, func(r leak.Release) bool { return r.Arg == i && !r.Held })
		if k < 0 {
			list = slices.Insert(list, 0, leak.Release{Arg: i})
			k = 0
			for _, r := range list {
				if r.Arg == i && r.Held {
					list[0].Also = append(list[0].Also, r.Off)
				}
			}
		}
		list[k].Always = true
		list[k].Sure = list[k].Sure || !list[k].Counted
	}
	return list
}
