// This file reasons about conditions: what a value can be on a path, and what
// follows from a branch that was taken.

package leak

import (
	"math"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// deep is how far expressions are looked into.
const deep = 12

// rangeOf returns what v can be in state s.
func (w *walker) rangeOf(s *state, v ir.ValueID, depth int) interval {
	f := w.fn.f
	if s.holdsValue(v) {
		return nonzero // the object exists
	}
	v = w.fn.rep[v]
	x := &f.Values[v]
	r, _ := s.env.fact(v)
	if depth > deep {
		return r
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
	case ir.OpAdd, ir.OpSub:
		return sum(arg(0), arg(1), x.Op == ir.OpSub, x.Type.Size())
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
func (w *walker) apart(s *state, a, b ir.ValueID) bool { return s.holdsValue(a) != s.holdsValue(b) }

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

// assume notes that condition v is true or false, and what follows. It reports
// whether that is possible.
func (w *walker) assume(s *state, v ir.ValueID, truth bool, depth int) bool {
	f := w.fn.f
	v = w.fn.rep[v]
	if r := w.asBool(v, w.rangeOf(s, v, depth)); r.isPoint() {
		return (r.lo != 0) == truth
	}
	s.env.setFact(v, truthPoint(truth))
	if depth > deep || !isPure(f.Values[v].Op) {
		return true
	}
	args := f.ArgsOf(v)
	switch x := &f.Values[v]; x.Op {
	case ir.OpICmp:
		p := ir.Pred(x.Sub)
		if !truth {
			p = negate(p)
		}
		return w.assumeCompare(s, p, args[0], args[1], depth)
	case ir.OpXor:
		for i, a := range args {
			if n, ok := f.ConstInt(a); ok && n != 0 {
				return w.assume(s, args[1-i], !truth, depth+1)
			}
		}
	case ir.OpAnd, ir.OpOr:
		if truth == (x.Op == ir.OpAnd) {
			return w.assume(s, args[0], truth, depth+1) && w.assume(s, args[1], truth, depth+1)
		}
	case ir.OpFreeze:
		return w.assume(s, args[0], truth, depth+1)
	case ir.OpTrunc: // a bool in memory is 0 or 1
		if !truth {
			return w.narrow(s, args[0], point(0), depth+1)
		}
		return w.narrow(s, args[0], nonzero, depth+1)
	case ir.OpPhi:
		if b := s.env.binding(v); b != 0 {
			return w.assume(s, b, truth, depth+1)
		}
		return w.assumePhi(s, v, truth, depth)
	}
	return true
}

// onlyEdge returns the index of the one edge that phi can have come by, given
// which operands fit; -1 when there are several, and ok is false when there is
// none. Operands from an earlier round of a loop fit always: what is known of
// them is of this round.
func (w *walker) onlyEdge(phi ir.ValueID, fits func(a ir.ValueID) bool) (only int, ok bool) {
	f := w.fn.f
	b := f.BlockOf(phi)
	only = -1
	for i, a := range f.ArgsOf(phi) {
		back := w.fn.rpo[b] <= w.fn.rpo[f.PredsOf(b)[i]]
		if !back && !fits(a) {
			continue
		}
		if back || only >= 0 {
			return -1, true
		}
		only = i
	}
	return only, only >= 0
}

// assumePhi works out which edge a phi of truth values came by: if there is only
// one, the branch there was taken too.
func (w *walker) assumePhi(s *state, phi ir.ValueID, truth bool, depth int) bool {
	only, ok := w.onlyEdge(phi, func(a ir.ValueID) bool {
		r := w.asBool(a, w.rangeOf(s, a, depth))
		return !r.isPoint() || (r.lo != 0) == truth
	})
	if only < 0 {
		return ok
	}
	f := w.fn.f
	a, b := f.ArgsOf(phi)[only], f.BlockOf(phi)
	s.env.bind(phi, a)
	return w.assume(s, a, truth, depth+1) && w.assumeEdge(s, f.PredsOf(b)[only], b, depth+1)
}

// assumeEdge assumes what made control go from p to b, if p branches.
func (w *walker) assumeEdge(s *state, p, b ir.BlockID, depth int) bool {
	f := w.fn.f
	t := f.Terminator(p)
	succs := f.SuccsOf(p)
	edge := slices.Index(succs, b)
	if depth > deep || slices.Contains(succs[edge+1:], b) {
		return true
	}
	args := f.ArgsOf(t)
	switch f.Values[t].Op {
	case ir.OpCondBr:
		return w.assume(s, args[0], edge == 0, depth)
	case ir.OpSwitch:
		if edge > 0 {
			return w.assumeCompare(s, ir.EQ, args[0], args[edge], depth)
		}
		for _, c := range args[1:] {
			if !w.assumeCompare(s, ir.NE, args[0], c, depth) {
				return false
			}
		}
	}
	return true
}

// assumeCompare notes that a and b compare like this.
func (w *walker) assumeCompare(s *state, p ir.Pred, a, b ir.ValueID, depth int) bool {
	f := w.fn.f
	ra, rb := w.resolve(s, a), w.resolve(s, b)
	mask := s.env.relation(ra, rb) & outcomes(p)
	if !possible(mask) {
		return false
	}
	if !f.Values[ra].Op.IsConst() || !f.Values[rb].Op.IsConst() {
		s.env.setRelation(ra, rb, mask)
	}
	x, y := w.rangeOf(s, a, depth), w.rangeOf(s, b, depth)
	return w.narrow(s, a, below(p, y), depth+1) && w.narrow(s, b, below(flip(p), x), depth+1)
}

// flip returns the predicate with its sides exchanged.
func flip(p ir.Pred) ir.Pred {
	return [...]ir.Pred{ir.EQ: ir.EQ, ir.NE: ir.NE, ir.UGT: ir.ULT, ir.ULT: ir.UGT, ir.UGE: ir.ULE, ir.ULE: ir.UGE,
		ir.SGT: ir.SLT, ir.SLT: ir.SGT, ir.SGE: ir.SLE, ir.SLE: ir.SGE}[p]
}

// below returns what compares like p with something in y.
func below(p ir.Pred, y interval) interval {
	r := everything
	switch p {
	case ir.EQ:
		return y
	case ir.NE:
		if y.isZero() {
			return nonzero
		}
	case ir.SLT:
		r.hi = max(y.hi, math.MinInt64+1) - 1
	case ir.SLE:
		r.hi = y.hi
	case ir.SGT:
		r.lo = min(y.lo, math.MaxInt64-1) + 1
	case ir.SGE:
		r.lo = y.lo
	case ir.ULT:
		if y.uhi == 0 {
			return interval{lo: 1} // nothing is below 0
		}
		r.uhi = y.uhi - 1
	case ir.ULE:
		r.uhi = y.uhi
	case ir.UGT:
		r.ulo = max(y.ulo, y.ulo+1)
	case ir.UGE:
		r.ulo = y.ulo
	}
	return r.tidy()
}

// narrow notes that v is in r too.
func (w *walker) narrow(s *state, v ir.ValueID, r interval, depth int) bool {
	f := w.fn.f
	old := w.rangeOf(s, v, depth)
	now := old.meet(r)
	if now.empty() {
		return false
	}
	if now == old || f.Values[v].Op.IsConst() || s.holdsValue(v) {
		return true
	}
	v = w.fn.rep[v]
	s.env.setFact(v, now)
	if depth > deep || !isPure(f.Values[v].Op) {
		return true
	}
	switch x := &f.Values[v]; x.Op {
	case ir.OpPhi:
		if b := s.env.binding(v); b != 0 {
			return w.narrow(s, b, r, depth+1)
		}
		return w.narrowPhi(s, v, depth)
	case ir.OpFreeze, ir.OpSExt:
		return w.narrow(s, f.ArgsOf(v)[0], r, depth+1)
	case ir.OpZExt:
		a := f.ArgsOf(v)[0]
		switch isBool := f.Values[a].Type.Size() == 1; {
		case isBool && (now.not0() || now.isZero()):
			return w.assume(s, a, now.not0(), depth+1)
		case now.isZero():
			return w.narrow(s, a, point(0), depth+1)
		case now.not0():
			return w.narrow(s, a, nonzero, depth+1)
		}
	}
	return true
}

// narrowPhi is assumePhi for numbers and pointers.
func (w *walker) narrowPhi(s *state, phi ir.ValueID, depth int) bool {
	f := w.fn.f
	r, _ := s.env.fact(phi)
	only, ok := w.onlyEdge(phi, func(a ir.ValueID) bool { return !w.rangeOf(s, a, depth).meet(r).empty() })
	if only < 0 {
		return ok
	}
	a, b := f.ArgsOf(phi)[only], f.BlockOf(phi)
	s.env.bind(phi, a)
	return w.narrow(s, a, r, depth+1) && w.assumeEdge(s, f.PredsOf(b)[only], b, depth+1)
}
