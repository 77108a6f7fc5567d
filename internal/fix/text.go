// This file spells releases.

package fix

import (
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/own"
	"github.com/plumb-project/plumb/internal/patch"
)

// texts are the statements that release the object, the likelier first: where there
// may be no object, some functions must not be called.
func (s *spot) texts(what, holder string) []string {
	if s.g != nil {
		return []string{s.g.Release(holder, what)}
	}
	plain, guarded := what+";", "if ("+holder+")\n\t"+what+";"
	switch {
	case takesNull(s.r):
		return []string{plain}
	case s.always():
		return []string{plain, guarded}
	}
	return []string{guarded, plain}
}

// always reports whether every path to the loss comes by the allocation.
func (s *spot) always() bool {
	c, ok := s.o.life.Crossings()[s.loss.At]
	return ok && c.Only(leak.Live)
}

// takesNull reports whether a release does nothing when there is no object.
func takesNull(r *own.Release) bool {
	return r.Form == own.Delete || r.Form == own.DeleteArray || r.Name == "free"
}

// isCallOf reports whether a call of a function with this name is the release.
func isCallOf(r *own.Release, name string) bool {
	switch r.Form {
	case own.Delete:
		return name == "operator delete"
	case own.DeleteArray:
		return name == "operator delete[]"
	}
	return name == r.Name || strings.HasSuffix(name, "::"+r.Name)
}

// sameEdits reports whether two lists of edits are equal.
func sameEdits(a, b []patch.Edit) bool { return slices.Equal(a, b) }
