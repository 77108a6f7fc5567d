// This file holds places at which the analysis gave up.

package report

import (
	"cmp"
	"fmt"

	"github.com/plumb-project/plumb/internal/source"
)

// A GaveUp is a place at which something was not followed any further. What is
// behind it may hide a leak, or be the release that a finding misses.
type GaveUp struct {
	Reason   Reason
	Function string // function it is in
	Pos      source.Position
	Text     string // what it is about, one short clause: "log_it has no body and no model"
}

// A Reason is why something was not followed.
type Reason uint8

const (
	UnknownCallee  Reason = iota + 1 // an object is given to a function that has no body and no model
	UnknownTarget                    // an object is given to a call through a pointer that leads nowhere known, or to too many functions
	InlineAssembly                   // an object is given to inline assembly
	TooManyStates                    // stage one: an object with more states than the bound allows
	TooManyPaths                     // stage two: a candidate, or a call on its way, with more paths than the bound allows
	Recursion                        // functions that call one another in a cycle that was cut
	JumpTarget                       // a function that calls setjmp is not looked at
	NoAnswer                         // the solver gave none
)

// Reasons lists every reason, in the order of their constants.
var Reasons = []Reason{UnknownCallee, UnknownTarget, InlineAssembly, TooManyStates, TooManyPaths, Recursion, JumpTarget, NoAnswer}

// String is the name of the reason, the same in every format and version.
func (r Reason) String() string {
	switch r {
	case UnknownCallee:
		return "unknown-callee"
	case UnknownTarget:
		return "unknown-target"
	case InlineAssembly:
		return "inline-assembly"
	case TooManyStates:
		return "too-many-states"
	case TooManyPaths:
		return "too-many-paths"
	case Recursion:
		return "recursion"
	case JumpTarget:
		return "setjmp"
	case NoAnswer:
		return "no-answer"
	}
	panic(fmt.Sprintf("report: bad reason %d", uint8(r)))
}

// Meaning says what is counted under the reason.
func (r Reason) Meaning() string {
	switch r {
	case UnknownCallee:
		return "calls that give an object to a function without body and model"
	case UnknownTarget:
		return "calls through a pointer that give an object to nobody knows whom"
	case InlineAssembly:
		return "objects given to inline assembly"
	case TooManyStates:
		return "objects with more states than the bound"
	case TooManyPaths:
		return "candidates, and calls on their way, with more paths than the bound"
	case Recursion:
		return "functions in cycles of calls that were cut"
	case JumpTarget:
		return "functions that call setjmp"
	case NoAnswer:
		return "candidates on which the solver gave no answer"
	}
	panic(fmt.Sprintf("report: bad reason %d", uint8(r)))
}

// CompareGaveUp orders places by where they are.
func CompareGaveUp(a, b GaveUp) int {
	return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Function, b.Function), cmp.Compare(a.Text, b.Text))
}
