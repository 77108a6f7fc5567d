// This file reads attribute groups and lists.

package bitcode

// An Attr is an attribute by LLVM's number.
type Attr uint16

// Attributes that are asked for by name.
const (
	AttrByVal        Attr = 3
	AttrNoAlias      Attr = 9
	AttrNoCapture    Attr = 11
	AttrNoReturn     Attr = 17
	AttrNoUnwind     Attr = 18
	AttrReadNone     Attr = 20
	AttrReadOnly     Attr = 21
	AttrReturned     Attr = 22
	AttrReturnsTwice Attr = 23
	AttrSRet         Attr = 29
	AttrNonNull      Attr = 39
	AttrAllocSize    Attr = 51
	AttrAllocPtr     Attr = 81
	AttrAllocKind    Attr = 82
	AttrMemory       Attr = 86
	AttrCaptures     Attr = 102
)

// Slots of an AttrList beside the parameters.
const (
	SlotReturn = 0          // parameter i has slot i+1
	SlotFunc   = 0xffffffff // the function itself
)

// An AttrList is the attributes of one function or call.
type AttrList struct {
	groups []attrGroup
}

type attrGroup struct {
	slot    uint64
	enums   []Attr
	ints    []attrInt
	strings []attrString
}

type attrInt struct {
	attr  Attr
	value uint64
}

type attrString struct{ key, value string }

// Has reports whether slot has the attribute, with a value or without.
func (l *AttrList) Has(slot uint64, a Attr) bool {
	for i := range l.groups {
		g := &l.groups[i]
		if g.slot != slot {
			continue
		}
		for _, x := range g.enums {
			if x == a {
				return true
			}
		}
		for _, x := range g.ints {
			if x.attr == a {
				return true
			}
		}
	}
	return false
}

// Int returns the value of an attribute that carries a number.
func (l *AttrList) Int(slot uint64, a Attr) (v uint64, ok bool) {
	for i := range l.groups {
		g := &l.groups[i]
		if g.slot != slot {
			continue
		}
		for _, x := range g.ints {
			if x.attr == a {
				return x.value, true
			}
		}
	}
	return 0, false
}

// String returns the value of a string attribute such as "alloc-family".
func (l *AttrList) String(slot uint64, key string) (v string, ok bool) {
	for i := range l.groups {
		g := &l.groups[i]
		if g.slot != slot {
			continue
		}
		for _, x := range g.strings {
			if x.key == key {
				return x.value, true
			}
		}
	}
	return "", false
}

// Kinds of attribute in a group record.
const (
	attrEnum      = 0
	attrInteger   = 1
	attrStr       = 3
	attrStrVal    = 4
	attrType      = 5
	attrTypeVal   = 6
	attrRange     = 7
	attrRangeList = 8
)

// readAttrGroups reads the PARAMATTR_GROUP block.
func (m *Module) readAttrGroups(r *reader) {
	m.groups = map[uint64]attrGroup{}
	r.enterBlock(blkParamAttrGroup)
	r.walk(r.refuse("the attribute groups"), func(code uint64) {
		if code != 3 { // PARAMATTR_GRP_CODE_ENTRY
			r.fail("unknown attribute group record %d", code)
			return
		}
		id := r.at(0)
		m.groups[id] = readAttrGroup(r)
	})
}

func readAttrGroup(r *reader) attrGroup {
	g := attrGroup{slot: r.at(1)}
	for i := 2; i < len(r.rec) && r.err == nil; {
		kind := r.rec[i]
		i++
		switch kind {
		case attrEnum, attrType:
			g.enums = append(g.enums, Attr(r.at(i)))
			i++
		case attrInteger, attrTypeVal:
			g.ints = append(g.ints, attrInt{Attr(r.at(i)), r.at(i + 1)})
			i += 2
		case attrStr, attrStrVal:
			var s attrString
			s.key, i = cstring(r, i)
			if kind == attrStrVal {
				s.value, i = cstring(r, i)
			}
			g.strings = append(g.strings, s)
		case attrRange:
			g.enums = append(g.enums, Attr(r.at(i)))
			i = skipRange(r, i+2, r.at(i+1))
		case attrRangeList:
			g.enums = append(g.enums, Attr(r.at(i)))
			n, bits := r.at(i+1), r.at(i+2)
			i += 3
			for k := uint64(0); k < n && r.err == nil; k++ {
				i = skipRange(r, i, bits)
			}
		default:
			r.fail("unknown kind of attribute %d", kind)
		}
	}
	return g
}

// cstring reads a string that ends in 0 from the record.
func cstring(r *reader, i int) (string, int) {
	var b []byte
	for ; r.at(i) != 0; i++ {
		b = append(b, byte(r.rec[i]))
	}
	return string(b), i + 1
}

// skipRange passes over one constant range of the given width.
func skipRange(r *reader, i int, bits uint64) int {
	if bits <= 64 {
		r.at(i + 1)
		return i + 2
	}
	words := r.at(i)
	n := int(words&0xffff) + int(words>>32&0xffff)
	r.at(i + n)
	return i + 1 + n
}

// readAttrLists reads the PARAMATTR block.
func (m *Module) readAttrLists(r *reader) {
	r.enterBlock(blkParamAttr)
	r.walk(r.refuse("the attribute lists"), func(code uint64) {
		if code != 2 { // PARAMATTR_CODE_ENTRY
			r.fail("unknown attribute list record %d", code)
			return
		}
		var l AttrList
		for _, id := range r.rec {
			g, ok := m.groups[id]
			if !ok {
				r.fail("attribute group %d does not exist", id)
				return
			}
			l.groups = append(l.groups, g)
		}
		m.Attrs = append(m.Attrs, l)
	})
}

// AttrList returns attribute list i of a function or call; list 0 is empty.
func (m *Module) AttrList(i uint32) *AttrList {
	if i == 0 {
		return &AttrList{}
	}
	return &m.Attrs[i-1]
}
