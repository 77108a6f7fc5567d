// This file follows objects that are known by a number: file descriptors. They are
// made, passed on and released like memory, but nothing is behind them, and
// calculating with one hides it from nobody.

package leak

import (
	"math"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// descriptors is what a number that stands for an object can be. The first three
// are taken when the program starts: "if (fd > 2) close(fd)" closes what was opened.
var descriptors = span(3, math.MaxInt32)

// exists is what something that stands for the object can be.
func (w *walker) exists() interval {
	switch {
	case w.number:
		return descriptors
	case w.life != nil && w.life.origin.kind == missing:
		return point(0)
	}
	return address
}

// carries reports whether a value of this type can stand for the object.
func (w *walker) carries(t ir.Type) bool { return isHandle(t, w.number) }

func isHandle(t ir.Type, number bool) bool {
	if number {
		return t.Kind() == ir.Int && t.Size() >= 32
	}
	return t.Kind() == ir.Ptr
}

// calculate follows a number through an operation: wider or narrower it is the
// same, and what is made of it by arithmetic is another. Elsewhere it is hidden.
func (w *walker) calculate(s *state, v ir.ValueID) bool {
	f := w.fn.f
	x := &f.Values[v]
	args := f.ArgsOf(v)
	switch {
	case x.Op == ir.OpSExt || x.Op == ir.OpZExt || x.Op == ir.OpTrunc:
		s.setValue(v, s.holdsValue(args[0]) && w.carries(x.Type))
	case isPure(x.Op) && x.Op != ir.OpIntToPtr:
		s.setValue(v, false)
	default:
		s.setValue(v, false)
		return !slices.ContainsFunc(args, s.holdsValue) || w.escape(s)
	}
	return true
}

// numberResult is result for a function that returns a number: it returns a new
// object if all else it can return is below 0.
func (fn *function) numberResult(sum *summary, good map[leaf][]guard) {
	var made *summary
	for _, l := range fn.returnLeaves() {
		n, isConst := fn.f.ConstInt(l.v)
		_, isNew := good[l]
		switch {
		case isConst && n < 0:
		case isNew:
			callee, _ := fn.callee(l.v)
			if !callee.number {
				return
			}
			if made != nil && made.family != callee.family {
				return
			}
			made = callee
		default:
			return
		}
	}
	if made != nil {
		sum.fresh, sum.mayFail, sum.number = true, true, true
		sum.family, sum.object = made.family, made.object
	}
}

// passesOn reports whether a number is passed to a function, stored, or merged with
// others, so that more may happen to it than calculation.
func (fn *function) passesOn(v ir.ValueID, depth int) bool {
	f := fn.f
	for _, u := range fn.uses.Succs(uint32(v)) {
		u := ir.ValueID(u)
		switch op := f.Values[u].Op; {
		case op == ir.OpSet || op == ir.OpICmp || op == ir.OpCondBr || op == ir.OpSwitch:
		case op == ir.OpSExt || op == ir.OpZExt || op == ir.OpTrunc:
			if depth > 3 || fn.passesOn(u, depth+1) {
				return true
			}
		case isPure(op) && op != ir.OpPhi && op != ir.OpSelect && op != ir.OpIntToPtr:
		default:
			return true
		}
	}
	return false
}

// isNumber reports whether the object of a site is known by a number.
func (fn *function) isNumber(site ir.ValueID, o *out) bool {
	if o != nil {
		return o.number
	}
	sum, _ := fn.callee(site)
	return sum.number
}

// numbersUsed adds the places whose numbers are passed to functions that may
// release what they stand for, or that get a number that stands for something, and
// returns them.
func (fn *function) numbersUsed(used map[place]bool) map[place]bool {
	f := fn.f
	numbers := map[place]bool{}
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		x := &f.Values[v]
		args := f.ArgsOf(v)
		var addr ir.ValueID
		switch {
		case x.Op == ir.OpLoad && isHandle(x.Type, true) && fn.isReleased(v):
			addr = args[0]
		case x.Op == ir.OpStore && fn.standsFor(args[0]):
			addr = args[1]
		default:
			continue
		}
		p, ok := fn.placeAt(addr, 0)
		if _, there := used[p]; ok && p.deep == 0 && !there {
			used[p], numbers[p] = true, true
		}
	}
	return numbers
}

// isReleased reports whether v is passed to a function that may release it.
func (fn *function) isReleased(v ir.ValueID) bool {
	return slices.ContainsFunc(fn.uses.Succs(uint32(v)), func(u uint32) bool {
		sum, _ := fn.callee(ir.ValueID(u))
		if sum == nil {
			return false
		}
		i := slices.Index(fn.f.ArgsOf(ir.ValueID(u))[1:], v)
		return i >= 0 && slices.ContainsFunc(sum.param(i), func(o outcome) bool { return o.effect == consumes })
	})
}

// standsFor reports whether v is a number that stands for something new.
func (fn *function) standsFor(v ir.ValueID) bool {
	sum, _ := fn.callee(v)
	return sum != nil && sum.fresh && sum.number
}
