// This file gives statements a block of their own, for declarations that cannot
// stand where they are.

package edit

import (
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/patch"
)

// needsBlock reports whether a declaration before a statement of a list needs a
// block: behind a label; among cases, which all share one scope; in C++ also where a
// jump could go past it.
func (l *layout) needsBlock(n *ast.Node) bool {
	if n.Parent != nil && n.Parent.IsLabel() {
		return true
	}
	if b := n.Parent; b != nil && b.Parent != nil && b.Parent.Kind == "SwitchStmt" {
		return true
	}
	if !l.f.Unit.CXX {
		return false
	}
	list, i := n.List()
	for _, s := range list[i+1:] {
		if s.IsLabel() && s.Kind != "AttributedStmt" {
			return true
		}
	}
	return false
}

// block puts a statement of a list into a block.
func (l *layout) block(n *ast.Node) (*wrapping, error) {
	t := l.t
	if n.Kind == "DeclStmt" {
		return nil, &Refusal{"what the statement declares is needed outside of a block"}
	}
	if n.Open && !n.Invoked || !freshBegin(n) || !freshEnd(n) {
		return nil, &Refusal{inMacro}
	}
	if t.HasDirective(n.Begin, t.LineEnd(n.End)) {
		return nil, &Refusal{conditionals}
	}
	w := &wrapping{l: l, top: n, end: n.End}
	label := n.Parent
	labelled := label.IsLabel()
	switch {
	case !l.endsLine(n.End) || !t.FirstOnLine(n.Begin) && !labelled:
		w.inline, w.gap = true, " "
		w.edits = []patch.Edit{l.insert(n.Begin, "{ ")}
		w.shut = patch.Edit{Start: n.End, End: n.End + 1, New: " }" + string(t.Src[n.End])}
		return w, nil
	case labelled && (label.Kind == "CaseStmt" || label.Kind == "DefaultStmt"):
		// case 1: {
		colon, _, _ := t.Prev(n.Begin)
		base := t.Indent(label.Begin)
		w.indent = l.labelled(label)
		if t.FirstOnLine(n.Begin) {
			w.indent = t.Indent(n.Begin)
			w.edits = append(w.edits, l.insert(colon.End, " {"))
		} else {
			between := strings.TrimRight(string(t.Src[colon.End:n.Begin]), " \t")
			w.edits = append(w.edits, patch.Edit{Start: colon.End, End: n.Begin, New: " {" + between + l.eol + w.indent})
		}
		w.close(base)
	default:
		base := t.Indent(n.Begin)
		begin := n.Begin
		if !t.FirstOnLine(n.Begin) {
			base = l.labelled(label)
			for begin > 0 && (t.Src[begin-1] == ' ' || t.Src[begin-1] == '\t') {
				begin--
			}
			w.edits = append(w.edits, patch.Edit{Start: begin, End: n.Begin, New: l.eol + base + "{" + l.eol + l.deeper(base)})
		} else {
			w.edits = append(w.edits, l.insert(n.Begin, "{"+l.eol+l.deeper(base)))
		}
		w.indent = l.deeper(base)
		w.edits = append(w.edits, l.reindent(n.Begin+1, n.End)...)
		w.close(base)
	}
	w.gap = l.eol + w.indent
	return w, nil
}

// close puts the closing brace behind the statement and the comments on its line.
func (w *wrapping) close(base string) {
	l := w.l
	w.end = l.trailing(w.top.End)
	eol := l.t.EOL(w.end)
	// As a replacement of the line break it stays behind what is inserted.
	w.shut = patch.Edit{Start: w.end, End: w.end + len(eol), New: l.eol + base + "}" + eol}
}
