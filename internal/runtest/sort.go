// This file puts maps in order.

package runtest

import (
	"cmp"
	"maps"
	"slices"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func sortedPlaces[V any](m map[Place]V) []Place {
	return slices.SortedFunc(maps.Keys(m), func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
}
