// This file makes summaries of what declarations promise by attributes.

package leak

import (
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
)

// fromAttributes makes a summary of a function without a body and without a model;
// nil when its declaration promises nothing, or promises count for nothing.
func fromAttributes(p *ir.Program, f *ir.Func, policy Policy) *summary {
	if policy.NoAttributes || f.Flags&ir.Intrinsic != 0 {
		return nil
	}
	s := &summary{name: f.SourceName(), ret: everything, params: make([][]outcome, len(f.Params))}
	says := false
	kinds, _, _ := strings.Cut(f.Alloc, ":")
	realloc := hasKind(kinds, "realloc")
	pointer := f.Result.Kind() == ir.Ptr
	if pointer && (hasKind(kinds, "alloc") || realloc || f.Flags&ir.NoAlias != 0 && !takesPointer(p, f)) {
		s.fresh, s.mayFail, says = true, true, true
	}
	if pointer && f.Flags&ir.NonNull != 0 {
		s.ret, s.mayFail, says = nonzero, false, true
	}
	for i, flags := range f.Params {
		switch {
		case flags&ir.ParamFreed != 0 && realloc:
			s.params[i] = []outcome{{ret: nonzero, effect: consumes}, {ret: point(0), effect: borrows}}
		case flags&ir.ParamFreed != 0:
			s.params[i] = []outcome{{ret: everything, effect: consumes}}
		case flags&ir.ParamReturned != 0:
			s.params[i] = []outcome{{ret: everything, effect: returns}}
		case flags&(ir.ParamNoCapture|ir.ParamReadOnly) != 0, !pointer && f.Flags&(ir.ReadOnly|ir.ReadNone) != 0:
			// A function that writes no memory can neither keep nor release.
			s.params[i] = harmless
		default:
			if policy.UnknownBorrow || onlyReads(f, i) {
				s.params[i] = harmless
			}
			continue
		}
		says = true
	}
	if !says {
		return nil
	}
	return s
}

func hasKind(kinds, kind string) bool {
	for k := range strings.SplitSeq(kinds, ",") {
		if k == kind {
			return true
		}
	}
	return false
}

// takesPointer reports whether f is given a pointer. A function that returns
// memory nobody else has may take it from a pool it is given, and the pool goes as
// a whole; the attribute malloc alone does not tell.
func takesPointer(p *ir.Program, f *ir.Func) bool {
	_, params, _ := strings.Cut(p.Sigs[f.Sig], "(")
	return strings.Contains(params, "ptr")
}
