// This file mends objects that a function forgets which it got from elsewhere.

package fix

import (
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/edit"
)

// maxLocals bounds how many variables are tried.
const maxLocals = 3

// inOther releases what a variable has that got its value from a call, where the
// function that forgets the object is not the one that made it.
func inOther(s *spot) []option {
	word := jumps[s.stmt.Kind]
	if !s.inCallee() || s.g != nil || word == "" && s.stmt.Kind != "CompoundStmt" {
		return nil
	}
	vars := s.f.Scope(s.stmt)
	if s.stmt.Kind == "CompoundStmt" {
		vars = s.f.ScopeAtEnd(s.stmt)
	}
	var out []option
	n := 0
	for _, v := range vars {
		if v.Kind != "VarDecl" || v.Static || !strings.HasSuffix(strings.TrimSpace(v.Type), "*") || !s.fromCall(v) {
			continue
		}
		what, ok := s.release(v.Name)
		if n++; !ok || n > maxLocals {
			continue
		}
		for _, text := range s.texts(what, v.Name) {
			if word == "" {
				edits, err := edit.AtEndOf(s.f, s.stmt, text)
				out = append(out, s.option(what, place{"at the end of the block", s.stmt.Line}, edits, err)...)
				continue
			}
			edits, err := s.beforeLeaving(text)
			out = append(out, s.option(what, place{"before the " + word, s.stmt.Line}, edits, err)...)
		}
	}
	return out
}

// fromCall reports whether a variable gets its value from a call.
func (s *spot) fromCall(v *ast.Node) bool {
	if len(v.Children) > 0 && v.Children[len(v.Children)-1].Unparen().IsCall() {
		return true
	}
	found := false
	s.f.Body.Walk(func(n *ast.Node) bool {
		if n.Kind == "BinaryOperator" && n.Op == "=" && len(n.Children) == 2 && s.f.Source(n.Children[0]) == v.Name && n.Children[1].Unparen().IsCall() {
			found = true
		}
		return !found
	})
	return found
}
