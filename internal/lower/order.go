// This file keeps the ids of functions from one version of a program to the next.

package lower

import "github.com/plumb-project/plumb/internal/ir"

// orderLike numbers functions as another program does; those it does not have come
// last. A call that is put in may let a module declare its functions in another
// order, and then all that follow would have other ids.
func (l *linker) orderLike(other *ir.Program) {
	type key struct {
		name string
		unit ir.UnitID // of a function that is local to it
	}
	keyOf := func(f *ir.Func) key {
		if f.Linkage == ir.Internal {
			return key{f.Name, f.Unit}
		}
		return key{name: f.Name}
	}
	ids := map[key][]ir.FuncID{} // there are several when each unit keeps its own
	for i := 1; i < len(l.prog.Funcs); i++ {
		k := keyOf(&l.prog.Funcs[i])
		ids[k] = append(ids[k], ir.FuncID(i))
	}
	to := make([]ir.FuncID, len(l.prog.Funcs)) // by the present id: the id to be
	funcs := append(make([]ir.Func, 0, len(l.prog.Funcs)), l.prog.Funcs[0])
	add := func(id ir.FuncID) {
		to[id] = ir.FuncID(len(funcs))
		funcs = append(funcs, l.prog.Funcs[id])
	}
	for i := 1; i < len(other.Funcs); i++ {
		k := keyOf(&other.Funcs[i])
		if list := ids[k]; len(list) > 0 {
			add(list[0])
			ids[k] = list[1:]
		}
	}
	for i := 1; i < len(l.prog.Funcs); i++ {
		if to[i] == 0 {
			add(ir.FuncID(i))
		}
	}
	l.prog.Funcs = funcs
	for _, m := range l.mods {
		for i := range m.syms {
			m.syms[i].fn = to[m.syms[i].fn]
		}
		for i := range m.funcs {
			m.funcs[i] = to[m.funcs[i]]
		}
	}
	for _, d := range l.funcs {
		d.sym.fn = to[d.sym.fn]
	}
	for i := range l.marks {
		l.marks[i].fn = to[l.marks[i].fn]
	}
}
