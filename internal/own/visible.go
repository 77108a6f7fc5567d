// This file says which functions a unit can call.

package own

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// findCopies finds the functions that a header defines, which each unit has for itself.
func (x *Index) findCopies() {
	type definition struct {
		name string
		file ir.FileID
		line uint32
	}
	seen := map[definition]ir.FuncID{}
	for id := ir.FuncID(1); int(id) < len(x.p.Funcs); id++ {
		f := &x.p.Funcs[id]
		if f.Linkage != ir.Internal || f.IsDecl() {
			continue
		}
		d := definition{f.Name, f.File, f.Line}
		if f.Display != "" { // a static's name that was taken
			d.name = f.Display
		}
		if _, ok := seen[d]; !ok {
			seen[d] = id
		}
		x.first[id] = seen[d]
	}
}

// canon returns the copy of a function that stands for all.
func (x *Index) canon(f ir.FuncID) ir.FuncID {
	if c, ok := x.first[f]; ok {
		return c
	}
	return f
}

// visible reports whether a function surely sees another, and whether it can at all. One
// that its unit does not name yet may well be declared in a header that is included.
func (x *Index) visible(fn, from ir.FuncID) (sure, can bool) {
	f, user := &x.p.Funcs[fn], &x.p.Funcs[from]
	inFile := !f.IsDecl() && f.File == user.File
	switch line, named := x.used[use{user.Unit, x.canon(fn)}]; {
	case named && line <= user.Line, inFile && f.Line <= user.Line:
		return true, true
	case inFile: // further down, and who is above does not name it
		return false, f.Linkage != ir.Internal
	case named:
		return true, true
	}
	return false, f.Linkage != ir.Internal || !x.isUnit(f.File)
}

// isUnit reports whether a file is the source of a unit, and not a header.
func (x *Index) isUnit(f ir.FileID) bool {
	return slices.ContainsFunc(x.p.Units, func(u ir.Unit) bool { return u.Name == x.p.Files[f] })
}
