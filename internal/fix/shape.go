// This file holds the table of shapes: how objects get lost in source text, and what
// can be done about it.

package fix

// A shape is one way in which an object is lost. It gives options for a loss, the
// most natural first, or none if the loss has another shape.
type shape struct {
	name string
	late bool // what is tried last
	give func(*spot) []option
}

// shapes are asked in this order; the options of all of them are tried in turn.
var shapes = []shape{
	{name: "cleanup label", give: toLabel},
	{name: "jump", give: beforeJump},
	{name: "end of a block", give: atBlockEnd},
	{name: "end of branches", give: atBranchEnds},
	{name: "got from elsewhere", give: inOther},
	{name: "realloc", give: reallocated},
	{name: "overwritten", give: beforeOverwrite},
	{name: "overwritten by what is made of it", give: keepOld},
	{name: "never held", give: holdResult},
	{name: "lost with its owner", give: beforeOwner},
	{name: "depends on a condition", late: true, give: underCondition},
}

// options asks the shapes about a loss: all, or those that are tried late alone, or
// the others.
func (s *spot) options(want func(*shape) bool) []option {
	if !s.p.declared(s.f, s.r) {
		if s.o.refusal == "" {
			s.o.refusal = s.r.Name + " is not declared in " + s.p.where(s.loss.Pos)
		}
		return nil
	}
	var out []option
	for i := range shapes {
		if !want(&shapes[i]) {
			continue
		}
		for _, x := range shapes[i].give(s) {
			if !hasOption(out, &x) {
				out = append(out, x)
			}
		}
	}
	return out
}

// hasOption reports whether a list has an option with the same edits.
func hasOption(list []option, x *option) bool {
	for i := range list {
		if sameEdits(list[i].edits, x.edits) {
			return true
		}
	}
	return false
}
