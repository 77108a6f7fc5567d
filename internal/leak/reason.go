// This file works out what a value can be on a path.

package leak

import (
	"math"

	"github.com/plumb-project/plumb/internal/ir"
)

// deep is how far expressions are looked into.
const deep = 12

// rangeOf returns what v can be in state s.
func (w *walker) rangeOf(s *state, v ir.ValueID, depth int) interval {
	f := w.fn.f
	if s.holdsValue(v) {
		return w.exists()
	}
	v = w.fn.rep[v]
	x := &f.Values[v]
	r, _ := s.env.fact(v)
	if depth > deep {
		return r
	}
	if x.Op == ir.OpLoad {
		if g := &f.Values[f.ArgsOf(v)[0]]; g.Op == ir.OpGlobalAddr && !(w.fn.strict && x.Sub&ir.MemVolatile != 0) {
			if n, ok := w.fn.fixed[ir.GlobalID(g.Aux)]; ok {
				return point(n)
			}
		}
		if b := s.env.binding(v); b != 0 {
			return r.meet(w.rangeOf(s, b, depth+1))
		}
	}
	switch x.Op {
	case ir.OpConstInt:
		if n, ok := f.ConstInt(v); ok {
			return point(n)
		}
		return r
	case ir.OpConstNull:
		if x.Type.Kind() == ir.Ptr {
			return point(0)
		}
	case ir.OpFuncAddr, ir.OpGlobalAddr, ir.OpAlloca:
		return nonzero
	case ir.OpParam:
		if w.fn.f.Params[x.Aux]&ir.ParamNonNull != 0 && !w.fn.policy.NoAttributes {
			return r.meet(nonzero)
		}
	}
	if isPure(x.Op) {
		r = r.meet(w.compute(s, v, depth+1))
	}
	return r
}

// compute returns the range of an operation from those of its operands.
func (w *walker) compute(s *state, v ir.ValueID, depth int) interval {
	f := w.fn.f
	x := &f.Values[v]
	args := f.ArgsOf(v)
	arg := func(i int) interval { return w.rangeOf(s, args[i], depth) }
	switch x.Op {
	case ir.OpPhi:
		if b := s.env.binding(v); b != 0 {
			return w.rangeOf(s, b, depth)
		}
	case ir.OpFreeze:
		return arg(0)
	case ir.OpZExt:
		if r := arg(0); r.lo >= 0 || f.Values[args[0]].Type.Size() == 1 {
			return w.asBool(args[0], r)
		} else if n := f.Values[args[0]].Type.Size(); n < 63 {
			wide := span(0, 1<<n-1)
			if r.not0() {
				wide = wide.meet(nonzero)
			}
			return wide
		} else if r.not0() {
			return nonzero
		}
	case ir.OpSExt:
		if f.Values[args[0]].Type.Size() > 1 {
			return arg(0)
		}
	case ir.OpTrunc:
		return w.truncated(arg(0), x.Type.Size())
	case ir.OpICmp:
		if truth, ok := w.compare(s, v, depth); ok {
			return truthPoint(truth)
		}
	case ir.OpAnd, ir.OpOr, ir.OpXor:
		if x.Type.Size() == 1 {
			return logic(x.Op, w.asBool(args[0], arg(0)), w.asBool(args[1], arg(1)))
		}
		if mask, ok := f.ConstInt(args[1]); ok && x.Op == ir.OpAnd {
			return arg(0).masked(mask)
		}
	case ir.OpAdd, ir.OpSub:
		a, b := arg(0), arg(1)
		r := sum(a, b, x.Op == ir.OpSub, x.Type.Size())
		if x.Op == ir.OpAdd && r == everything && b.isPoint() {
			return a.plus(b.lo, x.Type.Size())
		}
		return r
	case ir.OpSelect:
		if c := w.asBool(args[0], arg(0)); c.isPoint() {
			return w.rangeOf(s, args[2-c.lo], depth)
		}
	}
	return everything
}

func truthPoint(t bool) interval {
	if t {
		return point(1)
	}
	return point(0)
}

// asBool makes the true of an i1, which is -1 as a signed number, 1.
func (w *walker) asBool(v ir.ValueID, r interval) interval {
	if w.fn.f.Values[v].Type != ir.MakeType(ir.Int, 1) {
		return r
	}
	switch {
	case r.not0():
		return point(1)
	case r.isZero():
		return r
	}
	return truths
}

// truncated returns r cut to that many bits; only what fits is kept.
func (w *walker) truncated(r interval, size uint64) interval {
	if size == 1 {
		if r.lo == r.hi {
			return truthPoint(r.lo&1 != 0)
		}
		return truths
	}
	if half := int64(1) << (size - 1); size < 64 && r.lo >= -half && r.hi < half {
		return r
	}
	return everything
}

