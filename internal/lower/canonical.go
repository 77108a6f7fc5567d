// This file gives files, structs and signatures numbers that do not depend on
// the order in which workers met them.

package lower

import "github.com/plumb-project/plumb/internal/ir"

// canonical sorts the interned tables and renumbers every reference.
func (l *linker) canonical() {
	p := l.prog
	files, sigs, structs := l.files.sort(), l.sigs.sort(), l.structs.sort()
	p.Files, p.Sigs = l.files.keys, l.sigs.keys
	p.Structs = make([]ir.Struct, len(l.structs.list))
	for from, to := range structs {
		s := l.structs.list[from]
		for i := range s.Fields {
			s.Fields[i].Struct = ir.StructID(structs[s.Fields[i].Struct])
		}
		p.Structs[to] = s
	}
	for i := range p.Globals {
		g := &p.Globals[i]
		g.File = ir.FileID(files[g.File])
		g.Struct = ir.StructID(structs[g.Struct])
	}
	for i := range p.Funcs {
		renumber(&p.Funcs[i], files, sigs, structs)
	}
}

func renumber(f *ir.Func, files, sigs, structs []uint32) {
	f.File = ir.FileID(files[f.File])
	f.Sig = ir.SigID(sigs[f.Sig])
	for i := range f.Scopes {
		f.Scopes[i].File = ir.FileID(files[f.Scopes[i].File])
	}
	for i := range f.Steps {
		f.Steps[i].Struct = ir.StructID(structs[f.Steps[i].Struct])
	}
	for i := range f.Values {
		switch v := &f.Values[i]; v.Op {
		case ir.OpAlloca:
			f.Ints[v.Aux+1] = int64(structs[f.Ints[v.Aux+1]])
		case ir.OpCall, ir.OpInvoke, ir.OpCallBr:
			v.Aux = sigs[v.Aux]
		}
	}
}
