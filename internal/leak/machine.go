// This file is the life of an object, as data.

package leak

import "github.com/plumb-project/plumb/internal/report"

// A phase is where an object is in its life.
type phase uint8

const (
	live    phase = iota + 1 // it is there, and this function must see to it or knows who will
	freed                    // it was released
	escaped                  // it is where it cannot be followed: someone else may release it
	over                     // nothing more is said of it on this path
)

// An event is something that happens to an object.
type event uint8

const (
	released  event = iota + 1 // by a function that takes such objects
	misfreed                   // by one that takes others
	used                       // read or written
	hidden                     // put where it cannot be followed
	dropped                    // nothing refers to it any more
	abandoned                  // the function that has it ends
	exited                     // the process ends
	outlived                   // a global has it, and nothing releases what is there
)

// A transition says what an event makes of an object, and what is wrong with that.
type transition struct {
	from phase
	on   event
	to   phase
	kind report.Kind // 0 for nothing
}

// machine is the life of every object: memory, streams, descriptors. What is not
// in it changes nothing.
var machine = []transition{
	{live, released, freed, 0},
	{live, misfreed, freed, report.MismatchedFree},
	{live, hidden, escaped, 0},
	{live, dropped, over, report.LeakLost},
	{live, abandoned, over, report.LeakForgotten},
	{live, exited, over, report.LeakAtExit},
	{live, outlived, over, report.LeakReachable},
	{escaped, released, freed, 0},
	{freed, released, over, report.DoubleFree},
	{freed, misfreed, over, report.DoubleFree},
	{freed, used, over, report.UseAfterFree},
	{freed, dropped, over, 0},
	{freed, abandoned, over, 0},
}

// next returns what becomes of an object, and what is wrong with it.
func (p phase) next(e event) (phase, report.Kind) {
	for _, t := range machine {
		if t.from == p && t.on == e {
			return t.to, t.kind
		}
	}
	return p, 0
}
