// This file declares new variables where the function declares its own.

package edit

import (
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/patch"
)

// A variable is a new one.
type variable struct {
	typ, name string
	value     string
	constant  bool // the value is the same everywhere
}

// declaresFirst reports whether new variables before a statement are to be declared
// at the beginning of the block around it: in C, where the function has all
// declarations there and this would be the first among statements.
func (l *layout) declaresFirst(n *ast.Node, vars []variable) bool {
	b := n.EnclosingBlock()
	if l.f.Unit.CXX || b == nil || b.Macro || b.Elsewhere || b.Parent.Kind == "SwitchStmt" || b.Parent.Kind == "StmtExpr" || n.Kind == "DeclStmt" {
		return false
	}
	for _, v := range vars {
		if strings.HasPrefix(v.typ, "const ") && !strings.HasSuffix(v.typ, "*") || strings.Contains(v.typ, "[") {
			return false // cannot be assigned
		}
	}
	list, i := n.List()
	first := !n.Parent.IsLabel()
	for _, s := range list[:i] {
		first = first && s.Kind == "DeclStmt"
	}
	return !first && !mixes(l.f)
}

// mixes reports whether a function, or the file, has declarations among statements;
// or none that would say.
func mixes(f *ast.Func) bool {
	if !f.Unit.MixedDecls() {
		return false
	}
	if !hasHead(f) {
		return true
	}
	mixed := false
	f.Body.Walk(func(n *ast.Node) bool {
		behind := false
		for i, c := range n.Children {
			switch {
			case c == nil || n.Kind == "ForStmt" && i > 0 || n.Kind != "ForStmt" && n.Kind != "CompoundStmt":
			case c.Kind == "DeclStmt":
				mixed = mixed || behind || n.Kind == "ForStmt"
			default:
				behind = true
			}
		}
		return !mixed
	})
	if mixed {
		return true
	}
	t := f.Text
	toks := t.Tokens()
	for i := 0; i+3 < len(toks); i++ { // for (int i
		if toks[i].Kind == ast.Word && t.Is(toks[i], "for") && t.Is(toks[i+1], "(") && toks[i+2].Kind == ast.Word && (toks[i+3].Kind == ast.Word || t.Is(toks[i+3], "*")) {
			return true
		}
	}
	return false
}

// hasHead reports whether a function begins with declarations that are set apart: by
// an empty line, or by a variable that gets its value later.
func hasHead(f *ast.Func) bool {
	for i, c := range f.Body.Children {
		if c.Kind != "DeclStmt" {
			return i > 0 && f.Text.Line(c.Begin)-f.Text.Line(f.Body.Children[i-1].End) > 1
		}
		for _, v := range c.Children {
			if v.Kind == "VarDecl" && !v.HasInit() {
				return true
			}
		}
	}
	return false
}

// atHead declares variables at the beginning of the block around a statement, and
// returns the assignments that give them their values.
func (l *layout) atHead(n *ast.Node, vars []variable) (edits []patch.Edit, texts []string, err error) {
	for _, v := range vars {
		decl := Declare(l.f, v.typ, v.name)
		if v.constant {
			decl += " = " + v.value
		} else {
			texts = append(texts, asIs+v.name+" = "+v.value+";")
		}
		more, err := declareIn(l.f, n.EnclosingBlock(), decl+";")
		if err != nil {
			return nil, nil, err
		}
		edits = append(edits, more...)
	}
	return edits, texts, nil
}
