// This file puts braces around bodies.

package edit

import (
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/patch"
)

// A wrapping is a body that gets braces.
type wrapping struct {
	l      *layout
	top    *ast.Node    // the body, with its labels
	edits  []patch.Edit // all but the one that closes
	shut   patch.Edit   // closes, and begins at end
	gap    string       // between two statements of the body
	indent string       // of its statements
	end    int          // where more can be put behind the body
	inline bool         // on one line
}

// finish returns all edits, with text behind the body.
//
// Bodies within bodies may end at one place. Which brace comes first no order of
// edits can say, so those that close outer ones reach back some bytes: they overlap
// and cannot be made together.
func (w *wrapping) finish(text string) []patch.Edit {
	if text != "" {
		text = w.gap + w.lines(text)
	}
	shut := w.shut
	if d := depth(w.top); d > 0 {
		edits, begin, tail := w.reach(d)
		shut.Start, shut.New = begin, tail+text+shut.New
		return append(edits, shut)
	}
	if text != "" {
		w.edits = append(w.edits, w.l.insert(w.end, text))
	}
	return append(w.edits, shut)
}

// reach returns where the last d bytes of the body begin and what becomes of them,
// with those edits made that touch them; and the other edits.
func (w *wrapping) reach(d int) (rest []patch.Edit, begin int, tail string) {
	begin = w.end - d
	touching := func(e patch.Edit) bool { return e.Start < w.end && begin < e.End }
	for again := true; again; {
		again = false
		for _, e := range w.edits {
			if touching(e) && e.Start < begin+d {
				begin, again = e.Start-d, true
			}
		}
	}
	at := begin
	for _, e := range w.edits {
		if !touching(e) {
			rest = append(rest, e)
			continue
		}
		tail += string(w.l.t.Src[at:e.Start]) + e.New
		at = e.End
	}
	return rest, begin, tail + string(w.l.t.Src[at:w.end])
}

// depth returns how many bodies without braces end where a statement ends.
func depth(n *ast.Node) int {
	for d := 0; ; d++ {
		for n.IsLabel() {
			n = n.Sub()
		}
		switch {
		case n.Kind == "IfStmt" && n.Else() != nil:
			n = n.Else()
		case n.Kind == "IfStmt":
			n = n.Then()
		case n.Kind != "DoStmt" && (n.IsLoop() || n.Kind == "SwitchStmt"):
			n = n.Sub()
		default:
			return d
		}
		if !n.IsBody() {
			return d
		}
	}
}

// lines lays out text for the inside of the body.
func (w *wrapping) lines(text string) string {
	if w.inline {
		return w.l.inline(text)
	}
	return w.l.lines(text, w.indent)
}

// Ways to place braces.
type braceStyle int

const (
	endOfLine braceStyle = iota // if (x) {
	ownLine                     // on a line of their own, below the if
	indented                    // the same, half-way to what is inside
)

// braces returns how the body that a statement is, or is the last part of behind
// labels, gets braces; nil when it needs none.
func (l *layout) braces(n *ast.Node) (*wrapping, error) {
	top := n
	for top.Parent != nil && top.Parent.IsLabel() {
		top = top.Parent
	}
	if !top.IsBody() {
		return nil, nil
	}
	t := l.t
	if top.Open && !top.Invoked || !freshBegin(top) || !freshEnd(top) || top.Elsewhere {
		return nil, &Refusal{inMacro}
	}
	head, directive, ok := t.Prev(top.Begin)
	if !ok || directive || t.HasDirective(head.Begin, t.LineEnd(top.End)) {
		return nil, &Refusal{conditionals}
	}
	word := t.String(head)
	if word != ")" && word != "else" && word != "do" {
		return nil, &Refusal{inMacro}
	}
	next, directive, ok := t.Next(top.End)
	if !ok || directive && t.Is(next, "else") {
		return nil, &Refusal{conditionals}
	}
	owner := top.Parent.Begin // of the line that the body hangs on
	if word == "else" {
		owner = head.Begin
	}
	w := &wrapping{l: l, top: top}
	owned := top.Parent.Kind == "DoStmt" || top.Parent.Kind == "IfStmt" && top.Parent.Else() != nil && top.Parent.Then() == top // goes on behind the body
	first := t.FirstOnLine(owner) || word == "else" || t.FirstOnLine(chainBegin(top.Parent)) || closesBrace(t, owner)
	if !first || !l.endsLine(top.End) && !owned {
		w.inline, w.gap, w.end = true, " ", top.End
		w.edits = []patch.Edit{
			{Start: head.End, End: top.Begin, New: l.gaps.lead() + blankEnd(t.Src[head.End:top.Begin])},
		}
		w.shut = patch.Edit{Start: top.End, End: top.End + 1, New: " }" + string(t.Src[top.End])}
		return w, nil
	}
	w.over(head, next, owner, owned)
	return w, nil
}

// chainBegin returns where the chain of else-ifs begins that an if is part of.
func chainBegin(n *ast.Node) int {
	for n.Kind == "IfStmt" && n.Parent != nil && n.Parent.Kind == "IfStmt" && n.Parent.Else() == n {
		n = n.Parent
	}
	return n.Begin
}

// closesBrace reports whether only a closing brace and an else precede an offset
// on its line.
func closesBrace(t *ast.Text, off int) bool {
	for _, tok := range t.Between(t.LineBegin(off), off) {
		if !t.Is(tok, "}") && !t.Is(tok, "else") {
			return false
		}
	}
	return true
}

// blankEnd makes sure that a text ends with a blank.
func blankEnd(s []byte) string {
	if len(s) == 0 || s[len(s)-1] != ' ' && s[len(s)-1] != '\t' && s[len(s)-1] != '\n' {
		return string(s) + " "
	}
	return string(s)
}

