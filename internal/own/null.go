// This file makes sure that what is released can be read at all.

package own

import (
	"fmt"

	"github.com/plumb-project/plumb/internal/ir"
)

// reads returns nil if what a slot is in is there where it is released: what the address
// is an offset from is not null.
func (h *holding) reads(call, at value, load ir.ValueID) error {
	x := h.x
	base := x.baseOf(at)
	if x.shown(base, call, load, 0) || x.usedAfter(call, at) {
		return nil
	}
	return &Shared{At: x.position(call), Text: fmt.Sprintf("%s may be null here", x.pointerName(base)), Null: true}
}

// shown reports whether a pointer cannot be null where a call is made: it was tested, or
// read or written through on every path; or that holds for all that callers pass.
func (x *Index) shown(v, call value, load ir.ValueID, depth int) bool {
	f := &x.p.Funcs[v.fn]
	val := &f.Values[v.id]
	switch {
	case val.Op == ir.OpAlloca || val.Op == ir.OpGlobalAddr,
		val.Op.IsCall() && x.makesResult(v) && !x.view.At(v.fn, v.id).MayFail,
		val.Op == ir.OpParam && val.Var != 0 && f.Vars[val.Var].Artificial, // this
		x.shownBefore(call, v, load):
		return true
	case val.Op == ir.OpGep:
		return x.shown(x.baseOf(v), call, load, depth)
	case val.Op != ir.OpParam || depth > 3 || x.takenAddress(v.fn) || !x.whole():
		return false
	}
	for _, c := range x.callers[v.fn] {
		args := x.p.Funcs[c.fn].ArgsOf(c.id)[1:]
		if int(val.Aux) >= len(args) || !x.shown(value{c.fn, args[val.Aux]}, c, 0, depth+1) {
			return false
		}
	}
	return true
}

func (x *Index) pointerName(v value) string {
	f := &x.p.Funcs[v.fn]
	if n := f.Values[v.id].Var; n != 0 && f.Vars[n].Name != "" {
		return f.Vars[n].Name
	}
	return "what it is in"
}

// shownBefore reports whether on every path to the call a pointer is tested, or read or
// written through.
func (x *Index) shownBefore(call, at value, load ir.ValueID) bool {
	f := &x.p.Funcs[at.fn]
	base := x.spelling(at)
	from := value{at.fn, 1}
	for from.id = 1; int(from.id) < len(f.Values) && f.BlockOf(from.id) == 0; from.id++ {
	}
	from.id-- // what comes first in the entry block is after a constant or parameter
	shown := true
	x.forwardOn(from, func(v ir.ValueID) bool {
		if v == call.id {
			shown = false
		}
		return shown && !(v != load && x.touches(f, at.fn, v, base) && !x.besides(value{at.fn, v}, call))
	}, func(branch ir.ValueID, k int) bool { return !x.namedNull(f, at.fn, branch, 1-k, base) })
	return shown
}

// besides reports whether a load is in the line of a call, or right before it: it may be
// there for the sake of the call, and show nothing.
func (x *Index) besides(v, call value) bool {
	if x.p.Funcs[v.fn].Values[v.id].Op != ir.OpLoad {
		return false
	}
	a, b := x.position(v), x.position(call)
	return a.File == b.File && a.Line <= b.Line && a.Line >= b.Line-1
}

// usedAfter reports whether on every path after the call something is read or written
// through the base of an address.
func (x *Index) usedAfter(call, at value) bool {
	f := &x.p.Funcs[at.fn]
	base := x.spelling(x.baseOf(at))
	used := true
	x.forward(call, func(v ir.ValueID) bool {
		switch op := f.Values[v].Op; {
		case op == ir.OpRet || op == ir.OpResume || op.IsCall() && x.view.At(at.fn, v).NoReturn:
			used = false
		case x.touches(f, at.fn, v, base):
			return false
		}
		return used
	})
	return used
}

// touches reports whether an instruction reads or writes through a pointer.
func (x *Index) touches(f *ir.Func, fn ir.FuncID, v ir.ValueID, base name) bool {
	args := f.ArgsOf(v)
	switch f.Values[v].Op {
	case ir.OpLoad:
		return x.spelling(x.baseOf(value{fn, args[0]})) == base
	case ir.OpStore:
		return x.spelling(x.baseOf(value{fn, args[1]})) == base
	case ir.OpCall:
		for i, a := range args[1:] {
			if f.Values[a].Op == ir.OpGep && x.spelling(x.baseOf(value{fn, a})) == base && x.fillsNew(value{fn, v}, i) {
				return true
			}
		}
	}
	return false
}

// namedNull reports whether a pointer is null where a branch takes edge k.
func (x *Index) namedNull(f *ir.Func, fn ir.FuncID, branch ir.ValueID, k int, p name) bool {
	if f.Values[branch].Op != ir.OpCondBr {
		return false
	}
	c := f.ArgsOf(branch)[0]
	if f.Values[c].Op != ir.OpICmp {
		return false
	}
	v := f.ArgsOf(c)[0]
	return x.spelling(value{fn, v}) == p && x.nullOn(f, branch, k, v)
}
