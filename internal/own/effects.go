// This file finds out what else a function does that releases something.

package own

import (
	"slices"

	"github.com/plumb-project/plumb/internal/callgraph"
	"github.com/plumb-project/plumb/internal/ir"
)

// A deed is what a function does besides: it writes memory that is not the object's, or
// calls a function of the library that may do anything.
type deed struct {
	slot slot // the memory, when it is known
	call bool
}

// maxDone bounds how many functions are looked into for one.
const maxDone = 400

// deeds returns what a call of fn does, whose parameter i is the object: all but releases,
// writes to the object and what is reached from it, and writes to its own variables. With
// i < 0 there is no object.
func (x *Index) deeds(fn ir.FuncID, i int) map[deed]bool {
	k := param{fn, i}
	if d, ok := x.done[k]; ok {
		return d
	}
	l := &look{x: x, deeds: map[deed]bool{}, seen: map[param]bool{}}
	l.function(k)
	x.done[k] = l.deeds
	return l.deeds
}

// A look goes through a function, and through those it calls.
type look struct {
	x     *Index
	deeds map[deed]bool
	seen  map[param]bool
}

func (l *look) function(k param) {
	f := &l.x.p.Funcs[k.fn]
	if l.seen[k] || f.IsDecl() {
		return
	}
	l.seen[k] = true
	if len(l.seen) > maxDone {
		l.deeds[deed{call: true}] = true
		return
	}
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		args := f.ArgsOf(v)
		switch op := f.Values[v].Op; {
		case op == ir.OpStore:
			l.write(f, k, args[1])
		case op == ir.OpMemcpy || op == ir.OpMemset || op == ir.OpAtomicRMW || op == ir.OpCmpXchg:
			l.write(f, k, args[0])
		case op.IsCall() && !l.x.ends(value{k.fn, v}):
			l.call(value{k.fn, v}, k.i)
		}
	}
}

// ends reports whether the process ends at a call, or soon after it.
func (x *Index) ends(call value) bool {
	calls := x.calls.CallsOf(call.fn)
	i, ok := slices.BinarySearchFunc(calls, call.id, func(c callgraph.Call, v ir.ValueID) int { return int(c.Site) - int(v) })
	return ok && (calls[i].Last || calls[i].NoReturn || calls[i].Doomed)
}

// write notes a write to an address.
func (l *look) write(f *ir.Func, k param, addr ir.ValueID) {
	x := l.x
	if x.ofObject(f, addr, k.i, 0) {
		return
	}
	if base := x.baseOf(value{k.fn, addr}); f.Values[base.id].Op == ir.OpAlloca || f.Values[base.id].Op.IsCall() && x.makesResult(base) {
		return
	}
	slots := x.slotsAt(k.fn, addr, 0)
	if s := slots[len(slots)-1]; s.kind != nearSlot {
		l.deeds[deed{slot: s}] = true
		return
	}
	l.deeds[deed{call: true}] = true
}

// ofObject reports whether a value is parameter i, or is reached from it.
func (x *Index) ofObject(f *ir.Func, v ir.ValueID, i, depth int) bool {
	if i < 0 || depth > 12 {
		return false
	}
	val := &f.Values[v]
	args := f.ArgsOf(v)
	switch {
	case val.Op == ir.OpParam:
		return int(val.Aux) == i
	case val.Op == ir.OpGep || val.Op == ir.OpLoad || val.Op >= ir.OpTrunc && val.Op <= ir.OpBitcast || val.Op == ir.OpFreeze:
		return x.ofObject(f, args[0], i, depth+1)
	case val.Op == ir.OpPhi || val.Op == ir.OpSelect:
		return slices.ContainsFunc(args, func(a ir.ValueID) bool { return x.ofObject(f, a, i, depth+4) })
	}
	return false
}

// call notes what a call does.
func (l *look) call(call value, i int) {
	x := l.x
	f := &x.p.Funcs[call.fn]
	object := slices.IndexFunc(f.ArgsOf(call.id)[1:], func(a ir.ValueID) bool { return x.ofObject(f, a, i, 0) })
	targets, known := x.targets(call)
	for _, t := range targets {
		callee := &x.p.Funcs[t]
		known = known && (!callee.IsDecl() || x.quiet(callee, call, object))
		l.function(param{t, object})
	}
	if callee := f.ArgsOf(call.id)[0]; !known && !x.ofObject(f, callee, i, 0) { // an object may know how to empty itself
		l.deeds[deed{call: true}] = true
	}
}

// quiet reports whether a function of the library does nothing that can be seen from
// outside: it releases something, only reads memory, or changes the object that it is
// given. Who takes a const pointer, or as much as comes, may print it.
func (x *Index) quiet(callee *ir.Func, call value, object int) bool {
	if callee.Flags&(ir.ReadOnly|ir.ReadNone|ir.Intrinsic) != 0 || callee.Flags&ir.NoReturn != 0 || len(x.released(call.fn, call.id)) > 0 || x.makesResult(call) {
		return true
	}
	if object < 0 || callee.Flags&ir.Variadic != 0 {
		return false
	}
	return !slices.ContainsFunc(callee.Params, func(p ir.ParamFlags) bool { return p&ir.ParamConst != 0 })
}

// doesMore reports whether a function that releases an object does something that has
// nothing to do with the object: it writes memory that the maker of the object does not
// write either, or calls who knows what.
func (x *Index) doesMore(o Object, g *group) bool {
	var maker map[deed]bool
	if c := x.p.Funcs[o.Func].Callee(o.Site); c != 0 {
		maker = x.deeds(c, -1)
	}
	for d := range x.deeds(g.by, g.arg) {
		if d.call || !maker[d] {
			return true
		}
	}
	return false
}
