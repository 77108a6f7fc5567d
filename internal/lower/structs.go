// This file interns struct layouts and finds the names of their fields.

package lower

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/ir"
)

// A structTable numbers struct layouts. Structs of two units are one when name
// and layout agree, so that calls through a field are seen across units.
type structTable struct {
	interner[string]
	list []ir.Struct // by id
}

func newStructTable() structTable {
	return structTable{interner: newInterner[string](), list: make([]ir.Struct, 1)}
}

// structOf returns the struct that a type is, or that it is an array of.
func (l *linker) structOf(m *module, id bitcode.TypeID) ir.StructID {
	s, _ := l.structNamed(m, id, nil)
	return s
}

// A localTypes finds debug information in the metadata of one function, where
// that of types used nowhere else lies.
type localTypes struct {
	md    *bitcode.Metadata
	ready bool
	di    []bitcode.MDID // by TypeID; nil when the function has no types of its own
}

func (lt *localTypes) find(m *module, id bitcode.TypeID) bitcode.MDID {
	if !lt.ready {
		lt.ready = true
		if byName := structsByName(m, lt.md); len(byName) > 0 {
			lt.di = matchStructs(m, lt.md, byName)
		}
	}
	if lt.di == nil {
		return bitcode.NoMD
	}
	return lt.di[id]
}

// structNamed is structOf with the types of a function, if any. It reports
// whether all field names were found.
func (l *linker) structNamed(m *module, id bitcode.TypeID, local *localTypes) (ir.StructID, bool) {
	if int(id) >= len(m.types) {
		return 0, false
	}
	t := &m.Types[id]
	for t.Kind == bitcode.TArray {
		id = t.Elem
		t = &m.Types[id]
	}
	if t.Kind != bitcode.TStruct {
		return 0, false
	}
	if s := l.knownStruct(m, id); s != 0 {
		return s, true
	}
	s := ir.Struct{Size: m.layout.of(m.Module, id).size, Fields: make([]ir.Field, len(t.Elems))}
	s.Name, s.Union = structName(t.Name)
	named := true
	for i, e := range t.Elems {
		f := &s.Fields[i]
		f.Off, f.Type = m.layout.of(m.Module, id).offs[i], m.types[e]
		var ok bool
		if f.Struct, ok = l.structNamed(m, e, local); f.Struct != 0 {
			named = named && ok
		}
	}
	key := structKey(m, id, &s)
	di, md := m.fields.find(m, id), &m.MD
	if di == bitcode.NoMD && local != nil {
		di, md = local.find(m, id), local.md
	}
	if di == bitcode.NoMD {
		named = false
	} else {
		m.nameFields(md, di, &s)
	}
	return l.addStruct(m, id, key, s, named), named
}

// knownStruct returns the struct of a type if it is final.
func (l *linker) knownStruct(m *module, id bitcode.TypeID) ir.StructID {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m.structs == nil {
		m.structs = make([]ir.StructID, len(m.Types))
	}
	return m.structs[id]
}

// addStruct interns a layout, which is final for its type when all fields are
// named. Of two sets of field names the smaller stays, so
// that the outcome does not depend on who came first.
func (l *linker) addStruct(m *module, t bitcode.TypeID, key string, s ir.Struct, named bool) ir.StructID {
	l.mu.Lock()
	defer l.mu.Unlock()
	id := l.structs.id(key)
	if named {
		m.structs[t] = ir.StructID(id)
	}
	if int(id) == len(l.structs.list) {
		l.structs.list = append(l.structs.list, s)
		return ir.StructID(id)
	}
	had := l.structs.list[id].Fields
	for i := range s.Fields {
		if n := s.Fields[i].Name; n != "" && (had[i].Name == "" || n < had[i].Name) {
			had[i].Name = n
		}
	}
	return ir.StructID(id)
}

