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
		if g.NStep == 0 {
			continue
		}
		s := f.Steps[g.Step].Struct
		for x.indexes(f, base, s) { // an element of an array
			base = f.ArgsOf(base)[0]
		}
		if f.Values[base].Op == ir.OpGep {
			continue
		}
		if t, known := x.structs[value{id, base}]; !known {
			x.structs[value{id, base}] = s
		} else if t != s && !x.startsWith(s, t) && !x.startsWith(t, s) {
			x.punned[s], x.punned[t] = true, true
		}
		if n := f.Values[base].Var; n != 0 {
			if t, ok := pointedTo(f.Vars[n].Type); ok && x.names[t] == 0 && !basic[t] {
				x.names[t] = s
			}
		}
	}
}

// indexes reports whether v is the address of an element of an array of structs.
func (x *Index) indexes(f *ir.Func, v ir.ValueID, s ir.StructID) bool {
	size := int64(x.p.Structs[s].Size)
	if f.Values[v].Op != ir.OpGep || size == 0 {
		return false
	}
	g := &f.Geps[f.Values[v].Aux]
	whole := g.NStep == 0 && g.Off%size == 0
	for i := range g.NStride {
		whole = whole && f.Strides[g.Stride+i]%size == 0
	}
	return whole
}

// startsWith reports whether struct s begins with struct t.
func (x *Index) startsWith(s, t ir.StructID) bool {
	for range 8 {
		if s == t {
			return true
		}
		fields := x.p.Structs[s].Fields
		if len(fields) == 0 || fields[0].Struct == 0 || fields[0].Off != 0 {
			return false
		}
		s = fields[0].Struct
	}
	return false
}

// basic types are pointed to for the sake of any memory.
var basic = map[string]bool{"void": true, "char": true, "unsigned char": true, "signed char": true, "int": true, "unsigned int": true, "long": true, "unsigned long": true}

// nameStructs adds the names of structs that no variable was seen to have as its type.
func (x *Index) nameStructs() {
	count := map[string]int{}
	for i := 1; i < len(x.p.Structs); i++ {
		count[x.p.Structs[i].Name]++
	}
	for i := 1; i < len(x.p.Structs); i++ {
		if n := x.p.Structs[i].Name; n != "" && n != "anon" && count[n] == 1 && x.names[n] == 0 {
			x.names[n] = ir.StructID(i)
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
	if f.IsDecl() {
		return 0
	}
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
		slots := x.slotsOf(o)
		if len(slots) != 1 || slots[0].kind != nearSlot || f.Values[slots[0].val].Op != ir.OpAlloca {
			return ""
		}
		t, _ := strings.CutSuffix(f.Vars[f.Values[slots[0].val].Var].Type, "*")
		t, _ = pointedTo(t + "*")
		return x.nameOf(x.names[t], t)
	}
	v := value{o.Func, o.Site}
	if s := x.pointee(v); s != 0 {
		return x.nameOf(s, "")
	}
	typ := ""
	if n := f.Values[o.Site].Var; n != 0 {
		if typ, _ = pointedTo(f.Vars[n].Type); !basic[typ] {
			return typ
		}
	}
	if c := f.Callee(o.Site); c != 0 && x.resultType(c) != "" {
		return x.resultType(c)
	}
	return typ
}

// resultType returns the type of what a function returns, by the variables it returns; ""
// when they differ, or say nothing.
func (x *Index) resultType(fn ir.FuncID) string {
	if t, ok := x.resultTypes[fn]; ok {
		return t
	}
	x.resultTypes[fn] = "" // while it is looked for
	typ, differ := "", false
	results, moved := x.madeResults(fn)
	if moved {
		return ""
	}
	for _, v := range results {
		if t := x.typeOf(Object{Func: v.fn, Site: v.id}); t != "" && !basic[t] {
			differ = differ || typ != "" && t != typ
			typ = t
		}
	}
	if differ {
		typ = ""
	}
	x.resultTypes[fn] = typ
	return typ
}

func (x *Index) nameOf(s ir.StructID, text string) string {
	if s == 0 {
		return text
	}
	return x.p.Structs[s].Name
}
