// This file says where in a callee something happened to an object, so that a
// finding names the line that is to blame and not the call that led there.

package leak

import (
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
)

// here returns the place of instruction v.
func (w *walker) here(v ir.ValueID, e event, holder, text string) *where {
	_, kind := live.next(e)
	return &where{pos: w.fn.position(v), function: w.fn.f.SourceName(), kind: kind, holder: holder, text: text}
}

// steps tells the calls that lead to a release from the call before, and the
// release; none when it is that call itself.
func (in *where) steps() []report.Step {
	if in == nil {
		return nil
	}
	var out []report.Step
	for i, c := range in.calls {
		c.Depth = i + 1
		out = append(out, c)
	}
	return append(out, report.Step{Pos: in.pos, Text: "released here", Depth: len(out) + 1})
}

// maxCalls bounds the calls between a function and a place in its callees.
const maxCalls = 8

// within returns a place in what call v calls, as seen from this function.
func (w *walker) within(v ir.ValueID, in *where) *where {
	if in == nil {
		return nil
	}
	out := *in
	sum, _ := w.fn.callee(v)
	call := report.Step{Pos: w.fn.position(v), Text: w.fn.f.SourceName() + " calls " + sum.name}
	inner := in.calls
	if n := len(inner) + 1 - maxCalls; n > 0 { // this call and the innermost tell most
		inner = inner[n:]
		call.Text += ", and so on"
	}
	out.calls = append([]report.Step{call}, inner...)
	return &out
}
