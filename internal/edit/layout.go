// This file knows how the text around an edit is laid out.

package edit

import (
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/patch"
)

// A layout is the style of the text around an edit.
type layout struct {
	f    *ast.Func
	t    *ast.Text
	eol  string
	unit string // one step of indentation
	tabs bool   // eight columns of indentation are a tab, the rest blanks
	gaps spacing
}

func newLayout(f *ast.Func, n *ast.Node) *layout {
	l := &layout{f: f, t: f.Text, eol: f.Text.EOL(n.Begin)}
	l.unit, l.tabs = indentation(f)
	l.gaps = spacingOf(f)
	return l
}

// put gives edits the name of the file.
func (l *layout) put(edits ...patch.Edit) []patch.Edit {
	for i := range edits {
		edits[i].File = l.f.File
	}
	return edits
}

func (l *layout) insert(off int, text string) patch.Edit {
	return patch.Edit{Start: off, End: off, New: text}
}

// asIs marks text whose lines are laid out already, since it is from the source.
const asIs = "\x00"

// lines puts indentation before all lines of a text but the first. Tabs at the
// beginning of a line are steps.
func (l *layout) lines(text, indent string) string {
	if text, ok := strings.CutPrefix(text, asIs); ok {
		return text
	}
	out := split(l.gaps.spaced(text))
	for i, line := range out {
		rest := strings.TrimLeft(line, "\t")
		at := indent
		for range len(line) - len(rest) {
			at = l.deeper(at)
		}
		if i > 0 && rest != "" {
			out[i] = at + rest
		}
	}
	return strings.Join(out, l.eol)
}

// inline puts the lines of a text into one.
func (l *layout) inline(text string) string {
	if text, ok := strings.CutPrefix(text, asIs); ok {
		return text
	}
	lines := split(l.gaps.spaced(text))
	for i := range lines {
		lines[i] = strings.TrimLeft(lines[i], "\t")
	}
	return strings.Join(lines, " ")
}

// indentation returns the step by which the statements of a function are indented
// deeper than what they are in, as most of them are.
func indentation(f *ast.Func) (unit string, tabs bool) {
	t := f.Text
	votes := map[string]int{}
	best := ""
	f.Body.Walk(func(n *ast.Node) bool {
		if n.Stmt && !n.Elsewhere {
			tabs = tabs || strings.Contains(t.Indent(n.Begin), "\t")
		}
		if n.Kind != "CompoundStmt" || n.Elsewhere || n.Macro || !t.FirstOnLine(n.End-1) {
			return true
		}
		outer := t.Indent(n.End - 1)
		for _, c := range n.Children {
			if c.Elsewhere || c.IsLabel() || c.BeginsInMacro() && !c.Invoked || !t.FirstOnLine(c.Begin) {
				continue
			}
			inner := t.Indent(c.Begin)
			step, ok := strings.CutPrefix(inner, outer)
			if !ok || step == "" {
				d := width(inner) - width(outer) // blanks there, a tab here
				if d <= 0 {
					continue
				}
				step = strings.Repeat(" ", d)
			}
			if votes[step]++; votes[step] > votes[best] {
				best = step
			}
		}
		return true
	})
	if best == "" {
		best = fileIndent(t)
	}
	if strings.Contains(best, "\t") {
		return best, false
	}
	return best, tabs
}

// fileIndent returns how the file's first indented line is indented.
func fileIndent(t *ast.Text) string {
	for _, tok := range t.Tokens() {
		if tok.Kind != ast.Comment && tok.Kind != ast.Directive && t.FirstOnLine(tok.Begin) {
			if s := t.Indent(tok.Begin); s != "" {
				if s[0] == '\t' {
					return "\t"
				}
				return s
			}
		}
	}
	return "\t"
}

// width returns the columns that indentation takes.
func width(s string) int {
	w := 0
	for i := range len(s) {
		if s[i] == '\t' {
			w = w/8*8 + 8
		} else {
			w++
		}
	}
	return w
}

// deeper returns indentation one step deeper.
func (l *layout) deeper(indent string) string {
	if !l.tabs {
		return indent + l.unit
	}
	w := width(indent) + width(l.unit)
	return strings.Repeat("\t", w/8) + strings.Repeat(" ", w%8)
}

// listIndent returns how statements of a block are indented.
func (l *layout) listIndent(block *ast.Node) string {
	for i := len(block.Children) - 1; i >= 0; i-- {
		c := block.Children[i]
		for c != nil && c.IsLabel() && c.Kind != "AttributedStmt" {
			c = c.Sub()
		}
		if c != nil && !c.Elsewhere && l.t.FirstOnLine(c.Begin) && l.t.Line(c.Begin) > l.t.Line(block.Begin) {
			return l.t.Indent(c.Begin)
		}
	}
	return l.deeper(l.t.Indent(block.End - 1))
}

