// Package fix turns findings into changes of the source that mend them.
//
// It goes the way of AutoFix, step by step, but ends in the source: for each object
// that leaks it takes the life of the object in the function that owns it
// (leak.Life), with every path on which it is lost and not the reported one alone;
// chooses for each loss where a release may stand, the places that a maintainer
// would choose first; asks how this program releases such objects (package own); and
// writes that into the text (package edit). The result is a list of candidates.
//
// Guessing is free because nothing is offered that is not proved: the changed
// program is compiled and analysed once more (World.Look). The leak must be gone,
// nothing new may be there, no warning of the compiler either, and each release that
// was put in must be shown to be right on every path (leak.CheckRelease). If a
// candidate fails, the next one is tried; if all fail, the finding keeps a reason
// and the source stays as it is.
//
// Cost: a round of looks is one analysis of the program for all objects together,
// and one more for each that does not hold in company.
package fix

import (
	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/report"
)

// A Config says what to mend and how.
type Config struct {
	Guard  bool                                // where no release is right on every path, take one that is checked when the program runs
	Always bool                                // guards also where a plain release does: to measure them
	Choose func(*report.Report) ([]int, error) // which findings to mend, by their index; nil for all
	Note   func(string)                        // hears of each candidate that fails, and why; nil for nobody
	Tried  func(done, of int)                  // hears how many objects are done; nil for nobody
}

// A Result is what became of the findings.
type Result struct {
	Mends []Mend       // in the order of their first finding; each chosen finding is in one
	Patch *patch.Patch // all mends together, proved together; nil when there are none
}

// A Mend is one change, or the reason why there is none, for findings that have one
// object in common.
type Mend struct {
	Findings []int // indices into the findings of the report
	Outcome  report.FixOutcome
	Text     string       // what the change does, one clause
	Reason   string       // why there is no change
	Patch    *patch.Patch // nil if there is none
}
