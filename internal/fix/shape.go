// This file holds the table of shapes: how objects get lost in source text, and what
// can be done about it.

package fix

// A shape is one way in which an object is lost. It gives options for a loss, the
// most natural first, or none if the loss has another shape.
type shape struct {
	name string
	give func(*spot) []option
}

// shapes are asked in this order; the options of all of them are tried in turn.
var shapes = []shape{
	{"cleanup label", toLabel},
	{"jump", beforeJump},
	{"end of a block", atBlockEnd},
	{"end of branches", atBranchEnds},
	{"realloc", reallocated},
	{"overwritten", beforeOverwrite},
	{"overwritten by what is made of it", keepOld},
	{"never held", holdResult},
	{"lost with its owner", beforeOwner},
	{"depends on a condition", underCondition},
}

// options asks all shapes about a loss.
func (s *spot) options() []option {
	if !s.p.declared(s.f, s.r) {
		if s.o.refusal == "" {
			s.o.refusal = s.r.Name + " is not declared in " + s.p.where(s.loss.Pos)
		}
		return nil
	}
	var out []option
	for _, sh := range shapes {
		for _, x := range sh.give(s) {
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
