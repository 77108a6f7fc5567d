// This file holds what runs of the program saw of findings.

package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/plumb-project/plumb/internal/source"
)

// A Run is what runs of the program saw of a finding.
type Run struct {
	Blocks int64   // how many blocks
	Bytes  int64   // and how much memory they are
	Owned  []Owned // blocks that only these referred to, the largest first

	Alloc Trace // the allocation
	Use   Trace // the last use; empty when uses were not followed
	Loss  Trace // the loss; empty when the code that lost it was not built for it

	Processes []int // that saw it: indices of Report.Processes, ascending
	Check     Agreement
}

// Owned is memory that was lost together with what owned it.
type Owned struct {
	Blocks    int64
	Bytes     int64
	Alloc     source.Position
	Allocator string
}

// A Trace is something that happened in a run, with the calls that led there.
type Trace struct {
	Step
	Frames []Frame // innermost first
}

// A Frame is a place that was reached by a call at the next frame.
type Frame struct {
	Pos      source.Position // not valid for code without debug information
	Function string          // "" if it is not known
	Module   string          // path of the file that has the code, for frames that were found by address
	Offset   uint64          // in the module
	Inlined  bool            // the code is a part of the next frame's function
	System   bool            // the code is of the system or the language's library
}

// An Agreement says what plumb check has to do with what a run saw.
type Agreement uint8

const (
	NotAsked  Agreement = iota
	Confirmed           // check reported it too
	OnlyRun             // check looked, and did not report it
)

// String is the name of the agreement.
func (a Agreement) String() string {
	switch a {
	case NotAsked:
		return ""
	case Confirmed:
		return "confirmed"
	case OnlyRun:
		return "only-run"
	}
	panic(fmt.Sprintf("report: bad agreement %d", uint8(a)))
}

// A Process is one that reported.
type Process struct {
	PID     int
	Parent  int
	Program string
	End     string // how it ended, or why it reported: "exit 0", "signal 11"
}

// Suppressed counts what suppressions took out of a report.
type Suppressed struct {
	Findings      int
	Blocks, Bytes int64
}

// OwnedBlocks sums what was lost with the finding's blocks.
func (r *Run) OwnedBlocks() (blocks, bytes int64) {
	for _, o := range r.Owned {
		blocks, bytes = blocks+o.Blocks, bytes+o.Bytes
	}
	return blocks, bytes
}

// Size is the memory of the blocks and of what they owned.
func (r *Run) Size() int64 {
	_, owned := r.OwnedBlocks()
	return r.Bytes + owned
}

// Amount says how much it is.
//
//	3 blocks, 72 bytes, and 2 blocks, 48 bytes they owned
func (r *Run) Amount() string { return amount(r.Blocks, r.Bytes) + r.andOwned() }

// AmountThat says how much it is that something happened to.
//
//	3 blocks, 72 bytes lost at conf.c:41:9, and 2 blocks, 48 bytes they owned
func (r *Run) AmountThat(how string) string {
	return amount(r.Blocks, r.Bytes) + " " + how + r.andOwned()
}

func (r *Run) andOwned() string {
	n, bytes := r.OwnedBlocks()
	switch {
	case n == 0:
		return ""
	case r.Blocks == 1:
		return ", and " + amount(n, bytes) + " it owned"
	}
	return ", and " + amount(n, bytes) + " they owned"
}

func amount(blocks, bytes int64) string {
	return Count(blocks, "block") + ", " + Count(bytes, "byte")
}

// Count is a number of things.
//
//	1 block
//	1,204 blocks
func Count(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Number(n) + " " + thing + "s"
}

// Number writes n with commas between thousands.
func Number(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// SortRun puts findings of runs in their order: what is lost before what is still
// held, the larger first.
func SortRun(fs []Finding) {
	size := func(f *Finding) int64 {
		if f.Run == nil {
			return 0
		}
		return f.Run.Size()
	}
	slices.SortStableFunc(fs, func(a, b Finding) int {
		held := func(f *Finding) int {
			if f.Kind == StillHeld {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(held(&a), held(&b)), cmp.Compare(size(&b), size(&a)), compare(a, b))
	})
}

// Defects is the number of findings that something is to be done about: memory
// that is still held is only told of.
func (r *Report) Defects() int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Kind != StillHeld {
			n++
		}
	}
	return n
}

// IsRun reports whether the report is about a run of the program alone.
func (r *Report) IsRun() bool { return len(r.Processes) > 0 && r.Coverage.Units == 0 }

// A Slice is what must be instrumented to see where the memory of a finding is lost.
type Slice struct {
	Functions []SliceFunction   // that it flows through, sorted
	Allocs    []source.Position // calls whose next allocation is to be followed, sorted
}

// A SliceFunction is a function, by its file and as the linker knows it.
type SliceFunction struct{ File, Name string }
