// This file finds which pointers a function does something with, and under which
// names.

package leak

import (
	"cmp"
	"maps"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// cursor reports whether v goes through a list: it starts as first, and becomes
// what is held off bytes into what it was.
func (fn *function) cursor(v ir.ValueID) (first ir.ValueID, off int64, ok bool) {
	f := fn.f
	if f.Values[v].Op != ir.OpPhi || f.Values[v].Type.Kind() != ir.Ptr {
		return 0, 0, false
	}
	b := f.BlockOf(v)
	for i, a := range f.ArgsOf(v) {
		if fn.rpo[b] > fn.rpo[f.PredsOf(b)[i]] {
			if first != 0 && first != a {
				return 0, 0, false
			}
			first = a
			continue
		}
		if a == v {
			continue
		}
		if f.Values[a].Op != ir.OpLoad {
			return 0, 0, false
		}
		base, at, known := fn.address(f.ArgsOf(a)[0])
		if !known || base != v || ok && at != off {
			return 0, 0, false
		}
		off, ok = at, true
	}
	return first, off, ok && first != 0
}

// start returns what v is before it goes through a list.
func (fn *function) start(v ir.ValueID) ir.ValueID {
	for range maxDepth {
		first, _, ok := fn.cursor(v)
		if !ok {
			break
		}
		v = first
	}
	return v
}

// blurred finds the places whose pointers go by names that are not followed.
func (fn *function) blurred() map[place]bool {
	out := map[place]bool{}
	for v := fn.f.Blocks[1].First; int(v) < len(fn.f.Values); v++ {
		x := &fn.f.Values[v]
		if x.Op.IsCall() {
			fn.blurredBy(v, out)
		}
		if x.Op != ir.OpLoad || x.Type.Kind() != ir.Ptr {
			continue
		}
		if p, ok := fn.placeAt(fn.f.ArgsOf(v)[0], 0); ok && p.deep == 0 && (fn.isIndexed(v) || fn.isRenamed(v, 0)) {
			out[p] = true
		}
	}
	return out
}

// blurredBy adds the places whose pointers call v puts elsewhere.
func (fn *function) blurredBy(v ir.ValueID, out map[place]bool) {
	sum, _ := fn.callee(v)
	if sum == nil {
		return
	}
	args := fn.f.ArgsOf(v)[1:]
	for p, list := range sum.places {
		if p.deep != 0 || !slices.ContainsFunc(list, func(o outcome) bool { return o.effect == stores || o.effect == returns }) {
			continue
		}
		switch {
		case p.param < theResult:
			out[p] = true
		case p.param < len(args):
			if at, ok := fn.placeAt(args[p.param], p.off); ok {
				out[at] = true
			}
		}
	}
}

// placeAt returns the place that is off bytes after an address.
func (fn *function) placeAt(addr ir.ValueID, off int64) (place, bool) {
	base, at, ok := fn.address(addr)
	if !ok {
		base, at, ok = fn.elementOf(addr)
	}
	if !ok {
		return place{}, false
	}
	base = fn.start(base)
	switch x := &fn.f.Values[base]; {
	case x.Op == ir.OpParam:
		return place{param: int(x.Aux), off: at + off}, true
	case x.Op == ir.OpGlobalAddr && fn.owners[x.Aux]:
		return globalPlace(ir.GlobalID(x.Aux), at+off), true
	case x.Op == ir.OpLoad:
		p, ok := fn.placeAt(fn.f.ArgsOf(base)[0], 0)
		return p.inner(at + off), ok && p.deep == 0
	}
	return place{}, false
}

// onlyRead reports whether v and pointers into the same object are used to
// look at it only.
func (fn *function) onlyRead(v ir.ValueID, depth int) bool {
	f := fn.f
	for _, u := range fn.uses.Succs(uint32(v)) {
		u := ir.ValueID(u)
		switch f.Values[u].Op {
		case ir.OpLoad, ir.OpICmp, ir.OpSet, ir.OpMemset, ir.OpLifetimeStart, ir.OpLifetimeEnd, ir.OpMemcpy:
		case ir.OpStore:
			if f.ArgsOf(u)[0] == v {
				return false
			}
		case ir.OpGep:
			if f.ArgsOf(u)[0] != v || depth > 8 || !fn.onlyRead(u, depth+1) {
				return false
			}
		case ir.OpPhi, ir.OpSelect:
			if depth > 8 || !fn.orConstant(u, v) || !fn.onlyRead(u, depth+1) {
				return false
			}
		case ir.OpCall:
			if !fn.onlyLent(v, u) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// orConstant reports whether u chooses between v and constants, as in s ? s : "".
// So it is not v of another round of a loop.
func (fn *function) orConstant(u, v ir.ValueID) bool {
	f := fn.f
	args := f.ArgsOf(u)
	if f.Values[u].Op == ir.OpSelect {
		args = args[1:]
	}
	return !slices.ContainsFunc(args, func(a ir.ValueID) bool { return a != v && !f.Values[a].Op.IsConst() })
}

// isRenamed reports whether what v points to is used through another value that
// is not at a known offset: after a phi, a select, or memory.
func (fn *function) isRenamed(v ir.ValueID, depth int) bool {
	f := fn.f
	for _, u := range fn.uses.Succs(uint32(v)) {
		u := ir.ValueID(u)
		switch f.Values[u].Op {
		case ir.OpPhi, ir.OpSelect:
			if first, _, ok := fn.cursor(u); ok && first == v && depth <= 8 {
				if fn.isRenamed(u, depth+1) {
					return true
				}
			} else if !ok && !fn.onlyReturned(u, 0) {
				return true
			}
		case ir.OpStore:
			if f.ArgsOf(u)[0] == v && fn.readsBack(f.ArgsOf(u)[1]) {
				return true
			}
		case ir.OpMemcpy: // what is held there is held by the copy as well
			if f.ArgsOf(u)[1] == v {
				return true
			}
		case ir.OpGep:
			if depth > 8 || fn.isRenamed(u, depth+1) {
				return true
			}
		case ir.OpCall, ir.OpInvoke:
			if fn.isPut(v, u) {
				return true
			}
		}
	}
	return false
}

// readsBack reports whether the function may load what it stores at an address.
func (fn *function) readsBack(addr ir.ValueID) bool {
	f := fn.f
	base, off, ok := fn.address(addr)
	if !ok || fn.isIndexed(base) {
		return true
	}
	switch op := f.Values[base].Op; {
	case op == ir.OpAlloca || op == ir.OpPhi || op == ir.OpSelect || op == ir.OpLoad:
		return true
	}
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		switch x := &f.Values[v]; {
		case x.Op == ir.OpLoad && x.Type.Kind() == ir.Ptr:
			if b, at, ok := fn.address(f.ArgsOf(v)[0]); !ok || b == base && at == off || f.Values[b].Op == ir.OpPhi {
				return true
			}
		case x.Op.IsCall():
			if fn.readsPlace(v, base, off) {
				return true
			}
		}
	}
	return false
}

// readsPlace reports whether call v may do something with what is held off bytes into base.
func (fn *function) readsPlace(v, base ir.ValueID, off int64) bool {
	sum, flags := fn.callee(v)
	for i, a := range fn.f.ArgsOf(v)[1:] {
		if fn.f.Values[a].Type.Kind() != ir.Ptr {
			continue
		}
		b, at, ok := fn.address(a)
		switch {
		case ok && b != base || flags&ir.Intrinsic != 0:
		case sum == nil || !ok:
			return true
		case slices.ContainsFunc(sum.place(i, off-at), func(o outcome) bool { return o.effect != borrows }):
			return true
		}
	}
	return false
}

// isPut reports whether call u puts v, one of its arguments, somewhere.
func (fn *function) isPut(v, u ir.ValueID) bool {
	sum, _ := fn.callee(u)
	for i, a := range fn.f.ArgsOf(u)[1:] {
		if a == v && sum != nil && slices.ContainsFunc(sum.param(i), func(o outcome) bool {
			return o.effect == stores || o.effect == returns && !fn.onlyReturned(u, 0)
		}) {
			return true
		}
	}
	return false
}

// onlyReturned reports whether v is used by returns and comparisons alone.
func (fn *function) onlyReturned(v ir.ValueID, depth int) bool {
	for _, u := range fn.uses.Succs(uint32(v)) {
		switch fn.f.Values[u].Op {
		case ir.OpRet, ir.OpICmp, ir.OpSet:
		case ir.OpPhi:
			if depth > 4 || !fn.onlyReturned(ir.ValueID(u), depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// placesUsed lists the places in what parameters point to whose pointers the
// function does more with than look at what they point to, itself or through a
// function it calls; and which of them hold numbers that stand for something.
func (fn *function) placesUsed() (places []place, open, numbers map[place]bool) {
	f := fn.f
	used := map[place]bool{} // true unless all that happens is that a callee keeps it
	add := func(addr ir.ValueID, off int64) {
		if p, ok := fn.placeAt(addr, off); ok {
			used[p] = true
		}
	}
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		x := &f.Values[v]
		args := f.ArgsOf(v)
		switch {
		case x.Op == ir.OpLoad && x.Type.Kind() == ir.Ptr:
			if !fn.onlyRead(v, 0) {
				add(args[0], 0)
			}
		case x.Op == ir.OpStore && f.Values[args[0]].Type.Kind() == ir.Ptr:
			add(args[1], 0)
		case x.Op.IsCall():
			sum, _ := fn.callee(v)
			if sum == nil {
				continue
			}
			for p := range sum.places {
				switch {
				case p.param < theResult:
					used[p] = used[p] || !isKept(sum.places[p])
				case p.param < len(args)-1:
					at, ok := fn.placeAt(args[p.param+1], p.off)
					if ok && p.deep != 0 {
						_, off := p.outer()
						ok = at.deep == 0
						at = at.inner(off)
					}
					if ok {
						used[at] = used[at] || !isKept(sum.places[p])
					}
				}
			}
		}
	}
	if fn.numbers {
		numbers = fn.numbersUsed(used)
	}
	return slices.SortedFunc(maps.Keys(used), comparePlaces), used, numbers
}

// isKept reports whether an object is kept whatever happens.
func isKept(list []outcome) bool {
	return !slices.ContainsFunc(list, func(o outcome) bool { return o.effect != keeps || o.via != handed{} })
}

func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(a.param, b.param), cmp.Compare(a.off, b.off), cmp.Compare(a.deep, b.deep))
}