// structKey identifies a layout by its text.
func structKey(m *module, id bitcode.TypeID, s *ir.Struct) string {
	b := make([]byte, 0, 32+16*len(s.Fields))
	b = append(b, s.Name...)
	b = strconv.AppendBool(append(b, '|'), s.Union)
	b = strconv.AppendUint(append(b, '|'), s.Size, 10)
	for i, e := range m.Types[id].Elems {
		f := &s.Fields[i]
		b = strconv.AppendUint(append(b, '|'), f.Off, 10)
		b = strconv.AppendUint(append(b, ' '), uint64(f.Type), 16)
		if f.Struct != 0 {
			t := &m.Types[e]
			for t.Kind == bitcode.TArray {
				t = &m.Types[t.Elem]
			}
			name, _ := structName(t.Name)
			b = append(append(b, ' '), name...)
		}
	}
	return string(b)
}

// structName drops the prefix and the number LLVM adds: "struct.cfg.12" is cfg.
func structName(llvm string) (name string, union bool) {
	name = llvm
	for _, prefix := range []string{"struct.", "class.", "union."} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			name, union = rest, prefix == "union."
			break
		}
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 && strings.Trim(name[i+1:], "0123456789") == "" {
		name = name[:i]
	}
	return strings.TrimSuffix(name, ".base"), union
}

// fieldNames finds the debug information of a module's struct types.
type fieldNames struct {
	once sync.Once
	di   []bitcode.MDID // by TypeID
}

// find returns the DICompositeType of a struct type, or NoMD.
func (f *fieldNames) find(m *module, id bitcode.TypeID) bitcode.MDID {
	f.once.Do(func() { f.di = matchStructs(m, &m.MD, structsByName(m, &m.MD)) })
	return f.di[id]
}

// globalType returns the type to read a global by. An initialiser with padding
// or a union member has a nameless struct type of its own; the declared type is
// then found through the debug information.
func (m *module) globalType(index uint32) bitcode.TypeID {
	g := &m.Globals[index]
	t := &m.Types[g.Type]
	if t.Kind != bitcode.TStruct || t.Name != "" {
		return g.Type
	}
	v, ok := m.MD.GlobalVar(g.Debug)
	if !ok {
		return g.Type
	}
	node := m.strip(&m.MD, v.Type)
	if node == bitcode.NoMD {
		return g.Type
	}
	m.fields.find(m, g.Type)
	size := m.layout.of(m.Module, g.Type).size
	for i, di := range m.fields.di {
		if id := bitcode.TypeID(i); di == node && m.layout.of(m.Module, id).size == size {
			return id
		}
	}
	return g.Type
}

// structsByName lists the composite types of md by plain name.
func structsByName(m *module, md *bitcode.Metadata) map[string][]bitcode.MDID {
	byName := map[string][]bitcode.MDID{}
	for _, id := range md.CompositeTypes() {
		t, _ := md.Type(id, m.constUint)
		if t.Tag == bitcode.TagEnum || t.Tag == bitcode.TagArray || t.Elements == bitcode.NoMD || t.Name == "" {
			continue
		}
		name := withoutTemplate(qualified(md, t.Scope, t.Name))
		byName[name] = append(byName[name], id)
	}
	for _, id := range md.Typedefs() {
		t, _ := md.Type(id, m.constUint)
		if base, ok := md.Type(t.Base, m.constUint); ok && base.Name == "" && base.Elements != bitcode.NoMD {
			name := withoutTemplate(qualified(md, t.Scope, t.Name))
			byName[name] = append(byName[name], t.Base)
		}
	}
	return byName
}

