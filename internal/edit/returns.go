// This file changes jumps: what is returned, and where gotos lead.

package edit

import (
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/patch"
)

// ReturnVia keeps what a return statement returns in a variable, so that text can
// stand between:
//
//	return f(p);      int ret = f(p);
//	                  free(p);
//	                  return ret;
//
// With type "" the variable has the type that the function returns. The name
// should be one that the function does not use (see ast.Func.Fresh).
func ReturnVia(f *ast.Func, n *ast.Node, typ, name, text string) ([]patch.Edit, error) {
	if n == nil || n.Kind != "ReturnStmt" || len(n.Children) != 1 || n.Elsewhere {
		return refuse("it returns nothing")
	}
	if n.Open && !n.Invoked {
		return nil, open(f, n)
	}
	begin, end, ok := returned(f.Text, n)
	if !ok {
		return refuse(inMacro)
	}
	if f.Text.HasDirective(n.Begin, n.End) {
		return refuse(conditionals)
	}
	if typ == "" {
		if typ, ok = resultOf(f, n); !ok {
			return refuse("the type that the function returns has no name")
		}
	}
	if typ == "void" {
		return refuse("it returns nothing")
	}
	value := string(f.Text.Src[begin:end])
	if e := n.Children[0]; e.Kind == "ParenExpr" && !e.Macro && e.Begin == begin && e.End == end {
		value = strings.TrimSpace(value[1 : len(value)-1])
	}
	gap := ""
	if begin == n.Begin+len("return") { // return(x);
		gap = " "
	}
	edits, err := surround(f, n, []variable{{typ: typ, name: name, value: value}}, []string{text}, "")
	if err != nil {
		return nil, err
	}
	return replace(edits, patch.Edit{File: f.File, Start: begin, End: end, New: gap + name}), nil
}

// returned returns the range of what a return statement returns, macros and all.
func returned(t *ast.Text, n *ast.Node) (begin, end int, ok bool) {
	word, _, ok := t.Next(n.Begin)
	if !ok || !t.Is(word, "return") || n.Open || n.BeginsInMacro() {
		return 0, 0, false
	}
	first, _, _ := t.Next(word.End)
	last, _, _ := t.Prev(n.End - 1)
	return first.Begin, last.End, first.Begin < n.End-1
}

// resultOf returns the type that the function or lambda around a statement returns.
func resultOf(f *ast.Func, n *ast.Node) (string, bool) {
	if n.EnclosingFunc() != f.Node {
		return "auto", true
	}
	return Spell(f, f.Result)
}

// ReturnToGoto makes a return statement a goto, with text before it such as
// "ret = -1;":
//
//	return -1;        ret = -1;
//	                  goto out;
func ReturnToGoto(f *ast.Func, n *ast.Node, text, label string) ([]patch.Edit, error) {
	if n == nil || n.Kind != "ReturnStmt" || n.Elsewhere {
		return refuse(noStatement)
	}
	if n.BeginsInMacro() || n.Open {
		return refuse(inMacro)
	}
	if f.Text.HasDirective(n.Begin, n.End) {
		return refuse(conditionals)
	}
	var edits []patch.Edit
	if text != "" {
		var err error
		if edits, err = Before(f, n, text); err != nil {
			return nil, err
		}
	}
	return replace(edits, patch.Edit{File: f.File, Start: n.Begin, End: n.End, New: "goto " + label + ";"}), nil
}

// Retarget lets a goto lead to another label.
func Retarget(f *ast.Func, n *ast.Node, label string) ([]patch.Edit, error) {
	if n == nil || n.Kind != "GotoStmt" || n.Elsewhere {
		return refuse(noStatement)
	}
	if n.Macro || n.Open {
		return refuse(inMacro)
	}
	name, _, ok := f.Text.Prev(n.End - 1)
	if !ok || name.Kind != ast.Word || name.Begin <= n.Begin {
		return refuse(inMacro)
	}
	return []patch.Edit{{File: f.File, Start: name.Begin, End: name.End, New: label}}, nil
}
