// Package report is the one model of what plumb found. Every analysis builds
// these values and every renderer only reads them.
package report

import "github.com/plumb-project/plumb/internal/source"

// A Report is the outcome of one run.
type Report struct {
	Findings []Finding // sorted by Loss, then Alloc, then Kind; of a run, by SortRun
	LeftOut  int       // findings that are not among them: their confidence is below the one asked for
	Coverage Coverage
	Stats    Stats

	Processes  []Process  // of a run, in the order of their reports
	Suppressed Suppressed // what suppressions took out
	Notes      []string   // what else is to be known of a run, each a sentence
}

// Coverage says what was analysed and what was not.
type Coverage struct {
	Units     int       // units analysed
	Functions int       // functions with a body
	Lines     int       // source lines that carry code in those functions
	Compiled  int       // units compiled in this run
	Cached    int       // units taken from the cache
	Skipped   []Skipped // units that could not be analysed, in input order
}

// A Skipped unit was not analysed.
type Skipped struct {
	Unit   string // source file or input as the user knows it
	Reason string // one line, such as the compiler's first error
}

// A Kind is what is wrong.
type Kind uint8

const (
	LeakLost       Kind = iota + 1 // the last reference is overwritten or its holder dies
	LeakForgotten                  // a reference is still there when its function ends
	DoubleFree                     //
	UseAfterFree                   //
	MismatchedFree                 // released by the wrong family: malloc and delete
	LeakAtExit                     // a reference is still there when the process ends
	LeakReachable                  // a global still has it when the process ends
	StillHeld                      // a run ended with it, and something still referred to it; no leak
)

// A Finding is one defect: memory allocated at Alloc whose last owner is lost at Loss.
type Finding struct {
	Kind       Kind
	Alloc      source.Position // where the object comes from
	Loss       source.Position // where it is lost (or released twice, used, ...)
	Function   string          // function that loses it, demangled
	Holder     string          // what held it, as the source spells it: buf, cfg->name; "" if unnamed
	Allocator  string          // function that made it: malloc, strdup, operator new
	Object     string          // what it is, when it is not memory: stream, directory
	Confidence Confidence
	Why        []string // why it is not surer, each a short clause; nil when it is Certain
	When       []string // values for which it happens, as far as they help: "len = 17"
	Steps      []Step   // from Alloc to Loss, in execution order
	Also       []Step   // other places at which objects of this allocation are lost, when they are reported together
	GaveUp     []GaveUp // places in the function, and on the way, at which the analysis gave something up
	Run        *Run     // what runs of the program saw of it; nil if none did
	Slice      *Slice   // what a run must follow to see it; nil when that was not asked for
	Fix        *Fix     // what mends it; nil when that was not asked for
}

// A Step is one event on the way from allocation to loss.
type Step struct {
	Pos   source.Position
	Text  string // one short clause: "allocated by strdup", "returns without freeing"
	Depth int    // 0 in the function itself, 1 in one that it calls at the step before, and so on
}
