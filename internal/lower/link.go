// This file meets the symbols of all modules.

package lower

import (
	"fmt"
	"slices"
	"sync"

	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/ir"
)

// A linker builds one program from modules.
type linker struct {
	prog  *ir.Program
	units []Unit
	mods  []*module
	notes []string

	funcs, vars map[string]*definition // by name: what the program calls this
	inits       []globalInit
	marks       []mark

	mu      sync.Mutex // guards the tables below while workers run
	files   interner[string]
	sigs    interner[string]
	structs structTable
}

// A definition is a name that several modules share, and who defines it.
type definition struct {
	name  string
	fn    bool
	sym   symbol
	best  rank
	from  *module // module of the best definition
	index uint32  // its index there
	alias bool    // it is an alias of from
}

// A rank orders definitions of one name; a higher one wins.
type rank uint8

const (
	rankNone      rank = iota // declarations only
	rankAvailable             // a copy of a body that is elsewhere
	rankWeak                  // weak, linkonce, common
	rankStrong
)

func newLinker(units []Unit) *linker {
	return &linker{
		prog: &ir.Program{
			Units: make([]ir.Unit, 1), Files: make([]string, 1), Sigs: make([]string, 1),
			Structs: make([]ir.Struct, 1), Globals: make([]ir.Global, 1), Funcs: make([]ir.Func, 1),
		},
		units: units,
		funcs: map[string]*definition{}, vars: map[string]*definition{},
		files: newInterner[string](), sigs: newInterner[string](), structs: newStructTable(),
	}
}

// link gives every symbol of every module its place in the program.
func (l *linker) link() {
	for i, m := range l.mods {
		m.id = ir.UnitID(i + 1)
		u := l.unitOf(m)
		m.cxx = u.Lang == ir.LangCXX
		l.prog.Units = append(l.prog.Units, u)
		l.prog.PtrBits = max(l.prog.PtrBits, uint32(m.layout.ptrBits))
		m.syms = make([]symbol, len(m.Values))
		m.owned = make([]bool, len(m.Funcs))
		m.funcs = make([]ir.FuncID, len(m.Funcs))
		l.collect(m)
	}
	if l.prog.PtrBits == 0 {
		l.prog.PtrBits = 64
	}
	funcs, vars := len(l.funcs)+1, len(l.vars)+1
	for _, m := range l.mods {
		for i := range m.Funcs {
			if local(m.Funcs[i].Linkage) {
				funcs++
			}
		}
		vars += len(m.Globals)
	}
	l.prog.Funcs = slices.Grow(l.prog.Funcs, funcs)
	l.prog.Globals = slices.Grow(l.prog.Globals, vars)
	for _, m := range l.mods {
		l.place(m)
	}
	for _, m := range l.mods {
		l.resolveAliases(m)
	}
}

// unitOf names a unit after its main source file.
func (l *linker) unitOf(m *module) ir.Unit {
	u := ir.Unit{Name: m.SourceName, Triple: m.Triple, Lang: ir.LangUnknown}
	if u.Name == "" {
		u.Name = l.units[m.unit].Name
	}
	if file, lang, ok := m.MD.UnitFile(m.MD.CompileUnit()); ok {
		if f, ok := m.MD.File(file); ok {
			u.Name = fileName(f)
		}
		u.Lang = langOf(lang)
	}
	return u
}

// langOf decodes DW_LANG codes.
func langOf(code uint32) ir.Lang {
	switch code {
	case 0x01, 0x02, 0x0c, 0x1d, 0x2c, 0x3e:
		return ir.LangC
	case 0x04, 0x1a, 0x21, 0x2b, 0x3a, 0x3b:
		return ir.LangCXX
	}
	return ir.LangOther
}

// collect finds the best definition of each name that is not local to m.
func (l *linker) collect(m *module) {
	for i := range m.Values {
		v := &m.Values[i]
		switch v.Kind {
		case bitcode.ValFunc:
			f := &m.Funcs[v.Index]
			if !local(f.Linkage) {
				l.offer(l.funcs, f.Name, true, m, v.Index, rankOf(f.Linkage, f.Decl), false)
			}
		case bitcode.ValGlobal:
			g := &m.Globals[v.Index]
			if !local(g.Linkage) {
				l.offer(l.vars, g.Name, false, m, v.Index, rankOf(g.Linkage, g.Init == bitcode.NoValue), false)
			}
		case bitcode.ValAlias:
			a := &m.Aliases[v.Index]
			if local(a.Linkage) {
				continue
			}
			if a.IFunc || l.aliasesFunc(m, a) {
				l.offer(l.funcs, a.Name, true, m, v.Index, rankOf(a.Linkage, a.IFunc), !a.IFunc)
			} else {
				l.offer(l.vars, a.Name, false, m, v.Index, rankOf(a.Linkage, false), true)
			}
		}
	}
}

