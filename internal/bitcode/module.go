// This file reads what stands directly in a module block.

package bitcode

import "fmt"

// decode reads the module whose block header is at bit start.
func (m *Module) decode(start uint64) error {
	r := newReader(m.data)
	r.pos = start
	r.enterBlock(blkModule)
	var bodies []uint64
	r.walk(func(id uint64) {
		if id == blkFunction {
			bodies = append(bodies, r.pos)
			r.skipBlock()
			return
		}
		m.readBlock(r, id)
	}, func(code uint64) { m.readRecord(r, code) })
	if r.err != nil {
		return r.err
	}
	m.blockInfo = r.info
	return m.finish(bodies)
}

func (m *Module) readBlock(r *reader, id uint64) {
	switch id {
	case blkInfo:
		r.blockInfo()
	case blkParamAttrGroup:
		m.readAttrGroups(r)
	case blkParamAttr:
		m.readAttrLists(r)
	case blkType:
		m.readTypes(r)
	case blkConstants:
		m.Values = m.readConstants(r, m.Values)
	case blkMetadata:
		m.MD.readBlock(r, m)
	case blkVST:
		m.readVST(r)
	case blkBundleTags:
		m.readBundleTags(r)
	case blkMDKind, blkUseList, blkSummary, blkFullLTOSummary, blkSyncScopes, blkModuleStrtab, blkMDAttachment:
		r.skipBlock()
	default:
		r.fail("unknown block %d in the module", id)
	}
}

func (m *Module) readRecord(r *reader, code uint64) {
	switch code {
	case modVersion:
		if v := r.at(0); v != 1 && v != 2 {
			r.fail("module version %d is not known", v)
		} else if v == 2 && m.strtab == nil {
			r.fail("no string table")
		}
	case modTriple:
		m.Triple = r.chars(0)
	case modDataLayout:
		m.DataLayout = r.chars(0)
	case modAsm:
		m.Asm = r.chars(0)
	case modSourceName:
		m.SourceName = r.chars(0)
	case modGlobalVar:
		m.readGlobal(r)
	case modFunction:
		m.readFunc(r)
	case modAlias, modIFunc:
		m.readAlias(r, code == modIFunc)
	case modSection:
		m.sections = append(m.sections, r.chars(0))
	case modDepLib, modGCName, modComdat, modVSTOffset, modHash, modUnusedMD:
	default:
		r.fail("unknown module record %d", code)
	}
}

// name takes the symbol name, which is in the string table at the place the
// first two operands give, and drops these operands.
func (m *Module) name(r *reader) string {
	if m.strtab == nil {
		return ""
	}
	off, size := r.at(0), r.at(1)
	if r.err != nil {
		return ""
	}
	if off > uint64(len(m.strtab)) || size > uint64(len(m.strtab))-off {
		r.fail("symbol name is outside the string table")
		return ""
	}
	r.rec = r.rec[2:]
	return string(m.strtab[off : off+size])
}

func (m *Module) readGlobal(r *reader) {
	g := Global{Name: m.name(r), Type: TypeID(r.at(0)), Init: NoValue, Debug: NoMD}
	m.typ(r, r.at(0))
	g.Const = r.at(1)&1 != 0
	if r.at(1)&2 == 0 {
		r.fail("global without an explicit type: bitcode older than LLVM 4")
	}
	if init := r.at(2); init != 0 {
		g.Init = ValueID(init - 1)
	}
	g.Linkage = linkage(r.at(3))
	g.ThreadLocal = r.opt(7) != 0
	m.Values = append(m.Values, Value{Kind: ValGlobal, Type: m.ptrType, Index: uint32(len(m.Globals))})
	m.Globals = append(m.Globals, g)
}

