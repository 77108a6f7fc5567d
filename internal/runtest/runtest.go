// Package runtest holds programs that say in comments what they lose when they
// are run, and holds plumb run and valgrind against them.
//
// A program is a C or C++ file, or a directory of them. In a directory lib*.c is a
// shared library that the program is linked with, plugin*.c one that it loads
// itself, outside.c a library that plumb does not build, and *.model a model file.
// The comments are
//
//	// run: args => A=2/48 ~B=1/16   a run: blocks/bytes lost of A, still held of B; ? is any number, ~B=?/? perhaps none
//	// alloc: A                      the allocation called A is on this line (or on one of several)
//	// leak: A                       where the last pointer to A is lost (one of several: any of them)
//	// forgotten: A                  the last use of A that is still held at the end (one of several)
//	// clang: flags                  in the first line: flags of its own
//	// oracle: none, because ...     valgrind cannot tell, as it does not know the allocator
//	// known@O0: A why               what plumb says of A at these levels is known not to be this
//
// The numbers are what valgrind says. The line of the loss is what the language
// says: where a variable is overwritten, where its scope ends by jump, return or
// closing brace, where memory that holds the pointer is released, where the
// statement ends that drops a result, the call that does not return for a frame
// that is left by longjmp or an exception, and the last line of a thread. A value
// that is only passed on may be lost at the call or where the callee returns, and
// a variable that is not used after a goto may be lost there or at the return.
package runtest

import (
	"fmt"
	"path/filepath"
)

// A Program is something to build and run.
type Program struct {
	Name    string   // of the file or directory
	Dir     string   // where its files are
	Units   []string // files that the program is linked from, in order of name
	Libs    []string // shared libraries, a file each
	Plugins []string // libraries that it loads itself
	Outside []string // libraries that plumb does not build
	Models  []string
	CXX     bool
	Flags   []string
	Labels  map[string]*Label
	Runs    []Run
	Oracle  string // why valgrind cannot be asked, or ""
}

// A Label is one or more allocations.
type Label struct {
	Alloc, Loss, Use []Place
	Also             []Place  // allocations that go with it: neither right nor wrong
	Known            []string // levels at which what is said of it is known to be wrong
	Why              string
}

// A Run is one run of a program.
type Run struct {
	Args  []string
	Stdin string
	Lost  map[string]Amount // by label
	Held  map[string]Amount
	Any   int // how many labels are lost, when Lost is not known
}

// An Amount is so much memory; less than 0 is not known.
type Amount struct{ Blocks, Bytes int64 }

func (a Amount) String() string { return fmt.Sprintf("%d/%d", a.Blocks, a.Bytes) }

// is reports whether b is what a asks for.
func (a Amount) is(b Amount) bool {
	return (a.Blocks < 0 || a.Blocks == b.Blocks) && (a.Bytes < 0 || a.Bytes == b.Bytes)
}

func (a Amount) plus(b Amount) Amount { return Amount{a.Blocks + b.Blocks, a.Bytes + b.Bytes} }

// A Place is a line; files are told apart by their last element alone.
type Place struct {
	File string
	Line int
}

func (p Place) String() string {
	if p.File == "" {
		return "nowhere"
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// An Observation is memory that some tool saw at the end of a run.
type Observation struct {
	Lost   bool
	Alloc  Place // the innermost line of the program on the way to the allocation
	Loss   Place // where it was lost; nowhere if it was not seen
	Use    Place
	Amount Amount
}

// files are all sources of the program by last element.
func (p *Program) files() map[string]bool {
	out := map[string]bool{}
	for _, list := range [][]string{p.Units, p.Libs, p.Plugins, p.Outside} {
		for _, f := range list {
			out[filepath.Base(f)] = true
		}
	}
	return out
}