// logic combines truth values.
func logic(op ir.Op, a, b interval) interval {
	known := func(r interval, n int64) bool { return r.lo == n && r.hi == n }
	switch {
	case op == ir.OpAnd && (known(a, 0) || known(b, 0)), op == ir.OpXor && a == b && a.lo == a.hi:
		return point(0)
	case op == ir.OpOr && (known(a, 1) || known(b, 1)), op == ir.OpAnd && known(a, 1) && known(b, 1):
		return point(1)
	case op == ir.OpOr && known(a, 0) && known(b, 0):
		return point(0)
	case op == ir.OpXor && a.lo == a.hi && b.lo == b.hi:
		return point(1)
	}
	return truths
}

// sum adds or subtracts ranges if the result fits the type.
func sum(a, b interval, minus bool, size uint64) interval {
	const huge = 1 << 61
	if !minus && size <= 64 && a.lo >= 0 && b.lo >= 0 && a.lo < huge && b.lo < huge && (a.hi > huge || b.hi > huge) {
		return span(a.lo+b.lo, math.MaxInt64) // counters are taken not to wrap round
	}
	if size > 64 || a.lo < -huge || a.hi > huge || b.lo < -huge || b.hi > huge {
		return everything
	}
	lo, hi := a.lo+b.lo, a.hi+b.hi
	if minus {
		lo, hi = a.lo-b.hi, a.hi-b.lo
	}
	if half := int64(1) << (size - 1); size < 64 && (lo < -half || hi >= half) {
		return everything
	}
	return span(lo, hi)
}

// plus returns r with n added, for unsigned integers of this many bits for which that
// does not wrap round: "n + 1 > 16" is false if n < 16.
func (r interval) plus(n int64, bits uint64) interval {
	if bits > 64 || bits < 2 || n <= 0 || n > 1<<(bits-2) || r.uhi > math.MaxUint64-uint64(n) {
		return everything
	}
	half := uint64(1) << (bits - 1)
	more := everything
	if r.ulo < half && r.ulo+uint64(n) < half {
		more.ulo = r.ulo + uint64(n)
	}
	if r.uhi >= half || r.uhi+uint64(n) < half {
		more.uhi = r.uhi + uint64(n)
	}
	return more.tidy()
}

// compare decides an icmp if it can.
func (w *walker) compare(s *state, v ir.ValueID, depth int) (truth, ok bool) {
	f := w.fn.f
	args := f.ArgsOf(v)
	mask := s.env.relation(w.resolve(s, args[0]), w.resolve(s, args[1])) & w.byRange(s, args[0], args[1], depth)
	want := outcomes(ir.Pred(f.Values[v].Sub))
	switch {
	case mask&want == mask:
		return true, true
	case !possible(mask & want):
		return false, true
	}
	return false, false
}

// byRange returns how a and b can compare by their ranges.
func (w *walker) byRange(s *state, a, b ir.ValueID, depth int) uint8 {
	if w.apart(s, a, b) {
		return signed&^seq | unsigned&^ueq
	}
	r, q := w.rangeOf(s, a, depth), w.rangeOf(s, b, depth)
	mask := signed | unsigned
	if r.lo >= q.hi {
		mask &^= slt
	}
	if r.hi <= q.lo {
		mask &^= sgt
	}
	if r.ulo >= q.uhi {
		mask &^= ult
	}
	if r.uhi <= q.ulo {
		mask &^= ugt
	}
	if r.meet(q).empty() {
		mask &^= seq | ueq
	}
	if mask&(slt|sgt) == 0 || mask&(ult|ugt) == 0 { // equal or impossible
		mask &= seq | ueq
	}
	return mask
}

// apart reports whether one is the object and the other is not. Until it escapes,
// nothing but what was made from it can be equal to it.
func (w *walker) apart(s *state, a, b ir.ValueID) bool {
	return w.prey == nil && s.holdsValue(a) != s.holdsValue(b) && !w.mayMeet(s)
}

// mayMeet reports whether a pointer that is not followed may be equal to the object:
// someone else has it, or it was there before.
func (w *walker) mayMeet(s *state) bool {
	return w.fn.strict && (s.life.status != Live || w.life == nil || w.life.origin.kind != fresh)
}

// bound follows the bindings of phis.
func (w *walker) bound(s *state, v ir.ValueID) ir.ValueID {
	for range deep {
		b := s.env.binding(v)
		if b == 0 {
			break
		}
		v = b
	}
	return v
}

// resolve returns the rep that relations of v are kept under.
func (w *walker) resolve(s *state, v ir.ValueID) ir.ValueID { return w.fn.rep[w.bound(s, w.fn.rep[v])] }
