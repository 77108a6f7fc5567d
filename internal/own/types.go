// This file finds out what pointers point to: in the program they have no types.

package own

import (
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
)

// learnTypes notes which pointers of a function are used as pointers to a struct, and
// by which names of types variables that hold them go.
func (x *Index) learnTypes(id ir.FuncID, f *ir.Func) {
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		if f.Values[v].Op != ir.OpGep {
			continue
		}
		g := &f.Geps[f.Values[v].Aux]
		base := f.ArgsOf(v)[0]
		if g.NStep == 0 || f.Values[base].Op == ir.OpGep {
			continue
		}
		s := f.Steps[g.Step].Struct
		if _, known := x.structs[value{id, base}]; !known {
			x.structs[value{id, base}] = s
		}
		if n := f.Values[base].Var; n != 0 {
			if t, ok := pointedTo(f.Vars[n].Type); ok && x.names[t] == 0 {
				x.names[t] = s
			}
		}
	}
}

// pointedTo returns the T of a type that is spelt "T *".
func pointedTo(typ string) (string, bool) {
	t, ok := strings.CutSuffix(typ, "*")
	t = strings.TrimSpace(t)
	for _, word := range []string{"const ", "volatile ", "struct ", "union ", "class "} {
		t = strings.TrimPrefix(t, word)
	}
	return t, ok && !strings.HasSuffix(t, "*")
}

// pointee returns the struct that a pointer points to, or 0 when that is not known.
func (x *Index) pointee(v value) ir.StructID {
	if s, ok := x.structs[v]; ok {
		return s
	}
	f := &x.p.Funcs[v.fn]
	if n := f.Values[v.id].Var; n != 0 && f.Values[v.id].Op != ir.OpAlloca {
		if t, ok := pointedTo(f.Vars[n].Type); ok {
			return x.names[t]
		}
	}
	return 0
}

// typeOf returns what an object is, so that objects of one type have one answer: a
// struct, or how the type of its variable is spelt.
func (x *Index) typeOf(o Object) string {
	f := &x.p.Funcs[o.Func]
	if o.Place != nil {
		s, ok := x.slotOfPlace(o)
		if !ok || s.kind != localSlot {
			return ""
		}
		t, _ := strings.CutSuffix(f.Vars[f.Values[s.val].Var].Type, "*")
		t, _ = pointedTo(t + "*")
		return x.nameOf(x.names[t], t)
	}
	v := value{o.Func, o.Site}
	if s := x.pointee(v); s != 0 {
		return x.nameOf(s, "")
	}
	if n := f.Values[o.Site].Var; n != 0 {
		t, _ := pointedTo(f.Vars[n].Type)
		return t
	}
	return ""
}

func (x *Index) nameOf(s ir.StructID, text string) string {
	if s == 0 {
		return text
	}
	return x.p.Structs[s].Name
}
