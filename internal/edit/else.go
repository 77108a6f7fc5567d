// This file adds branches.

package edit

import (
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/patch"
)

// AsElseOf gives an if without else one. Text that is a single if becomes an
// else-if.
func AsElseOf(f *ast.Func, n *ast.Node, text string) ([]patch.Edit, error) {
	if n == nil || n.Kind != "IfStmt" {
		return refuse("there is no if")
	}
	if n.Else() != nil {
		return refuse("the if has an else")
	}
	if n.Elsewhere {
		return refuse(otherFile)
	}
	then := n.Then()
	if n.BeginsInMacro() || then.Macro && !then.Invoked || then.Open && !then.Invoked || !freshEnd(then) {
		return refuse(inMacro)
	}
	l, t := newLayout(f, n), f.Text
	next, directive, ok := t.Next(n.End)
	if t.HasDirective(then.Begin, t.LineEnd(then.End)) || ok && directive && t.Is(next, "else") {
		return refuse(conditionals)
	}
	end, braces := n.End, then.Kind == "CompoundStmt"
	style, cuddle := l.style()
	if !braces && takesElse(then) {
		w, err := l.braces(then)
		if err != nil {
			return nil, err
		}
		if !w.inline {
			w.closeElse(text, cuddle)
			return l.put(w.finish("")...), nil
		}
		return refuse("another if is in the way")
	}
	base := t.Indent(n.Begin)
	lines := split(text)
	elseIf := strings.HasPrefix(text, "if ") || strings.HasPrefix(text, "if(")
	if !l.endsLine(end) || !t.FirstOnLine(n.Begin) && !closesBrace(t, n.Begin) {
		// On one line with others.
		body := l.inline(text)
		if braces && !elseIf {
			body = "{ " + body + " }"
		} else if len(lines) > 1 && !elseIf {
			body = "{ " + body + " }"
		}
		return l.put(l.insert(end, " else "+body)), nil
	}
	branch := "else" + l.branch(text, base, style, braces || len(lines) > 1)
	if braces && cuddle && t.FirstOnLine(end-1) {
		return l.put(l.insert(end, " "+branch)), nil
	}
	// A replacement of the line break, so that it cannot be joined with one that
	// gives the body braces.
	at := l.trailing(end)
	return l.put(patch.Edit{Start: at, End: at + len(t.EOL(at)), New: l.eol + base + branch + t.EOL(at)}), nil
}

// branch lays out what follows an else.
func (l *layout) branch(text, base string, style braceStyle, braces bool) string {
	if strings.HasPrefix(text, "if ") || strings.HasPrefix(text, "if(") {
		return " " + l.lines(text, base)
	}
	inner := l.deeper(base)
	if !braces {
		return l.eol + inner + l.lines(text, inner)
	}
	switch style {
	case ownLine:
		return l.eol + base + "{" + l.eol + inner + l.lines(text, inner) + l.eol + base + "}"
	case indented:
		deep := l.deeper(inner)
		return l.eol + inner + "{" + l.eol + deep + l.lines(text, deep) + l.eol + inner + "}"
	}
	return l.gaps.lead() + l.eol + inner + l.lines(text, inner) + l.eol + base + "}"
}

// closeElse lets a body that gets braces go on with else.
func (w *wrapping) closeElse(text string, cuddle bool) {
	l := w.l
	style, _ := l.style()
	eol := l.t.EOL(w.end)
	base := l.t.Indent(w.top.Parent.Begin)
	closing := strings.TrimSuffix(w.shut.New, eol)
	if cuddle {
		closing += " else"
	} else {
		closing += l.eol + base + "else"
	}
	w.shut.New = closing + l.branch(text, base, style, true) + eol
}

// takesElse reports whether an else behind a statement would be taken for its own.
func takesElse(n *ast.Node) bool {
	switch {
	case n == nil:
		return false
	case n.Kind == "IfStmt":
		return n.Else() == nil || takesElse(n.Else())
	case n.Kind == "DoStmt":
		return false
	case n.IsLoop() || n.IsLabel() || n.Kind == "SwitchStmt":
		return takesElse(n.Sub())
	}
	return false
}
