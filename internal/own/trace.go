// This file goes from releases back to what they release.

package own

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// A reach says how far an object came before it was released. Near is better evidence.
type reach uint8

const (
	local  reach = iota // in the function that made it
	passed              // it was passed or returned
	stored              // it was in a field or in a global
)

// A clue is that a release may release an object.
type clue struct {
	release int // indexes Index.releases
	reach   reach
}

// A maker is a function that makes objects of a type.
type maker struct {
	fn   ir.FuncID
	typ  string
	held bool // not as its result
}

// maxTrace bounds what is looked at for one release.
const maxTrace = 600

// A node is where a trace is: at a value, in a slot, or, when it went into a callee for
// what that returns, in it on behalf of one call.
type node struct {
	value
	slot slot  // when it is not 0: there, and not at the value
	from value // the call that led here; none otherwise
}

type tracer struct {
	x     *Index
	seen  map[node]reach
	work  []node
	found map[object]reach
}

// gather goes back from all releases.
func (x *Index) gather() {
	types := map[object]string{}
	byKey := map[object]Object{}
	for _, o := range x.objects {
		byKey[o.key()], types[o.key()] = o, x.typeOf(o)
	}
	for i, r := range x.releases {
		f := &x.p.Funcs[r.at.fn]
		arg := f.ArgsOf(r.at.id)[1+r.Arg]
		t := &tracer{x: x, seen: map[node]reach{}, found: map[object]reach{}}
		if r.Held {
			if s, ok := x.slotNear(r.at.fn, arg, r.Off); ok {
				t.push(node{value: value{fn: r.at.fn}, slot: s}, t.through(s, local))
			}
		} else {
			t.push(node{value: value{r.at.fn, arg}}, local)
		}
		t.run()
		for o, far := range t.found {
			x.evidence[o] = append(x.evidence[o], clue{i, far})
			m := maker{x.p.Funcs[o.fn].Callee(o.id), types[o], !o.result}
			if m.fn != 0 {
				x.makers[m] = append(x.makers[m], clue{i, far})
			}
		}
	}
	for _, list := range x.makers { // one release is one piece of evidence
		slices.SortFunc(list, func(a, b clue) int {
			if a.release != b.release {
				return a.release - b.release
			}
			return int(a.reach) - int(b.reach)
		})
	}
	for m, list := range x.makers {
		x.makers[m] = slices.CompactFunc(list, func(a, b clue) bool { return a.release == b.release })
	}
}

func (t *tracer) push(n node, far reach) {
	old, seen := t.seen[n]
	if seen && old <= far || !seen && len(t.seen) >= maxTrace {
		return
	}
	t.seen[n] = far
	t.work = append(t.work, n)
}

func (t *tracer) run() {
	for len(t.work) > 0 {
		n := t.work[0]
		t.work = t.work[1:]
		if far := t.seen[n]; n.slot.kind != 0 {
			t.slot(n, far)
		} else {
			t.value(n, far)
		}
	}
}

func (t *tracer) find(o Object, far reach) {
	if old, ok := t.found[o.key()]; !ok || far < old {
		t.found[o.key()] = far
	}
}

// through returns how far an object came that went through a slot.
func (t *tracer) through(s slot, far reach) reach {
	switch s.kind {
	case localSlot:
		return far
	case paramSlot:
		return max(far, passed)
	}
	return max(far, stored)
}

func (t *tracer) value(n node, far reach) {
	f := &t.x.p.Funcs[n.fn]
	v := &f.Values[n.id]
	args := f.ArgsOf(n.id)
	on := func(a ir.ValueID) { t.push(node{value: value{n.fn, a}, from: n.from}, far) }
	switch {
	case v.Op == ir.OpPhi:
		for _, a := range args {
			on(a)
		}
	case v.Op == ir.OpSelect:
		on(args[1])
		on(args[2])
	case v.Op == ir.OpGep || v.Op == ir.OpFreeze || v.Op >= ir.OpPtrToInt && v.Op <= ir.OpBitcast:
		on(args[0])
	case v.Op == ir.OpLoad:
		if s, ok := t.x.slotAt(n.fn, args[0]); ok {
			t.push(node{value: value{fn: n.fn}, slot: s, from: n.from}, t.through(s, far))
		}
	case v.Op == ir.OpParam:
		t.param(n, int(v.Aux), far)
	case v.Op.IsCall():
		for _, m := range t.x.view.Made(n.fn, n.id) {
			if m.Place == nil {
				t.find(Object{Func: n.fn, Site: n.id}, far)
			}
		}
		if c := f.Callee(n.id); c != 0 && n.from == (value{}) {
			for _, r := range t.x.results[c] {
				t.push(node{value: r, from: n.value}, max(far, passed))
			}
		}
	}
}

// param goes on to what callers pass. It does not if the function is there to release
// the parameter: then it is the calls of the function that release.
func (t *tracer) param(n node, i int, far reach) {
	if n.from != (value{}) {
		if args := t.x.p.Funcs[n.from.fn].ArgsOf(n.from.id)[1:]; i < len(args) {
			t.push(node{value: value{n.from.fn, args[i]}}, max(far, passed))
		}
		return
	}
	for _, r := range t.x.view.ReleasedBy(n.fn) {
		if r.Arg == i && !r.Held && (r.Always || r.Counted) {
			return
		}
	}
	for _, c := range t.x.callers[n.fn] {
		if args := t.x.p.Funcs[c.fn].ArgsOf(c.id)[1:]; i < len(args) {
			t.push(node{value: value{c.fn, args[i]}}, max(far, passed))
		}
	}
}

func (t *tracer) slot(n node, far reach) {
	for _, o := range t.x.makes[n.slot] {
		t.find(o, far)
	}
	for _, v := range t.x.stores[n.slot] {
		t.push(node{value: v}, far)
	}
	if n.slot.kind != paramSlot {
		return
	}
	fn, i := ir.FuncID(n.slot.id), int(n.slot.val)
	for _, r := range t.x.view.ReleasedBy(fn) {
		if r.Arg == i && r.Held && r.Off == n.slot.off && r.Always {
			return
		}
	}
	for _, c := range t.x.callers[fn] {
		args := t.x.p.Funcs[c.fn].ArgsOf(c.id)[1:]
		if i < len(args) {
			if s, ok := t.x.slotNear(c.fn, args[i], n.slot.off); ok {
				t.push(node{value: value{fn: c.fn}, slot: s}, t.through(s, max(far, passed)))
			}
		}
	}
}
