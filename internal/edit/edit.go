// Package edit changes functions as people would: it puts statements before and
// behind others, in the style of the text around.
//
// Every operation takes a node of a syntax tree and returns edits of the file, or
// a *Refusal that says what stands in the way. What stands in the way is mostly
// the preprocessor: a statement inside of a macro has no text of its own, and
// braces around text with #if inside may be right for one configuration and wrong
// for another.
//
// Edits that add braces are separate from those that add statements, and the same
// whoever asks for them, so that several operations on one body can be joined:
// insertions at one place stand in their order, before what replaces the text
// behind (see package patch).
package edit

import (
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/patch"
)

// A Refusal says why text cannot be changed as asked.
type Refusal struct{ Why string }

func (r *Refusal) Error() string { return r.Why }

func refuse(why string) ([]patch.Edit, error) { return nil, &Refusal{why} }

// Refusals that several operations make.
const (
	inMacro      = "the statement is part of a macro"
	otherFile    = "the statement is in another file than its function"
	conditionals = "preprocessor conditionals stand in the way"
	noStatement  = "there is no statement"
)

// Before returns the edits that put text, one or more statements a line each,
// before a statement. A body without braces gets them. Lines of the text may begin
// with tabs, one for each step that they are to be indented deeper.
func Before(f *ast.Func, n *ast.Node, text string) ([]patch.Edit, error) {
	return surround(f, n, nil, []string{text}, "")
}

// After returns the edits that put text behind a statement, which must not be a
// jump if the text is ever to run.
func After(f *ast.Func, n *ast.Node, text string) ([]patch.Edit, error) {
	return surround(f, n, nil, nil, text)
}

// surround puts new variables and texts before a statement, an edit each, and a text
// behind it. The variables may need a block of their own.
func surround(f *ast.Func, n *ast.Node, vars []variable, before []string, after string) ([]patch.Edit, error) {
	n = attributed(n)
	if err := usable(f, n); err != nil {
		return nil, err
	}
	leads := len(vars)+len(before) > 0
	if leads && !freshBegin(n) || after != "" && !freshEnd(n) {
		return refuse(inMacro)
	}
	l := newLayout(f, n)
	w, err := l.braces(n)
	if err != nil {
		return nil, err
	}
	var edits []patch.Edit
	texts := make([]string, 0, len(vars)+len(before))
	if w == nil {
		if err := l.guard(n, leads, after != ""); err != nil {
			return nil, err
		}
		switch {
		case len(vars) == 0:
		case l.declaresFirst(n, vars):
			if edits, texts, err = l.atHead(n, vars); err != nil {
				return nil, err
			}
			vars = nil
		case l.needsBlock(n):
			if w, err = l.block(n); err != nil {
				return nil, err
			}
		}
	}
	if w != nil && w.top != n && len(vars) > 0 {
		return refuse("a declaration cannot stand behind the label")
	}
	for _, v := range vars {
		texts = append(texts, asIs+Declare(f, v.typ, v.name)+" = "+v.value+";")
	}
	texts = append(texts, before...)
	switch {
	case len(texts) == 0:
	case w == nil || w.top != n: // in a list, or behind a label
		edits = append(edits, l.before(n, texts...)...)
	default:
		for _, text := range texts {
			edits = append(edits, l.insert(n.Begin, w.lines(text)+w.gap))
		}
	}
	switch {
	case w != nil:
		edits = append(w.finish(after), edits...)
	case after != "":
		edits = append(edits, l.after(n, after))
	}
	return l.put(edits...), nil
}

// AtEndOf returns the edits that put text at the end of a block.
func AtEndOf(f *ast.Func, block *ast.Node, text string) ([]patch.Edit, error) {
	if block == nil || block.Kind != "CompoundStmt" || block.Elsewhere {
		return refuse(noStatement)
	}
	if block.BeginsInMacro() || block.EndsInMacro() {
		return refuse(inMacro)
	}
	if block.Parent != nil && block.Parent.Kind == "StmtExpr" {
		return refuse("the block has a value")
	}
	l := newLayout(f, block)
	t, brace := f.Text, block.End-1
	if tok, _, ok := t.Prev(brace); !ok || !endsStatement(t, tok) && !endsOpen(block, tok) {
		return refuse(conditionals)
	}
	last := lastStmt(block)
	switch {
	case t.FirstOnLine(brace):
		indent := l.listIndent(block)
		return l.put(l.insert(t.LineBegin(brace), indent+l.lines(text, indent)+l.eol)), nil
	case last == nil && t.Line(block.Begin) == t.Line(brace) && isBodyBlock(block):
		base := t.Indent(block.Begin)
		inner := l.deeper(base)
		return l.put(patch.Edit{Start: block.Begin + 1, End: brace, New: l.eol + inner},
			l.insert(brace, l.lines(text, inner)), patch.Edit{Start: brace, End: brace + 1, New: l.eol + base + "}"}), nil
	}
	// On one line: { a(); b(); }
	gap := " "
	if t.Src[brace-1] == ' ' || t.Src[brace-1] == '\t' {
		return l.put(l.insert(brace, l.inline(text)+gap)), nil
	}
	return l.put(l.insert(brace, gap+l.inline(text)), patch.Edit{Start: brace, End: brace + 1, New: gap + "}"}), nil
}

