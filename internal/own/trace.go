// This file goes from releases back to what they release.

package own

import (
	"cmp"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
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
	fn    ir.FuncID
	typ   string
	held  bool // not as its result, but here
	place leak.Place
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

// gather goes back from all releases, once.
func (x *Index) gather() {
	if x.gathered {
		return
	}
	x.gathered = true
	defer x.findDestructors()
	makers := map[object]maker{}
	for _, o := range x.objects {
		makers[o.key()] = x.makerOf(o)
	}
	for i, r := range x.releases {
		f := &x.p.Funcs[r.at.fn]
		arg := f.ArgsOf(r.at.id)[1+r.Arg]
		t := &tracer{x: x, seen: map[node]reach{}, found: map[object]reach{}}
		if r.Held {
			for _, s := range x.slotsAt(r.at.fn, arg, r.Off) {
				t.push(node{value: value{fn: r.at.fn}, slot: s}, through(s, local))
			}
		} else {
			t.push(node{value: value{r.at.fn, arg}}, local)
		}
		t.run()
		for o, far := range t.found {
			x.evidence[o] = append(x.evidence[o], clue{i, far})
			m := makers[o]
			if m.fn != 0 {
				x.makers[m] = append(x.makers[m], clue{i, far})
				if o.result {
					x.anything[m.fn] = append(x.anything[m.fn], clue{i, far})
				}
			}
		}
	}
	for m, list := range x.makers {
		x.makers[m] = distinct(list)
	}
	for fn, list := range x.anything {
		x.anything[fn] = distinct(list)
	}
}

// distinct leaves one clue for each release, the nearest.
func distinct(list []clue) []clue {
	slices.SortFunc(list, func(a, b clue) int {
		return cmp.Or(cmp.Compare(a.release, b.release), cmp.Compare(a.reach, b.reach))
	})
	return slices.CompactFunc(list, func(a, b clue) bool { return a.release == b.release })
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
func through(s slot, far reach) reach {
	if s.kind == nearSlot {
		return far
	}
	return stored
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
		for _, s := range t.x.slotsAt(n.fn, args[0], 0) {
			t.push(node{value: value{fn: n.fn}, slot: s, from: n.from}, through(s, far))
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
	for _, r := range t.x.releasedBy(n.fn) {
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
	if n.slot.kind != nearSlot {
		return
	}
	f := &t.x.p.Funcs[n.slot.id]
	if f.Values[n.slot.val].Op != ir.OpParam {
		return
	}
	fn, i := ir.FuncID(n.slot.id), int(f.Values[n.slot.val].Aux)
	for _, r := range t.x.releasedBy(fn) {
		if r.Arg == i && (!r.Held || r.Off == n.slot.off) && r.Always {
			return
		}
	}
	for _, c := range t.x.callers[fn] {
		args := t.x.p.Funcs[c.fn].ArgsOf(c.id)[1:]
		if i < len(args) {
			for _, s := range t.x.slotsAt(c.fn, args[i], n.slot.off) {
				t.push(node{value: value{fn: c.fn}, slot: s}, through(s, max(far, passed)))
			}
		}
	}
}
