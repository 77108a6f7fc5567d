// This file names kinds, and holds what is known of each kind.

package report

import "fmt"

// Kinds lists every kind, in the order of their constants.
var Kinds = []Kind{LeakLost, LeakForgotten, DoubleFree, UseAfterFree, MismatchedFree, LeakAtExit, LeakReachable, StillHeld}

// String is the name of the kind.
//
//	leak-lost
func (k Kind) String() string {
	switch k {
	case LeakLost:
		return "leak-lost"
	case LeakForgotten:
		return "leak-forgotten"
	case DoubleFree:
		return "double-free"
	case UseAfterFree:
		return "use-after-free"
	case MismatchedFree:
		return "mismatched-free"
	case LeakAtExit:
		return "leak-at-exit"
	case LeakReachable:
		return "leak-reachable"
	case StillHeld:
		return "still-held"
	}
	panic(fmt.Sprintf("report: bad kind %d", uint8(k)))
}

// Rule is the name of the kind in output, the same in every format and version.
//
//	plumb-leak-lost
func (k Kind) Rule() string { return "plumb-" + k.String() }

// IsLeak reports whether the kind is about memory that is never released.
func (k Kind) IsLeak() bool {
	return k == LeakLost || k == LeakForgotten || k == LeakAtExit || k == LeakReachable
}

// Asked reports whether the kind is looked for only when a policy says so, or in
// runs alone.
func (k Kind) Asked() bool { return k == LeakAtExit || k == LeakReachable || k == StillHeld }

// CWE is the number of the weakness in the Common Weakness Enumeration.
func (k Kind) CWE() int {
	switch k {
	case LeakLost, LeakForgotten, LeakAtExit, LeakReachable:
		return 401
	case DoubleFree:
		return 415
	case UseAfterFree:
		return 416
	case MismatchedFree:
		return 762
	case StillHeld:
		return 459
	}
	panic(fmt.Sprintf("report: bad kind %d", uint8(k)))
}

// Title says in one sentence what the kind means.
func (k Kind) Title() string {
	switch k {
	case LeakLost:
		return "The last reference to allocated memory is overwritten, or its holder is released."
	case LeakForgotten:
		return "A function ends while it still owns allocated memory."
	case DoubleFree:
		return "Memory is released that was already released."
	case UseAfterFree:
		return "Memory is used after its release."
	case MismatchedFree:
		return "Memory is released by a function of another family than the one that made it."
	case LeakAtExit:
		return "The process ends while memory is still held."
	case LeakReachable:
		return "A global holds memory that nothing releases before the process ends."
	case StillHeld:
		return "Memory could still be reached when the process ended, and was not released."
	}
	panic(fmt.Sprintf("report: bad kind %d", uint8(k)))
}

// ParseKinds returns the kinds that words name: each by its name, leak for
// every kind of leak.
func ParseKinds(words []string) ([]Kind, error) {
	var out []Kind
	for _, w := range words {
		n := len(out)
		for _, k := range Kinds {
			if k.String() == w || w == "leak" && k.IsLeak() {
				out = append(out, k)
			}
		}
		if len(out) == n {
			return nil, fmt.Errorf("unknown check %q: use leak, double-free, use-after-free, mismatched-free", w)
		}
	}
	return out, nil
}
