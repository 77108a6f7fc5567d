// This file names sites, and declares them.

package guard

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/patch"
)

// siteName says which object a site is about: plumb_parse_name for what the variable
// name of the function parse holds. Functions that other files may have too are
// told apart by theirs.
func (w *writer) siteName() string {
	parts := []string{"plumb"}
	name := w.fn.SourceName()
	if w.fn.Linkage == ir.Internal {
		stem := strings.TrimSuffix(filepath.Base(w.f.File), filepath.Ext(w.f.File))
		if stem != name {
			parts = append(parts, stem)
		}
	}
	parts = append(parts, name)
	if v := w.variable(); v != "" {
		parts = append(parts, v)
	}
	return identifier(strings.Join(parts, "_"))
}

// variable names the first variable that holds the object.
func (w *writer) variable() string {
	for i := range w.life.Points {
		if p := &w.life.Points[i]; p.Status == leak.Live {
			for _, h := range p.Holders {
				if h.Name != "" && !h.Inside {
					return h.Name
				}
			}
		}
	}
	return ""
}

// identifier makes an identifier of a text.
func identifier(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_':
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	return strings.TrimRight(b.String(), "_")
}

// name makes a name that nothing in the program has.
func (p *Planner) name(want string) string {
	if p.names == nil {
		p.names = map[string]bool{}
		for i := range p.Program.Globals {
			p.names[p.Program.Globals[i].SourceName()] = true
		}
		for i := range p.Program.Funcs {
			p.names[p.Program.Funcs[i].SourceName()] = true
		}
	}
	name := want
	for n := 2; p.names[name]; n++ {
		name = fmt.Sprintf("%s_%d", want, n)
	}
	p.names[name] = true
	return name
}

// include has the file of a function include the header, and declares the site.
func (w *writer) include(f *ast.Func) {
	if slices.Contains(w.files, f.File) {
		return
	}
	w.files = append(w.files, f.File)
	at, there := includeAt(f.Text, f.Node.Begin)
	eol := f.Text.EOL(at)
	insert := func(text string) {
		w.g.edits = append(w.g.edits, patch.Edit{File: f.File, Start: at, End: at, New: text})
	}
	if !there {
		insert("#include \"" + HeaderName + "\"" + eol + eol)
	}
	insert("PLUMB_GUARD_SITE(" + w.g.Site + ");" + eol)
}

// includeAt returns where in a file the next #include would stand: behind the last
// one before end that is not under a condition. It reports whether the header is
// included already, and then where the line behind it begins.
func includeAt(t *ast.Text, end int) (at int, there bool) {
	type found struct{ at, depth int }
	var incs []found
	depth, code := 0, -1
	for _, tok := range t.Tokens() {
		if tok.Begin >= end {
			break
		}
		if tok.Kind != ast.Directive {
			if tok.Kind != ast.Comment && code < 0 {
				code = t.LineBegin(tok.Begin)
			}
			continue
		}
		word, rest := directive(t.String(tok))
		switch word {
		case "if", "ifdef", "ifndef":
			depth++
		case "endif":
			depth--
		case "include":
			after := min(t.LineEnd(tok.End-1)+len(t.EOL(tok.End-1)), len(t.Src))
			if strings.Trim(rest, "\" \t") == HeaderName {
				return after, true
			}
			incs = append(incs, found{after, depth})
		}
	}
	if len(incs) == 0 {
		return max(code, 0), false
	}
	best := incs[0]
	for _, x := range incs {
		if x.depth <= best.depth {
			best = x
		}
	}
	return best.at, false
}

// directive takes a directive apart: its word, and what follows on the line.
func directive(s string) (word, rest string) {
	s = strings.TrimLeft(strings.TrimPrefix(strings.TrimSpace(s), "#"), " \t")
	i := strings.IndexFunc(s, func(r rune) bool { return r < 'a' || r > 'z' })
	if i < 0 {
		return s, ""
	}
	rest, _, _ = strings.Cut(s[i:], "\n")
	return s[:i], strings.TrimSpace(rest)
}
