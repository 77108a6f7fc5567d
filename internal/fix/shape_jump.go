// This file mends objects that are forgotten when control leaves: by return, goto,
// break, continue.

package fix

import "github.com/plumb-project/plumb/internal/edit"

var jumps = map[string]string{
	"ReturnStmt":   "return",
	"GotoStmt":     "goto",
	"BreakStmt":    "break",
	"ContinueStmt": "continue",
	"CXXThrowExpr": "throw",
}

// beforeJump releases before the jump, which may have to be split: what is returned
// can need the object.
//
//	free(copy);
//	return -2;
func beforeJump(s *spot) []option {
	word := jumps[s.stmt.Kind]
	if word == "" || s.inCallee() {
		return nil
	}
	var out []option
	for _, h := range s.names() {
		what, ok := s.release(h)
		if !ok {
			continue
		}
		for _, text := range s.texts(what, h) {
			where := place{"before the " + word, s.stmt.Line}
			edits, err := edit.Before(s.f, s.stmt, text)
			out = append(out, s.option(what, where, edits, err)...)
		}
	}
	return out
}
