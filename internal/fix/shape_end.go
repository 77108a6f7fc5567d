// This file mends objects that are forgotten at the end of a function or block.

package fix

import "github.com/plumb-project/plumb/internal/edit"

// atBlockEnd releases at the end of the block whose end loses the object.
func atBlockEnd(s *spot) []option {
	if s.stmt.Kind != "CompoundStmt" || s.inCallee() {
		return nil
	}
	var out []option
	for _, h := range s.names() {
		what, ok := s.release(h)
		if !ok {
			continue
		}
		for _, text := range s.texts(what, h) {
			edits, err := edit.AtEndOf(s.f, s.stmt, text)
			where := place{"at the end of the block", s.stmt.Line}
			if s.stmt == s.f.Body {
				where = place{"at the end of the function", 0}
			}
			out = append(out, s.option(what, where, edits, err)...)
		}
	}
	return out
}