func (m *Module) readFunc(r *reader) {
	f := Func{Name: m.name(r), Type: TypeID(r.at(0)), Personality: NoValue, Debug: NoMD}
	if t := m.typ(r, r.at(0)); t.Kind != TFunc {
		r.fail("function %q without a function type", f.Name)
	}
	f.Decl = r.at(2) != 0
	f.Linkage = linkage(r.at(3))
	f.Attrs = uint32(r.at(4))
	if r.at(4) > uint64(len(m.Attrs)) {
		r.fail("attribute list %d does not exist", r.at(4))
	}
	if s := r.at(6); s > uint64(len(m.sections)) {
		r.fail("section %d does not exist", s)
	} else if s > 0 {
		f.Section = m.sections[s-1]
	}
	if p := r.opt(14); p != 0 {
		f.Personality = ValueID(p - 1)
	}
	m.Values = append(m.Values, Value{Kind: ValFunc, Type: m.ptrType, Index: uint32(len(m.Funcs))})
	m.Funcs = append(m.Funcs, f)
}

func (m *Module) readAlias(r *reader, ifunc bool) {
	a := Alias{Name: m.name(r), Target: ValueID(r.at(2)), Linkage: linkage(r.at(3)), IFunc: ifunc}
	m.Values = append(m.Values, Value{Kind: ValAlias, Type: m.ptrType, Index: uint32(len(m.Aliases))})
	m.Aliases = append(m.Aliases, a)
}

// linkage decodes the numbers that LLVM has used over time.
func linkage(n uint64) Linkage {
	switch n {
	case 1, 16:
		return LinkWeakAny
	case 2:
		return LinkAppending
	case 3:
		return LinkInternal
	case 4, 18:
		return LinkLinkOnceAny
	case 7:
		return LinkExternWeak
	case 8:
		return LinkCommon
	case 9, 13, 14:
		return LinkPrivate
	case 10, 17:
		return LinkWeakODR
	case 11, 19:
		return LinkLinkOnceODR
	case 12:
		return LinkAvailableExternally
	}
	return LinkExternal
}

// readVST reads the names of a module without a string table.
func (m *Module) readVST(r *reader) {
	r.enterBlock(blkVST)
	m.vst = map[ValueID]string{}
	r.walk(r.skip, func(code uint64) {
		switch code {
		case 1: // VST_CODE_ENTRY: [valueid, namechar...]
			m.vst[ValueID(r.at(0))] = r.chars(1)
		case 3: // VST_CODE_FNENTRY: [valueid, offset, namechar...]
			m.vst[ValueID(r.at(0))] = r.chars(2)
		}
	})
}

func (m *Module) readBundleTags(r *reader) {
	r.enterBlock(blkBundleTags)
	r.walk(r.skip, func(uint64) { m.BundleTags = append(m.BundleTags, r.chars(0)) })
}

// finish gives functions their bodies and names, and checks every reference
// that could point forward.
func (m *Module) finish(bodies []uint64) error {
	n := 0
	for i := range m.Funcs {
		f := &m.Funcs[i]
		if f.Decl {
			continue
		}
		if n >= len(bodies) {
			return fmt.Errorf("function %q has no body", f.Name)
		}
		f.bodyPos = bodies[n]
		n++
	}
	if n != len(bodies) {
		return fmt.Errorf("%d function bodies for %d functions", len(bodies), n)
	}
	if m.strtab == nil {
		m.nameFromVST()
	}
	return m.checkRefs()
}

func (m *Module) nameFromVST() {
	for id := range m.Values {
		name := m.vst[ValueID(id)]
		switch v := &m.Values[id]; v.Kind {
		case ValGlobal:
			m.Globals[v.Index].Name = name
		case ValFunc:
			m.Funcs[v.Index].Name = name
		case ValAlias:
			m.Aliases[v.Index].Name = name
		}
	}
}

func (m *Module) checkRefs() error {
	n := ValueID(len(m.Values))
	for i := range m.Globals {
		if g := &m.Globals[i]; g.Init != NoValue && g.Init >= n {
			return fmt.Errorf("initialiser of %q does not exist", g.Name)
		}
	}
	for i := range m.Funcs {
		if f := &m.Funcs[i]; f.Personality != NoValue && f.Personality >= n {
			return fmt.Errorf("personality of %q does not exist", f.Name)
		}
	}
	for i := range m.Aliases {
		if a := &m.Aliases[i]; a.Target >= n {
			return fmt.Errorf("target of alias %q does not exist", a.Name)
		}
	}
	for i := range m.Values {
		if err := m.Values[i].check(n); err != nil {
			return err
		}
	}
	return m.MD.check(n, m)
}
