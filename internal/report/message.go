// This file words a finding in one sentence and puts findings in order.

package report

import (
	"cmp"
	"fmt"
	"slices"
)

// Message is the finding in one clause, without its place.
//
//	memory allocated by malloc and held by 'buf' is forgotten here
func (f *Finding) Message() string {
	what := cmp.Or(f.Object, "memory")
	if f.Allocator != "" {
		what += " " + f.Origin()
	}
	if f.Holder != "" {
		if f.Allocator != "" {
			what += " and"
		}
		what += fmt.Sprintf(" held by '%s'", f.Holder)
	}
	is := "is"
	switch f.Confidence {
	case Possible:
		is = "may be"
	case Latent:
		is = "would be"
	}
	return what + " " + is + " " + f.end()
}

// end is how the sentence about the finding ends.
func (f *Finding) end() string {
	r := f.Run
	switch {
	case r == nil || r.Check == Confirmed:
		return f.Kind.fate()
	case f.Kind == StillHeld && r.Use.Pos.IsValid():
		return f.Kind.fate() + ", last used here: " + r.Amount()
	case f.Kind == StillHeld && r.Loss.Pos.IsValid():
		return f.Kind.fate() + ", last seen here: " + r.Amount()
	case f.Kind != StillHeld && len(r.Loss.Frames) == 0:
		return "lost in or after this call: " + r.Amount()
	}
	return f.Kind.fate() + ": " + r.Amount()
}

// Origin says who made the object.
//
//	allocated by malloc
//	opened by fopen
func (f *Finding) Origin() string {
	if f.Object != "" {
		return "opened by " + f.Allocator
	}
	return "allocated by " + f.Allocator
}

// fate is how a sentence about an object of this kind ends.
func (k Kind) fate() string {
	switch k {
	case LeakLost:
		return "lost here"
	case LeakForgotten:
		return "forgotten here"
	case DoubleFree:
		return "released twice here"
	case UseAfterFree:
		return "used here after its release"
	case MismatchedFree:
		return "released here by the wrong function"
	case LeakAtExit:
		return "not released before the process ends"
	case LeakReachable:
		return "never released from there"
	case StillHeld:
		return "not released by the end of the run"
	}
	panic(fmt.Sprintf("report: bad kind %d", uint8(k)))
}

// Sort puts findings in the order every output has: by Loss, then Alloc, then
// Kind, and by their words where all of these agree.
func Sort(fs []Finding) { slices.SortStableFunc(fs, compare) }

// Compare puts two findings in that order.
func Compare(a, b *Finding) int { return compare(*a, *b) }

func compare(a, b Finding) int {
	return cmp.Or(
		a.Loss.Compare(b.Loss),
		a.Alloc.Compare(b.Alloc),
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Function, b.Function),
		cmp.Compare(a.Holder, b.Holder),
		cmp.Compare(a.Allocator, b.Allocator),
	)
}
