// This file follows reference counts: who takes a reference, who gives one up, and
// who forgets one.

package leak

import (
	"maps"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// counters finds the fields that count references: some function lowers them by
// one and compares what is left with 0.
func counters(p *ir.Program) map[ir.Step]bool {
	out := map[ir.Step]bool{}
	for i := range p.Funcs {
		f := &p.Funcs[i]
		lowered := map[ir.ValueID]ir.Step{} // by what is left
		for v := range f.Values {
			if v := ir.ValueID(v); f.Values[v].Op == ir.OpStore {
				if field, by, ok := changed(f, v); ok && by == -1 {
					lowered[f.ArgsOf(v)[0]] = field
				}
			}
		}
		for v := range f.Values {
			if x := &f.Values[v]; x.Op == ir.OpICmp && len(lowered) > 0 {
				args := f.ArgsOf(ir.ValueID(v))
				field, ok := lowered[args[0]]
				if !ok {
					field, ok = loadOf(f, args[0])
					ok = ok && slices.Contains(slices.Collect(maps.Values(lowered)), field)
				}
				if n, zero := f.ConstInt(args[1]); ok && zero && n == 0 {
					out[field] = true
				}
			}
		}
	}
	return out
}

// changed reports whether a store adds a number to a field.
func changed(f *ir.Func, store ir.ValueID) (field ir.Step, by int64, ok bool) {
	val, addr := f.ArgsOf(store)[0], f.ArgsOf(store)[1]
	x := &f.Values[val]
	if x.Op != ir.OpAdd && x.Op != ir.OpSub {
		return field, 0, false
	}
	by, ok = f.ConstInt(f.ArgsOf(val)[1])
	if x.Op == ir.OpSub {
		by = -by
	}
	from, loaded := loadOf(f, f.ArgsOf(val)[0])
	field, named := fieldAt(f, addr)
	return field, by, ok && loaded && named && from == field
}

// loadOf returns the field that v is loaded from.
func loadOf(f *ir.Func, v ir.ValueID) (ir.Step, bool) {
	if f.Values[v].Op != ir.OpLoad {
		return ir.Step{}, false
	}
	return fieldAt(f, f.ArgsOf(v)[0])
}

// fieldAt returns the field at an address.
func fieldAt(f *ir.Func, addr ir.ValueID) (ir.Step, bool) {
	if f.Values[addr].Op != ir.OpGep {
		return ir.Step{}, false
	}
	g := &f.Geps[f.Values[addr].Aux]
	if g.NStep == 0 || g.NStride > 0 {
		return ir.Step{}, false
	}
	return f.Steps[g.Step+g.NStep-1], true
}

// refer notes that a store changes the reference count of the object.
func (w *walker) refer(s *state, store ir.ValueID) {
	f := w.fn.f
	field, by, ok := changed(f, store)
	if !ok || s.before || by != 1 && by != -1 || !w.fn.counters[field] || !s.holdsValue(w.fn.baseOf(f.ArgsOf(store)[1])) {
		return
	}
	s.refs = min(s.refs+int8(by), 3)
}

// countsRefs reports whether the function changes the reference count of a parameter.
func (fn *function) countsRefs(param ir.ValueID) bool {
	for v := fn.f.Blocks[1].First; int(v) < len(fn.f.Values); v++ {
		if fn.f.Values[v].Op == ir.OpStore {
			if field, _, ok := changed(fn.f, v); ok && fn.counters[field] && fn.baseOf(fn.f.ArgsOf(v)[1]) == param {
				return true
			}
		}
	}
	return false
}

// forgetsRefs tells functions that take a reference for the caller, on all their
// paths, from those that take one and forget it on some.
func forgetsRefs(list []outcome) {
	always := !slices.ContainsFunc(list, func(o outcome) bool { return o.effect == borrows && o.refs <= 0 })
	for i := range list {
		if o := &list[i]; o.effect == borrows {
			switch {
			case o.refs <= 0:
			case always:
				o.where = nil
			default:
				o.forgets = true
			}
		}
	}
}

// reference applies what a call does to the references of the object. It reports
// whether that is all: one of several was given up.
func (w *walker) reference(s *state, v ir.ValueID, a *act) (done bool) {
	switch {
	case a.effect == borrows && a.where != nil && a.refs == 0:
		s.unlinked, s.unlinkedAt = a.where, v
	case a.effect == borrows && a.forgets:
		s.forgot, s.forgotAt = a.where, v
	case a.effect == borrows && a.refs > 0 || a.effect == returns && a.refs > 0:
		s.refs = min(s.refs+a.refs, 3)
	case a.effect == consumes && a.counted && s.refs > 0:
		s.refs--
		return true
	case a.effect == consumes && a.counted && s.forgot != nil && !w.given:
		s.held("")
		s.in = s.forgot
		s.lose(abandoned, s.forgotAt, s.forgot.text)
		return true
	}
	return false
}
