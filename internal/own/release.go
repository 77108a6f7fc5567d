// This file puts the ways to release an object in order.

package own

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/source"
)

// A Release is one way to release an object.
type Release struct {
	Name  string    // as calls spell it: "request_free", "free"; for operators "delete", "delete[]"
	Func  ir.FuncID // 0 when the program does not name it yet
	Form  Form
	Field string   // for OfOwner: the field of the owner that holds the object
	Args  []string // all arguments; "" at Arg, which is the object
	Arg   int

	Before  []Part  // what goes first, because the object holds it
	Counted bool    // gives up one reference: the object goes if it is the last
	Also    []int64 // at these offsets the object must hold null or what may be released: that goes with it

	Why     Why
	Count   int             // calls that are evidence for it
	Example source.Position // one of these, to see how the source spells it; not valid for Family
	More    bool            // it does more than to release the object
	Told    bool            // the check says as well that the function releases it; otherwise it only looks so
	Seen    bool            // the unit of the object names the function already, or defines it
}

// A Form is what is passed for an object that p holds.
type Form uint8

const (
	OfPointer   Form = iota + 1 // f(p)
	OfAddress                   // f(&p)
	OfOwner                     // f(&s) or f(s), where p is s.field or s->field
	Method                      // p->f()
	Delete                      // delete p
	DeleteArray                 // delete[] p
)

// A Why says what speaks for a release; better reasons are less.
type Why uint8

const (
	SameObject Why = iota + 1 // this very object is released so, on other paths
	SameMaker                 // objects that the same function makes are
	SameType                  // it is for objects of the type
	Family                    // it is for objects of the allocator
)

func (w Why) String() string {
	return [...]string{SameObject: "object", SameMaker: "maker", SameType: "type", Family: "family"}[w]
}

// Text spells the release of an object that is held by an expression.
func (r *Release) Text(holder string) (string, bool) {
	arg := holder
	switch r.Form {
	case Delete, DeleteArray:
		return r.Name + " " + operand(holder), true
	case Method:
		return operand(holder) + "->" + r.Name + "()", true
	case OfAddress:
		if at, ok := strings.CutPrefix(holder, "*"); ok {
			arg = at
		} else {
			arg = "&" + operand(holder)
		}
	case OfOwner:
		if owner, ok := strings.CutSuffix(holder, "->"+r.Field); ok {
			arg = owner
		} else if owner, ok := strings.CutSuffix(holder, "."+r.Field); ok {
			arg = "&" + operand(owner)
		} else {
			return "", false
		}
	}
	args := slices.Clone(r.Args)
	args[r.Arg] = arg
	return r.Name + "(" + strings.Join(args, ", ") + ")", true
}

// operand puts what is not a plain name, field or element into brackets.
func operand(e string) string {
	if strings.HasPrefix(e, "*") || strings.ContainsAny(e, " ?+") {
		return "(" + e + ")"
	}
	return e
}

// Releasers returns ways to release an object, the likeliest first.
func (x *Index) Releasers(o Object) []Release {
	x.gather()
	in, moved := x.innermost(o)
	var found []candidate
	by := func(clues []clue, why Why) {
		for _, far := range []reach{local, passed, stored} {
			for _, g := range x.grouped(o, clues, far) {
				if (why == SameObject || g.owner == 0) && (g.held || x.fits(o, moved, g.by, g.arg)) {
					found = append(found, candidate{g, why, x.rank(o, g, why, far)})
				}
			}
		}
	}
	by(x.evidence[o.key()], SameObject)
	by(x.alike(o), SameMaker)
	for _, g := range x.destructors(o) {
		if !g.held && !x.fits(o, moved, g.by, g.arg) {
			continue
		}
		found = append(found, candidate{g, SameType, x.rank(o, g, SameType, 0)})
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.rank, b.rank) })

	var list []Release
	add := func(r Release, ok bool) {
		if ok && !slices.ContainsFunc(list, func(y Release) bool { return y.same(&r) }) {
			list = append(list, r)
		}
	}
	late := slices.IndexFunc(found, func(c candidate) bool { return c.rank >= last })
	if late < 0 {
		late = len(found)
	}
	for _, c := range found[:late] {
		add(x.spelt(o, c.group, c.why))
	}
	if !moved { // otherwise there is something in front of what callers see
		for _, far := range []reach{local, passed} {
			if groups := x.grouped(Object{}, x.anything[in], far); len(groups) > 0 && !groups[0].held {
				add(x.spelt(o, groups[0], SameMaker))
			}
		}
		for _, r := range x.ofFamily(o) {
			add(r, o.Place == nil || !x.isWrapped(r.Func))
		}
	}
	for _, c := range found[late:] {
		add(x.spelt(o, c.group, c.why))
	}
	return x.ofAll(o, list)
}

// alike returns the clues for objects of the same type that the same function makes.
// That other strings of strdup are released in some way says little.
func (x *Index) alike(o Object) []clue {
	m := x.makerOf(o)
	if m.fn == 0 || x.p.Funcs[m.fn].IsDecl() && (m.typ == "" || basic[m.typ]) {
		return nil
	}
	if list := x.makers[m]; len(list) > 0 || m.held {
		return list
	}
	return x.anything[m.fn]
}

