// This file mends objects whose release depends on what was decided before: the
// condition is written down once more.

package fix

import (
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/edit"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
)

// underCondition releases under a condition that may tell the paths that lose the
// object from those that do not. Where a release is there under another one, that is
// changed.
//
//	if (n > 17)	-> if (n > 16)
//		free(v);	free(v);
func underCondition(s *spot) []option {
	if s.inCallee() || s.g != nil || len(s.r.Before) > 0 || jumps[s.stmt.Kind] == "" && s.stmt.Kind != "CompoundStmt" {
		return nil
	}
	names := s.names()
	if len(names) == 0 {
		return nil
	}
	h := names[0]
	what, ok := s.release(h)
	if !ok {
		return nil
	}
	var out []option
	conds := s.conditions(h)
	for _, old := range s.guarded(what) {
		for _, c := range conds {
			if c.side || c.text == s.f.Source(old.Cond()) {
				continue
			}
			edits, err := edit.Replace(s.f, old.Cond(), c.text)
			for _, x := range s.option(what, place{"if " + c.text, old.Line}, edits, err) {
				x.how, x.calls = nil, nil
				if call := s.releaseCall(old); call != nil {
					x.calls = append(x.calls, s.position(call))
					out = append(out, x)
				}
			}
		}
	}
	for _, c := range conds {
		text := "if (" + c.text + ")\n\t" + what + ";"
		if s.stmt.Kind == "CompoundStmt" {
			edits, err := edit.AtEndOf(s.f, s.stmt, text)
			out = append(out, s.option(what, place{"if " + c.text + " at the end of the block", s.stmt.Line}, edits, err)...)
			continue
		}
		edits, err := s.beforeLeaving(text)
		out = append(out, s.option(what, place{"if " + c.text + " before the " + jumps[s.stmt.Kind], s.stmt.Line}, edits, err)...)
	}
	return out[:min(len(out), maxConditions)]
}

// maxConditions bounds how many conditions are tried for a loss.
const maxConditions = 8

// A condition is one that may hold just where the object is lost.
type condition struct {
	text string
	side bool // it is about one call, and says nothing of releases elsewhere
}

// conditions lists conditions that were decided on while the object lived: those
// under which it is made, what else the variable may hold, what the calls returned or
// were given that may have taken it.
func (s *spot) conditions(holder string) []condition {
	var out []condition
	add := func(text string, side bool) {
		if !slices.ContainsFunc(out, func(c condition) bool { return c.text == text }) {
			out = append(out, condition{text, side})
		}
	}
	pos := s.p.base.Leak.Position(s.o.fn, s.o.site)
	if made := s.f.StmtAt(pos.Line, pos.Col); made != nil {
		for n := made; n != nil && n.Parent != nil; n = n.Parent {
			if n.Parent.Kind == "IfStmt" && n.Parent.Then() == n && s.repeatable(n.Parent.Cond()) {
				add(s.f.Source(n.Parent.Cond()), false)
			}
		}
	}
	for _, a := range s.arrays(holder, pos.Line, pos.Col) {
		add(holder+" != "+a, false)
	}
	for _, call := range s.takers() {
		s.about(call, add)
	}
	for _, c := range s.p.base.Leak.Tell(s.o.fn, s.o.site, s.o.place, s.loss.At) {
		if v := s.f.Lookup(s.stmt, s.p.base.Program.Funcs[s.o.fn].Vars[c.Var].Name); v != nil {
			add(c.Text, true)
		}
	}
	return out
}

// repeatable reports whether a condition can be written once more: it has no effects,
// and is about variables that can still be named.
func (s *spot) repeatable(c *ast.Node) bool {
	if c == nil || !c.Pure() || c.Macro {
		return false
	}
	for _, r := range c.Reads() {
		if r.Node != nil && !s.f.Usable(s.stmt, r.Node) {
			return false
		}
	}
	return true
}