func local(k bitcode.Linkage) bool {
	return k == bitcode.LinkInternal || k == bitcode.LinkPrivate || k == bitcode.LinkAppending
}

func rankOf(k bitcode.Linkage, decl bool) rank {
	switch {
	case decl:
		return rankNone
	case k == bitcode.LinkExternal:
		return rankStrong
	case k == bitcode.LinkAvailableExternally:
		return rankAvailable
	}
	return rankWeak
}

func (l *linker) offer(table map[string]*definition, name string, fn bool, m *module, index uint32, r rank, alias bool) {
	d := table[name]
	if d == nil {
		d = &definition{name: name, fn: fn}
		table[name] = d
	}
	switch {
	case r == rankStrong && d.best == rankStrong && name != "main":
		l.notes = append(l.notes, fmt.Sprintf("%s is defined in %s and in %s; each keeps its own",
			name, l.units[d.from.unit].Name, l.units[m.unit].Name))
	case r > d.best || r == rankWeak && d.best == rankWeak && l.larger(d, m, index):
		d.best, d.from, d.index, d.alias = r, m, index, alias
	}
}

// larger reports whether a tentative definition outgrows the one before it.
func (l *linker) larger(d *definition, m *module, index uint32) bool {
	if d.fn || d.alias {
		return false
	}
	was, now := &d.from.Globals[d.index], &m.Globals[index]
	return was.Linkage == bitcode.LinkCommon && now.Linkage == bitcode.LinkCommon &&
		m.layout.of(m.Module, now.Type).size > d.from.layout.of(d.from.Module, was.Type).size
}

// place gives ids to the functions and globals of m.
func (l *linker) place(m *module) {
	for i := range m.Values {
		v := &m.Values[i]
		switch v.Kind {
		case bitcode.ValFunc:
			f := &m.Funcs[v.Index]
			m.syms[i] = l.placeFunc(m, f, v.Index)
			m.funcs[v.Index] = m.syms[i].fn
		case bitcode.ValGlobal:
			m.syms[i] = l.placeGlobal(m, v.Index)
		case bitcode.ValAlias:
			if a := &m.Aliases[v.Index]; a.IFunc {
				m.syms[i] = l.placeIFunc(m, a)
			}
		}
	}
}

// placeFunc returns the symbol of one function. The first module to ask for a
// shared name makes it; the module that defines it fills it in.
func (l *linker) placeFunc(m *module, f *bitcode.Func, index uint32) symbol {
	if local(f.Linkage) {
		m.owned[index] = !f.Decl
		return symbol{fn: l.addFunc(m, f, !f.Decl)}
	}
	d := l.funcs[f.Name]
	mine := d.from == m && d.index == index && !d.alias
	if !f.Decl && !mine && d.best == rankStrong && f.Linkage == bitcode.LinkExternal {
		// A second strong definition: two programs in one build. Each unit calls its own.
		m.owned[index] = true
		return symbol{fn: l.addFunc(m, f, true)}
	}
	if d.alias {
		return symbol{} // resolveAliases knows
	}
	if d.sym.fn == 0 {
		from, g := m, f
		if d.from != nil && d.best > rankNone {
			from, g = d.from, &d.from.Funcs[d.index]
		}
		d.sym.fn = l.addFunc(from, g, d.best > rankNone)
	}
	if mine && !f.Decl {
		m.owned[index] = true
	}
	l.mergeFlags(d.sym.fn, m, f)
	return d.sym
}

