// This file makes ir functions and globals out of LLVM's.

package lower

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/ir"
)

func linkageOf(k bitcode.Linkage) ir.Linkage {
	switch k {
	case bitcode.LinkInternal, bitcode.LinkPrivate:
		return ir.Internal
	case bitcode.LinkWeakAny, bitcode.LinkWeakODR, bitcode.LinkExternWeak:
		return ir.Weak
	case bitcode.LinkLinkOnceAny, bitcode.LinkLinkOnceODR:
		return ir.LinkOnce
	case bitcode.LinkCommon:
		return ir.Common
	case bitcode.LinkAvailableExternally:
		return ir.AvailableExt
	case bitcode.LinkAppending:
		return ir.Appending
	}
	return ir.External
}

// addFunc makes a function of the program from one of module m.
func (l *linker) addFunc(m *module, f *bitcode.Func, defined bool) ir.FuncID {
	t := &m.Types[f.Type]
	out := ir.Func{
		Name: f.Name, Linkage: linkageOf(f.Linkage), Unit: m.id, NParams: uint32(len(t.Elems)),
		Sig: l.sig(m.TypeString(f.Type)), Result: m.types[t.Elem],
	}
	if !defined {
		out.Flags |= ir.Decl
		out.Unit = 0
	}
	if t.VarArg {
		out.Flags |= ir.Variadic
	}
	if strings.HasPrefix(f.Name, "llvm.") {
		out.Flags |= ir.Intrinsic
	}
	attrs := m.AttrList(f.Attrs)
	out.Flags |= funcFlags(attrs)
	out.Alloc = allocKind(attrs)
	if len(t.Elems) > 0 {
		out.Params = make([]ir.ParamFlags, len(t.Elems))
		for i := range out.Params {
			out.Params[i] = paramFlags(attrs, uint64(i)+1)
		}
		if !defined {
			constParams(m, f, out.Params)
		}
	}
	l.prog.Funcs = append(l.prog.Funcs, out)
	id := ir.FuncID(len(l.prog.Funcs) - 1)
	l.markSection(id, f)
	return id
}

// mergeFlags adds what another declaration promises: noreturn in a header holds
// for the definition as well, and all promises hold for a function without one.
func (l *linker) mergeFlags(id ir.FuncID, m *module, f *bitcode.Func) {
	out := &l.prog.Funcs[id]
	attrs := m.AttrList(f.Attrs)
	l.markSection(id, f)
	if !out.IsDecl() {
		const promises = ir.NoReturn | ir.ReturnsTwice | ir.NoAlias | ir.NonNull
		out.Flags |= funcFlags(attrs) & promises
		return
	}
	out.Flags |= funcFlags(attrs)
	if out.Alloc == "" {
		out.Alloc = allocKind(attrs)
	}
	for i := range out.Params {
		out.Params[i] |= paramFlags(attrs, uint64(i)+1)
	}
	constParams(m, f, out.Params)
}

func funcFlags(a *bitcode.AttrList) ir.FuncFlags {
	var f ir.FuncFlags
	set := func(slot uint64, attr bitcode.Attr, flag ir.FuncFlags) {
		if a.Has(slot, attr) {
			f |= flag
		}
	}
	set(bitcode.SlotFunc, bitcode.AttrNoReturn, ir.NoReturn)
	set(bitcode.SlotFunc, bitcode.AttrNoUnwind, ir.NoUnwind)
	set(bitcode.SlotFunc, bitcode.AttrReturnsTwice, ir.ReturnsTwice)
	set(bitcode.SlotFunc, bitcode.AttrReadNone, ir.ReadNone)
	set(bitcode.SlotFunc, bitcode.AttrReadOnly, ir.ReadOnly)
	set(bitcode.SlotReturn, bitcode.AttrNoAlias, ir.NoAlias)
	set(bitcode.SlotReturn, bitcode.AttrNonNull, ir.NonNull)
	// memory(...) has two bits for each kind of memory: read, write.
	if mem, ok := a.Int(bitcode.SlotFunc, bitcode.AttrMemory); ok {
		if mem == 0 {
			f |= ir.ReadNone
		} else if mem&0xaaaa_aaaa_aaaa_aaaa == 0 {
			f |= ir.ReadOnly
		}
	}
	return f
}

