// This file makes trees of what was read: ranges, parents, what is a statement.

package ast

import (
	"fmt"
	"path/filepath"
	"strings"
)

// body returns the body of a function's definition.
func body(n *Node) *Node {
	for _, c := range n.Children {
		if c != nil && (c.Kind == "CompoundStmt" || c.Kind == "CXXTryStmt") {
			return c
		}
	}
	return nil
}

// function makes a Func of a definition that was read.
func (u *Unit) function(n *Node) (*Func, error) {
	f := &Func{Unit: u, Node: n, Name: n.Name, Type: n.Type, File: n.begin.file, line: n.pos.line, byID: map[string]*Node{}}
	where := fmt.Sprintf("%s:%d: %s", filepath.Base(f.File), f.line, f.Name)
	b := body(n)
	switch {
	case n.Implicit || n.defaulted:
		return nil, fmt.Errorf("%s is made by the compiler", where)
	case b.begin.macro || b.end.macro || !b.begin.valid || !b.end.valid:
		return nil, fmt.Errorf("%s is made by a macro", where)
	case b.begin.file != f.File || b.end.file != f.File:
		return nil, fmt.Errorf("%s is spread over several files", where)
	case renumbered(n):
		return nil, fmt.Errorf("%s: a #line directive gives its lines other numbers", where)
	}
	text, err := u.Text(f.File)
	if err != nil {
		return nil, err
	}
	f.Text = text
	if b.end.off >= len(text.Src) || text.Src[b.begin.off] != '{' && b.Kind == "CompoundStmt" || text.Src[b.end.off] != '}' {
		return nil, fmt.Errorf("%s: the file is not what clang read", where)
	}
	if n.Kind != "CXXConstructorDecl" && n.Kind != "CXXDestructorDecl" {
		f.Result = resultType(n.Type)
	}
	f.Node = f.tidy(n)
	f.Body = body(f.Node)
	f.resolve(f.Node)
	for _, c := range f.Node.Children {
		if c.Kind == "ParmVarDecl" {
			f.Params = append(f.Params, c)
		}
	}
	f.link(f.Node)
	return f, nil
}

// Text returns the contents of a file as clang saw it.
func (u *Unit) Text(file string) (*Text, error) {
	if t := u.texts[file]; t != nil {
		return t, nil
	}
	src, err := u.read(file)
	if err != nil {
		return nil, err
	}
	u.texts[file] = NewText(src)
	return u.texts[file], nil
}

func renumbered(n *Node) bool {
	if n == nil {
		return false
	}
	if n.begin.renumbered || n.end.renumbered {
		return true
	}
	for _, c := range n.Children {
		if renumbered(c) {
			return true
		}
	}
	return false
}

// resultType returns what a function of the given type returns.
func resultType(t string) string {
	if i := strings.Index(t, "(*("); i >= 0 {
		return "" // a pointer to a function: its name would stand inside
	}
	// The parameters are the last group in brackets, but for const and the like.
	end := strings.LastIndexByte(t, ')')
	if i := strings.Index(t, " -> "); i >= 0 && strings.HasPrefix(t, "auto (") {
		return t[i+len(" -> "):]
	}
	for depth, i := 0, end; i >= 0; i-- {
		switch t[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return strings.TrimSpace(t[:i])
			}
		}
	}
	return ""
}

// tidy folds away what nobody wrote and returns what is left of a node.
func (f *Func) tidy(n *Node) *Node {
	if n.id != "" {
		f.byID[n.id] = n
	}
	switch n.Kind {
	case "LambdaExpr":
		n.Children = lambda(n)
	case "CXXForRangeStmt":
		rangeFor(n)
	}
	out := n.Children[:0]
	list := positional(n.Kind)
	for _, c := range n.Children {
		if c == nil {
			if list {
				out = append(out, nil)
			}
			continue
		}
		if strings.HasSuffix(c.Kind, "Attr") || strings.HasSuffix(c.Kind, "Comment") || strings.HasSuffix(c.Kind, "Type") {
			continue
		}
		c = f.tidy(c)
		c.Parent = n
		out = append(out, c)
	}
	n.Children = out
	if (isFolded(n.Kind) || n.elided) && len(out) == 1 && out[0] != nil {
		c := out[0]
		c.folded += n.Op + " "
		if !c.begin.valid {
			c.begin, c.end = n.begin, n.end
		}
		return c
	}
	return n
}

// positional reports whether children of a kind of node are known by their place.
func positional(kind string) bool {
	return kind == "ForStmt" || kind == "CXXForRangeStmt" || kind == "CXXCatchStmt"
}

// isFolded reports whether nodes of a kind stand for their only child.
func isFolded(kind string) bool {
	switch kind {
	case "ImplicitCastExpr", "ExprWithCleanups", "MaterializeTemporaryExpr", "CXXBindTemporaryExpr", "ConstantExpr", "FullExpr", "CXXDefaultArgExpr", "CXXDefaultInitExpr":
		return true
	}
	return false
}