func (x *Index) makerOf(o Object) maker {
	return maker{x.p.Funcs[o.Func].Callee(o.Site), x.typeOf(o), o.Place != nil, o.key().place}
}

// same reports whether both are spelt alike.
func (r *Release) same(s *Release) bool {
	return r.Name == s.Name && r.Form == s.Form && r.Field == s.Field && r.Arg == s.Arg && slices.Equal(r.Args, s.Args)
}

// spelt makes a release of the object like those of a group.
func (x *Index) spelt(o Object, g *group, why Why) (Release, bool) {
	callee := &x.p.Funcs[g.by]
	r := Release{Name: callee.SourceName(), Func: g.by, Form: OfPointer, Arg: g.arg, Why: why, Count: len(g.all)}
	e := x.effect(g)
	r.More = x.doesMore(o, g)
	r.Counted, r.Also, r.Told = e.Counted, e.Also, slices.ContainsFunc(x.view.ReleasedBy(g.by), func(y leak.Release) bool {
		return y.Arg == g.arg && y.Held == g.held && y.Off == g.off
	})
	if len(g.all) > 0 {
		r.Example = x.position(x.releases[g.all[0]].at)
	}
	for _, i := range g.all { // in the function itself, if there is one
		if x.releases[i].at.fn == o.Func {
			r.Example = x.position(x.releases[i].at)
			break
		}
	}
	var ok bool
	if r.Seen, ok = x.visible(g.by, o.Func); !ok {
		return r, false
	}
	if m := x.models.Lookup(callee.Name); m != nil && callee.IsDecl() {
		r.Name = m.DisplayName()
	}
	switch {
	case r.Name == "operator delete":
		r.Name, r.Form = "delete", Delete
		return r, true
	case r.Name == "operator delete[]":
		r.Name, r.Form = "delete[]", DeleteArray
		return r, true
	case strings.Contains(r.Name, "~") || callee.Flags&ir.Artificial != 0:
		return r, false
	}
	if callee.Display != "" && x.isThis(callee, g.arg) {
		if g.held || callee.NParams != 1 {
			return r, false
		}
		r.Form, r.Name = Method, r.Name[strings.LastIndex(r.Name, ":")+1:]
		return r, true
	}
	if g.held {
		r.Form = OfAddress
		if g.owner != 0 && x.pointee(value{g.by, ir.ValueID(g.arg + 1)}) != 0 {
			r.Form = OfOwner
			if r.Field = x.fieldName(g.owner, g.field); r.Field == "" {
				return r, false
			}
		} else if g.off != 0 && !callee.IsDecl() { // a library keeps things where only it can see them
			return r, false
		}
	}
	r.Args, ok = x.otherArgs(o, g)
	return r, ok
}

// isThis reports whether parameter i of f is the object that f is a method of.
func (x *Index) isThis(f *ir.Func, i int) bool {
	if f.IsDecl() || i != 0 || f.NParams == 0 {
		return false
	}
	n := f.Values[1].Var
	return n != 0 && f.Vars[n].Artificial
}

// fieldName returns the name of the field at an offset, or "" if it has none.
func (x *Index) fieldName(s ir.StructID, off int64) string {
	for _, fd := range x.p.Structs[s].Fields {
		if int64(fd.Off) == off {
			return fd.Name
		}
	}
	return ""
}

// ofFamily returns the releases that models name.
func (x *Index) ofFamily(o Object) []Release {
	var list []Release
	for _, m := range x.view.Made(o.Func, o.Site) {
		if m.Family == "" || (Object{o.Func, o.Site, m.Place}).key() != o.key() {
			continue
		}
		r := Release{Name: m.Family, Form: OfPointer, Why: Family, Told: true, Args: []string{""}}
		for i := range x.p.Funcs {
			if x.p.Funcs[i].Name == m.Family {
				r.Func = ir.FuncID(i)
			}
		}
		_, named := x.used[use{x.p.Funcs[o.Func].Unit, r.Func}]
		r.Seen = r.Func != 0 && named
		if f := x.models.Lookup(m.Family); f != nil {
			switch r.Name = f.DisplayName(); r.Name {
			case "operator delete":
				r.Name, r.Form, r.Args = "delete", Delete, nil
			case "operator delete[]":
				r.Name, r.Form, r.Args = "delete[]", DeleteArray, nil
			default:
				if len(f.Params) != 1 || f.Variadic {
					continue
				}
				if !f.ReleasesParam(0) {
					r.Form = OfAddress
				}
			}
		}
		list = append(list, r)
	}
	return list
}

// String describes the release for dumps.
func (r *Release) String() string {
	t, ok := r.Text("_")
	if !ok {
		t, _ = r.Text("_." + r.Field)
	}
	for i := len(r.Before) - 1; i >= 0; i-- {
		at := "_"
		if f := r.Before[i].Field; f != "" {
			at += "->" + f
		}
		first, _ := r.Before[i].Release.Text(at)
		t = first + "; " + t
	}
	return fmt.Sprintf("%s by %s, %d", t, r.Why, r.Count)
}
