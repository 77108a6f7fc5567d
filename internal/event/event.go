// Package event reads what the runtime of plumb run writes: one file for each
// report of each process, described in docs/runtime-report.md.
//
// The process that wrote a file may have crashed while it did, or have run on
// memory that was damaged before. So a file may end anywhere, and a line may hold
// anything: what cannot be read is counted and left out, and all that can be is
// kept. Ids are as the file has them; one that names nothing is no error.
package event

import "fmt"

// A Report is one file.
type Report struct {
	PID, PPID int
	Program   string
	Reason    Reason
	Number    int // exit status, -1 if it is not known; or which signal

	Modules map[ID]Module
	Code    []Code
	Frames  map[ID]Frame
	Nodes   map[ID]Node
	Blocks  []Block // block line n is Blocks[n-1]; one that could not be read has no State
	Total   Total
	Notes   []string

	Whole   bool // the file has its end
	Damaged int  // lines that could not be read
}

// An ID names a module, a frame or a node within one report; 0 is none.
type ID uint32

// A Reason is why a report was written.
type Reason uint8

const (
	Exit   Reason = iota + 1
	Check         // the program asked for it
	Signal        // somebody else did
	Crash
	Abort
)

var reasons = []string{Exit: "exit", Check: "check", Signal: "signal", Crash: "crash", Abort: "abort"}

// String is the word in the file.
func (r Reason) String() string {
	if int(r) >= len(reasons) || r == 0 {
		return fmt.Sprintf("Reason(%d)", uint8(r))
	}
	return reasons[r]
}

// Final reports whether the process wrote nothing after it.
func (r Reason) Final() bool { return r != Check && r != Signal }

// A Module is a file that was loaded, perhaps only for a while.
type Module struct {
	Base, End uint64
	BuildID   string // hexadecimal; may be empty
	Path      string
}

// Code is a module of the program, in the order of loading.
type Code struct {
	Instrumented bool // it has sites
	Path         string
}

// A Frame is a place in the program: a site, or an address in code without sites.
type Frame struct {
	What     What // 0 for an address
	File     string
	Line     int
	Col      int
	Function string // as the linker knows it
	Holder   string // what held the pointer; for Call, the function that is called

	Module ID // of an address; 0 if it is in none
	Offset uint64
	Symbol string // nearest symbol the process knew; may be empty
}

// What happens at a site.
type What uint8

const (
	Call What = iota + 1
	Overwrite
	Scope
	Return
	Jump
	Dropped
	Clear
	Unwind
	Release
	ThreadEnd
	UseRead // these are last uses
	UseWrite
	UsePass
	UseGive
)

var whats = []string{Call: "call", Overwrite: "overwrite", Scope: "scope", Return: "return", Jump: "jump", Dropped: "dropped", Clear: "clear",
	Unwind: "unwind", Release: "release", ThreadEnd: "thread-end", UseRead: "read", UseWrite: "write", UsePass: "pass", UseGive: "give"}

// String is the word in the file.
func (w What) String() string {
	if int(w) >= len(whats) || w == 0 {
		return fmt.Sprintf("What(%d)", uint8(w))
	}
	return whats[w]
}

// A Node is a call in a context: the frame that calls, and how that was reached.
type Node struct {
	Parent ID
	Frame  ID
}

// A State is what became of a block.
type State uint8

const (
	Lost      State = iota + 1 // nothing refers to it
	Indirect                   // only lost blocks do
	Forgotten                  // it can be reached
)

var states = []string{Lost: "lost", Indirect: "indirect", Forgotten: "forgotten"}

// String is the word in the file.
func (s State) String() string {
	if int(s) >= len(states) || s == 0 {
		return fmt.Sprintf("State(%d)", uint8(s))
	}
	return states[s]
}

// A Block stands for Count blocks that agree in everything.
type Block struct {
	State    State
	Count    int64
	Bytes    int64
	Alloc    ID // node
	Loss     ID // frame; 0 if nothing was seen
	LossNode ID
	Use      ID // frame; 0 if no use was seen
	UseNode  ID
	Owner    int // number of the block line that owns it, from 1; 0 is none

	Inherited bool // it was allocated before the fork that made the process
}

// Total counts all blocks of the process.
type Total struct{ LiveBlocks, LiveBytes, LostBlocks, LostBytes int64 }

// maxDepth is longer than any chain of calls that the runtime keeps: it folds
// recursion. It ends chains that a damaged file closes to a ring.
const maxDepth = 10_000

// Stack returns the frames of a node and its callers, innermost first.
func (r *Report) Stack(node ID) []ID {
	var out []ID
	for n := 0; node != 0 && n < maxDepth; n++ {
		x, ok := r.Nodes[node]
		if !ok {
			break
		}
		out = append(out, x.Frame)
		if x.Parent == node {
			break
		}
		node = x.Parent
	}
	return out
}
