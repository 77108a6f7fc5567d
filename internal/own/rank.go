// This file says which of several ways to release an object is the likeliest.

package own

import (
	"cmp"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
)

// A candidate is a way to release an object; a lower rank is a better one.
type candidate struct {
	*group
	why  Why
	rank int
}

// rank puts first what is released near the object, by functions that are surely and
// only there for that. What was stored in a field counts for more if the function is one
// for the type: other objects may have been in such fields, too.
func (x *Index) rank(o Object, g *group, why Why, far reach) int {
	base := 0
	switch exact := x.typeOf(o) != "" && !g.held && x.paramType(g.by, g.arg) == x.typeOf(o); {
	case why == SameType:
		base = 10
	case far == stored && exact:
		base = 2
	case far == stored:
		base = 7
	case far == passed:
		base = 1
	}
	if why == SameMaker {
		base += 3 // after what is known of the object itself
	}
	switch more, sure := x.doesMore(o, g), x.isSure(g); {
	case (more || !sure) && x.isRule(o, g):
	case !sure:
		base += 2 * last
	case more && x.holdsMore(o):
		base += last - 1 // to release it alone would be too little
	case more:
		base += last
	}
	return base
}

// isRule reports whether the program releases objects of the type in no other way, often
// enough to make that a rule: then what the function does besides belongs to it, and when
// it does not release the object, it counts references in a way of its own.
func (x *Index) isRule(o Object, g *group) bool {
	t, takes := x.typeOf(o), x.paramType(g.by, g.arg)
	if g.held || takes == "" || t != "" && takes != t {
		return false
	}
	by, all := 0, 0
	if t == "" { // what is in a field: all that was ever there
		for _, c := range x.evidence[o.key()] {
			all++
			if x.canon(x.releases[c.release].by) == g.by {
				by++
			}
		}
		return x.names[takes] != 0 && by == all
	}
	for _, c := range x.makers[x.makerOf(o)] {
		if r := &x.releases[c.release]; r.by != 0 && !r.Held && c.reach != stored {
			all++
			if x.canon(r.by) == g.by {
				by++
			}
		}
	}
	return by >= 3 && 10*by >= 9*all
}

// holdsMore reports whether who makes an object puts others in it.
func (x *Index) holdsMore(o Object) bool {
	return o.Place == nil && slices.ContainsFunc(x.view.Made(o.Func, o.Site), func(m leak.Made) bool {
		return m.Place != nil && m.Place.Arg < 0 && m.Place.Global == 0
	})
}

// last is the rank of what comes after the family's function: who does more than to release
// the object, or may leave it as it is.
const last = 16

// A group is releases by one function in one form.
type group struct {
	by    ir.FuncID
	arg   int
	held  bool
	off   int64
	owner ir.StructID // for what is held in a struct
	field int64       // where
	also  int         // how much of what the object holds goes with it
	all   []int       // index Index.releases
	calls []value     // calls that are no releases, as examples
}

// grouped puts together the clues of releases by one function: plain ones first, then
// those that are used most.
func (x *Index) grouped(o Object, clues []clue, far reach) []*group {
	var groups []*group
	for _, c := range clues {
		r := &x.releases[c.release]
		if r.by == 0 || c.reach != far || !r.Always && !r.Counted || !x.suits(o, r.by, &r.Release) {
			continue
		}
		g := group{by: x.canon(r.by), arg: r.Arg, held: r.Held, off: r.Off}
		if r.Held {
			for _, s := range x.slotsAt(r.at.fn, x.p.Funcs[r.at.fn].ArgsOf(r.at.id)[1+r.Arg], r.Off) {
				if s.kind == fieldSlot {
					g.owner, g.field = ir.StructID(s.id), s.off
				}
			}
		}
		i := slices.IndexFunc(groups, func(y *group) bool {
			return y.by == g.by && y.arg == g.arg && y.held == g.held && y.off == g.off && y.owner == g.owner && y.field == g.field
		})
		if i < 0 {
			i, groups = len(groups), append(groups, &g)
		}
		groups[i].all = append(groups[i].all, c.release)
	}
	slices.SortStableFunc(groups, func(a, b *group) int {
		return cmp.Or(cmp.Compare(x.clumsy(a), x.clumsy(b)), cmp.Compare(len(b.all), len(a.all)))
	})
	return groups
}

// clumsy tells functions that are there to release an object from those that happen to.
func (x *Index) clumsy(g *group) int {
	n := 0
	if x.p.Funcs[g.by].NParams > 1 {
		n++
	}
	if g.owner != 0 {
		n += 2
	}
	return n
}

// effect returns what the functions of a group do with the object.
func (x *Index) effect(g *group) leak.Release {
	for _, r := range x.releasedBy(g.by) {
		if r.Arg == g.arg && r.Held == g.held && r.Off == g.off {
			return r
		}
	}
	return leak.Release{}
}

// isSure reports whether a function releases the object whatever it is like, or gives up
// a reference to it.
func (x *Index) isSure(g *group) bool {
	e := x.effect(g)
	return e.Sure || e.Counted
}
