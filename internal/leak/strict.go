// This file says when memory may have changed, for who must not be wrong about that.
// The check for leaks is bolder: there two pointers of one type are two objects.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/modref"
)

// clobbers reports whether instruction v may change what a load reads. Bytes that
// are written one at a time are taken to be in arrays of bytes.
func (fn *function) clobbers(v, load ir.ValueID) bool {
	f := fn.f
	if f.Values[load].Sub&ir.MemVolatile != 0 {
		return true
	}
	args := f.ArgsOf(v)
	from := fn.baseOf(f.ArgsOf(load)[0])
	own := fn.isOwn(from)
	elsewhere := func(addr ir.ValueID) bool {
		base := fn.baseOf(addr)
		if own {
			return !fn.comesFrom(addr, from)
		}
		return base != from && (fn.isOwn(base) || fn.isUnseen(base))
	}
	switch op := f.Values[v].Op; {
	case op == ir.OpStore:
		return !elsewhere(args[1]) && fn.mayMeet(args[1], f.Values[args[0]].Type, load)
	case op == ir.OpMemcpy || op == ir.OpMemset:
		return !elsewhere(args[0])
	case op == ir.OpCmpXchg || op == ir.OpAtomicRMW:
		return !elsewhere(args[0])
	case op.IsCall():
		return fn.callClobbers(v, load, own)
	}
	return false
}

// isUnseen reports whether memory is new, and nothing but this function's own
// instructions can have its address.
func (fn *function) isUnseen(base ir.ValueID) bool {
	sum, _ := fn.callee(base)
	return fn.f.Values[base].Op.IsCall() && sum != nil && sum.fresh && fn.makesNew(base, sum) && fn.onlyAccessed(base, 0)
}

// mayMeet reports whether a store of this type at an address may be to what a load
// reads: not if they are different fields, or of different types.
func (fn *function) mayMeet(addr ir.ValueID, typ ir.Type, load ir.ValueID) bool {
	f := fn.f
	at := f.ArgsOf(load)[0]
	if base, off, ok := fn.address(addr); ok {
		if b, o, known := fn.address(at); known && b == base {
			return off < o+int64(f.Values[load].Type.Bytes()) && o < off+int64(typ.Bytes())
		}
	}
	a, b := modref.PlaceOf(fn.p, f, addr, typ), modref.PlaceOf(fn.p, f, at, f.Values[load].Type)
	switch {
	case a.Global != 0 && b.Global != 0:
		return a.Global == b.Global
	case a.Struct != 0 && a.Struct == b.Struct:
		return a.Field == b.Field || fn.p.Structs[a.Struct].Union
	}
	return a.Type.Kind() == b.Type.Kind() && a.Type.Bytes() == b.Type.Bytes()
}

// callClobbers is clobbers for calls.
func (fn *function) callClobbers(v, load ir.ValueID, own bool) bool {
	f := fn.f
	sum, flags := fn.callee(v)
	if fn.onlyLooks(v) || flags&ir.Intrinsic != 0 {
		return false
	}
	from := fn.baseOf(f.ArgsOf(load)[0])
	passed := slices.ContainsFunc(f.ArgsOf(v)[1:], func(a ir.ValueID) bool { return fn.comesFrom(a, from) })
	switch c := f.Callee(v); {
	case own && !passed:
		return false
	case sum == nil, c != 0 && fn.p.Funcs[c].IsDecl() && !sum.modelled:
		return true
	}
	return fn.callWrites(v, load)
}

// sameStrictly reports whether nothing on the way from one load of an address to
// another may change what is read.
func (fn *function) sameStrictly(second ir.ValueID, passed func(ir.ValueID) bool) bool {
	for _, w := range fn.changers {
		if passed(w) && fn.clobbers(w, second) {
			return false
		}
	}
	return true
}

// findChangers lists the instructions that may change memory.
func (fn *function) findChangers() {
	f := fn.f
	fn.changers = fn.changers[:0]
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		switch op := f.Values[v].Op; {
		case op == ir.OpStore, op == ir.OpMemcpy, op == ir.OpMemset, op == ir.OpCmpXchg, op == ir.OpAtomicRMW, op.IsCall() && !fn.onlyLooks(v):
			fn.changers = append(fn.changers, v)
		}
	}
}

// forgetStrictly drops what is known of memory that instruction v may change.
func (w *walker) forgetStrictly(s *state, v ir.ValueID) {
	s.mem = slices.DeleteFunc(s.mem, func(m stored) bool {
		return slices.ContainsFunc(w.fn.testedBy[m.at], func(load ir.ValueID) bool { return w.fn.clobbers(v, load) })
	})
}
