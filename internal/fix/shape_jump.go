// This file mends objects that are forgotten when control leaves: by return, goto,
// break, continue.

package fix

import (
	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/edit"
	"github.com/plumb-project/plumb/internal/patch"
)

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
			edits, err := s.beforeLeaving(text)
			out = append(out, s.option(what, place{"before the " + word, s.stmt.Line}, edits, err)...)
		}
	}
	return out
}

// beforeLeaving puts text before the jump, and behind what is returned if that may
// need the object.
func (s *spot) beforeLeaving(text string) ([]patch.Edit, error) {
	if s.stmt.Kind == "ReturnStmt" && len(s.stmt.Children) == 1 && s.reads(s.stmt.Children[0]) {
		return edit.ReturnVia(s.f, s.stmt, "", s.f.Fresh(s.stmt, "ret"), text)
	}
	return edit.Before(s.f, s.stmt, text)
}

// reads reports whether an expression may need the object: it reads memory or calls
// something.
func (s *spot) reads(n *ast.Node) bool {
	found := false
	n.Walk(func(x *ast.Node) bool {
		switch {
		case x.IsCall(), x.Kind == "ArraySubscriptExpr", x.Kind == "UnaryOperator" && x.Op == "*", x.Kind == "MemberExpr" && x.Arrow:
			found = true
		}
		return !found
	})
	return found
}
