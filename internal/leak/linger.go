// This file asks, without looking at paths, whether anything may still refer to an
// object after a call that releases it.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// An aftermath tells what may come after a release.
type aftermath struct {
	fn    *function
	loads map[cell][]ir.ValueID // loads of pointers, by where they load from
	frees map[cell][]ir.ValueID // calls that release what is held there
}

// aftermath notes who reads and releases what cells hold.
func (fn *function) aftermath() *aftermath {
	f := fn.f
	a := &aftermath{fn, map[cell][]ir.ValueID{}, map[cell][]ir.ValueID{}}
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		x := &f.Values[v]
		if x.Op == ir.OpLoad && (x.Type.Kind() == ir.Ptr || fn.numbers && isHandle(x.Type, true)) {
			if c, ok := fn.spot(f.ArgsOf(v)[0]); ok {
				a.loads[c] = append(a.loads[c], v)
			}
		}
		if !x.Op.IsCall() {
			continue
		}
		sum, _ := fn.callee(v)
		if sum == nil {
			continue
		}
		for p, list := range sum.places {
			if c, ok := fn.placeOf(v, p); ok && releasesSurely(list) {
				a.frees[c] = append(a.frees[c], v)
			}
		}
	}
	return a
}

// maxNames bounds the values looked at that may be the same object.
const maxNames = 64

// linger reports whether something that may refer to the prey is used after call
// v, without the root being computed anew.
func (a *aftermath) linger(p *prey, v ir.ValueID) bool {
	f := a.fn.f
	var reach bits // blocks that control may come to after v
	after := func(u ir.ValueID) bool {
		b := f.BlockOf(u)
		if b == f.BlockOf(v) && u > v {
			return true
		}
		if reach == nil {
			reach = make(bits, len(f.Blocks)/64+1)
			stop := uint32(0)
			if p.cell == (cell{}) {
				stop = uint32(f.BlockOf(p.root))
			}
			a.fn.forward(reach, uint32(f.BlockOf(v)), stop)
		}
		return reach.has(uint32(b))
	}
	names, cells := a.names(p)
	for _, n := range names {
		for _, u := range a.fn.uses.Succs(uint32(n)) {
			if u := ir.ValueID(u); u != v && touches(f.Values[u].Op) && after(u) {
				return true
			}
		}
	}
	for _, c := range cells {
		if slices.ContainsFunc(a.frees[c], after) {
			return true
		}
	}
	return false
}

// touches reports whether an instruction may do more with a pointer than make
// another of it.
func touches(op ir.Op) bool {
	switch op {
	case ir.OpSet, ir.OpICmp, ir.OpPhi, ir.OpGep, ir.OpSelect, ir.OpRet, ir.OpBitcast, ir.OpFreeze:
		return false
	}
	return true
}

// names lists values that may point to the prey, and cells that may hold it.
func (a *aftermath) names(p *prey) (names []ir.ValueID, cells []cell) {
	f := a.fn.f
	add := func(v ir.ValueID) {
		if len(names) < maxNames && !f.Values[v].Op.IsConst() && !slices.Contains(names, v) {
			names = append(names, v)
		}
	}
	addCell := func(addr ir.ValueID) {
		if c, ok := a.fn.spot(addr); ok && !slices.Contains(cells, c) {
			cells = append(cells, c)
			for _, l := range a.loads[c] {
				add(l)
			}
		}
	}
	if p.cell != (cell{}) {
		cells = append(cells, p.cell)
		for _, l := range a.loads[p.cell] {
			add(l)
		}
	} else {
		add(p.root)
		if f.Values[p.root].Op == ir.OpPhi {
			for _, b := range f.ArgsOf(p.root) {
				add(b)
			}
		}
	}
	for i := 0; i < len(names); i++ {
		n := names[i]
		if f.Values[n].Op == ir.OpLoad {
			addCell(f.ArgsOf(n)[0])
		}
		for _, u := range a.fn.uses.Succs(uint32(n)) {
			u := ir.ValueID(u)
			switch x := &f.Values[u]; {
			case x.Op == ir.OpStore && f.ArgsOf(u)[0] == n:
				addCell(f.ArgsOf(u)[1])
			case x.Op == ir.OpLoad, x.Op == ir.OpStore:
			case isHandle(x.Type, p.number): // made of it, or returned by a function that was given it
				add(u)
			}
		}
	}
	return names, cells
}

// forward adds to set what control may come to after block b without passing
// through stop.
func (fn *function) forward(set bits, b, stop uint32) {
	for work := []uint32{b}; len(work) > 0; {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range fn.cfg.Succs(x) {
			if s != stop && !set.has(s) && !fn.doomed[s] {
				set.add(s)
				work = append(work, s)
			}
		}
	}
}