// lambda returns the one child of a lambda that matters, the function: clang writes
// its body twice.
func lambda(n *Node) []*Node {
	for _, c := range n.Children {
		if c == nil || c.Kind != "CXXRecordDecl" {
			continue
		}
		for _, m := range c.Children {
			if m != nil && m.Kind == "FunctionTemplateDecl" {
				for _, g := range m.Children {
					if g != nil && g.Kind == "CXXMethodDecl" && body(g) != nil {
						return []*Node{g}
					}
				}
			}
			if m != nil && m.Kind == "CXXMethodDecl" && m.Name == "operator()" && body(m) != nil {
				return []*Node{m}
			}
		}
	}
	return n.Children
}

// rangeFor drops what clang makes of a range-based for: iterators, their
// comparison, their step. What was written are the variable, the range, the body.
func rangeFor(n *Node) {
	if len(n.Children) != 8 {
		return
	}
	for i := 2; i <= 5; i++ {
		n.Children[i] = nil
	}
	for _, v := range n.Children[6].Children {
		v.Children = nil
	}
}

// resolve computes ranges, from the leaves up.
func (f *Func) resolve(n *Node) {
	for i, c := range n.Children {
		if c == nil {
			continue
		}
		c.Stmt = stmtAt(n, i)
		f.resolve(c)
	}
	if n.Kind == "DeclStmt" {
		f.declarators(n)
	}
	n.Macro = n.begin.macro || n.end.macro
	n.Elsewhere = n.begin.file != f.File || n.end.file != f.File
	if !n.begin.valid || !n.end.valid || n.Elsewhere {
		n.Elsewhere = true
		return
	}
	t := f.Text
	n.Begin, n.End = n.begin.off, n.end.off+n.end.length
	if n.end.macro {
		n.End = invocationEnd(t, n.End)
	}
	n.Invoked = n.begin.macro && n.end.macro && n.begin.off == n.end.off
	n.Line = t.Line(n.Begin)
	n.Col = n.Begin - t.LineBegin(n.Begin) + 1
	if n.Stmt {
		f.statement(n)
	}
}

// declarators lets variables behind the first of a declaration begin where they are
// written: in clang's eyes all begin with the type.
func (f *Func) declarators(n *Node) {
	for i := 1; i < len(n.Children); i++ {
		v, prev := n.Children[i], n.Children[i-1]
		if v.Elsewhere || prev.Elsewhere || v.Begin >= prev.End || v.begin.macro || prev.end.macro && prev.End > v.pos.off {
			continue
		}
		for _, tok := range f.Text.Between(prev.End, v.pos.off) {
			if f.Text.Is(tok, ",") {
				if next, _, ok := f.Text.Next(tok.End); ok && next.Begin <= v.pos.off {
					v.Begin = next.Begin
					v.Line = f.Text.Line(v.Begin)
					v.Col = v.Begin - f.Text.LineBegin(v.Begin) + 1
				}
				break
			}
		}
	}
}

// invocationEnd returns where the invocation of a macro ends whose name ends at off.
func invocationEnd(t *Text, off int) int {
	if tok, _, ok := t.Next(off); ok && t.Is(tok, "(") {
		if end, ok := t.Match(tok.Begin); ok {
			return end.End
		}
	}
	return off
}

// statement extends a statement over its semicolon, or over that of its last part.
func (f *Func) statement(n *Node) {
	switch n.Kind {
	case "CompoundStmt", "DeclStmt", "NullStmt", "CXXTryStmt", "SwitchStmt", "CXXCatchStmt":
		if n.Kind != "SwitchStmt" {
			// Of a DeclStmt that a macro makes the semicolon may stand behind it.
			if !(n.Kind == "DeclStmt" && n.end.macro) {
				return
			}
		}
	}
	if last := n.lastPart(); last != nil && !n.Invoked {
		n.End, n.Open = last.End, last.Open
		return
	}
	tok, directive, ok := f.Text.Next(n.End)
	if ok && !directive && f.Text.Is(tok, ";") {
		n.End = tok.End
	} else {
		n.Open = true
	}
}

// lastPart returns the statement that a statement ends with.
func (n *Node) lastPart() *Node {
	if n.Kind == "DoStmt" {
		return nil
	}
	for i := len(n.Children) - 1; i >= 0; i-- {
		if c := n.Children[i]; c != nil {
			if c.Stmt && !c.Elsewhere {
				return c
			}
			return nil
		}
	}
	return nil
}

// stmtAt reports whether a node's child i stands where a statement stands.
func stmtAt(n *Node, i int) bool {
	last := i == len(n.Children)-1
	switch n.Kind {
	case "CompoundStmt", "CXXTryStmt":
		return true
	case "IfStmt":
		return last || n.hasElse && i == len(n.Children)-2
	case "ForStmt", "CXXForRangeStmt", "WhileStmt", "SwitchStmt", "CaseStmt", "DefaultStmt", "LabelStmt", "CXXCatchStmt", "AttributedStmt":
		return last
	case "DoStmt":
		return i == 0
	}
	return isFunction(n.Kind) && (n.Children[i].Kind == "CompoundStmt" || n.Children[i].Kind == "CXXTryStmt")
}

// link connects references with declarations of the function.
func (f *Func) link(n *Node) {
	if n == nil {
		return
	}
	if n.Ref != nil {
		n.Ref.Node = f.byID[n.Ref.id]
		if n.Name == "" {
			n.Name = n.Ref.Name
		}
	}
	for _, c := range n.Children {
		f.link(c)
	}
}
