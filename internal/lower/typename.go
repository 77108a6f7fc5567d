// This file spells types the way C does.

package lower

import (
	"strings"

	"github.com/plumb-project/plumb/internal/bitcode"
)

// typeName returns a type as text: "char *", "struct cfg", "const int [4]".
func (b *builder) typeName(id bitcode.MDID) string {
	if id == bitcode.NoMD {
		return "void"
	}
	if s, ok := b.typeText[id]; ok {
		return s
	}
	s := b.spell(b.body.MD, id, 0)
	if id < b.m.MD.Len() { // a function's own nodes are numbered anew in the next
		b.typeText[id] = s
	}
	return s
}

func (b *builder) spell(md *bitcode.Metadata, id bitcode.MDID, depth int) string {
	if id == bitcode.NoMD {
		return "void"
	}
	t, ok := md.Type(id, b.m.constUint)
	if !ok || depth > 20 {
		return "?"
	}
	switch t.Tag {
	case bitcode.TagPointer, bitcode.TagReference, bitcode.TagRValueRef:
		return b.spellPointer(md, &t, depth)
	case bitcode.TagConst:
		return qualify(b.spell(md, t.Base, depth+1), "const")
	case bitcode.TagVolatile:
		return qualify(b.spell(md, t.Base, depth+1), "volatile")
	case bitcode.TagRestrict, bitcode.TagAtomic:
		return b.spell(md, t.Base, depth+1)
	case bitcode.TagArray:
		return b.spell(md, t.Base, depth+1) + " []"
	case bitcode.TagFunc:
		return "function"
	case bitcode.TagStruct, bitcode.TagClass, bitcode.TagUnion, bitcode.TagEnum:
		return b.spellTagged(md, &t)
	}
	if t.Name == "" {
		return "?"
	}
	return qualified(md, t.Scope, t.Name)
}

func (b *builder) spellPointer(md *bitcode.Metadata, t *bitcode.DIType, depth int) string {
	mark := map[uint32]string{bitcode.TagPointer: "*", bitcode.TagReference: "&", bitcode.TagRValueRef: "&&"}[t.Tag]
	if base, ok := md.Type(t.Base, b.m.constUint); ok && base.Tag == bitcode.TagFunc {
		return b.spellFunc(md, &base, mark, depth)
	}
	s := b.spell(md, t.Base, depth+1)
	if strings.HasSuffix(s, "*") {
		return s + mark
	}
	return s + " " + mark
}

// spellFunc spells a pointer to a function: "int (*)(char *)".
func (b *builder) spellFunc(md *bitcode.Metadata, fn *bitcode.DIType, mark string, depth int) string {
	types := md.List(fn.Elements)
	ret, params := "void", []string{}
	for i, p := range types {
		if s := b.spell(md, p, depth+1); i == 0 {
			ret = s
		} else {
			params = append(params, s)
		}
	}
	return ret + " (" + mark + ")(" + strings.Join(params, ", ") + ")"
}

// spellTagged spells a struct, union, enum or class; C++ leaves the keyword out.
func (b *builder) spellTagged(md *bitcode.Metadata, t *bitcode.DIType) string {
	keyword := map[uint32]string{bitcode.TagStruct: "struct", bitcode.TagUnion: "union", bitcode.TagEnum: "enum", bitcode.TagClass: "class"}[t.Tag]
	name := t.Name
	if name == "" {
		return keyword + " {...}"
	}
	if b.m.cxx {
		return qualified(md, t.Scope, name)
	}
	return keyword + " " + name
}

// qualify puts a qualifier where C wants it: before a plain type, after a pointer.
func qualify(s, q string) string {
	if strings.HasSuffix(s, "*") {
		return s + q
	}
	return q + " " + s
}
