// This file says how sure a finding is, and chooses findings by that.

package report

import (
	"fmt"
	"strings"
)

// A Confidence says how sure the analysis is, the surest first.
type Confidence uint8

const (
	// Certain: a path to the defect was shown that can happen; every solver that
	// was asked agreed.
	Certain Confidence = iota + 1

	// Possible: no path was shown to the end. No solver could tell, or there was
	// none, or the budget was spent, or something on the way is not known. It is
	// reported, and Finding.Why says which of these it was.
	Possible

	// Latent: it happens for arguments alone that no caller in the program passes.
	// It is reported only when asked for.
	Latent
)

// Confidences lists them, the surest first.
var Confidences = []Confidence{Certain, Possible, Latent}

// String is the name of the confidence.
func (c Confidence) String() string {
	switch c {
	case Certain:
		return "certain"
	case Possible:
		return "possible"
	case Latent:
		return "latent"
	}
	panic(fmt.Sprintf("report: bad confidence %d", uint8(c)))
}

// Meaning says in one sentence what the confidence means.
func (c Confidence) Meaning() string {
	switch c {
	case Certain:
		return "A path was found that can happen."
	case Possible:
		return "No path was checked to its end."
	case Latent:
		return "It happens only for arguments that no caller in the program passes."
	}
	panic(fmt.Sprintf("report: bad confidence %d", uint8(c)))
}

// ParseConfidence reads the name of a confidence.
func ParseConfidence(word string) (Confidence, error) {
	var names []string
	for _, c := range Confidences {
		if c.String() == word {
			return c, nil
		}
		names = append(names, c.String())
	}
	return 0, fmt.Errorf("unknown confidence %q; use %s", word, strings.Join(names, ", "))
}

// Select merges findings and keeps those that are at least as sure as low; 0
// stands for Possible. It returns how many more there are that tell something
// else.
func Select(fs []Finding, level Level, low Confidence) (kept []Finding, left int) {
	if low == 0 {
		low = Possible
	}
	var less []Finding
	for _, f := range fs {
		if f.Confidence <= low {
			kept = append(kept, f)
		} else {
			less = append(less, f)
		}
	}
	kept = Merge(kept, level)
	key := func(f *Finding) string {
		if level == EachAllocation {
			return f.allocation()
		}
		return fmt.Sprintf("%s %s %s %s %s %s", f.Kind, f.Alloc, f.Loss, f.Function, f.Holder, f.Allocator)
	}
	told := map[string]bool{}
	for i := range kept {
		told[key(&kept[i])] = true
	}
	for i := range less {
		if k := key(&less[i]); !told[k] {
			told[k] = true
			left++
		}
	}
	return kept, left
}
