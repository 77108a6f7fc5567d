// This file mends objects by the cleanup that a function has at its end, where it has
// that idiom.

package fix

import (
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/edit"
)

// toLabel lets a jump go where the object is released anyway, if nothing else happens
// there.
//
//	rc = -2;
//	goto out;	-> goto out_rows;
func toLabel(s *spot) []option {
	if s.inCallee() || s.g != nil || len(s.r.Before) > 0 || s.stmt.Kind != "ReturnStmt" && s.stmt.Kind != "GotoStmt" {
		return nil
	}
	var out []option
	for _, h := range s.names() {
		what, ok := s.release(h)
		if !ok {
			continue
		}
		for _, l := range s.f.Labels() {
			if len(l.Gotos) == 0 || l.Node.Begin < s.stmt.Begin || l.Node.EnclosingBlock() != s.f.Body {
				continue
			}
			calls, value, ok := s.cleanup(l, what)
			if !ok {
				continue
			}
			if x, ok := s.retarget(l, value); ok {
				x.what = what
				for _, c := range calls {
					x.calls = append(x.calls, s.position(c))
				}
				out = append(out, x)
			}
		}
	}
	return out
}

// retarget makes a jump lead to a label behind which value is returned.
func (s *spot) retarget(l ast.Label, value *ast.Node) (option, bool) {
	if s.stmt.Kind == "GotoStmt" {
		target := s.f.Target(s.stmt)
		if target == nil || target.Begin <= l.Node.Begin || !s.onlyBetween(l, target) {
			return option{}, false
		}
		edits, err := edit.Retarget(s.f, s.stmt, l.Name)
		return option{edits: edits, where: []place{{"by goto " + l.Name, s.stmt.Line}}}, err == nil
	}
	text := ""
	switch {
	case value == nil && len(s.stmt.Children) == 0:
	case value == nil || len(s.stmt.Children) == 0:
		return option{}, false
	case s.f.Source(value) == s.f.Source(s.stmt.Children[0]):
	case value.Kind == "DeclRefExpr" && value.Ref != nil && value.Ref.Node != nil && s.f.Usable(s.stmt, value.Ref.Node):
		text = value.Name + " = " + s.f.Source(s.stmt.Children[0]) + ";"
	default:
		return option{}, false
	}
	edits, err := edit.ReturnToGoto(s.f, s.stmt, text, l.Name)
	return option{edits: edits, where: []place{{"by goto " + l.Name, s.stmt.Line}}}, err == nil
}

// cleanup returns the releases behind a label and what is returned then, if that is
// all and ours is among them.
func (s *spot) cleanup(l ast.Label, what string) (calls []*ast.Node, value *ast.Node, ok bool) {
	ours := false
	for _, n := range l.Rest {
		for n != nil && n.IsLabel() {
			n = n.Sub()
		}
		switch {
		case n == nil || n.Kind == "NullStmt":
		case n.Kind == "ReturnStmt":
			if len(n.Children) > 0 {
				value = n.Children[0].Unparen()
			}
			return calls, value, ours && (value == nil || value.Kind == "DeclRefExpr" || value.Pure())
		default:
			c := s.releaseCall(n)
			if c == nil {
				return nil, nil, false
			}
			calls = append(calls, c)
			ours = ours || s.f.Source(c) == what || strings.TrimSuffix(s.f.Source(c), ";") == what
		}
	}
	return calls, nil, ours && s.f.Result == "void"
}

// releaseCall returns the call of a statement that only releases something, possibly
// if there is something.
func (s *spot) releaseCall(n *ast.Node) *ast.Node {
	if n.Kind == "IfStmt" && n.Else() == nil && n.Cond().Pure() {
		n = n.Then()
		if n.Kind == "CompoundStmt" && len(n.Children) == 1 {
			n = n.Children[0]
		}
	}
	if !n.IsCall() {
		return nil
	}
	id, call := s.callAt(n)
	if call == 0 || len(s.p.view().Released(id, call)) == 0 {
		return nil
	}
	return n
}

// onlyBetween reports whether nothing but releases stands between two labels.
func (s *spot) onlyBetween(l ast.Label, target *ast.Node) bool {
	for _, n := range l.Rest {
		if n.Begin >= target.Begin {
			return true
		}
		for n != nil && n.IsLabel() {
			n = n.Sub()
		}
		if n == nil || s.releaseCall(n) == nil {
			return false
		}
	}
	return false
}
