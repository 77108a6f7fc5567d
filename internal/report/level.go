// This file decides which findings tell the same.

package report

import (
	"cmp"
	"fmt"
	"slices"
)

// A Level says when two findings tell the same. The levels are Melton's.
type Level uint8

const (
	EveryPath      Level = iota + 1 // level 0: never; findings may differ in their steps alone
	EachLoss                        // level 1: when the allocation and the place of loss agree; the default
	EachAllocation                  // level 2: when the allocation agrees
)

// ParseLevel reads the number of a level.
func ParseLevel(n int) (Level, error) {
	if n < 0 || n > 2 {
		return 0, fmt.Errorf("there is no level %d; use 0 for every path, 1 for each allocation and place of loss, 2 for each allocation", n)
	}
	return EveryPath + Level(n), nil
}

// Merge sorts findings and keeps one of those that tell the same, the surest: also
// because a function of a header is compiled into many units. Level 0 stands for
// EachLoss.
func Merge(fs []Finding, level Level) []Finding {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return cmp.Or(compare(a, b), cmp.Compare(a.Confidence, b.Confidence), slices.CompareFunc(a.Steps, b.Steps, compareSteps))
	})
	switch level {
	case EveryPath:
		return slices.CompactFunc(fs, func(a, b Finding) bool { return a.Same(&b) && slices.Equal(a.Steps, b.Steps) })
	case EachAllocation:
		return byAllocation(fs)
	}
	return slices.CompactFunc(fs, func(a, b Finding) bool { return a.Same(&b) })
}

// Same reports whether two findings agree in all but their steps.
func (f *Finding) Same(g *Finding) bool { return compare(*f, *g) == 0 }

func compareSteps(a, b Step) int {
	return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.Text, b.Text), cmp.Compare(a.Depth, b.Depth))
}

// byAllocation keeps the first finding of each allocation, with the places of the
// others.
func byAllocation(fs []Finding) []Finding {
	var out []Finding
	first := map[string]int{} // by allocation: index in out
	for _, f := range fs {
		k := f.allocation()
		i, ok := first[k]
		if !ok {
			first[k] = len(out)
			out = append(out, f)
			continue
		}
		also := Step{Pos: f.Loss, Text: "also " + f.Kind.fate()}
		if f.Loss != out[i].Loss && !slices.Contains(out[i].Also, also) {
			out[i].Also = append(out[i].Also, also)
		}
	}
	return out
}

// allocation is the same for leaks of objects that one call makes, by the same
// calls from there. Other defects are told one by one, as are leaks of what comes
// from nowhere known.
func (f *Finding) allocation() string {
	if !f.Kind.IsLeak() || !f.Alloc.IsValid() {
		return fmt.Sprintf("%s %s %s %s %s", f.Kind, f.Alloc, f.Loss, f.Function, f.Holder)
	}
	key := f.Alloc.String() + " " + f.Allocator
	for _, s := range f.Steps[min(1, len(f.Steps)):] {
		if s.Depth == 0 {
			break
		}
		key += fmt.Sprintf("\n%s %s", s.Pos, s.Text)
	}
	return key
}
