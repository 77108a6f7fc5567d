// This file knows which functions can be called where.

package fix

import (
	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/own"
)

// declared reports whether a release can be written in a function: what it calls is
// declared before.
func (p *planner) declared(f *ast.Func, r *own.Release) bool {
	if r.Form == own.Delete || r.Form == own.DeleteArray || r.Form == own.Method || r.Name == f.Name {
		return true
	}
	can, err := f.CanCall(p.ctx, r.Name)
	return err == nil && (can || f.Unit.CXX) // in C++ it may be in a namespace
}
