// This file spells releases.

package fix

import (
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/own"
	"github.com/plumb-project/plumb/internal/patch"
)

// texts are the statements that release the object: where there may be none, some
// functions must not be called.
func (s *spot) texts(what, holder string) []string {
	if s.g != nil {
		return []string{s.g.Release(holder, what)}
	}
	if takesNull(s.r) {
		return []string{what + ";"}
	}
	return []string{what + ";", "if (" + holder + ")\n\t" + what + ";"}
}

// takesNull reports whether a release does nothing when there is no object.
func takesNull(r *own.Release) bool {
	return r.Form == own.Delete || r.Form == own.DeleteArray || r.Name == "free"
}

// isCallOf reports whether a call of a function with this name is the release.
func isCallOf(r *own.Release, name string) bool {
	switch r.Form {
	case own.Delete: // by operator delete, or by a destructor that calls it, perhaps a virtual one
		return strings.HasPrefix(name, "_ZdlPv") || strings.HasSuffix(name, "D0Ev") || name == ""
	case own.DeleteArray:
		return strings.HasPrefix(name, "_ZdaPv")
	}
	return name == r.Name || strings.HasSuffix(name, "::"+r.Name)
}

// sameEdits reports whether two lists of edits are equal.
func sameEdits(a, b []patch.Edit) bool { return slices.Equal(a, b) }
