// This file mends objects that are overwritten by something that is made of them.

package fix

import (
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/edit"
)

// keepOld holds the old object until the new value is there.
//
//	p = twice(p);	-> char *old = p;
//			   p = twice(p);
//			   free(old);
func keepOld(s *spot) []option {
	as := s.assignment()
	if as == nil || !isStable(as.Children[0]) {
		return nil
	}
	left := as.Children[0]
	h := s.f.Source(left)
	old := s.f.Fresh(s.stmt, "old")
	what, ok := s.release(old)
	if !ok {
		return nil
	}
	var out []option
	for _, text := range s.texts(what, old) {
		edits, err := edit.KeepOld(s.f, as, "", old, text)
		out = append(out, s.option(what, place{"after " + h + " is overwritten", as.Line}, edits, err)...)
	}
	return out
}

// reallocated keeps the old block until realloc has succeeded.
//
//	p = realloc(p, n);	-> char *tmp = realloc(p, n);
//	if (!p)			   if (!tmp) {
//		return -1;		free(p);
//					return -1;
//				   }
//				   p = tmp;
func reallocated(s *spot) []option {
	as := s.assignment()
	if as == nil || s.g != nil || len(s.r.Before) > 0 || !isStable(as.Children[0]) {
		return nil
	}
	call := as.Children[1].Unparen()
	for call.Kind == "CStyleCastExpr" && len(call.Children) == 1 {
		call = call.Children[0].Unparen()
	}
	if !call.IsCall() || !passes(s.f, call, as.Children[0]) || !strings.Contains(call.Callee(), "realloc") {
		return nil
	}
	h := s.f.Source(as.Children[0])
	what, ok := s.release(h)
	if !ok {
		return nil
	}
	edits, err := edit.Temporary(s.f, as, "", s.f.Fresh(s.stmt, "tmp"), what+";")
	return s.option(what, place{"when " + call.Callee() + " fails", as.Line}, edits, err)
}

// passes reports whether a call is given an expression as it is written.
func passes(f *ast.Func, call, e *ast.Node) bool {
	for _, a := range call.Args() {
		if a != nil && f.Source(a.Unparen()) == f.Source(e) {
			return true
		}
	}
	return false
}