// withoutTemplate drops template arguments: LLVM's type names have none.
func withoutTemplate(s string) string {
	if !strings.ContainsRune(s, '<') {
		return s
	}
	var b strings.Builder
	depth := 0
	for _, c := range s {
		switch {
		case c == '<':
			depth++
		case c == '>' && depth > 0:
			depth--
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// matchStructs pairs struct types with debug information: by name and size,
// then members that are anonymous structs through the struct around them.
func matchStructs(m *module, md *bitcode.Metadata, byName map[string][]bitcode.MDID) []bitcode.MDID {
	di := slices.Repeat([]bitcode.MDID{bitcode.NoMD}, len(m.Types))
	for i := range m.Types {
		t := &m.Types[i]
		if t.Kind != bitcode.TStruct || t.Name == "" || di[i] != bitcode.NoMD {
			continue
		}
		if id := m.matchStruct(md, byName, bitcode.TypeID(i)); id != bitcode.NoMD {
			m.spread(md, di, bitcode.TypeID(i), id)
		}
	}
	return di
}

func (m *module) matchStruct(md *bitcode.Metadata, byName map[string][]bitcode.MDID, id bitcode.TypeID) bitcode.MDID {
	llvm := m.Types[id].Name
	name, _ := structName(llvm)
	size := m.layout.of(m.Module, id).size * 8
	for _, c := range byName[name] {
		if t, _ := md.Type(c, m.constUint); t.Size == size || strings.HasSuffix(llvm, ".base") {
			return c
		}
	}
	return bitcode.NoMD
}

// spread gives a struct type its debug information, and its members theirs.
func (m *module) spread(md *bitcode.Metadata, di []bitcode.MDID, id bitcode.TypeID, node bitcode.MDID) {
	if di[id] != bitcode.NoMD {
		return
	}
	di[id] = node
	members := m.members(md, node)
	offs := m.layout.of(m.Module, id).offs
	for i, e := range m.Types[id].Elems {
		t := &m.Types[e]
		for t.Kind == bitcode.TArray {
			e = t.Elem
			t = &m.Types[e]
		}
		if t.Kind != bitcode.TStruct || !strings.Contains(t.Name, "anon") {
			continue
		}
		for _, f := range members {
			if f.Off/8 == offs[i] {
				if inner := m.strip(md, f.Base); inner != bitcode.NoMD {
					m.spread(md, di, e, inner)
				}
				break
			}
		}
	}
}

// strip follows typedefs, qualifiers and arrays to a composite type.
func (m *module) strip(md *bitcode.Metadata, id bitcode.MDID) bitcode.MDID {
	for range maxAliasDepth {
		t, ok := md.Type(id, m.constUint)
		switch {
		case !ok:
			return bitcode.NoMD
		case t.Tag == bitcode.TagStruct || t.Tag == bitcode.TagClass || t.Tag == bitcode.TagUnion:
			return id
		case t.Tag == bitcode.TagPointer || t.Base == bitcode.NoMD:
			return bitcode.NoMD
		}
		id = t.Base
	}
	return bitcode.NoMD
}

// members lists the data members and bases of a composite type.
func (m *module) members(md *bitcode.Metadata, node bitcode.MDID) []bitcode.DIType {
	t, ok := md.Type(node, m.constUint)
	if !ok {
		return nil
	}
	var out []bitcode.DIType
	for _, e := range md.List(t.Elements) {
		f, ok := md.Type(e, m.constUint)
		if ok && (f.Tag == bitcode.TagMember || f.Tag == bitcode.TagInherit) && f.Flags&bitcode.FlagStaticMember == 0 {
			out = append(out, f)
		}
	}
	return out
}

// nameFields names the fields of s by offset.
func (m *module) nameFields(md *bitcode.Metadata, node bitcode.MDID, s *ir.Struct) {
	for _, f := range m.members(md, node) {
		name := f.Name
		if f.Tag == bitcode.TagInherit {
			base, _ := md.Type(f.Base, m.constUint)
			name = base.Name
		}
		for i := range s.Fields {
			if s.Fields[i].Off == f.Off/8 && s.Fields[i].Name == "" {
				s.Fields[i].Name = name
				break
			}
		}
	}
}

// constUint returns the value of an integer constant of the module.
func (m *module) constUint(id bitcode.ValueID) uint64 {
	if int(id) < len(m.Values) && m.Values[id].Kind == bitcode.ValConst {
		return uint64(m.Values[id].Const.Int)
	}
	return 0
}
