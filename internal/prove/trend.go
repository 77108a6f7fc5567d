// This file says how numbers change from round to round of a loop.

package prove

import (
	"math"
	"slices"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/modref"
)

// A trend is how a number changes from round to round.
type trend struct {
	way  way
	step int64 // at least this much, with its sign
}

type way uint8

const (
	untouched way = iota
	growing
	shrinking
	anyway
)

// bound assumes that t lies where a number that was first can have gone in some
// rounds. Counters are taken not to overflow.
func (m *machine) bound(s *state, t, first cond.Term, up trend, rounds int) {
	far := m.add(first, up.step*int64(rounds))
	switch up.way {
	case growing:
		m.assume(s, m.pool.Compare(cond.SGE, t, far), 0, 0, false)
	case shrinking:
		m.assume(s, m.pool.Compare(cond.SLE, t, far), 0, 0, false)
	}
}

// alwaysSo assumes what holds of a value that was not computed on the path, because
// the path begins later: of a counter that only grows, that it is not below its start.
func (m *machine) alwaysSo(s *state, v ir.ValueID, t cond.Term) {
	f := s.top.f
	if f.Values[v].Op != ir.OpPhi || f.Values[v].Type.Kind() != ir.Int {
		return
	}
	head := f.BlockOf(v)
	body := m.shape(f).loops[head]
	if body == nil {
		return
	}
	for k, p := range f.PredsOf(head) {
		if start := m.constant(f, f.ArgsOf(v)[k]); !body[p] {
			if start != 0 {
				m.bound(s, t, start, m.trend(f, v, body), 0)
			}
			return
		}
	}
}

// keeps reports whether the loop gives a phi its own value again.
func (m *machine) keeps(f *ir.Func, phi ir.ValueID, head ir.BlockID) bool {
	body := m.shape(f).loops[head]
	for k, p := range f.PredsOf(head) {
		if body[p] && f.ArgsOf(phi)[k] != phi {
			return false
		}
	}
	return true
}

// trend says how a phi changes in a loop: if all that comes back is the phi with
// numbers of one sign added.
func (m *machine) trend(f *ir.Func, phi ir.ValueID, body []bool) trend {
	lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
	seen := map[ir.ValueID]bool{}
	var back func(v ir.ValueID, sum int64) bool
	back = func(v ir.ValueID, sum int64) bool {
		if v == phi {
			lo, hi = min(lo, sum), max(hi, sum)
			return true
		}
		x := &f.Values[v]
		if !x.Op.IsInst() || !body[f.BlockOf(v)] || seen[v] || len(seen) > 64 {
			return false
		}
		switch x.Op {
		case ir.OpAdd, ir.OpExtractValue:
			a, n, ok := m.addend(f, v)
			return ok && back(a, sum+n)
		case ir.OpPhi, ir.OpSelect:
			args := f.ArgsOf(v)
			if x.Op == ir.OpSelect {
				args = args[1:]
			}
			seen[v] = true
			for _, a := range args {
				if !back(a, sum) {
					return false
				}
			}
			delete(seen, v)
			return true
		}
		return false
	}
	for k, p := range f.PredsOf(f.BlockOf(phi)) {
		if body[p] && !back(f.ArgsOf(phi)[k], 0) {
			return trend{way: anyway}
		}
	}
	return oneWay(lo, hi)
}

func oneWay(lo, hi int64) trend {
	switch {
	case lo > hi:
	case lo >= 0:
		return trend{growing, lo}
	case hi <= 0:
		return trend{shrinking, hi}
	}
	return trend{way: anyway}
}

// written says what the blocks of a loop may do to a cell.
func (m *machine) written(s *state, f *ir.Func, body []bool, c cell) trend {
	lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
	root := m.root(c.base)
	private := m.private(s, root)
	for b := ir.BlockID(1); int(b) < len(f.Blocks); b++ {
		if !body[b] {
			continue
		}
		for v := f.Blocks[b].First; v < f.Blocks[b].End; v++ {
			args := f.ArgsOf(v)
			switch x := &f.Values[v]; {
			case x.Op == ir.OpStore:
				place := m.placeOf(f, args[1], f.Values[args[0]].Type)
				if !overlap(c.place, place) || !m.mayStore(s, args[1], root, private) {
					continue
				}
				n, ok := m.increment(f, args[0], place)
				if !ok {
					return trend{way: anyway}
				}
				lo, hi = min(lo, n), max(hi, n)
			case x.Op == ir.OpMemcpy || x.Op == ir.OpMemset || x.Op == ir.OpCmpXchg || x.Op == ir.OpAtomicRMW:
				if m.mayStore(s, args[0], root, private) {
					return trend{way: anyway}
				}
			case x.Op.IsCall():
				if private && !slices.ContainsFunc(args[1:], func(a ir.ValueID) bool { return m.mayPoint(s, a, root) }) {
					continue
				}
				if m.table.CallMayWrite(s.top.id, v, c.place) {
					return trend{way: anyway}
				}
			}
		}
	}
	if lo > hi {
		return trend{}
	}
	return oneWay(lo, hi)
}

// mayStore reports whether an address may be in the object root.
func (m *machine) mayStore(s *state, addr ir.ValueID, root cond.Term, private bool) bool {
	t := s.top.env[addr]
	if t == 0 {
		t = m.constant(s.top.f, addr)
	}
	if t == 0 {
		return true
	}
	r := m.root(t)
	return r == root || m.mayBe(s, root, t, r, m.private(s, r))
}

// mayPoint reports whether an argument may point to a private object, or to what holds it.
func (m *machine) mayPoint(s *state, v ir.ValueID, root cond.Term) bool {
	t := s.top.env[v]
	if t == 0 {
		return s.top.f.Values[v].Type.Kind() == ir.Ptr && !s.top.f.Values[v].Op.IsConst()
	}
	return slices.Contains(m.reach(s, []cond.Term{t}), root)
}

// increment returns what is added to a place when v is stored there.
func (m *machine) increment(f *ir.Func, v ir.ValueID, place modref.Place) (int64, bool) {
	a, n, ok := m.addend(f, v)
	if !ok || f.Values[a].Op != ir.OpLoad {
		return 0, false
	}
	return n, m.placeOf(f, f.ArgsOf(a)[0], f.Values[a].Type) == place
}

// addend takes apart a sum of a value and a constant.
func (m *machine) addend(f *ir.Func, v ir.ValueID) (a ir.ValueID, n int64, ok bool) {
	args := f.ArgsOf(v)
	switch f.Values[v].Op {
	case ir.OpAdd:
	case ir.OpExtractValue:
		op, checked := m.checked(f, args[0])
		if !checked || op != cond.Add && op != cond.Sub || f.Ints[f.Values[v].Aux] != 0 {
			return 0, 0, false
		}
		args = f.ArgsOf(args[0])[1:]
		n, ok = f.ConstInt(args[1])
		if op == cond.Sub {
			n = -n
		}
		return args[0], n, ok
	default:
		return 0, 0, false
	}
	n, ok = f.ConstInt(args[1])
	return args[0], n, ok
}