func (l *linker) placeGlobal(m *module, index uint32) symbol {
	g := &m.Globals[index]
	if local(g.Linkage) {
		return symbol{gl: l.addGlobal(m, index)}
	}
	d := l.vars[g.Name]
	mine := d.from == m && d.index == index && !d.alias
	if g.Init != bitcode.NoValue && !mine && d.best == rankStrong && g.Linkage == bitcode.LinkExternal {
		return symbol{gl: l.addGlobal(m, index)}
	}
	if d.alias {
		return symbol{}
	}
	if d.sym.gl == 0 {
		from, x := m, index
		if d.from != nil {
			from, x = d.from, d.index
		}
		d.sym.gl = l.addGlobal(from, x)
	}
	return d.sym
}

// placeIFunc makes an ifunc a function whose body is chosen at run time.
func (l *linker) placeIFunc(m *module, a *bitcode.Alias) symbol {
	add := func() ir.FuncID {
		l.prog.Funcs = append(l.prog.Funcs, ir.Func{Name: a.Name, Flags: ir.Decl, Linkage: linkageOf(a.Linkage)})
		return ir.FuncID(len(l.prog.Funcs) - 1)
	}
	if local(a.Linkage) {
		return symbol{fn: add()}
	}
	d := l.funcs[a.Name]
	if d.sym.fn == 0 && !d.alias && d.best == rankNone {
		d.sym.fn = add()
	}
	return d.sym
}

// resolveAliases gives aliases, and names that some alias defines, their targets.
func (l *linker) resolveAliases(m *module) {
	for i := range m.Values {
		if m.syms[i] != (symbol{}) {
			continue
		}
		v := &m.Values[i]
		switch v.Kind {
		case bitcode.ValAlias:
			m.syms[i] = m.target(m.Aliases[v.Index].Target, 0)
			if a := &m.Aliases[v.Index]; !local(a.Linkage) && m.syms[i] != (symbol{}) {
				if d := l.lookup(a.Name, m.syms[i].fn != 0); d != nil && !d.alias && d.sym != (symbol{}) {
					m.syms[i] = d.sym // a weak alias gives way
				}
			}
		case bitcode.ValFunc:
			m.syms[i] = l.throughAlias(l.funcs[m.Funcs[v.Index].Name])
			if m.syms[i] == (symbol{}) {
				m.syms[i].fn = l.addFunc(m, &m.Funcs[v.Index], false)
			}
		case bitcode.ValGlobal:
			m.syms[i] = l.throughAlias(l.vars[m.Globals[v.Index].Name])
			if m.syms[i] == (symbol{}) {
				m.syms[i].gl = l.addGlobal(m, v.Index)
			}
		}
	}
}

func (l *linker) lookup(name string, fn bool) *definition {
	if fn {
		return l.funcs[name]
	}
	return l.vars[name]
}

// throughAlias resolves a shared name whose definition is an alias.
func (l *linker) throughAlias(d *definition) symbol {
	if !d.alias {
		return d.sym
	}
	return d.from.target(d.from.Aliases[d.index].Target, 0)
}

// maxAliasDepth ends chains of aliases and casts, which broken input could close.
const maxAliasDepth = 64

// target follows a constant to the symbol and offset it is, or to nothing.
func (m *module) target(id bitcode.ValueID, depth int) symbol {
	v := &m.Values[id]
	if depth > maxAliasDepth {
		return symbol{}
	}
	switch v.Kind {
	case bitcode.ValFunc, bitcode.ValGlobal:
		return m.syms[id]
	case bitcode.ValAlias:
		if m.syms[id] != (symbol{}) {
			return m.syms[id]
		}
		return m.target(m.Aliases[v.Index].Target, depth+1)
	}
	switch v.Const.Kind {
	case bitcode.ConstCast, bitcode.ConstSame:
		return m.target(v.Const.Ops[0], depth+1)
	case bitcode.ConstGEP:
		s := m.target(v.Const.Ops[0], depth+1)
		off, ok := m.constOffset(&v.Const)
		if !ok {
			return symbol{}
		}
		s.off += off
		return s
	}
	return symbol{}
}

// aliasesFunc reports whether an alias names a function.
func (l *linker) aliasesFunc(m *module, a *bitcode.Alias) bool {
	id := a.Target
	for range maxAliasDepth {
		v := &m.Values[id]
		switch {
		case v.Kind == bitcode.ValFunc:
			return true
		case v.Kind == bitcode.ValAlias:
			id = m.Aliases[v.Index].Target
		case v.Kind == bitcode.ValConst && len(v.Const.Ops) > 0:
			id = v.Const.Ops[0]
		default:
			return false
		}
	}
	return false
}
