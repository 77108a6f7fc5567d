// Package model says what library functions do with memory they are given and
// memory they make, as far as it concerns who owns it.
//
// The knowledge is data, one line a function:
//
//	malloc(n) -> fresh for free | null
//	free(p) consumes p
//	realloc(p, n) -> fresh for free consumes p like free | null
//	strchr(s, c) -> s | null
//	asprintf(out, f, ...) -> >=0 makes out for free | <0
//	getline(buf, n, f) consumes *buf makes buf for free
//	getcwd(buf, n) -> fresh for free if buf null | buf | null
//	fopen(path, mode) -> fresh "stream" for fclose | null
//	scandir(path, out, filter, compare) -> >=0 makes out for free each free calls filter(_) calls compare(_, _) | <0
//	pthread_create(t, attr, start, arg) -> 0 keeps arg calls start(arg) later | nonzero
//	printf(f, ...)
//	_Znwm(n) as "operator new" -> fresh for _ZdlPv
//	exit(n) noreturn
//	__cxa_rethrow() noreturn throws
//
// After the name come the parameters, then outcomes, set apart by bars: what the
// result is, and what happens to parameters then. The result is fresh memory,
// null, a parameter (a pointer into what it points to), a number such as 0, -1,
// >=0, <0 or nonzero, or anything when nothing is said. Fresh memory may be zeroed. A string after fresh says
// what it is, when it is not memory; "for free" names the function that releases
// it, "each free" the one that releases the elements, when it is an array of such;
// "if p null" holds for calls that pass null.
//
// What can happen to a parameter p:
//
//	consumes p   it is released; "like free" if it may come from whatever free takes,
//	             otherwise the function takes what is made for itself
//	             "counted" when the caller gives up one of several references
//	consumes *p  the same for what is held at p
//	makes p      *p is fresh then; what it is, "for" and "each" as above
//	fills p      something fresh is inside of what p points to, where only the
//	             library sees it; "for" names the function that empties p again
//	empties p    that is released
//	keeps p      someone else may release it later
//	borrows p    nothing; this is also what holds when nothing is said
//	borrows *p   nothing happens to what is held at p, where otherwise anything may
//	reads p      what p points to is not written
//	calls p(q)   the function p is called with what parameter q is; _ is an
//	             argument that is not among the parameters; "later" when it is
//	             called after the function has returned, or in another thread
//
// A parameter that is neither consumed nor read may be written through. A # starts a comment.
//
// A function that has no line may do anything.
package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// A Func is what one function does.
type Func struct {
	Name     string
	Display  string // name for messages, when it differs
	File     string // the file its line is in
	Line     int
	Builtin  bool // the file comes with plumb
	Params   []string
	Variadic bool
	NoReturn bool
	Throws   bool // a C++ exception
	Outcomes []Outcome
}

// An Outcome is one way in which a call can end.
type Outcome struct {
	Result   Result
	Arg      int    // the parameter that is returned, for ResultArg
	IfNull   int    // 1 + the parameter that must be null; 0 for none
	Num      Number // what is returned, for ResultNum
	Fresh    Object // what is returned, for ResultFresh
	Consumes []Release
	Makes    []Make
	Keeps    []int // parameters that may be kept; len(Params) stands for the variadic ones
	Lends    []int // parameters p where *p is only looked at
	Reads    []int // parameters through which nothing is written; len(Params) stands for the variadic ones
	Calls    []Callback
}

// An Object is something that a function makes.
type Object struct {
	Noun string // what it is, when it is not memory: "stream"
	For  string // the function that releases it; "" when that is not said
	Each string // the function that releases what each element points to; "" for none

	Zeroed bool // it is all zeros
}

// A Release says that something a parameter points to is released.
type Release struct {
	Param  int
	Held   bool   // not that, but what the pointer in it points to
	Inside bool   // not that, but what the library keeps inside of it
	Like   string // the function that takes the same objects; "" for this one

	Counted bool // the caller gives up one reference: others may still have the object
}

// A Make says that a function leaves something new behind a parameter.
type Make struct {
	Param  int
	Inside bool // not in *p, but inside of what p points to, where only the library sees it
	Object
}

// A Callback says that a function calls one of its parameters.
type Callback struct {
	Func  int
	Args  []int // by argument of the callback: the parameter that it is, or points into; -1 for none
	Later bool  // not before the function returns
}

// A Number is a set of integers.
type Number struct {
	Lo, Hi  int64
	NonZero bool // 0 is not in it
}

// String prints the form that Parse reads.
func (n Number) String() string {
	switch {
	case n.NonZero:
		return "nonzero"
	case n.Lo == n.Hi:
		return strconv.FormatInt(n.Lo, 10)
	case n.Hi == math.MaxInt64:
		return fmt.Sprintf(">=%d", n.Lo)
	}
	return fmt.Sprintf("<%d", n.Hi+1)
}

// A Result is what a function returns.
type Result uint8

const (
	ResultAny   Result = iota + 1 // nothing we follow
	ResultFresh                   // memory nobody else has
	ResultNull
	ResultArg // a pointer into what a parameter points to
	ResultNum // a number
)

// Fresh reports whether f can return something fresh, and what.
func (f *Func) Fresh() (Object, bool) {
	for _, o := range f.Outcomes {
		if o.Result == ResultFresh {
			return o.Fresh, true
		}
	}
	return Object{}, false
}

// KeepsParam reports whether argument i, counted from 0, may be kept on every way
// on which the call can end.
func (f *Func) KeepsParam(i int) bool {
	return !slices.ContainsFunc(f.Outcomes, func(o Outcome) bool { return !f.keeps(&o, i) })
}

// keeps reports whether outcome o keeps argument i.
func (f *Func) keeps(o *Outcome, i int) bool {
	if i >= len(f.Params) {
		return !f.Variadic || slices.Contains(o.Keeps, len(f.Params))
	}
	return slices.Contains(o.Keeps, i)
}

// ReturnsParam reports whether f can return a pointer into what it is given.
func (f *Func) ReturnsParam() bool {
	return slices.ContainsFunc(f.Outcomes, func(o Outcome) bool { return o.Result == ResultArg })
}

// ReleasesParam reports whether f can release what parameter i points to.
func (f *Func) ReleasesParam(i int) bool {
	return slices.ContainsFunc(f.Outcomes, func(o Outcome) bool {
		return slices.ContainsFunc(o.Consumes, func(r Release) bool { return r.Param == i && !r.Held && !r.Inside })
	})
}

// WritesParam reports whether f may write what argument i, counted from 0, points to,
// as far as the caller can see that.
func (f *Func) WritesParam(i int) bool {
	i = min(i, len(f.Params))
	return !f.ReleasesParam(i) && !slices.ContainsFunc(f.Outcomes, func(o Outcome) bool { return slices.Contains(o.Reads, i) })
}

// Calls returns the calls that f may make of functions it is given.
func (f *Func) Calls() []Callback {
	var out []Callback
	for _, o := range f.Outcomes {
		for _, c := range o.Calls {
			if !slices.ContainsFunc(out, func(x Callback) bool { return x.Func == c.Func && x.Later == c.Later && slices.Equal(x.Args, c.Args) }) {
				out = append(out, c)
			}
		}
	}
	return out
}

// DisplayName returns the name for messages.
func (f *Func) DisplayName() string {
	if f.Display != "" {
		return f.Display
	}
	return f.Name
}
