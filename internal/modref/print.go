// This file shows the table as text.

package modref

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
)

// Print writes what the functions with a body whose name matches may write, in the
// order of the program.
//
//	parse  pure
//	fill  cfg.name, cfg.size, global count
//	log  global buf[...], library, any i8
func (t *Table) Print(w io.Writer, re *regexp.Regexp) error {
	var b strings.Builder
	for i := range t.p.Funcs {
		f := &t.p.Funcs[i]
		if f.IsDecl() || len(f.Blocks) == 0 || re != nil && !re.MatchString(f.Name) && !re.MatchString(f.SourceName()) {
			continue
		}
		fmt.Fprintf(&b, "%s  %s\n", f.SourceName(), t.written(ir.FuncID(i)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *Table) written(f ir.FuncID) string {
	if t.Pure(f) {
		return "pure"
	}
	if t.WritesNothing(f) {
		return "nothing"
	}
	var out []string
	s := t.sets[t.comp[f]]
	for n, a := range t.names {
		// globalSome goes with each other write of a global.
		if s.has(uint32(n)) && a.kind != globalSome {
			out = append(out, t.name(a))
		}
	}
	for _, th := range t.params[f] {
		out = append(out, fmt.Sprintf("%s by argument %d", t.name(th.a), th.param+1))
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), ", ")
}

// name returns an atom for a reader.
func (t *Table) name(a atom) string {
	switch a.kind {
	case field:
		return t.fieldName(ir.StructID(a.a), a.b)
	case fieldKnown:
		return t.fieldName(ir.StructID(a.a), a.b) + " of a global"
	case globalField:
		return t.global(a) + "." + t.fieldName(ir.StructID(a.b), uint32(a.off))
	case globalAt:
		if a.off == 0 {
			return t.global(a)
		}
		return fmt.Sprintf("%s+%d", t.global(a), a.off)
	case globalAny, globalSome:
		return t.global(a) + "[...]"
	case plain:
		return "any " + ir.Type(a.a).String()
	case plainKnown:
		return "a named " + ir.Type(a.a).String()
	case anyBytes:
		return "any bytes"
	case library:
		return "library"
	case elsewhere:
		return "globals defined elsewhere"
	}
	panic(fmt.Sprintf("modref: bad atom %d", a.kind))
}

func (t *Table) global(a atom) string { return "global " + t.p.Globals[a.a].SourceName() }

func (t *Table) fieldName(s ir.StructID, i uint32) string {
	x := &t.p.Structs[s]
	name := x.Fields[i].Name
	if name == "" {
		name = fmt.Sprintf("%d", i)
	}
	return x.Name + "." + name
}
