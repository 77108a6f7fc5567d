// This file keeps values of expressions in variables.

package edit

import (
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/patch"
)

// Replace puts other text in the place of an expression.
func Replace(f *ast.Func, e *ast.Node, text string) ([]patch.Edit, error) {
	if err := ownText(f, e); err != nil {
		return nil, err
	}
	return []patch.Edit{{File: f.File, Start: e.Begin, End: e.End, New: text}}, nil
}

// ownText refuses an expression whose range is not its text.
func ownText(f *ast.Func, e *ast.Node) error {
	switch {
	case e == nil || e.Elsewhere:
		return &Refusal{otherFile}
	case e.Macro && !e.Apart(), e.Invoked && e.Parent != nil && e.Parent.Invoked && e.Parent.Begin == e.Begin:
		return &Refusal{inMacro}
	case f.Text.HasDirective(e.Begin, e.End):
		return &Refusal{conditionals}
	}
	return nil
}

// Hold keeps the value of an expression in a new variable that is declared before
// its statement, and puts text behind the statement:
//
//	use(get(x));      char *tmp = get(x);
//	                  use(tmp);
//	                  free(tmp);
//
// A return statement's own value is kept then too, and so is the condition of an
// if or switch. It is refused where the expression is not evaluated exactly once,
// before anything else that may depend on it.
func Hold(f *ast.Func, e *ast.Node, typ, name, text string) ([]patch.Edit, error) {
	if err := ownText(f, e); err != nil {
		return nil, err
	}
	s := e.EnclosingStmt()
	if s == nil || s.Elsewhere {
		return refuse(noStatement)
	}
	if e.Begin == s.Begin && e == s || s.Kind == e.Kind && e.Begin == s.Begin && s.End-e.End <= 1 {
		return holdAll(f, s, typ, name, text)
	}
	if err := unconditional(e, s); err != nil {
		return nil, err
	}
	return hold(f, e, s, variable{typ, name, f.Source(e), false}, name, text)
}

// HoldMaybe is Hold for an expression that is not evaluated on every path, such as
// the right side of &&. On the others the variable has the value null:
//
//	n = c ? use(get(x)) : 0;      char *tmp = NULL;
//	                              n = c ? use(tmp = get(x)) : 0;
//	                              free(tmp);
func HoldMaybe(f *ast.Func, e *ast.Node, typ, name, null, text string) ([]patch.Edit, error) {
	if err := ownText(f, e); err != nil {
		return nil, err
	}
	s := e.EnclosingStmt()
	if s == nil || s.Elsewhere || e == s {
		return refuse(noStatement)
	}
	if r, ok := unconditional(e, s).(*Refusal); ok && r.Why != onSomePaths && r.Why != behindOthers {
		return nil, r
	}
	part := name + " = " + f.Source(e)
	if p := e.Parent; !(p.Kind == "ParenExpr" || p.IsCall() && p.Children[0] != e) {
		part = "(" + part + ")"
	}
	return hold(f, e, s, variable{typ, name, null, true}, part, text)
}

// hold declares a variable with a value before a statement, replaces an expression
// of it, and puts text behind what the statement evaluates.
func hold(f *ast.Func, e, s *ast.Node, v variable, by, text string) ([]patch.Edit, error) {
	if v.typ == "" {
		var ok bool
		if v.typ, ok = Spell(f, e.Type); !ok {
			return refuse("the type of the expression has no name")
		}
	}
	part := patch.Edit{File: f.File, Start: e.Begin, End: e.End, New: by}
	if before, ok := aloneOnLine(f.Text, e, by); ok {
		part.Start = before
		if f.Text.Src[before-1] != '(' {
			part.New = " " + part.New
		}
	}
	switch {
	case text == "":
	case s.Kind == "ReturnStmt":
		begin, end, ok := returned(f.Text, s)
		if !ok {
			return refuse(inMacro)
		}
		result, ok := resultOf(f, s)
		if !ok || result == "void" {
			return refuse("the type that the function returns has no name")
		}
		return holdWhole(f, s, part, begin, end, result, f.Fresh(s, "ret"), v, text)
	case s.Kind == "IfStmt" || s.Kind == "SwitchStmt":
		c := s.Cond()
		if c == nil || !e.Within(c) || ownText(f, c) != nil {
			return refuse(inMacro)
		}
		result, ok := Spell(f, c.Type)
		if !ok {
			return refuse("the type of the condition has no name")
		}
		return holdWhole(f, s, part, c.Begin, c.End, result, f.Fresh(s, "result"), v, text)
	}
	edits, err := surround(f, s, []variable{v}, nil, text)
	if err != nil {
		return nil, err
	}
	return replace(edits, part), nil
}