// over puts the braces on lines of their own, or at the end of the head's.
func (w *wrapping) over(head, next ast.Token, owner int, owned bool) {
	l, t, top := w.l, w.l.t, w.top
	style, cuddle := l.style()
	base := t.Indent(owner)
	brace := base
	if style == indented {
		brace = l.deeper(base)
	}
	sameLine := t.Line(head.End) == t.Line(top.Begin)
	w.indent = l.deeper(brace)
	if !sameLine && style != indented {
		w.indent = t.Indent(top.Begin)
	}
	w.gap = l.eol + w.indent

	opening := l.gaps.lead()
	at := head.End
	if style != endOfLine {
		opening = l.eol + brace + "{"
		if !sameLine {
			at = l.trailing(head.End)
		}
	}
	between := strings.TrimRight(string(t.Src[head.End:top.Begin]), " \t")
	switch {
	case sameLine && style == endOfLine:
		w.edits = append(w.edits, patch.Edit{Start: head.End, End: top.Begin, New: opening + between + w.gap})
	case sameLine:
		w.edits = append(w.edits, patch.Edit{Start: head.End, End: top.Begin, New: between + opening + w.gap})
	default:
		w.edits = append(w.edits, l.insert(at, opening))
	}
	switch {
	case sameLine:
		w.edits = append(w.edits, l.reindent(top.Begin+1, top.End)...)
	case style == indented:
		moved := l.reindent(at, top.End)
		for i := range moved {
			if moved[i].End == top.Begin {
				moved[i].New = w.indent // wherever it was
			}
		}
		w.edits = append(w.edits, moved...)
	}

	w.end = top.End
	if l.endsLine(top.End) {
		w.end = l.trailing(top.End)
	}
	closing := l.eol + brace + "}"
	blank := strings.TrimSpace(string(t.Src[w.end:next.Begin])) == ""
	switch {
	case owned && blank && cuddle:
		w.shut = patch.Edit{Start: w.end, End: next.Begin + 1, New: closing + " " + string(t.Src[next.Begin])}
	case owned && t.Line(w.end) == t.Line(next.Begin):
		w.shut = patch.Edit{Start: w.end, End: next.Begin + 1, New: closing + l.eol + base + string(t.Src[next.Begin])}
	default:
		// As a replacement of the line break it stays behind what is inserted.
		w.shut = patch.Edit{Start: w.end, End: w.end + len(l.t.EOL(w.end)), New: closing + l.t.EOL(w.end)}
	}
}

// reindent returns the edits that indent the lines which begin in a range one
// step more. Lines inside of comments and strings stay, and so do empty ones.
func (l *layout) reindent(begin, end int) []patch.Edit {
	var out []patch.Edit
	for _, tok := range l.t.Between(begin, end) {
		if !l.t.FirstOnLine(tok.Begin) || tok.Kind == ast.Directive {
			continue
		}
		at := l.t.LineBegin(tok.Begin)
		out = append(out, patch.Edit{Start: at, End: tok.Begin, New: l.deeper(l.t.Indent(tok.Begin))})
	}
	return out
}

// style returns how braces are placed in the function, else in the file, and
// whether what goes on behind a closing brace stands on its line.
func (l *layout) style() (braceStyle, bool) {
	style, sure := votes(l.t, l.f.Body.Begin+1, l.f.Body.End)
	if !sure {
		style, sure = votes(l.t, 0, len(l.t.Src))
	}
	if !sure && l.gaps.call && width(l.unit) == 2 {
		style = indented // GNU's, by all else
	}
	cuddle, sure := cuddles(l.t, l.f.Body.Begin+1, l.f.Body.End)
	if !sure {
		cuddle, sure = cuddles(l.t, 0, len(l.t.Src))
	}
	if !sure {
		cuddle = style == endOfLine
	}
	return style, cuddle
}

// votes counts how the blocks of statements in a range begin.
func votes(t *ast.Text, begin, end int) (best braceStyle, sure bool) {
	var n [3]int
	for _, tok := range t.Between(begin, end) {
		if tok.Kind != ast.Word {
			continue
		}
		brace := ast.Token{}
		switch t.String(tok) {
		case "if", "for", "while", "switch":
			open, _, ok := t.Next(tok.End)
			if !ok || !t.Is(open, "(") {
				continue
			}
			shut, ok := t.Match(open.Begin)
			if !ok {
				continue
			}
			brace, _, ok = t.Next(shut.End)
			if !ok || !t.Is(brace, "{") {
				continue
			}
			if t.Line(shut.End) == t.Line(brace.Begin) {
				n[endOfLine]++
				continue
			}
		case "else", "do":
			var ok bool
			brace, _, ok = t.Next(tok.End)
			if !ok || !t.Is(brace, "{") {
				continue
			}
			if t.Line(tok.End) == t.Line(brace.Begin) {
				n[endOfLine]++
				continue
			}
		default:
			continue
		}
		if t.Indent(brace.Begin) == t.Indent(tok.Begin) {
			n[ownLine]++
		} else {
			n[indented]++
		}
	}
	for s := range n {
		if n[s] > n[best] {
			best = braceStyle(s)
		}
	}
	return best, n[best] > 0
}

// cuddles reports whether else stands on the line of the brace before it.
func cuddles(t *ast.Text, begin, end int) (yes, sure bool) {
	same, other := 0, 0
	for _, tok := range t.Between(begin, end) {
		if tok.Kind != ast.Word || !t.Is(tok, "else") {
			continue
		}
		if prev, _, ok := t.Prev(tok.Begin); ok && t.Is(prev, "}") {
			if t.Line(prev.Begin) == t.Line(tok.Begin) {
				same++
			} else {
				other++
			}
		}
	}
	return same >= other, same+other > 0
}
