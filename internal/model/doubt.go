// This file finds lines that can be read, but are likely to be wrong.

package model

import (
	"cmp"
	"fmt"
	"slices"
)

// Doubts returns warnings about the models of s, by file and line. Before has the
// models that those of s replace, all has everything, s included.
func (s *Set) Doubts(before, all *Set) []*Error {
	var out []*Error
	warn := func(f *Func, format string, args ...any) {
		out = append(out, &Error{f.File, f.Line, fmt.Errorf(format, args...)})
	}
	released := map[string]bool{}
	for _, f := range all.All() {
		for _, x := range f.families() {
			released[x] = true
		}
	}
	made := map[string]bool{}
	for _, f := range all.All() {
		for _, x := range f.makes() {
			made[x] = true
		}
	}
	for _, f := range s.All() {
		if old := before.Lookup(f.Name); old != nil {
			warn(f, "%s has a model in %s:%d already; this one holds", f.Name, old.File, old.Line)
		}
		for _, x := range f.makes() {
			if !released[x] {
				warn(f, "nothing releases what %s makes for %s; add a line: %s(p) consumes p", f.Name, x, x)
			}
		}
		for _, x := range f.families() {
			if x != f.Name && !made[x] && all.Lookup(x) == nil {
				warn(f, "%s releases like %s, of which nothing is known; name a function that has a line", f.Name, x)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return out
}
