// This file spells the arguments of a release besides the object.

package own

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
)

// otherArgs spells the arguments that a function takes along with the object, where
// that is simple: the same number or global in all calls, or a parameter of the function
// of the object that has the type, and is the only one that does or has the name. There is
// "" in the place of the object.
func (x *Index) otherArgs(o Object, g *group) ([]string, bool) {
	callee := &x.p.Funcs[g.by]
	if callee.Flags&ir.Variadic != 0 || callee.NParams > 3 {
		return nil, false
	}
	args := make([]string, callee.NParams)
	for i := range args {
		if i == g.arg {
			continue
		}
		text, ok := x.sameArg(g, i)
		if !ok {
			text, ok = x.sameVariable(o, g, i)
		}
		if !ok {
			text, ok = x.fromScope(o, g, i)
		}
		if !ok {
			return nil, false
		}
		args[i] = text
	}
	return args, true
}

// sameArg spells argument i if it is the same constant in all calls.
func (x *Index) sameArg(g *group, i int) (string, bool) {
	text := ""
	calls := slices.Clone(g.calls)
	for _, k := range g.all {
		calls = append(calls, x.releases[k].at)
	}
	for _, at := range calls {
		f := &x.p.Funcs[at.fn]
		args := f.ArgsOf(at.id)[1:]
		if i >= len(args) {
			return "", false
		}
		t := x.constant(f, args[i])
		if t == "" || text != "" && t != text {
			return "", false
		}
		text = t
	}
	return text, text != ""
}

// sameVariable spells argument i by a variable of the function of the object, if that is
// what a call there passes.
func (x *Index) sameVariable(o Object, g *group, i int) (string, bool) {
	calls := slices.Clone(g.calls)
	for _, k := range g.all {
		calls = append(calls, x.releases[k].at)
	}
	f := &x.p.Funcs[o.Func]
	for _, at := range calls {
		if at.fn != o.Func {
			continue
		}
		if args := f.ArgsOf(at.id)[1:]; i < len(args) {
			v := args[i]
			if f.Values[v].Op == ir.OpLoad && f.Values[f.ArgsOf(v)[0]].Op == ir.OpAlloca {
				v = f.ArgsOf(v)[0]
			}
			if n := f.Values[v].Var; n != 0 && !f.Vars[n].Artificial {
				return f.Vars[n].Name, true
			}
		}
	}
	return "", false
}

// constant spells a number, null, or the value of a global; "" for all else.
func (x *Index) constant(f *ir.Func, v ir.ValueID) string {
	switch val := &f.Values[v]; val.Op {
	case ir.OpConstInt:
		if n, ok := f.ConstInt(v); ok {
			return fmt.Sprint(n)
		}
	case ir.OpConstNull:
		return "NULL"
	case ir.OpGlobalAddr:
		return x.global(ir.GlobalID(val.Aux), "&")
	case ir.OpLoad:
		if a := f.ArgsOf(v)[0]; f.Values[a].Op == ir.OpGlobalAddr {
			return x.global(ir.GlobalID(f.Values[a].Aux), "")
		}
	}
	return ""
}

// global spells a global that other units can see.
func (x *Index) global(id ir.GlobalID, prefix string) string {
	g := &x.p.Globals[id]
	if g.Linkage == ir.Internal || strings.HasPrefix(g.Name, ".") {
		return ""
	}
	return prefix + g.SourceName()
}

// fromScope spells argument i by a parameter of the function of the object.
func (x *Index) fromScope(o Object, g *group, i int) (string, bool) {
	callee := &x.p.Funcs[g.by]
	if callee.IsDecl() {
		return "", false
	}
	want := &callee.Vars[callee.Values[i+1].Var]
	f := &x.p.Funcs[o.Func]
	same, other := "", 0
	for v := 1; v < len(f.Vars); v++ {
		p := &f.Vars[v]
		if p.Arg == 0 || p.Artificial || p.Type != want.Type || p.Type == "" {
			continue
		}
		if p.Name == want.Name {
			return p.Name, true
		}
		same, other = p.Name, other+1
	}
	return same, other == 1 && strings.HasSuffix(want.Type, "*")
}
