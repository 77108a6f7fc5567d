// Package leak finds memory that is never released, and memory that is touched
// after its release.
//
// It goes through the program bottom up. From each call that makes an object it
// walks along the paths of the function and keeps, for each, what holds the object:
// source variables, cells of memory, and values that are still to be used. When
// nothing holds it any more and it was not released, it is lost there; when the
// function ends first, it is forgotten. Where it is returned, or left in memory
// of a parameter, of the result or of a global, the caller's calls make the object
// in turn.
//
// What a function does with objects it is given is found by the same walk, and
// kept as outcomes: released, kept, stored, returned, or only looked at, each
// with what the function then returns and what its other arguments are. This is
// what ties an object to an error code. Functions of the library have models that
// say the same.
//
// # Memory
//
// A cell is a place in memory with one name: an offset in a local variable, in what
// a parameter points to, in another new object, or in a global. Globals have cells
// if the program stores pointers there, at offsets that do not vary, and their
// address is not kept in memory (statics.go).
//
// An object is held by a cell of its owner, and the owner by a cell of its own: the
// state has links from owner to owner (owners.go). When an owner is lost or
// released, what only it holds is lost with it. What callers are told of memory has
// two levels, p->a and p->a->b; what lies deeper they ask the releaser, the function
// that releases the owner, for. An allocation in a loop has two names, for the object
// made last and for those made before.
//
// The elements of an array are one cell: what is stored there stays there, and what
// is taken out may be it (elements.go). A variable that goes through a list is a
// cursor: what a function does with the first node it does with all (params.go).
//
// # Precision
//
// When in doubt, an object is kept. One that is stored where others may see it,
// turned into an integer that is more than a length, or passed to a function nothing
// is known of is no longer followed on that path: someone else may release it. If a
// callee takes the object
// on some path, and the caller cannot tell that path from the others, it is taken
// to be taken; a release that depends on the object itself is a reference count.
//
// A path is followed only while the branches on it agree with one another, as far as
// constants, intervals and repeated tests tell, so "if (y) p = malloc(n); ... if
// (y) free(p);" is no leak. Two loads of one place are taken to be equal unless
// the function itself may have written it in between, or a function that it gave the
// place to. What is read from memory that others see is known until a call may write
// there (package modref). What a program leaves open is a
// Policy.
//
// # Ends
//
// Ends of the process are no leaks: a call that does not return ends its path,
// and so does the end of main. An exception of the program that leaves a function
// is a leak of what the function still has, and so is a long jump, made here or by a
// function that does nothing else; an exception of the library is none. A function
// that calls setjmp is not looked at.
//
// # After the release
//
// An object that is released is followed further if something may still refer to
// it: see hunt.go. There precision asks for the opposite: what may not refer to the
// object does not, a release that may be one of a reference is none, and a
// branch that may exclude the release does. What is wrong with an event in the life
// of an object is a table, in machine.go.
//
// # Findings
//
// There is one finding for each object and place of loss, with the first path that
// leads there; all paths when Config.AllPaths asks for level 0. Levels 1 and 2 are made
// by report.Merge.
//
// # Cost
//
// The number of distinct states, bounded for each object. Past the bound a new object
// is walked once more with what is known joined where paths meet (joined.go); if that
// still loses it, it is given up and nothing is reported. A given one counts as
// kept.
package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/model"
	"github.com/plumb-project/plumb/internal/report"
)

// A Config says how to search.
type Config struct {
	Jobs     int        // functions looked at in parallel; 0 for one per processor
	Models   *model.Set // what library functions do; nil for model.Builtin
	Policy   Policy     // how open questions are answered
	AllPaths bool       // tell every path to a loss, and not the first alone
	States   int        // states visited for a new object before it is given up, for a given one an eighth; 0 for 1000
	Stats    *Stats     // filled in when not nil
	watch    *watch
	Graphs   bool    // keep the graphs of walks that find something
	Previous *Result // of another version of the program: what it says of functions that are as they were is not found out again; nil for none

	Kinds       []report.Kind // what to look for; nil for every kind
	Descriptors bool          // follow file descriptors as well
}

// wants reports whether findings of a kind are asked for.
func (cfg *Config) wants(k report.Kind) bool {
	return cfg.Kinds == nil || slices.Contains(cfg.Kinds, k)
}

// Stats counts what was done.
type Stats struct {
	Reused  int                   // functions of which all was known from Config.Previous
	Objects int                   // new objects that were followed
	GivenUp int                   // those of them with more paths than the bound allows: nothing is reported for these
	GaveUp  map[report.Reason]int // places at which something was not followed any further

	Counts *Counts // filled in when not nil
}
