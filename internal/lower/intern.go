// This file holds the tables that workers fill as they go, and the sorting that
// makes their numbering independent of who came first.

package lower

import (
	"cmp"
	"slices"
)

// An interner numbers keys from 1.
type interner[K cmp.Ordered] struct {
	ids  map[K]uint32
	keys []K // keys[0] is unused
}

func newInterner[K cmp.Ordered]() interner[K] {
	return interner[K]{ids: map[K]uint32{}, keys: make([]K, 1)}
}

func (t *interner[K]) id(k K) uint32 {
	if id, ok := t.ids[k]; ok {
		return id
	}
	id := uint32(len(t.keys))
	t.ids[k] = id
	t.keys = append(t.keys, k)
	return id
}

// sort puts the keys in order and returns the new number of each old one.
func (t *interner[K]) sort() (remap []uint32) {
	order := make([]uint32, len(t.keys))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order[1:], func(a, b uint32) int { return cmp.Compare(t.keys[a], t.keys[b]) })
	remap = make([]uint32, len(t.keys))
	sorted := make([]K, len(t.keys))
	for to, from := range order {
		remap[from] = uint32(to)
		sorted[to] = t.keys[from]
	}
	t.keys = sorted
	return remap
}
