// This file writes types.

package edit

import (
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
)

// Spell returns how a type that clang prints can be written in a declaration; in
// C++ one without a name is auto.
func Spell(f *ast.Func, typ string) (string, bool) {
	typ = strings.ReplaceAll(typ, "(anonymous namespace)::", "")
	nameless := strings.Contains(typ, "(unnamed") || strings.Contains(typ, "(anonymous") || strings.Contains(typ, "(lambda") || strings.Contains(typ, "<dependent type>")
	if typ == "" || nameless || strings.HasPrefix(typ, "auto") {
		return "auto", f.Unit.CXX
	}
	if i := strings.Index(typ, "_Bool"); i >= 0 && !f.Unit.CXX {
		// It is written as the macro of stdbool.h by those who have it.
		for _, tok := range f.Text.Tokens() {
			if tok.Kind == ast.Word && f.Text.Is(tok, "bool") {
				typ = strings.Replace(typ, "_Bool", "bool", 1)
				break
			}
		}
	}
	return typ, true
}

// Declare returns the declaration of a name with a type.
//
//	char *p    int n    void (*f)(int)    int a[3]
func Declare(f *ast.Func, typ, name string) string {
	typ = strings.TrimSpace(typ)
	if i := strings.Index(typ, "(*"); i >= 0 {
		if j := strings.IndexByte(typ[i:], ')'); j > 0 {
			return typ[:i+j] + name + typ[i+j:]
		}
	}
	if i := strings.IndexByte(typ, '['); i > 0 && !strings.Contains(typ, "<") {
		return strings.TrimSpace(typ[:i]) + " " + name + typ[i:]
	}
	if !strings.HasSuffix(typ, "*") && !strings.HasSuffix(typ, "&") {
		return typ + " " + name
	}
	if spacingOf(f).star {
		base := strings.TrimRight(typ, "*& ")
		return base + strings.TrimSpace(typ[len(base):]) + " " + name
	}
	return typ + name
}
