// Package model says what library functions do with memory they are given and
// memory they make, as far as it concerns who owns it.
//
// The knowledge is data, one line a function:
//
//	malloc(n) -> fresh | null
//	free(p) consumes p
//	realloc(p, n) -> fresh consumes p | null
//	strchr(s, c) -> s | null
//	printf(f, ...)
//	_Znwm(n) as "operator new" -> fresh
//	exit(n) noreturn
//
// After the name come the parameters. An outcome is what the result is (fresh
// memory, null, a parameter, or anything when nothing is said) and which
// parameters it consumes, that is, releases; a bar sets outcomes apart. A
// parameter that is not consumed is only looked at, and may be written through,
// unless the line says "keeps p". "borrows p" may be written for the reader. A #
// starts a comment.
//
// A function that has no line may do anything.
package model

import (
	_ "embed"
	"fmt"
	"slices"
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
	Keeps    []int // parameters that may be kept; len(Params) stands for the variadic ones
	Outcomes []Outcome
}

// An Outcome is one way in which a call can end.
type Outcome struct {
	Result   Result
	Arg      int   // the parameter that is returned, for ResultArg
	Consumes []int // parameters released
}

// A Result is what a function returns.
type Result uint8

const (
	ResultAny   Result = iota + 1 // nothing we follow
	ResultFresh                   // memory nobody else has
	ResultNull
	ResultArg // a pointer into what a parameter points to
)

// A Set is a collection of models.
type Set struct{ funcs map[string]*Func }

// Lookup returns the model of a function by its linkage name, or nil.
func (s *Set) Lookup(name string) *Func { return s.funcs[name] }

// Len returns how many functions s has.
func (s *Set) Len() int { return len(s.funcs) }

// Fresh reports whether f can return fresh memory.
func (f *Func) Fresh() bool {
	return slices.ContainsFunc(f.Outcomes, func(o Outcome) bool { return o.Result == ResultFresh })
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
		case ResultNull:
			b.WriteString(" null")
		case ResultArg:
			b.WriteString(" " + f.Params[o.Arg])
		case ResultAny:
			if i > 0 {
				b.WriteString(" any")
			}
		}
		for _, p := range o.Consumes {
			b.WriteString(" consumes " + f.Params[p])
		}
	}
	for _, p := range f.Keeps {
		b.WriteString(" keeps " + append(slices.Clone(f.Params), "...")[p])
	}
	if f.NoReturn {
		b.WriteString(" noreturn")
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
