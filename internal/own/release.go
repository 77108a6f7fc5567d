// This file puts the ways to release an object in order.

package own

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
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

	Counted bool    // gives up one reference: the object goes if it is the last
	Also    []int64 // at these offsets the object must hold null or what may be released: that goes with it

	Why     Why
	Count   int             // calls that are evidence for it
	Example source.Position // one of these, to see how the source spells it; not valid for Family
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
		arg = "&" + operand(holder)
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
	var list []Release
	add := func(r Release, ok bool) {
		if ok && !slices.ContainsFunc(list, func(y Release) bool { return y.same(&r) }) {
			list = append(list, r)
		}
	}
	for _, far := range []reach{local, passed} {
		for _, g := range x.grouped(x.evidence[o.key()], func(c clue) bool { return c.reach == far }) {
			add(x.spelt(o, g, SameObject))
		}
	}
	m := maker{x.p.Funcs[o.Func].Callee(o.Site), x.typeOf(o), o.Place != nil}
	var alike []clue
	if m.fn != 0 && !(x.p.Funcs[m.fn].IsDecl() && x.names[m.typ] == 0) { // that other strings of strdup are released in some way says little
		alike = x.makers[m]
	}
	for _, g := range x.grouped(alike, func(c clue) bool { return c.reach != stored }) {
		add(x.spelt(o, g, SameMaker))
	}
	for _, g := range x.grouped(x.evidence[o.key()], func(c clue) bool { return c.reach == stored }) {
		add(x.spelt(o, g, SameObject))
	}
	for _, g := range x.grouped(alike, func(c clue) bool { return c.reach == stored }) {
		add(x.spelt(o, g, SameMaker))
	}
	for _, r := range x.ofFamily(o) {
		add(r, true)
	}
	return list
}

// same reports whether both are spelt alike.
func (r *Release) same(s *Release) bool {
	return r.Name == s.Name && r.Form == s.Form && r.Field == s.Field && r.Arg == s.Arg && slices.Equal(r.Args, s.Args)
}

// A group is releases by one function in one form.
type group struct {
	by    ir.FuncID
	arg   int
	held  bool
	off   int64
	owner ir.StructID // for what is held in a struct
	all   []int       // index Index.releases
}

// grouped puts together the clues of releases by one function, most used first.
func (x *Index) grouped(clues []clue, want func(clue) bool) []*group {
	var groups []*group
	for _, c := range clues {
		r := &x.releases[c.release]
		if r.by == 0 || !want(c) || !r.Always && !r.Counted {
			continue
		}
		g := group{by: r.by, arg: r.Arg, held: r.Held, off: r.Off}
		if r.Held {
			if s, ok := x.slotNear(r.at.fn, x.p.Funcs[r.at.fn].ArgsOf(r.at.id)[1+r.Arg], r.Off); ok && s.kind == fieldSlot {
				g.owner = ir.StructID(s.id)
			}
		}
		i := slices.IndexFunc(groups, func(y *group) bool {
			return y.by == g.by && y.arg == g.arg && y.held == g.held && y.off == g.off && y.owner == g.owner
		})
		if i < 0 {
			i, groups = len(groups), append(groups, &g)
		}
		groups[i].all = append(groups[i].all, c.release)
	}
	slices.SortStableFunc(groups, func(a, b *group) int {
		return cmp.Or(cmp.Compare(x.counted(a), x.counted(b)), cmp.Compare(len(b.all), len(a.all)))
	})
	return groups
}

func (x *Index) counted(g *group) int {
	if x.releases[g.all[0]].Counted {
		return 1
	}
	return 0
}

// spelt makes a release of the object like those of a group.
func (x *Index) spelt(o Object, g *group, why Why) (Release, bool) {
	callee := &x.p.Funcs[g.by]
	first := &x.releases[g.all[0]]
	r := Release{Name: callee.SourceName(), Func: g.by, Form: OfPointer, Arg: g.arg, Counted: first.Counted, Also: first.Also,
		Why: why, Count: len(g.all), Example: x.position(first.at)}
	for _, i := range g.all { // in the function itself, if there is one
		if x.releases[i].at.fn == o.Func {
			r.Example = x.position(x.releases[i].at)
			break
		}
	}
	unit := x.p.Funcs[o.Func].Unit
	r.Seen = x.used[use{unit, g.by}] || callee.Unit == unit && !callee.IsDecl()
	if !r.Seen && callee.Linkage == ir.Internal {
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
			if r.Field = x.fieldName(g.owner, g.off); r.Field == "" {
				return r, false
			}
		} else if g.off != 0 {
			return r, false
		}
	}
	var ok bool
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
		r := Release{Name: m.Family, Form: OfPointer, Why: Family, Args: []string{""}}
		for i := range x.p.Funcs {
			if x.p.Funcs[i].Name == m.Family {
				r.Func = ir.FuncID(i)
			}
		}
		r.Seen = r.Func != 0 && x.used[use{x.p.Funcs[o.Func].Unit, r.Func}]
		if f := x.models.Lookup(m.Family); f != nil {
			switch r.Name = f.DisplayName(); r.Name {
			case "operator delete":
				r.Name, r.Form = "delete", Delete
			case "operator delete[]":
				r.Name, r.Form = "delete[]", DeleteArray
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
	return fmt.Sprintf("%s by %s, %d", t, r.Why, r.Count)
}
