// This file spells releases.

package fix

import (
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/own"
	"github.com/plumb-project/plumb/internal/patch"
)

// texts are the statements that release the object: where there may be none, some
// functions must not be called.
func (s *spot) texts(what, holder string) []string {
	if s.g != nil {
		return []string{s.g.Release(holder, what)}
	}
	if len(s.r.Before) > 0 {
		lines, ok := s.r.Lines(holder)
		if !ok || !s.always() {
			return nil // what is in it can be read only where it is there
		}
		return []string{strings.Join(lines, ";\n") + ";"}
	}
	list := []string{what + ";"}
	test := ""
	if !takesNull(s.r) {
		test = holder
	}
	if i := strings.LastIndex(holder, "->"); i > 0 { // what it is a field of may be null, too
		owner := holder[:i]
		if strings.HasPrefix(owner, "(") && strings.HasSuffix(owner, ")") {
			owner = owner[1 : len(owner)-1]
		}
		list = append(list, "if ("+owner+")\n\t"+what+";")
		if test != "" {
			test = owner + " && " + test
		}
	}
	if test != "" {
		list = append(list, "if ("+test+")\n\t"+what+";")
	}
	return list
}

// always reports whether the object is there on every path to the loss.
func (s *spot) always() bool {
	c, ok := s.o.life.Crossings()[s.loss.At]
	return ok && c.Only(leak.Live, leak.Released, leak.Kept)
}

// takesNull reports whether a release does nothing when there is no object.
func takesNull(r *own.Release) bool {
	return r.Form == own.Delete || r.Form == own.DeleteArray || r.Name == "free"
}

// isCallOf reports whether a call of a function with this name is the release, or goes
// before it.
func isCallOf(r *own.Release, name string) bool {
	for i := range r.Before {
		if isCallOf(&r.Before[i].Release, name) {
			return true
		}
	}
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
