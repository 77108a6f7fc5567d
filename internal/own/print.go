// This file prints what was found out.

package own

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// Print writes, for each object that functions with matching names make, how it is
// released; nil matches all.
//
//	use a.c:20:19 req_new
//	  req_free(_) by object, 1
//	  free(_) by family, 0
//
// After these come, if all are asked for, the fields and globals that pointers are stored
// in: which of them own what they point to, and why the others do not.
//
//	owns req.name
//	not mode: mode is not null from the start: a.c:12
func (x *Index) Print(w io.Writer, match *regexp.Regexp) error {
	objects := slices.Clone(x.objects)
	slices.SortStableFunc(objects, func(a, b Object) int {
		return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.Site, b.Site))
	})
	for _, o := range objects {
		f := &x.p.Funcs[o.Func]
		if match != nil && !match.MatchString(f.Name) && !match.MatchString(f.SourceName()) {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s %s %s\n", f.SourceName(), x.position(value{o.Func, o.Site}), x.made(o)); err != nil {
			return err
		}
		for _, r := range x.Whole(o) {
			if _, err := fmt.Fprintf(w, "  %s\n", &r); err != nil {
				return err
			}
		}
	}
	if match != nil {
		return nil
	}
	return x.printOwners(w)
}

func (x *Index) printOwners(w io.Writer) error {
	slots := slices.DeleteFunc(slices.Collect(maps.Keys(x.stores)), func(s slot) bool { return s.kind == nearSlot })
	slices.SortFunc(slots, func(a, b slot) int {
		return cmp.Or(cmp.Compare(x.spellSlot(a), x.spellSlot(b)), cmp.Compare(a.kind, b.kind), cmp.Compare(a.id, b.id), cmp.Compare(a.off, b.off))
	})
	for _, s := range slots {
		text := "owns " + x.spellSlot(s)
		if err := x.holding(s).verdict(); err != nil {
			text = fmt.Sprintf("not %s: %v", x.spellSlot(s), err)
		}
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	return nil
}

// made says which function makes an object, and what it is.
func (x *Index) made(o Object) string {
	f := &x.p.Funcs[o.Func]
	text := "a call through a pointer"
	if c := f.Callee(o.Site); c != 0 {
		text = x.p.Funcs[c].SourceName()
	}
	if t := x.typeOf(o); t != "" {
		text += ", " + t
	}
	if o.Place != nil {
		if slots := x.slotsOf(o); len(slots) > 0 {
			text += " in " + x.spellSlot(slots[len(slots)-1])
		} else {
			text += " in something it leaves"
		}
	}
	return text
}

// spellSlot names a slot.
func (x *Index) spellSlot(s slot) string {
	switch s.kind {
	case fieldSlot:
		st := &x.p.Structs[s.id]
		if n := x.fieldName(ir.StructID(s.id), s.off); n != "" {
			return st.Name + "." + n
		}
		return fmt.Sprintf("%s+%d", st.Name, s.off)
	case globalSlot:
		return x.p.Globals[s.id].SourceName()
	}
	f := &x.p.Funcs[s.id]
	if n := f.Values[s.val].Var; n != 0 {
		return f.Vars[n].Name
	}
	return "memory"
}
