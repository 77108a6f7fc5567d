// This file tells how an object that a function hands out comes from an
// allocation in what it calls.

package leak

import (
	"fmt"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// A link is one call on the way to an allocation.
type link struct {
	pos            source.Position
	caller, callee string
	next           *link // the call that callee makes in turn; nil when it is the allocator
}

// link returns the call v, whose callee gets the object by the calls in next.
func (fn *function) link(v ir.ValueID, callee *summary, next *link) *link {
	return &link{pos: fn.position(v), caller: fn.f.SourceName(), callee: callee.name, next: next}
}

// link returns the call that makes the object walked.
func (w *walker) link() *link {
	sum, _ := w.fn.callee(w.site)
	if w.out != nil {
		return w.fn.link(w.site, sum, w.out.calls)
	}
	return w.fn.link(w.site, sum, sum.calls)
}

// originSteps tells the calls behind call v, whose result is new.
func (fn *function) originSteps(v ir.ValueID) []report.Step {
	sum, _ := fn.callee(v)
	return sum.calls.steps()
}

// maxLinks bounds the calls that a story tells.
const maxLinks = 8

// steps tells the calls, outermost first. Of very many it leaves out those in the
// middle: where the memory is wanted, and where it is had, is what one asks.
func (l *link) steps() []report.Step {
	n := 0
	for x := l; x != nil; x = x.next {
		n++
	}
	var out []report.Step
	for i := 0; l != nil; i, l = i+1, l.next {
		switch left := n - maxLinks; {
		case left <= 0 || i < maxLinks-2 || i == n-1:
			out = append(out, report.Step{Pos: l.pos, Text: l.caller + " calls " + l.callee, Depth: len(out) + 1})
		case i == maxLinks-2:
			out = append(out, report.Step{Pos: l.pos, Text: fmt.Sprintf("%s calls %s, and so on through %d functions", l.caller, l.callee, left+1), Depth: len(out) + 1})
		}
	}
	return out
}
