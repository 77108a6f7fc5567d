// Package model says what library functions do with memory they are given and
// memory they make, as far as it concerns who owns it.
//
// The knowledge is data, one line a function:
//
//	malloc(n) -> fresh | null
//	free(p) consumes p
//	realloc(p, n) -> fresh consumes p | null
//	strchr(s, c) -> s | null
//	asprintf(out, f, ...) -> >=0 makes out | <0
//	getcwd(buf, n) -> fresh if buf null | buf | null
//	fopen(path, mode) -> fresh "stream" | null
//	printf(f, ...)
//	_Znwm(n) as "operator new" -> fresh
//	exit(n) noreturn
//	__cxa_rethrow() noreturn throws
//
// After the name come the parameters. An outcome is what the result is (fresh
// memory, null, a parameter, a number such as 0, -1, >=0, <0 or nonzero, or
// anything when nothing is said), which parameters it consumes, that is, releases,
// and which it makes: *p is then fresh memory. "remakes p" says that memory already
// in *p is used again or released. "fresh if p null" holds for calls that pass
// null; a string after fresh says what it is, when it is not memory; a bar sets outcomes apart. A parameter that is not consumed is only looked
// at, and may be written through, unless the line says "keeps p". "borrows p" may
// be written for the reader. A # starts a comment.
//
// A function that has no line may do anything.
package model

import (
	_ "embed"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Func is what one function does.
type Func struct {
	Name     string
	Display  string // name for messages, when it differs
	Params   []string
	Variadic bool
	NoReturn bool
	Throws   bool  // a C++ exception
	Keeps    []int // parameters that may be kept; len(Params) stands for the variadic ones
	Remakes  []int // parameters p where what *p points to is released or used again
	Outcomes []Outcome
}

// An Outcome is one way in which a call can end.
type Outcome struct {
	Result   Result
	Arg      int    // the parameter that is returned, for ResultArg
	IfNull   int    // 1 + the parameter that must be null; 0 for none
	Object   string // what is fresh, when it is not memory: "stream"
	Num      Number // what is returned, for ResultNum
	Consumes []int  // parameters released
	Makes    []int  // parameters p where *p is fresh memory then
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

// A Set is a collection of models.
type Set struct{ funcs map[string]*Func }

// Lookup returns the model of a function by its linkage name, or nil.
func (s *Set) Lookup(name string) *Func { return s.funcs[name] }

// With returns s with the models of t added; where both have one, that of t holds.
func (s *Set) With(t *Set) *Set {
	out := &Set{funcs: maps.Clone(s.funcs)}
	maps.Copy(out.funcs, t.funcs)
	return out
}

// All returns the models of s by name.
func (s *Set) All() []*Func {
	out := make([]*Func, 0, len(s.funcs))
	for _, name := range slices.Sorted(maps.Keys(s.funcs)) {
		out = append(out, s.funcs[name])
	}
	return out
}

// Len returns how many functions s has.
func (s *Set) Len() int { return len(s.funcs) }

// Fresh reports whether f can return fresh memory.
func (f *Func) Fresh() bool {
	return slices.ContainsFunc(f.Outcomes, func(o Outcome) bool { return o.Result == ResultFresh })
}

// Object says what f makes, when it is not memory.
func (f *Func) Object() string {
	for _, o := range f.Outcomes {
		if o.Result == ResultFresh {
			return o.Object
		}
	}
	return ""
}

// KeepsParam reports whether argument i, counted from 0, may be kept.
func (f *Func) KeepsParam(i int) bool {
	if i >= len(f.Params) {
		return !f.Variadic || slices.Contains(f.Keeps, len(f.Params))
	}
	return slices.Contains(f.Keeps, i)
}

// DisplayName returns the name for messages.
func (f *Func) DisplayName() string {
	if f.Display != "" {
		return f.Display
	}
	return f.Name
}

// String prints the line that Parse reads.
func (f *Func) String() string {
	var b strings.Builder
	b.WriteString(f.Name + "(" + strings.Join(f.Params, ", "))
	if f.Variadic {
		if len(f.Params) > 0 {
			b.WriteString(", ")
		}
		b.WriteString("...")
	}
	b.WriteString(")")
	if f.Display != "" {
		fmt.Fprintf(&b, " as %q", f.Display)
	}
	for i, o := range f.Outcomes {
		switch {
		case i > 0:
			b.WriteString(" |")
		case o.Result != ResultAny:
			b.WriteString(" ->")
		}
		switch o.Result {
		case ResultFresh:
			b.WriteString(" fresh")
			if o.Object != "" {
				fmt.Fprintf(&b, " %q", o.Object)
			}
			if o.IfNull > 0 {
				b.WriteString(" if " + f.Params[o.IfNull-1] + " null")
			}
		case ResultNull:
			b.WriteString(" null")
		case ResultArg:
			b.WriteString(" " + f.Params[o.Arg])
		case ResultNum:
			b.WriteString(" " + o.Num.String())
		case ResultAny:
			if i > 0 {
				b.WriteString(" any")
			}
		}
		for _, p := range o.Consumes {
			b.WriteString(" consumes " + f.Params[p])
		}
		for _, p := range o.Makes {
			b.WriteString(" makes " + f.Params[p])
		}
	}
	for _, p := range f.Remakes {
		b.WriteString(" remakes " + f.Params[p])
	}
	for _, p := range f.Keeps {
		b.WriteString(" keeps " + append(slices.Clone(f.Params), "...")[p])
	}
	if f.NoReturn {
		b.WriteString(" noreturn")
	}
	if f.Throws {
		b.WriteString(" throws")
	}
	return b.String()
}

//go:embed libc.model
var libc []byte

// Libc returns the models that come with plumb: the C library and the C++ operators.
var Libc = sync.OnceValue(func() *Set {
	s, err := Parse("libc.model", libc)
	if err != nil {
		panic("model: " + err.Error())
	}
	return s
})
