// This file mends objects that are lost because what holds them is overwritten.

package fix

import (
	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/edit"
)

// beforeOverwrite releases before the assignment, by the name that is assigned to.
//
//	free(name);
//	name = malloc(n + 1);
func beforeOverwrite(s *spot) []option {
	as := s.assignment()
	if as == nil {
		return nil
	}
	left := as.Children[0]
	if !isStable(left) {
		return nil
	}
	h := s.f.Source(left)
	what, ok := s.release(h)
	if !ok {
		return nil
	}
	var out []option
	for _, text := range s.texts(what, h) {
		edits, err := edit.Before(s.f, s.stmt, text)
		out = append(out, s.option(what, place{"before " + h + " is overwritten", as.Line}, edits, err)...)
	}
	return out
}

// assignment returns the assignment that the loss is at: the innermost around it.
func (s *spot) assignment() *ast.Node {
	for n := s.f.At(s.loss.Pos.Line, s.loss.Pos.Col); n != nil && n != s.stmt.Parent; n = n.Parent {
		if n.Kind == "BinaryOperator" && n.Op == "=" && len(n.Children) == 2 {
			return n
		}
	}
	return nil
}

// isStable reports whether an expression means the same when it is written twice: it
// does nothing but read.
func isStable(n *ast.Node) bool {
	ok := true
	n.Walk(func(x *ast.Node) bool {
		switch {
		case x.IsCall(), x.Macro, x.Kind == "BinaryOperator" && x.Op == "=", x.Kind == "CompoundAssignOperator",
			x.Kind == "UnaryOperator" && (x.Op == "++" || x.Op == "--"), x.Kind == "StmtExpr":
			ok = false
		}
		return ok
	})
	return ok
}
