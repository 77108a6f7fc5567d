// This file says in words what the runtime saw.

package pinpoint

import (
	"strings"

	"github.com/plumb-project/plumb/internal/event"
	"github.com/plumb-project/plumb/internal/report"
)

// kind says what became of the blocks of a group: a reference that ends with its
// variable is forgotten, one that something else is put in the place of is lost.
func (g *group) kind() report.Kind {
	if g.state == event.Forgotten {
		return report.StillHeld
	}
	switch g.loss.What {
	case event.Scope, event.Return, event.Jump, event.Unwind, event.ThreadEnd:
		return report.LeakForgotten
	}
	return report.LeakLost
}

// lossText says how a reference goes away.
func lossText(e event.Frame) string {
	named := e.Holder != ""
	h := "'" + e.Holder + "'"
	switch e.What {
	case event.Overwrite:
		if named {
			return h + " is overwritten"
		}
		return "what held it is overwritten"
	case event.Scope:
		if named {
			return h + " goes out of scope"
		}
		return "what held it goes out of scope"
	case event.Return:
		if named {
			return "returns without releasing " + h
		}
		return "returns without releasing it"
	case event.Jump:
		if named {
			return "jumps out of the scope of " + h
		}
		return "jumps out of the scope of what held it"
	case event.Dropped: // the holder is the function
		if named {
			return "the result of " + e.Holder + " is kept nowhere"
		}
		return "the result is kept nowhere"
	case event.Clear:
		if named {
			return h + ", which held it, is overwritten"
		}
		return "the memory that held it is overwritten"
	case event.Unwind:
		if named {
			return "an exception or a long jump leaves the function that has " + h
		}
		return "an exception or a long jump leaves the function that held it"
	case event.Release:
		if named {
			return "the memory that held it in " + h + " is released"
		}
		return "the memory that held it is released"
	case event.ThreadEnd:
		return "the thread that held it ends"
	case event.Call: // the runtime itself saw it, in what is called there
		if named && !releases(e.Holder) {
			return "the memory that held it is released in the call of " + e.Holder
		}
		return "the memory that held it is released"
	}
	return "the last reference goes away"
}

// releases reports whether a function of the language gives memory back.
func releases(name string) bool {
	switch name {
	case "free", "cfree", "realloc", "reallocarray", "free_sized", "free_aligned_sized":
		return true
	}
	return strings.HasPrefix(name, "_Zdl") || strings.HasPrefix(name, "_Zda") // operator delete
}

// useText says how memory is used for the last time.
func useText(e event.Frame) string {
	switch e.What {
	case event.UseRead:
		return "last read here"
	case event.UseWrite:
		return "last written to here"
	case event.UsePass:
		return "last passed to a function here"
	case event.UseGive:
		return "last returned here"
	}
	return "last used here"
}
