// This file changes declarations of variables.

package edit

import (
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/patch"
)

// Initialise gives a variable that is declared without a value one.
//
//	char *a, *b;      char *a = NULL, *b;
func Initialise(f *ast.Func, v *ast.Node, value string) ([]patch.Edit, error) {
	at, err := declaratorEnd(f, v)
	if err != nil {
		return nil, err
	}
	if v.HasInit() {
		return refuse("the variable has a value")
	}
	return []patch.Edit{{File: f.File, Start: at, End: at, New: " = " + value}}, nil
}

// declaratorEnd returns where the declaration of a variable ends, before the comma
// or semicolon behind it.
func declaratorEnd(f *ast.Func, v *ast.Node) (int, error) {
	switch {
	case v == nil || v.Kind != "VarDecl" || v.Parent == nil || v.Parent.Kind != "DeclStmt" || v.Static:
		return 0, &Refusal{"it is not a variable of the function"}
	case v.Elsewhere:
		return 0, &Refusal{otherFile}
	case v.Macro || v.Parent.Macro && v.Parent.Invoked:
		return 0, &Refusal{inMacro}
	case f.Text.HasDirective(v.Begin, v.Parent.End):
		return 0, &Refusal{conditionals}
	}
	t := f.Text
	tok, _, ok := t.Next(v.End)
	end := v.End
	for ok && !t.Is(tok, ",") && !t.Is(tok, ";") { // attributes
		end = tok.End
		if t.Is(tok, "(") {
			shut, ok := t.Match(tok.Begin)
			if !ok {
				return 0, &Refusal{inMacro}
			}
			end = shut.End
		}
		tok, _, ok = t.Next(end)
	}
	if !ok || tok.Begin >= v.Parent.End {
		return 0, &Refusal{inMacro}
	}
	return end, nil
}

// Hoist moves the declaration of a variable to the beginning of a block around it,
// where it gets the value given; where it was, it is assigned what it was
// initialised with.
//
//	{                               {
//		while (n--) {                   char *p = NULL;
//			char *p = get();
//			...                         while (n--) {
//		}                                       p = get();
//	}                                               ...
func Hoist(f *ast.Func, v, block *ast.Node, value string) ([]patch.Edit, error) {
	end, err := declaratorEnd(f, v)
	if err != nil {
		return nil, err
	}
	if block == nil || block.Kind != "CompoundStmt" || block.Macro || block.Elsewhere {
		return refuse(noStatement)
	}
	decl := v.Parent
	switch {
	case decl.Parent.Kind != "CompoundStmt" || !decl.Stmt || !v.Within(block):
		return refuse("the declaration is part of a larger statement")
	case decl.Parent == block:
		return refuse("the variable is declared there")
	case !movable(v):
		return refuse("a variable of this type cannot be declared first and assigned later")
	case meansOther(f, v, block):
		return refuse("its name means another variable in the outer block")
	}
	typ, ok := Spell(f, v.Type)
	if !ok || typ == "auto" {
		return refuse("the type of the variable has no name")
	}
	edits, err := removeDeclarator(f, v, end)
	if err != nil {
		return nil, err
	}
	first, err := declareIn(f, block, Declare(f, typ, v.Name)+" = "+value+";")
	return append(first, edits...), err
}

// movable reports whether a variable can be declared without its value.
func movable(v *ast.Node) bool {
	t := strings.TrimSpace(v.Type)
	if v.Canon != "" {
		t = strings.TrimSpace(v.Canon)
	}
	if strings.HasSuffix(t, "const") || strings.HasSuffix(t, "&") || strings.Contains(t, "[") {
		return false
	}
	if strings.HasSuffix(t, "*") || strings.Contains(t, "(*)") {
		return true
	}
	return !strings.HasPrefix(t, "const ") && scalar(t)
}

// scalar reports whether a type is a number.
func scalar(t string) bool {
	for _, w := range strings.Fields(t) {
		switch w {
		case "char", "short", "int", "long", "unsigned", "signed", "float", "double", "bool", "_Bool", "enum", "volatile":
		default:
			return strings.HasPrefix(t, "enum ")
		}
	}
	return t != ""
}

// meansOther reports whether a variable's name means something else in a block
// outside of the variable's own.
func meansOther(f *ast.Func, v, block *ast.Node) bool {
	own := v.Parent.Parent
	other := false
	block.Walk(func(n *ast.Node) bool {
		if n == own {
			// Inside, what comes before the declaration counts.
			for _, c := range own.Children {
				if c == v.Parent {
					break
				}
				c.Walk(func(n *ast.Node) bool {
					other = other || n.Kind == "DeclRefExpr" && n.Name == v.Name
					return true
				})
			}
			return false
		}
		other = other || n.Kind == "DeclRefExpr" && n.Name == v.Name && n.Ref != nil && (n.Ref.Node == nil || !n.Ref.Node.Within(block))
		return true
	})
	for _, w := range f.ScopeAtEnd(block) {
		other = other || w.Name == v.Name && w.Parent.Parent == block
	}
	return other
}

// declareIn puts a declaration behind those with which a block begins.
func declareIn(f *ast.Func, block *ast.Node, text string) ([]patch.Edit, error) {
	var last *ast.Node
	for _, c := range block.Children {
		if c.Kind != "DeclStmt" {
			break
		}
		last = c
	}
	switch {
	case last != nil:
		return After(f, last, text)
	case len(block.Children) == 0:
		return AtEndOf(f, block, text)
	}
	return Before(f, block.Children[0], text)
}

// removeDeclarator takes a variable out of a declaration; what it was initialised
// with is assigned.
func removeDeclarator(f *ast.Func, v *ast.Node, end int) ([]patch.Edit, error) {
	t, decl := f.Text, v.Parent
	assign := ""
	if v.HasInit() {
		eq := -1
		for _, tok := range t.Between(v.NameAt(), end) {
			if t.Is(tok, "=") {
				eq = tok.End
				break
			}
		}
		if eq < 0 || strings.HasPrefix(strings.TrimSpace(string(t.Src[eq:end])), "{") {
			return refuse("its value is not an expression")
		}
		assign = v.Name + " = " + strings.TrimSpace(string(t.Src[eq:end])) + ";"
	}
	if len(decl.Children) == 1 {
		if assign != "" {
			return []patch.Edit{{File: f.File, Start: decl.Begin, End: decl.End, New: assign}}, nil
		}
		return removeStmt(f, decl), nil
	}
	if decl.Children[0] == v {
		return refuse("other variables are declared with it")
	}
	comma, _, ok := t.Prev(v.Begin)
	if !ok || !t.Is(comma, ",") {
		return refuse(inMacro)
	}
	for i, c := range decl.Children {
		if c == v && i+1 < len(decl.Children) && assign != "" {
			return refuse("other variables are declared with it") // they may need its value
		}
	}
	edits := []patch.Edit{{File: f.File, Start: comma.Begin, End: end, New: ""}}
	if assign == "" {
		return edits, nil
	}
	more, err := After(f, decl, assign)
	return append(edits, more...), err
}

// removeStmt takes a statement out, with its line when it is alone there.
func removeStmt(f *ast.Func, n *ast.Node) []patch.Edit {
	t := f.Text
	begin, end := n.Begin, n.End
	if lineEnd := t.LineEnd(end); t.FirstOnLine(begin) && strings.TrimSpace(string(t.Src[end:lineEnd])) == "" {
		begin, end = t.LineBegin(begin), min(lineEnd+len(t.EOL(lineEnd)), len(t.Src))
	}
	return []patch.Edit{{File: f.File, Start: begin, End: end}}
}