// guard refuses to put text before or behind a statement of a list when code that
// is not compiled would take it for something else, or when the statement gives a
// statement expression its value.
func (l *layout) guard(n *ast.Node, before, after bool) error {
	if before {
		tok, _, ok := l.t.Prev(n.Begin)
		b := n.EnclosingBlock()
		if ok && !endsStatement(l.t, tok) && !(b != nil && endsOpen(b, tok)) {
			return &Refusal{conditionals}
		}
	}
	if after {
		if isValue(n) {
			return &Refusal{"the statement gives the value of the block that it ends"}
		}
		if tok, _, ok := l.t.Next(n.End); ok && l.t.Is(tok, "else") {
			return &Refusal{conditionals} // an else that is not compiled
		}
	}
	return nil
}

// before returns the edits that put texts before a statement of a list.
func (l *layout) before(n *ast.Node, texts ...string) []patch.Edit {
	var edits []patch.Edit
	if l.t.FirstOnLine(n.Begin) {
		indent := l.t.Indent(n.Begin)
		for _, text := range texts {
			edits = append(edits, l.insert(n.Begin, l.lines(text, indent)+l.eol+indent))
		}
		return edits
	}
	if label := n.Parent; label != nil && label.IsLabel() && l.t.FirstOnLine(firstLabel(label).Begin) && l.endsLine(n.End) {
		// case 1: return x;
		begin := n.Begin
		for begin > 0 && (l.t.Src[begin-1] == ' ' || l.t.Src[begin-1] == '\t') {
			begin--
		}
		indent := l.labelled(label)
		edits = append(edits, patch.Edit{Start: begin, End: n.Begin, New: l.eol + indent})
		for _, text := range texts {
			edits = append(edits, l.insert(n.Begin, l.lines(text, indent)+l.eol+indent))
		}
		return edits
	}
	for _, text := range texts {
		edits = append(edits, l.insert(n.Begin, l.inline(text)+" "))
	}
	return edits
}

// firstLabel returns the first of the labels that stand together.
func firstLabel(n *ast.Node) *ast.Node {
	for n.Parent != nil && n.Parent.IsLabel() {
		n = n.Parent
	}
	return n
}

// labelled returns how statements behind a label are indented.
func (l *layout) labelled(label *ast.Node) string {
	at := l.t.Indent(label.Begin)
	if label.Kind == "CaseStmt" || label.Kind == "DefaultStmt" {
		return l.deeper(at)
	}
	if b := label.EnclosingBlock(); b != nil {
		return l.listIndent(b)
	}
	return l.deeper(at)
}

// after returns the edit that puts text behind a statement of a list. It goes to the
// beginning of the next line, or replaces the byte behind the statement when that
// ends with a body: behind the brace, if the body gets any.
func (l *layout) after(n *ast.Node, text string) patch.Edit {
	if !l.endsLine(n.End) {
		if depth(n) > 0 {
			return patch.Edit{Start: n.End, End: n.End + 1, New: " " + l.inline(text) + string(l.t.Src[n.End])}
		}
		return l.insert(n.End, " "+l.inline(text))
	}
	indent := l.t.Indent(n.Begin)
	if !l.t.FirstOnLine(n.Begin) {
		if label := n.Parent; label != nil && label.IsLabel() {
			indent = l.labelled(label)
		} else if b := n.EnclosingBlock(); b != nil {
			indent = l.listIndent(b)
		}
	} else if n.IsLabel() && n.Kind != "AttributedStmt" {
		indent = l.labelled(n)
		if s := n.Sub(); s != nil && l.t.FirstOnLine(s.Begin) {
			indent = l.t.Indent(s.Begin)
		}
	}
	end := l.t.LineEnd(n.End)
	return l.insert(end+len(l.t.EOL(end)), indent+l.lines(text, indent)+l.eol)
}

// endsLine reports whether only comments follow on the line.
func (l *layout) endsLine(off int) bool {
	end := l.t.LineEnd(off)
	for _, tok := range l.t.Between(off, end) {
		if tok.Kind != ast.Comment || tok.End > end {
			return false
		}
	}
	return true
}

// trailing returns the end of the comments that follow on the line.
func (l *layout) trailing(off int) int {
	if toks := l.t.Between(off, l.t.LineEnd(off)); len(toks) > 0 {
		return toks[len(toks)-1].End
	}
	return off
}
