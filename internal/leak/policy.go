// This file holds the policies: questions that a program leaves open, and how
// they are answered.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// A Policy answers what no analysis can decide. Its zero value has the usual
// answers; docs/policies.md explains each with an example.
type Policy struct {
	AllocsSucceed    bool // paths on which the library has no memory are not followed
	GlobalsLeak      bool // memory that a global still holds when the process ends is a leak
	ExitLeaks        bool // so is memory held at a call that does not return, and at the end of main
	DeclaredNoReturn bool // a function returns unless it is declared or modelled not to
	UnknownBorrow    bool // a function nothing is known of only looks at what it is given
	NoAttributes     bool // attributes in the code count for nothing
	NoWrappers       bool // only library functions allocate and release
	EscapeOnce       bool // an object that escapes on one path is not followed on any
	CountedKeeps     bool // a release under a reference count is none
}

// A Setting is one policy as a user knows it.
type Setting struct {
	Name   string    // of its flag
	Values [2]string // its values, the usual one first
	Help   string    // what the other one does
	field  func(*Policy) *bool
}

// Settings lists the policies.
var Settings = []Setting{
	{"failed-allocs", [2]string{"follow", "ignore"}, "leave out paths on which an allocation fails", func(p *Policy) *bool { return &p.AllocsSucceed }},
	{"held-by-globals", [2]string{"fine", "leak"}, "report what globals still hold when the process ends", func(p *Policy) *bool { return &p.GlobalsLeak }},
	{"held-at-exit", [2]string{"fine", "leak"}, "report what is held at exit, abort and the end of main", func(p *Policy) *bool { return &p.ExitLeaks }},
	{"noreturn", [2]string{"infer", "declared"}, "a function returns unless it is declared or modelled not to", func(p *Policy) *bool { return &p.DeclaredNoReturn }},
	{"unknown-calls", [2]string{"keep", "borrow"}, "a function nothing is known of only looks at what it is given", func(p *Policy) *bool { return &p.UnknownBorrow }},
	{"attributes", [2]string{"honour", "ignore"}, "attributes in the code count for nothing", func(p *Policy) *bool { return &p.NoAttributes }},
	{"wrappers", [2]string{"infer", "ignore"}, "only library functions allocate and release", func(p *Policy) *bool { return &p.NoWrappers }},
	{"escape", [2]string{"path", "object"}, "what is stored where others see it on one path is given up on all", func(p *Policy) *bool { return &p.EscapeOnce }},
	{"refcounts", [2]string{"release", "keep"}, "a release that depends on a reference count is none", func(p *Policy) *bool { return &p.CountedKeeps }},
}

// Set gives the policy a value. It reports whether there is such a value.
func (s *Setting) Set(p *Policy, value string) bool {
	i := slices.Index(s.Values[:], value)
	if i < 0 {
		return false
	}
	*s.field(p) = i == 1
	return true
}

// attributes are the facts that a programmer declares.
const attributes = ir.NoReturn | ir.ReadOnly | ir.ReadNone | ir.NoAlias | ir.NonNull

// unknownArgument is what happens to an argument of a call of a function that
// nothing is known of.
func (fn *function) unknownArgument(v ir.ValueID, i int) []outcome {
	if fn.policy.UnknownBorrow {
		return harmless
	}
	if c := fn.f.Callee(v); c != 0 && (fn.p.Funcs[c].Flags&ir.Intrinsic != 0 || onlyReads(&fn.p.Funcs[c], i)) {
		return harmless
	}
	return unknown
}

// isStranger reports whether call v is of a function without a body or a model, whose
// declaration does not promise that argument i is not kept. That it is const is no such
// promise.
func (fn *function) isStranger(v ir.ValueID, sum *summary, i int) bool {
	c := fn.f.Callee(v)
	if c == 0 || !fn.p.Funcs[c].IsDecl() || fn.p.Funcs[c].Flags&(ir.Intrinsic|ir.ReadNone) != 0 || sum != nil && sum.modelled {
		return false
	}
	const promise = ir.ParamNoCapture | ir.ParamFreed
	return i >= len(fn.p.Funcs[c].Params) || fn.p.Funcs[c].Params[i]&promise == 0
}

// onlyReads reports whether a declaration says that parameter i is only looked at:
// it points to what is const, and no pointer comes back that may be the same.
func onlyReads(f *ir.Func, i int) bool {
	k := f.Result.Kind()
	return i < len(f.Params) && f.Params[i]&ir.ParamConst != 0 && (k == ir.Void || k == ir.Int || k == ir.Float) && f.Params[0]&ir.ParamSRet == 0
}

// succeed applies what the policy says of failing allocations after call v: it
// narrows the result to what the call returns when memory is there. Streams and
// other objects fail for reasons of their own.
func (w *walker) succeed(s *state, v ir.ValueID, sum *summary) {
	if !w.fn.policy.AllocsSucceed || sum == nil || sum.inferred || sum.object != "" || !w.usesResult(v) {
		return
	}
	if sum.fresh && sum.mayFail && w.fn.makesNew(v, sum) {
		w.narrow(s, v, nonzero, 0)
	}
	if len(sum.outs) > 0 {
		r := sum.outs[0].ret
		for _, o := range sum.outs[1:] {
			r = r.hull(o.ret)
		}
		w.narrow(s, v, r, 0)
	}
}

// resultWithMemory narrows what the function returns to what it does when
// allocations do not fail.
func (fn *function) resultWithMemory(sum *summary) {
	if !fn.policy.AllocsSucceed || fn.f.Result.Kind() == ir.Void {
		return
	}
	w := &walker{fn: fn, given: true, limit: fn.states / 2}
	w.from(&state{block: 1, at: fn.f.Blocks[1].First, end: borrows})
	if w.over || len(w.ends) == 0 {
		return
	}
	r := w.ends[0].ret
	for _, o := range w.ends[1:] {
		r = r.hull(o.ret)
	}
	sum.ret = sum.ret.meet(r)
	sum.mayFail = sum.mayFail && !sum.ret.not0()
}

// ownNothing takes back that the function makes or releases objects.
func (s *summary) ownNothing() {
	s.fresh, s.partly, s.mayFail, s.object, s.outs = false, false, false, "", nil
	keep := func(list []outcome) {
		for i := range list {
			if list[i].effect == consumes {
				list[i].effect = keeps
			}
		}
	}
	for _, list := range s.params {
		keep(list)
	}
	for _, list := range s.places {
		keep(list)
	}
}

// unknownContent is what happens to an object that is held by memory that such a
// call is given.
func (fn *function) unknownContent(v ir.ValueID) outcome {
	c := fn.f.Callee(v)
	if fn.policy.UnknownBorrow || c != 0 && fn.p.Funcs[c].Flags&ir.Intrinsic != 0 {
		return harmless[0]
	}
	return unknown[0]
}
