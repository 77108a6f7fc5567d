// This file holds what became of the attempt to mend a finding.

package report

import "fmt"

// A Fix is the change of the source that mends a finding, or the reason why there is
// none.
type Fix struct {
	Outcome FixOutcome
	Text    string   // what the change does, one clause: "free(buf) before the return"; "" when nothing is changed
	Reason  string   // why nothing is changed, in plain words; "" otherwise
	Changes []Change // by file and offset; they belong together
}

// A FixOutcome says whether a finding is mended.
type FixOutcome uint8

const (
	Fixed    FixOutcome = iota + 1 // by a release that is shown to be right on every path
	Guarded                        // by one that is checked when the program runs
	NotFixed                       //
)

func (o FixOutcome) String() string {
	switch o {
	case Fixed:
		return "fixed"
	case Guarded:
		return "guarded"
	case NotFixed:
		return "not fixed"
	}
	panic(fmt.Sprintf("report: bad outcome %d of a fix", o))
}

// A Change replaces a piece of a file; an insertion replaces nothing. Lines and
// columns count from 1, columns in bytes; the end is behind what is replaced.
type Change struct {
	File       string // absolute
	Start, End int    // byte offsets
	StartLine  int
	StartCol   int
	EndLine    int
	EndCol     int
	New        string
}
