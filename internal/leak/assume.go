// This file works out what follows from a branch that was taken.

package leak

import (
	"math"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

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
	if p == ir.NE {
		if y.isPoint() && y.lo == -1 && w.fn.isForeign(ra) {
			return w.narrow(s, a, x.meet(span(0, math.MaxInt64)), depth+1)
		}
		return w.narrow(s, a, x.without(y), depth+1) && w.narrow(s, b, y.without(x), depth+1)
	}
	return w.narrow(s, a, below(p, y), depth+1) && w.narrow(s, b, below(flip(p), x), depth+1)
}

// isForeign reports whether v is the result of a function without a body. Those
// that are tested for -1 return no other negative number.
func (fn *function) isForeign(v ir.ValueID) bool {
	c := fn.f.Callee(v)
	return c != 0 && fn.p.Funcs[c].IsDecl()
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
		return everything.without(y)
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
			return nothing // is below 0
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
	if b := s.env.binding(v); b != 0 && f.Values[v].Op == ir.OpLoad && depth <= deep {
		return w.narrow(s, b, r, depth+1)
	}
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
	case ir.OpAnd:
		// What is known of a flag is of use to callers, who pass it; here the test is.
		a := f.ArgsOf(v)[0]
		if mask, ok := f.ConstInt(f.ArgsOf(v)[1]); ok && f.Values[w.fn.rep[a]].Op == ir.OpParam {
			return w.narrow(s, a, now.unmasked(mask), depth+1)
		}
	case ir.OpAdd, ir.OpSub:
		if n, ok := f.ConstInt(f.ArgsOf(v)[1]); ok {
			if x.Op == ir.OpSub {
				n = -n
			}
			return w.narrow(s, f.ArgsOf(v)[0], now.minus(n, x.Type.Size()), depth+1)
		}
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

// minus returns what n must be added to for a result in r, in integers of this
// many bits that do not overflow.
func (r interval) minus(n int64, bits uint64) interval {
	if bits > 64 || bits < 2 {
		return everything
	}
	least, most := int64(-1)<<(bits-1), int64(1)<<(bits-1)-1
	if n <= least || n >= most {
		return everything
	}
	if r.lo < 0 && n > 0 && r.ulo >= uint64(n) && r.ulo <= uint64(most) && r.uhi == math.MaxUint64 { // no more than an unsigned test says
		return unsignedSpan(r.ulo-uint64(n), r.uhi-uint64(n))
	}
	lo, hi := max(r.lo, least), min(r.hi, most)
	if n > 0 {
		lo, hi = max(lo, least+n), max(hi, least+n)
	} else {
		lo, hi = min(lo, most+n), min(hi, most+n)
	}
	return span(lo-n, hi-n)
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
