// This file holds objects against the functions that release them: what malloc
// made is for free, what new made is for delete.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/model"
	"github.com/plumb-project/plumb/internal/report"
)

// A family is what objects and the functions that release them have in common. It
// goes by the name of one of these functions; "" is not known.
type family string

// with returns the family if both are of it.
func (f family) with(g family) family {
	if f != g {
		return ""
	}
	return f
}

// takes returns the family that a model's release takes.
func takes(m *model.Func, r model.Release) family {
	if r.Like != "" {
		return family(r.Like)
	}
	return family(m.Name)
}

// family returns the family of the object that is followed.
func (w *walker) family() family {
	if w.out != nil {
		return w.out.family
	}
	sum, _ := w.fn.callee(w.site)
	return sum.family
}

// relate reports a release of the object by a function that takes others.
func (w *walker) relate(s *state, v ir.ValueID, a act, sum *summary) {
	if w.given || s.before || !a.sure || w.life != nil {
		return
	}
	e := released
	if f := w.family(); f != "" && a.family != "" && f != a.family {
		e = misfreed
	}
	if _, kind := live.next(e); kind != 0 {
		w.report(s, &loss{kind: kind, at: v, text: mismatch(sum), last: w.holderName(s), trail: s.trail})
	}
}

func mismatch(releaser *summary) string {
	return "released by " + releaser.name + ", which takes other objects"
}

// mismatches finds releases of new objects by functions that take others, where
// both are one value: whatever happened to it in between.
func (fn *function) mismatches(found []report.Finding) []report.Finding {
	f := fn.f
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		sum, _ := fn.callee(v)
		if sum == nil || !f.Values[v].Op.IsCall() {
			continue
		}
		for i, a := range f.ArgsOf(v)[1:] {
			root := fn.baseOf(a)
			maker, _ := fn.callee(root)
			if maker == nil || !maker.fresh || maker.family == "" || !fn.makesNew(root, maker) || maker.newIf != nil {
				continue
			}
			wrong := func(o outcome) bool {
				return o.effect == consumes && o.sure && o.family != "" && o.family != maker.family
			}
			if list := sum.param(i); len(list) == 0 || slices.ContainsFunc(list, func(o outcome) bool { return !wrong(o) }) {
				continue
			}
			_, kind := live.next(misfreed)
			x := report.Finding{
				Kind: kind, Alloc: fn.position(root), Loss: fn.position(v), Function: f.SourceName(),
				Allocator: maker.name, Object: maker.object, Confidence: report.Certain,
			}
			if n := f.Values[root].Var; n != 0 {
				x.Holder = f.Vars[n].Name
			}
			x.Steps = []report.Step{{Pos: x.Alloc, Text: x.Origin()}, {Pos: x.Loss, Text: mismatch(sum)}}
			if !slices.ContainsFunc(found, func(g report.Finding) bool { return g.Kind == x.Kind && g.Loss == x.Loss }) {
				found = append(found, x)
			}
		}
	}
	return found
}
