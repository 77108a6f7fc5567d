// This file finds the objects that findings are about.

package fix

import (
	"cmp"
	"slices"

	"github.com/plumb-project/plumb/internal/guard"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/own"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// An object is one that leaks: what a call makes in the function that owns it. All
// findings about it are mended together.
type object struct {
	findings []int // of the report
	fn       ir.FuncID
	site     ir.ValueID  // the call
	place    *leak.Place // where the call leaves it; nil for the result
	seen     bool        // by a run alone: the check has no finding

	life     *leak.Life
	losses   []leak.Loss
	guard    *guard.Guard // it is to be released by a guard; nil if not
	releases []own.Release

	plans   []plan
	at      int        // the plan that is tried
	found   *candidate // what holds
	failed  string     // why nothing does: of the first candidate, which is the most natural
	refusal string     // why text could not be changed
}

// objects groups the chosen findings by their object. What belongs to none gets its
// reason at once.
func (p *planner) objects(rep *report.Report, chosen []int) (objs []*object, without []Mend) {
	for _, i := range chosen {
		f := &rep.Findings[i]
		o, why := p.objectOf(f)
		if o == nil {
			without = append(without, Mend{Findings: []int{i}, Outcome: report.NotFixed, Reason: why})
			continue
		}
		k := slices.IndexFunc(objs, func(x *object) bool { return x.same(o) })
		if k < 0 {
			k, objs = len(objs), append(objs, o)
		}
		objs[k].findings = append(objs[k].findings, i)
		objs[k].seen = objs[k].seen && o.seen
	}
	return objs, without
}

func (o *object) same(x *object) bool {
	return o.fn == x.fn && o.site == x.site && (o.place == x.place || o.place != nil && x.place != nil && *o.place == *x.place)
}

// objectOf finds the object of a finding, or says why there is none.
func (p *planner) objectOf(f *report.Finding) (*object, string) {
	switch {
	case f.Kind == report.StillHeld:
		return nil, "it could still be reached when the program ended: whether it leaks depends on what the program does next"
	case !f.Kind.IsLeak():
		return nil, "plumb fix mends leaks; this is a " + f.Kind.String()
	case f.Kind == report.LeakReachable:
		return nil, "it is held until the process ends, which gives it back"
	}
	for i := range p.base.Leak.Candidates {
		c := &p.base.Leak.Candidates[i]
		if c.Graph != nil && c.Kind == f.Kind && c.Alloc == f.Alloc && c.Loss == f.Loss && c.Function == f.Function {
			return &object{fn: c.Graph.Func, site: c.Graph.Site, place: c.Graph.Place}, ""
		}
	}
	if f.Run != nil {
		if o := p.objectAt(f.Alloc); o != nil {
			return o, ""
		}
		return nil, "the run saw it, but no function is known that owns what is made at " + p.where(f.Alloc)
	}
	return nil, "no path of it is known"
}

// objectAt finds what a call at a position makes: the first object there.
func (p *planner) objectAt(pos source.Position) *object {
	for id := ir.FuncID(1); int(id) < len(p.base.Program.Funcs); id++ {
		f := &p.base.Program.Funcs[id]
		if f.IsDecl() || p.base.Program.Files[f.File] != pos.File || int(f.Line) > pos.Line {
			continue
		}
		for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
			if !f.Values[v].Op.IsCall() {
				continue
			}
			at := p.base.Leak.Position(id, v)
			if at.Line != pos.Line || pos.Col != 0 && at.Col != pos.Col {
				continue
			}
			for _, place := range p.base.Leak.Made(id, v) {
				return &object{fn: id, site: v, place: place, seen: true}
			}
		}
	}
	return nil
}

// study finds out how an object lives, where it is lost, and how such objects are
// released; it says why that is not enough to go on with.
func (p *planner) study(o *object) (why string) {
	o.life = p.base.Leak.Life(o.fn, o.site, o.place)
	switch {
	case o.life == nil:
		return "no path of it is known"
	case o.life.GaveUp != "":
		return "not all of its paths are known in " + p.base.Program.Funcs[o.fn].SourceName() + ": " + o.life.GaveUp
	}
	for _, l := range o.life.Losses() {
		if o.seen || p.isFound(o, &l) {
			o.losses = append(o.losses, l)
		}
	}
	if len(o.losses) == 0 {
		return "no path is known on which it is lost"
	}
	o.releases = p.index.Whole(own.Object{Func: o.fn, Site: o.site, Place: o.place})
	if len(o.releases) > 0 && p.hasOwn(o) {
		o.releases = slices.DeleteFunc(o.releases, func(r own.Release) bool { return r.Why == own.Family })
	}
	if len(o.releases) == 0 {
		return "no function is known that releases what is made at " + p.where(p.base.Leak.Position(o.fn, o.site))
	}
	return ""
}

// hasOwn reports whether a function of the program makes the object, and another one
// releases such objects. It knows what they hold; free does not.
func (p *planner) hasOwn(o *object) bool {
	funcs := p.base.Program.Funcs
	maker := funcs[o.fn].Callee(o.site)
	r := &o.releases[0]
	return maker != 0 && !funcs[maker].IsDecl() && r.Why != own.Family && r.Func != 0 && !funcs[r.Func].IsDecl()
}

// isFound reports whether a loss is a finding: not all paths are possible, and what
// is known not to happen needs no release.
func (p *planner) isFound(o *object, l *leak.Loss) bool {
	for i := range p.base.Findings {
		f := &p.base.Findings[i]
		if f.Kind != l.Kind || f.Loss != l.Pos {
			continue
		}
		if x, _ := p.objectOf(f); x != nil && x.same(o) {
			return true
		}
	}
	return false
}

// order sorts mends by their first finding.
func order(ms []Mend) {
	slices.SortStableFunc(ms, func(a, b Mend) int { return cmp.Compare(a.Findings[0], b.Findings[0]) })
}
