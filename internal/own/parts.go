// This file finds what must be released before an object, because it holds it.

package own

import (
	"cmp"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
)

// A Part is something that goes before an object: what one of its fields holds, or what a
// function releases that is given the object.
type Part struct {
	Field   string // "" for a function that is given the object
	Release Release
}

// Lines spells the release of an object that is held by an expression, with what goes
// before it: one call each.
func (r *Release) Lines(holder string) ([]string, bool) {
	var lines []string
	for _, p := range r.Before {
		at := holder
		if p.Field != "" {
			at = operand(holder) + "->" + p.Field
		}
		text, ok := p.Release.Text(at)
		if !ok {
			return nil, false
		}
		lines = append(lines, text)
	}
	text, ok := r.Text(holder)
	return append(lines, text), ok
}

// Whole is Releasers with, before each release that leaves what the object holds, one that
// does not.
func (x *Index) Whole(o Object) []Release {
	list := x.Releasers(o)
	fields := x.ownedFields(o)
	var out []Release
	for _, r := range list {
		if r.Form == OfPointer || r.Form == Delete {
			full := r
			full.Before = x.companions(o, &r)
			if r.Form == OfPointer {
				for _, f := range fields {
					if !slices.Contains(r.Also, f.off) {
						full.Before = append(full.Before, f.Part)
					}
				}
			}
			if len(full.Before) > 0 {
				out = append(out, full)
			}
		}
		out = append(out, r)
	}
	return out
}

// An owned is a field of an object, and how what it holds is released.
type owned struct {
	off int64
	Part
}

// ownedFields returns the fields of an object in which the function of the object, or its
// maker, leaves something new.
func (x *Index) ownedFields(o Object) []owned {
	if o.Place != nil {
		return nil
	}
	at := value{o.Func, o.Site}
	s := x.madeStruct(at)
	if s == 0 {
		return nil
	}
	inner := map[int64]Object{}
	for _, m := range x.view.Made(o.Func, o.Site) {
		if pl := m.Place; pl != nil && pl.Arg < 0 && pl.Global == 0 && !pl.Deep {
			inner[pl.Off] = Object{o.Func, o.Site, pl}
		}
	}
	f := &x.p.Funcs[o.Func]
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		if f.Values[v].Op != ir.OpStore || f.Values[f.ArgsOf(v)[0]].Type.Kind() != ir.Ptr {
			continue
		}
		near := x.slotsAt(o.Func, f.ArgsOf(v)[1], 0)[0]
		if f.Values[f.ArgsOf(v)[0]].Op == ir.OpGep || !x.mayBe(value{o.Func, near.val}, at) {
			continue
		}
		for _, from := range x.readFrom(value{o.Func, f.ArgsOf(v)[0]}) {
			if f.Values[from.id].Op.IsCall() && from != at && x.makesResult(from) {
				inner[near.off] = Object{Func: o.Func, Site: from.id}
			}
		}
	}
	var out []owned
	for off, in := range inner {
		name := x.fieldPath(s, off)
		if name == "" {
			continue
		}
		list := x.Releasers(in)
		if i := slices.IndexFunc(list, func(r Release) bool { return r.Form == OfPointer }); i >= 0 {
			out = append(out, owned{off, Part{name, list[i]}})
		}
	}
	slices.SortFunc(out, func(a, b owned) int { return cmp.Compare(a.off, b.off) })
	return out
}

// fieldPath returns how a field at an offset is spelt: name, or pos.name for one of a struct
// in the struct.
func (x *Index) fieldPath(s ir.StructID, off int64) string {
	var names []string
	for range 4 {
		i := slices.IndexFunc(x.p.Structs[s].Fields, func(fd ir.Field) bool {
			return int64(fd.Off) <= off && off < int64(fd.Off+max(fd.Type.Bytes(), 1))
		})
		if i < 0 {
			return ""
		}
		fd := &x.p.Structs[s].Fields[i]
		if fd.Name == "" || fd.Struct != 0 && x.p.Structs[fd.Struct].Size != fd.Type.Bytes() {
			return ""
		}
		names = append(names, fd.Name)
		if off -= int64(fd.Off); fd.Struct == 0 {
			if off != 0 || fd.Type.Kind() != ir.Ptr {
				return ""
			}
			return strings.Join(names, ".")
		}
		s = fd.Struct
	}
	return ""
}

// companions returns the functions that empty objects right before they are released in
// the same way elsewhere, if that is the rule.
func (x *Index) companions(o Object, r *Release) []Part {
	m := x.makerOf(o)
	var with []int
	counts := map[param]int{}
	total := 0
	for _, c := range slices.Concat(x.evidence[o.key()], x.makers[m]) {
		e := &x.releases[c.release]
		if x.canon(e.by) != x.canon(r.Func) || e.Held || e.by == 0 || slices.Contains(with, c.release) {
			continue
		}
		with = append(with, c.release)
		total++
		for _, p := range x.emptiedBefore(e) {
			counts[p]++
		}
	}
	var out []Part
	for p, n := range counts {
		if 2*n <= total {
			continue
		}
		g := &group{by: p.fn, arg: p.i}
		for _, i := range with {
			for _, call := range x.callsBefore(&x.releases[i]) {
				if x.canon(x.p.Funcs[call.fn].Callee(call.id)) == p.fn {
					g.calls = append(g.calls, call)
				}
			}
		}
		if y, ok := x.spelt(o, g, SameMaker); ok {
			out = append(out, Part{Release: y})
		}
	}
	slices.SortFunc(out, func(a, b Part) int { return cmp.Compare(a.Release.Name, b.Release.Name) })
	return out
}

// callsBefore returns the calls before a release in its block.
func (x *Index) callsBefore(e *release) []value {
	f := &x.p.Funcs[e.at.fn]
	var out []value
	for v := e.at.id - 1; v >= f.Blocks[f.BlockOf(e.at.id)].First; v-- {
		if f.Callee(v) != 0 {
			out = append(out, value{e.at.fn, v})
		}
	}
	return out
}

// emptiedBefore returns the functions that are given what is released, before, and release
// what it holds.
func (x *Index) emptiedBefore(e *release) []param {
	f := &x.p.Funcs[e.at.fn]
	victim := x.readFrom(value{e.at.fn, f.ArgsOf(e.at.id)[1+e.Arg]})
	var out []param
	for _, call := range x.callsBefore(e) {
		c := x.canon(f.Callee(call.id))
		for i, a := range f.ArgsOf(call.id)[1:] {
			p := param{c, i}
			if x.view.Empties(c, i) && slices.Equal(x.readFrom(value{e.at.fn, a}), victim) && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}