// attributed returns the statement with the attributes that precede it.
func attributed(n *ast.Node) *ast.Node {
	for n != nil && n.Parent != nil && n.Parent.Kind == "AttributedStmt" {
		n = n.Parent
	}
	return n
}

// usable refuses what no operation can deal with.
func usable(f *ast.Func, n *ast.Node) error {
	switch {
	case n == nil || !n.Stmt:
		return &Refusal{noStatement}
	case n.Elsewhere:
		return &Refusal{otherFile}
	case n.Open && !n.Invoked:
		return open(f, n)
	case n.Kind == "CompoundStmt" && isBodyBlock(n), n.Kind == "CXXCatchStmt":
		return &Refusal{"the block is part of a larger statement"}
	}
	return nil
}

// open refuses a statement whose semicolon is not behind it.
func open(f *ast.Func, n *ast.Node) error {
	if _, directive, ok := f.Text.Next(n.End); ok && directive {
		return &Refusal{conditionals}
	}
	return &Refusal{inMacro}
}

// isBodyBlock reports whether a block belongs to a function or statement, and is
// not one of a list of statements.
func isBodyBlock(n *ast.Node) bool {
	return n.Parent == nil || n.Parent.Kind != "CompoundStmt" && !n.Parent.IsLabel()
}

// freshBegin reports whether a statement begins in the text where it begins in the
// tree: not in the midst of what a macro makes.
func freshBegin(n *ast.Node) bool {
	if !n.BeginsInMacro() {
		return true
	}
	for p := n.Parent; p != nil; p = p.Parent {
		if p.BeginsInMacro() && p.Begin == n.Begin {
			return false
		}
	}
	list, i := n.List()
	return i == 0 || list[i-1].Begin != n.Begin && list[i-1].End <= n.Begin
}

// freshEnd reports the like for the end of a statement.
func freshEnd(n *ast.Node) bool {
	if !n.EndsInMacro() {
		return true
	}
	for p := n.Parent; p != nil; p = p.Parent {
		if p.Invoked && p.Begin <= n.Begin && n.End <= p.End && p.Begin == n.Begin {
			return false
		}
		if p.Kind == "CompoundStmt" && p.EndsInMacro() && p.End <= n.End {
			return false
		}
	}
	list, i := n.List()
	return i+1 >= len(list) || list[i+1].Begin >= n.End
}

// isValue reports whether a statement gives a statement expression its value.
func isValue(n *ast.Node) bool {
	b := n.Parent
	for b != nil && b.IsLabel() {
		b = b.Parent
	}
	if b == nil || b.Kind != "CompoundStmt" || b.Parent == nil || b.Parent.Kind != "StmtExpr" {
		return false
	}
	list, i := n.List()
	return i == len(list)-1
}

// lastStmt returns the last statement of a block.
func lastStmt(block *ast.Node) *ast.Node {
	if k := len(block.Children); k > 0 {
		return block.Children[k-1]
	}
	return nil
}

// endsStatement reports whether a statement may begin behind a token.
func endsStatement(t *ast.Text, tok ast.Token) bool {
	switch t.String(tok) {
	case ";", "{", "}", ":":
		return true
	}
	return false
}

// endsOpen reports whether a token ends a statement that a macro ends.
func endsOpen(block *ast.Node, tok ast.Token) bool {
	for _, c := range block.Children {
		if c.Open && c.End == tok.End {
			return true
		}
	}
	return false
}

// split returns the lines of a text.
func split(text string) []string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], "\r")
	}
	return lines
}

// replace adds an edit and drops what others do to the text that it replaces, such
// as indent it.
func replace(edits []patch.Edit, e patch.Edit) []patch.Edit {
	out := edits[:0]
	for _, x := range edits {
		if x.Start > e.Start && x.End <= e.End && x.Start < e.End {
			continue
		}
		out = append(out, x)
	}
	return append(out, e)
}

// join puts edits together that were made for the same statement, so that braces
// which several of them add are added once.
func join(edits ...patch.Edit) []patch.Edit {
	var out []patch.Edit
	for _, e := range edits {
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}
