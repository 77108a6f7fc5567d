// This file finds values that are always equal.

package leak

import (
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/modref"
)

// A numberKey is equal for instructions that compute the same from the same.
type numberKey struct {
	op      ir.Op
	sub     uint8
	typ     ir.Type
	a, b, c ir.ValueID
	off     int64
}

// number fills rep. Loads of one address are the same value unless the function
// may have written there in between, on any path: see the package comment for when
// that is too bold. Calls write globals, and what they are given.
func (fn *function) number() {
	f := fn.f
	fn.rep = slices.Grow(fn.rep[:0], len(f.Values))[:len(f.Values)]
	for v := range fn.rep {
		fn.rep[v] = ir.ValueID(v)
	}
	known := map[numberKey]ir.ValueID{}
	loads := map[numberKey][]ir.ValueID{}
	fn.writes, fn.writers = map[cell]int64{}, map[cell][]ir.ValueID{}
	fn.calls = fn.calls[:0]
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		fn.noteWrites(v, func(c cell) { fn.writers[c] = append(fn.writers[c], v) })
		if f.Values[v].Op.IsCall() && !fn.onlyLooks(v) {
			fn.calls = append(fn.calls, v)
		}
	}
	if fn.strict {
		fn.findChangers()
	}
	for _, b := range fn.dom.RPO {
		for v := f.Blocks[b].First; v < f.Blocks[b].End; v++ {
			fn.noteWrites(v, func(c cell) { fn.writes[c]++ })
			k, ok := fn.key(v)
			if !ok {
				continue
			}
			if k.op == ir.OpLoad {
				i := slices.IndexFunc(loads[k], func(r ir.ValueID) bool { return fn.readsSame(r, v) })
				if i < 0 {
					loads[k] = append(loads[k], v)
				} else {
					fn.rep[v] = loads[k][i]
				}
				continue
			}
			// An earlier call tells of a later one only if control came by it.
			if r, ok := known[k]; ok && (k.op != ir.OpCall || fn.dom.Dominates(uint32(f.BlockOf(r)), b)) {
				fn.rep[v] = r
			} else {
				known[k] = v
			}
		}
	}
}

// readsSame reports whether two loads of one address read the same: control comes
// by the first, and nothing writes there on the way from it to the second.
func (fn *function) readsSame(first, second ir.ValueID) bool {
	f := fn.f
	a, b := f.BlockOf(first), f.BlockOf(second)
	if !fn.dom.Dominates(uint32(a), uint32(b)) {
		return false
	}
	addr := f.ArgsOf(second)[0]
	base, off, ok := fn.address(addr)
	if !ok {
		base, off = fn.baseOf(addr), anywhere
	}
	var between bits
	passed := func(w ir.ValueID) bool {
		if a == b {
			return w > first && w < second
		}
		switch c := f.BlockOf(w); c {
		case a:
			return w > first
		case b:
			if w < second {
				return true
			}
			fallthrough // and round a loop, without the first
		default:
			if between == nil {
				between = make(bits, len(f.Blocks)/64+1)
				fn.back(between, []uint32{uint32(b)}, uint32(a))
			}
			return between.has(uint32(c))
		}
	}
	if fn.strict && !fn.sameStrictly(second, passed) {
		return false
	}
	written := func(w ir.ValueID) bool { return passed(w) && (!f.Values[w].Op.IsCall() || fn.callWrites(w, second)) }
	if f.Values[base].Op == ir.OpGlobalAddr && slices.ContainsFunc(fn.calls, written) {
		return false
	}
	return !slices.ContainsFunc(fn.writers[cell{base, off}], written) &&
		(off == anywhere || !slices.ContainsFunc(fn.writers[cell{fn.baseOf(addr), anywhere}], written))
}

// noteWrites tells what instruction v may write of memory with a name: stores, and
// calls that are given its address.
func (fn *function) noteWrites(v ir.ValueID, writes func(cell)) {
	f := fn.f
	args := f.ArgsOf(v)
	switch op := f.Values[v].Op; {
	case op == ir.OpStore:
		base, off, ok := fn.address(args[1])
		if !ok {
			base, off = fn.baseOf(args[1]), anywhere
		}
		writes(cell{base, off})
	case op == ir.OpMemcpy || op == ir.OpMemset:
		writes(cell{fn.baseOf(args[0]), anywhere})
	case op.IsCall() && !fn.onlyLooks(v):
		for _, a := range args[1:] {
			if base := fn.baseOf(a); f.Values[a].Type.Kind() == ir.Ptr && !fn.isConst(base) {
				writes(cell{base, anywhere})
			}
		}
	}
}

// callWrites reports whether a call may write what is loaded.
func (fn *function) callWrites(call, load ir.ValueID) bool {
	f := fn.f
	return fn.modref.CallMayWrite(fn.id, call, modref.PlaceOf(fn.p, f, f.ArgsOf(load)[0], f.Values[load].Type))
}

// isConst reports whether v is a parameter that points to something const: then
// the functions it is passed to do not write there either.
func (fn *function) isConst(v ir.ValueID) bool {
	x := &fn.f.Values[v]
	return x.Op == ir.OpParam && x.Var != 0 && strings.HasPrefix(fn.f.Vars[x.Var].Type, "const ")
}

// onlyLooks reports whether call v writes nothing that the function can see, so
// that its result follows from its arguments and what they point to.
func (fn *function) onlyLooks(v ir.ValueID) bool {
	if fn.f.Callee(v) == 0 {
		return false
	}
	_, flags := fn.callee(v)
	return flags&(ir.ReadOnly|ir.ReadNone) != 0
}

// anywhere is the offset of a write that may be at any.
const anywhere = -1 << 62

// address splits an address into what it is an offset from, and the offset; ok is
// false if that varies.
func (fn *function) address(v ir.ValueID) (base ir.ValueID, off int64, ok bool) {
	f := fn.f
	for f.Values[v].Op == ir.OpGep {
		g := &f.Geps[f.Values[v].Aux]
		if g.NStride > 0 {
			return 0, 0, false
		}
		off += g.Off
		v = f.ArgsOf(v)[0]
	}
	return v, off, f.Values[v].Type.Kind() == ir.Ptr
}

// baseOf returns what an address is an offset from.
func (fn *function) baseOf(v ir.ValueID) ir.ValueID {
	for fn.f.Values[v].Op == ir.OpGep {
		v = fn.f.ArgsOf(v)[0]
	}
	return v
}

func (fn *function) key(v ir.ValueID) (numberKey, bool) {
	f := fn.f
	x := &f.Values[v]
	k := numberKey{op: x.Op, sub: x.Sub, typ: x.Type}
	switch {
	case x.Op == ir.OpGep:
		g := &f.Geps[x.Aux]
		if g.NStride > 0 {
			return k, false
		}
		k.off = g.Off
	case x.Op == ir.OpLoad:
		if x.Sub&ir.MemVolatile != 0 {
			return k, false
		}
	case x.Op == ir.OpCall && fn.onlyLooks(v) && !fn.strict:
		for _, a := range f.ArgsOf(v)[1:] {
			if f.Values[a].Type.Kind() == ir.Ptr {
				k.off += fn.writes[cell{fn.baseOf(a), anywhere}]
			}
		}
	case x.Op >= ir.OpAdd && x.Op <= ir.OpFreeze:
	default:
		return k, false
	}
	args := f.ArgsOf(v)
	if len(args) > 3 {
		return k, false
	}
	for i, p := range []*ir.ValueID{&k.a, &k.b, &k.c}[:len(args)] {
		*p = fn.rep[args[i]]
	}
	return k, true
}
