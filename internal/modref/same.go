// This file compares what tables say of two versions of a program.

package modref

import (
	"reflect"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// Comparable reports whether SameCalls can be asked of t and of the table of an earlier
// version, which may have less functions: names of memory mean the same in both.
func (t *Table) Comparable(o *Table) bool {
	now, was := t.taken, o.taken
	n := len(was.funcs)
	if len(now.funcs) < n || slices.Contains(now.funcs[n:], true) {
		return false
	}
	now.funcs = now.funcs[:n]
	return t.loose == o.loose && slices.Equal(t.names, o.names) && reflect.DeepEqual(now, was)
}

// SameCalls reports whether the calls of a function write the same in the other
// version of the program, with the same ids, in which it has the same body and calls:
// so it calls nothing that is new.
func (t *Table) SameCalls(o *Table, caller ir.FuncID) bool {
	for _, c := range t.calls.CallsOf(caller) {
		for x := range t.targets(&c) {
			y, typ := x, int(x)-len(t.p.Funcs)
			if typ >= 0 { // types of functions come after all functions
				y = uint32(len(o.p.Funcs) + typ)
			}
			if !equalSets(t.sets[t.comp[x]], o.sets[o.comp[y]]) || t.pure[t.comp[x]] != o.pure[o.comp[y]] {
				return false
			}
			if typ < 0 && (t.fresh[x] != o.fresh[x] || !slices.Equal(t.params[x], o.params[x])) {
				return false
			}
		}
	}
	return true
}

// equalSets compares sets, which may be written with zeros at the end.
func equalSets(a, b set) bool {
	for i := range max(len(a), len(b)) {
		var x, y uint64
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return false
		}
	}
	return true
}