// arrays lists local arrays that the holder may point to instead: that are assigned
// to it, or passed to what gives it its value.
func (s *spot) arrays(holder string, line, col int) []string {
	var out []string
	add := func(n *ast.Node) {
		n.Walk(func(x *ast.Node) bool {
			if x.Kind == "DeclRefExpr" && x.Ref != nil && x.Ref.Node != nil && strings.HasSuffix(x.Ref.Type, "]") && s.f.Usable(s.stmt, x.Ref.Node) && !slices.Contains(out, x.Name) {
				out = append(out, x.Name)
			}
			return x.Kind != "UnaryExprOrTypeTraitExpr"
		})
	}
	s.f.Body.Walk(func(n *ast.Node) bool {
		switch {
		case n.Kind == "BinaryOperator" && n.Op == "=" && len(n.Children) == 2 && s.f.Source(n.Children[0]) == holder:
			add(n.Children[1])
		case n.Kind == "VarDecl" && n.Name == holder && len(n.Children) > 0:
			add(n.Children[len(n.Children)-1])
		}
		return true
	})
	return out
}

// takers lists the calls that take or release the object on some path.
func (s *spot) takers() []*ast.Node {
	f := &s.p.base.Program.Funcs[s.o.fn]
	var ids []ir.ValueID
	for i := range s.o.life.Points {
		p := &s.o.life.Points[i]
		if (p.Status == leak.Released || p.Status == leak.Kept) && p.By != 0 && f.Values[p.By].Op.IsCall() && !slices.Contains(ids, p.By) {
			ids = append(ids, p.By)
		}
	}
	slices.Sort(ids)
	var out []*ast.Node
	for _, id := range ids {
		pos := s.p.base.Leak.Position(s.o.fn, id)
		name := ""
		if c := f.Callee(id); c != 0 {
			name = s.p.base.Program.Funcs[c].SourceName()
		}
		if n := s.f.CallAt(pos.Line, pos.Col, name); n != nil {
			out = append(out, n)
		}
	}
	return out
}

// about adds conditions about a call that may take the object: whether it is called,
// what it returns, what it is given.
func (s *spot) about(call *ast.Node, add func(string, bool)) {
	for n := call; n.Parent != nil && !n.Stmt; n = n.Parent {
		p := n.Parent
		if p.Kind == "BinaryOperator" && len(p.Children) == 2 && p.Children[1] == n && s.repeatable(p.Children[0]) {
			switch p.Op {
			case "&&":
				add(negated(s.f.Source(p.Children[0])), true)
			case "||":
				add(s.f.Source(p.Children[0]), true)
			}
		}
		if p.Kind == "BinaryOperator" && p.Op == "=" && p.Children[1] == n && s.repeatable(p.Children[0]) {
			s.aboutResult(s.f.Source(p.Children[0]), add)
		}
		if p.Kind == "VarDecl" && s.f.Usable(s.stmt, p) {
			s.aboutResult(p.Name, add)
		}
	}
	for _, a := range call.Args() {
		if a != nil && s.repeatable(a) && a.Kind == "DeclRefExpr" && !strings.ContainsAny(a.Type, "*])") {
			add(s.f.Source(a), true)
			add(negated(s.f.Source(a)), true)
		}
	}
}

// aboutResult adds conditions about the result of a call.
func (s *spot) aboutResult(name string, add func(string, bool)) {
	for _, c := range []string{name + " != 0", name + " < 0", name + " == 0"} {
		add(c, false)
	}
}

// negated is the opposite of a condition.
func negated(c string) string {
	if strings.ContainsAny(c, " <>=&|?") {
		return "!(" + c + ")"
	}
	return "!" + c
}

// guarded lists the ifs that do nothing but release the object.
func (s *spot) guarded(what string) []*ast.Node {
	var out []*ast.Node
	s.f.Body.Walk(func(n *ast.Node) bool {
		if n.Kind != "IfStmt" || n.Else() != nil || n.End > s.stmt.Begin && s.stmt.Kind != "CompoundStmt" {
			return true
		}
		if c := s.releaseCall(n); c != nil && strings.TrimSuffix(s.f.Source(c), ";") == what && n.Cond().Pure() {
			out = append(out, n)
		}
		return true
	})
	return out
}