func paramFlags(a *bitcode.AttrList, slot uint64) ir.ParamFlags {
	var f ir.ParamFlags
	set := func(attr bitcode.Attr, flag ir.ParamFlags) {
		if a.Has(slot, attr) {
			f |= flag
		}
	}
	set(bitcode.AttrNoCapture, ir.ParamNoCapture)
	set(bitcode.AttrReadOnly, ir.ParamReadOnly)
	set(bitcode.AttrReadNone, ir.ParamReadOnly)
	set(bitcode.AttrNonNull, ir.ParamNonNull)
	set(bitcode.AttrReturned, ir.ParamReturned)
	set(bitcode.AttrSRet, ir.ParamSRet)
	set(bitcode.AttrByVal, ir.ParamByVal)
	set(bitcode.AttrNoAlias, ir.ParamNoAlias)
	set(bitcode.AttrAllocPtr, ir.ParamFreed)
	if c, ok := a.Int(slot, bitcode.AttrCaptures); ok && c == 0 {
		f |= ir.ParamNoCapture
	}
	return f
}

// allocKindNames are the bits of allockind, lowest first.
var allocKindNames = [...]string{"alloc", "realloc", "free", "uninitialized", "zeroed", "aligned"}

// allocKind prints allockind and alloc-family: "alloc,zeroed:malloc".
func allocKind(a *bitcode.AttrList) string {
	kind, ok := a.Int(bitcode.SlotFunc, bitcode.AttrAllocKind)
	family, named := a.String(bitcode.SlotFunc, "alloc-family")
	if !ok && !named {
		return ""
	}
	var names []string
	for i, n := range allocKindNames {
		if kind>>i&1 != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, ",") + ":" + family
}

// addGlobal makes a global of the program from one of module m.
func (l *linker) addGlobal(m *module, index uint32) ir.GlobalID {
	g := &m.Globals[index]
	out := ir.Global{
		Name: g.Name, Linkage: linkageOf(g.Linkage), Decl: g.Init == bitcode.NoValue,
		Const: g.Const, ThreadLocal: g.ThreadLocal, Type: m.types[g.Type],
		Size: m.layout.of(m.Module, g.Type).size, Struct: l.structOf(m, m.globalType(index)),
	}
	if !out.Decl {
		out.Unit = m.id
	}
	if v, ok := m.MD.GlobalVar(g.Debug); ok {
		out.File, out.Line = l.fileOf(&m.MD, v.File), v.Line
		if name := qualified(&m.MD, v.Scope, v.Name); name != g.Name {
			out.Display = name
		}
	}
	l.prog.Globals = append(l.prog.Globals, out)
	l.inits = append(l.inits, globalInit{m, g.Init, ir.GlobalID(len(l.prog.Globals) - 1)})
	return ir.GlobalID(len(l.prog.Globals) - 1)
}

// sig interns a function type.
func (l *linker) sig(text string) ir.SigID {
	l.mu.Lock()
	defer l.mu.Unlock()
	return ir.SigID(l.sigs.id(text))
}

// fileOf interns the name of a DIFile.
func (l *linker) fileOf(md *bitcode.Metadata, id bitcode.MDID) ir.FileID {
	f, ok := md.File(id)
	if !ok {
		return 0
	}
	name := fileName(f)
	l.mu.Lock()
	defer l.mu.Unlock()
	return ir.FileID(l.files.id(name))
}

func fileName(f bitcode.DIFile) string {
	if f.Dir != "" && !filepath.IsAbs(f.Name) {
		return filepath.Join(f.Dir, f.Name)
	}
	return filepath.Clean(f.Name)
}

// qualified prefixes a name with the namespaces and classes around it.
func qualified(md *bitcode.Metadata, scope bitcode.MDID, name string) string {
	for range maxAliasDepth {
		s, ok := md.Scope(scope)
		if !ok || s.Kind != bitcode.ScopeNamespace && s.Kind != bitcode.ScopeType {
			break
		}
		if s.Name == "" && s.Kind == bitcode.ScopeNamespace {
			s.Name = "(anonymous namespace)"
		}
		if s.Name != "" {
			name = fmt.Sprintf("%s::%s", s.Name, name)
		}
		scope = s.Parent
	}
	return name
}
