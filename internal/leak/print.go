// This file prints summaries.

package leak

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
)

// PrintSummaries writes what is known of the functions whose names match.
//
//	user_new
//	  result: new, or null
//	  new at result+0
//	  name: borrowed
func PrintSummaries(ctx context.Context, w io.Writer, p *ir.Program, cfg Config, match *regexp.Regexp) error {
	e, err := run(ctx, p, cfg)
	if err != nil {
		return err
	}
	for id := 1; id < len(p.Funcs); id++ {
		if s := e.sums[id]; s != nil && (match == nil || match.MatchString(p.Funcs[id].SourceName())) {
			if _, err := io.WriteString(w, s.text(p, &p.Funcs[id])); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *summary) text(prog *ir.Program, f *ir.Func) string {
	var b strings.Builder
	fmt.Fprintln(&b, s.name)
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	if s.noReturn {
		line("does not return")
	}
	if len(s.backIf) > 0 {
		line("returns only%s", spellGuards(f, s.backIf))
	}
	switch {
	case s.partly && s.mayFail:
		line("result: new, or null,%s", spellGuards(f, s.newIf))
	case s.partly:
		line("result: new%s", spellGuards(f, s.newIf))
	case s.fresh && s.mayFail:
		line("result: new, or null")
	case s.fresh:
		line("result: new")
	}
	if f.Result.Kind() == ir.Int && s.ret != everything {
		line("returns %s", spellRange(s.ret))
	}
	for _, o := range s.outs {
		line("new in %s%s%s", spell(prog, f, o.to), spellGuards(f, o.guards), when(o.ret))
	}
	for i, list := range s.params {
		if list != nil {
			line("%s: %s", paramName(f, i), spellOutcomes(prog, f, list))
		}
	}
	if s.rest != nil {
		line("...: %s", spellOutcomes(prog, f, s.rest))
	}
	for _, p := range slices.SortedFunc(maps.Keys(s.places), comparePlaces) {
		line("%s: %s", spell(prog, f, p), spellOutcomes(prog, f, s.places[p]))
	}
	return b.String()
}

func spellOutcomes(prog *ir.Program, f *ir.Func, list []outcome) string {
	words := [...]string{borrows: "borrowed", drops: "overwritten", stores: "stored in ", returns: "returned", keeps: "kept", consumes: "released"}
	var out []string
	for _, o := range list {
		t := words[o.effect]
		if o.effect == stores {
			t += spell(prog, f, o.to)
		}
		if o.via.param != 0 {
			t = fmt.Sprintf("argument %d of %s, else %s", o.via.arg+1, paramName(f, o.via.param-1), t)
		}
		switch {
		case o.forgets:
			t += ", a reference is forgotten,"
		case o.refs > 0:
			t += ", a reference is taken,"
		case o.counted:
			t += " when its count says so"
		}
		if o.moves {
			t += " and no longer there"
		}
		out = append(out, t+spellGuards(f, o.guards)+when(o.ret))
	}
	return strings.Join(out, " | ")
}

// spellGuards says what the arguments are.
func spellGuards(f *ir.Func, guards []guard) string {
	t := ""
	for _, g := range guards {
		t += fmt.Sprintf(" if %s is %s", paramName(f, g.param), spellRange(g.r))
	}
	return t
}

// when spells what is returned.
func when(r interval) string {
	if r == everything {
		return ""
	}
	return " when " + spellRange(r) + " is returned"
}

func spellRange(r interval) string {
	switch {
	case r.isPoint():
		return fmt.Sprint(r.lo)
	case r == nonzero:
		return "not 0"
	case r.gaps != (small{}):
		return spellGaps(r)
	case r.lo == math.MinInt64 && r.hi == math.MaxInt64:
		return fmt.Sprintf("%d..%d", r.ulo, r.uhi)
	}
	lo, hi := "", ""
	if r.lo != math.MinInt64 {
		lo = fmt.Sprint(r.lo)
	}
	if r.hi != math.MaxInt64 {
		hi = fmt.Sprint(r.hi)
	}
	return lo + ".." + hi
}

// spellGaps lists the numbers that are in r, or those that are not, if that is shorter.
func spellGaps(r interval) string {
	list := func(g small, sep string) string {
		var out []string
		for n := int64(leastSmall); n <= mostSmall; n++ {
			if g.has(n) {
				out = append(out, fmt.Sprint(n))
			}
		}
		return strings.Join(out, sep)
	}
	for bit := range withBit {
		switch mask := int64(1) << bit; r {
		case point(0).unmasked(mask):
			return fmt.Sprintf("without bit %d", mask)
		case nonzero.unmasked(mask):
			return fmt.Sprintf("with bit %d", mask)
		}
	}
	if in, all := r.within(); all && in.size() <= r.gaps.size() {
		return list(in, " or ")
	}
	gaps := r.gaps
	r.gaps = small{}
	if r == everything {
		return "not " + list(gaps, " or ")
	}
	return spellRange(r) + " but not " + list(gaps, " or ")
}

func spell(prog *ir.Program, f *ir.Func, p place) string {
	if p.deep != 0 {
		outer, off := p.outer()
		return "*(" + spell(prog, f, outer) + spellOffset(off) + ")"
	}
	base := "result"
	if g, ok := p.global(); ok {
		base = "&" + prog.Globals[g].SourceName()
	} else if p.param != theResult {
		base = paramName(f, p.param)
	}
	return "*(" + base + spellOffset(p.off) + ")"
}

// spellOffset spells an offset, which may be that of all elements of an array.
func spellOffset(off int64) string {
	if off >= element/2 {
		return fmt.Sprintf("[]+%d", off-element)
	}
	return fmt.Sprintf("+%d", off)
}

// paramName returns the source name of parameter i, or its number.
func paramName(f *ir.Func, i int) string {
	if i < len(f.Params) && f.Params[i]&ir.ParamSRet != 0 {
		return "returned struct"
	}
	if i+1 < len(f.Values) {
		if v := f.Values[i+1].Var; v != 0 && f.Vars[v].Name != "" {
			return f.Vars[v].Name
		}
	}
	return fmt.Sprintf("argument %d", i+1)
}
