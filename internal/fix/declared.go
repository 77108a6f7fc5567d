// This file knows which functions can be called where.

package fix

import (
	"path/filepath"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/own"
)

// declared reports whether a release can be written in a function: what it calls is
// declared before.
func (p *planner) declared(f *ast.Func, r *own.Release) bool {
	switch {
	case r.Form == own.Delete || r.Form == own.DeleteArray || r.Form == own.Method || r.Name == f.Name:
		return true
	}
	d, ok, err := f.Unit.Declared(p.ctx, r.Name)
	if err != nil || !ok {
		return f.Unit.CXX && err == nil // in a namespace, perhaps
	}
	return filepath.Base(d.File) != filepath.Base(f.File) || d.Line < f.Node.Line
}