// holdAll keeps the value of an expression that is a statement: it becomes the
// declaration.
func holdAll(f *ast.Func, s *ast.Node, typ, name, text string) ([]patch.Edit, error) {
	if typ == "" {
		var ok bool
		if typ, ok = Spell(f, s.Type); !ok || typ == "void" {
			return refuse("the type of the expression has no name")
		}
	}
	if s.BeginsInMacro() && !s.Invoked || s.IsLabel() {
		return refuse(inMacro)
	}
	edits, err := surround(f, s, []variable{{typ: typ, name: name}}, nil, text)
	if err != nil {
		return nil, err
	}
	// What would be put before the statement becomes one with it.
	for i, e := range edits {
		if head, _, ok := strings.Cut(e.New, " = ;"); ok && e.Start == s.Begin && e.End == s.Begin {
			edits[i].New = head + " = "
			return edits, nil
		}
	}
	return refuse(inMacro)
}

// aloneOnLine reports whether an expression begins a line and the name that replaces
// it has room on the line before; it returns where that line's last token ends.
func aloneOnLine(t *ast.Text, e *ast.Node, by string) (int, bool) {
	prev, directive, ok := t.Prev(e.Begin)
	if !ok || directive || !t.FirstOnLine(e.Begin) || strings.TrimSpace(string(t.Src[prev.End:e.Begin])) != "" {
		return 0, false
	}
	rest := t.LineEnd(e.End) - e.End
	room := 80 - width(strings.TrimRight(string(t.Src[t.LineBegin(prev.End):prev.End]), " "))
	return prev.End, len(by)+1+rest <= room
}

// holdWhole keeps also the value that the statement is about, which is in a range.
func holdWhole(f *ast.Func, s *ast.Node, part patch.Edit, begin, end int, typ, name string, v variable, text string) ([]patch.Edit, error) {
	src := f.Text.Src
	value := string(src[begin:part.Start]) + part.New + string(src[part.End:end])
	edits, err := surround(f, s, []variable{v, {typ: typ, name: name, value: value}}, []string{text}, "")
	if err != nil {
		return nil, err
	}
	return replace(edits, patch.Edit{File: f.File, Start: begin, End: end, New: name}), nil
}

// KeepOld keeps what an assignment overwrites, and puts text behind it:
//
//	p = p->next;      struct node *old = p;
//	                  p = p->next;
//	                  free(old);
func KeepOld(f *ast.Func, n *ast.Node, typ, name, text string) ([]patch.Edit, error) {
	if n == nil || n.Kind != "BinaryOperator" || n.Op != "=" || !n.Stmt {
		return refuse("it is not an assignment")
	}
	lhs := n.Children[0]
	if err := ownText(f, lhs); err != nil {
		return nil, err
	}
	if !lhs.Pure() {
		return refuse("what is assigned to is not a simple variable")
	}
	if typ == "" {
		var ok bool
		if typ, ok = Spell(f, lhs.Type); !ok {
			return refuse("the type of the variable has no name")
		}
	}
	return surround(f, n, []variable{{typ: typ, name: name, value: f.Source(lhs)}}, nil, text)
}

// Reasons for which an expression cannot be evaluated before its statement.
const (
	onSomePaths  = "the expression is not evaluated on every path"
	behindOthers = "the expression follows others in its statement"
)

// unconditional refuses an expression that its statement does not evaluate exactly
// once, before all that depends on it.
func unconditional(e, s *ast.Node) error {
	var soft error
	for c, p := e, e.Parent; c != s && p != nil; c, p = p, p.Parent {
		first := len(p.Children) > 0 && p.Children[0] == c
		switch {
		case p.Kind == "UnaryExprOrTypeTraitExpr" || p.Kind == "LambdaExpr" || p.Kind == "GenericSelectionExpr":
			return &Refusal{"the expression is not evaluated there"}
		case p.IsLoop():
			return &Refusal{"the expression is evaluated in each turn of a loop"}
		case p.Kind == "DeclStmt" && !p.Stmt:
			return &Refusal{"the expression is part of the head of a statement"}
		case first:
		case p.Kind == "BinaryOperator" && (p.Op == "&&" || p.Op == "||"), p.Kind == "ConditionalOperator", p.Kind == "BinaryConditionalOperator":
			soft = &Refusal{onSomePaths}
		case p.Kind == "BinaryOperator" && p.Op == ",", p.Kind == "DeclStmt":
			if soft == nil {
				soft = &Refusal{behindOthers}
			}
		}
	}
	return soft
}
