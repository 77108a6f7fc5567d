// This file finds conditions that tell the paths on which the function still has an
// object from those on which it does not.

package leak

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// A Condition is one that holds where the function still has the object.
type Condition struct {
	Text string   // as the source would write it: "rc < 0"
	Var  ir.VarID // the variable it asks
}

// Tell returns conditions that hold before instruction at, or at the return statement
// that it stands for, on all paths on which function f still has the object that the
// call at site makes, and on none of those on which it was released or someone else has
// it; the simplest first. Paths on which it was never made may fulfil them too.
func (r *Result) Tell(f ir.FuncID, site ir.ValueID, place *Place, at ir.ValueID) []Condition {
	fn, done := r.borrow(f)
	defer done()
	o, ok := fn.outFor(site, place)
	if !ok || fn.jumps() != 0 {
		return nil
	}
	w := fn.newWalker(site, o)
	w.life = &lifer{w: w, tell: &teller{at: at, values: fn.named(at)}}
	if w.explore(); w.over {
		return nil
	}
	fn.gaveUp = nil
	return w.life.tell.conditions(fn)
}

// A teller collects what is known of variables at one place.
type teller struct {
	at     ir.ValueID
	values []ir.ValueID // those of variables there
	seen   []told
}

type told struct {
	status Status
	r      []interval // by value
}

// hear notes what is known in s.
func (t *teller) hear(w *walker, s *state) {
	x := told{status: s.lifeStatus()}
	if x.status == Lost || x.status == NotMade {
		return
	}
	for _, v := range t.values {
		x.r = append(x.r, w.rangeOf(s, v, 0))
	}
	t.seen = append(t.seen, x)
}

// keeps reports whether what is known of v is of interest to the end.
func (t *teller) keeps(fn *function, v ir.ValueID) bool {
	return slices.ContainsFunc(t.values, func(x ir.ValueID) bool { return fn.rep[x] == v })
}

// named lists the values of variables that have one value only, which they have
// before instruction at.
func (fn *function) named(at ir.ValueID) []ir.ValueID {
	f := fn.f
	sets := make([][]ir.ValueID, len(f.Vars))
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		if x := &f.Values[v]; x.Op == ir.OpSet {
			sets[x.Var] = append(sets[x.Var], v)
		}
	}
	var out []ir.ValueID
	b := f.BlockOf(at)
	for x, list := range sets {
		if len(list) != 1 || f.Vars[x].Name == "" || f.Vars[x].Artificial || fn.gone(ir.VarID(x), b) {
			continue
		}
		set := list[0]
		val := f.ArgsOf(set)[0]
		if !fn.dom.Dominates(uint32(f.BlockOf(set)), uint32(b)) || f.BlockOf(set) == b && set > at || f.Values[val].Op.IsConst() {
			continue
		}
		if k := f.Values[val].Type.Kind(); k == ir.Int || k == ir.Ptr {
			out = append(out, val)
		}
	}
	return out
}

// conditions finds those that tell the paths apart.
func (t *teller) conditions(fn *function) []Condition {
	type ranked struct {
		Condition
		rank int
	}
	var list []ranked
	for i, v := range t.values {
		has := nothing
		for _, x := range t.seen {
			if x.status == Live {
				if has == nothing {
					has = x.r[i]
				} else {
					has = has.hull(x.r[i])
				}
			}
		}
		if has == nothing || has == everything || slices.ContainsFunc(t.seen, func(x told) bool {
			return x.status != Live && !x.r[i].meet(has).empty()
		}) {
			continue
		}
		name, id := fn.varOf(v)
		if text, rank := spellCondition(name, has, fn.f.Values[v].Type.Kind() == ir.Ptr); text != "" {
			list = append(list, ranked{Condition{text, id}, rank})
		}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	var out []Condition
	for _, x := range list {
		out = append(out, x.Condition)
	}
	return out
}

// varOf returns the variable that is set to v.
func (fn *function) varOf(v ir.ValueID) (string, ir.VarID) {
	for _, u := range fn.uses.Succs(uint32(v)) {
		if x := &fn.f.Values[u]; x.Op == ir.OpSet {
			return fn.f.Vars[x.Var].Name, x.Var
		}
	}
	return "", 0
}

// spellCondition writes that something is in r, and how plain that is: less is
// plainer. It returns "" for what cannot be written.
func spellCondition(name string, r interval, pointer bool) (text string, rank int) {
	below, above := r.lo > math.MinInt64, r.hi < math.MaxInt64
	switch {
	case name == "" || r.gaps != small{}:
		return "", 0
	case r.isZero() && pointer:
		return name + " == NULL", 0
	case r.isZero():
		return "!" + name, 0
	case pointer && r.not0():
		return name + " != NULL", 0
	case pointer:
		return "", 0
	case r.isPoint():
		return fmt.Sprintf("%s == %d", name, r.lo), 1
	case r == nonzero:
		return name, 0
	case below && above && r.hi == r.lo+1:
		return fmt.Sprintf("(%s == %d || %[1]s == %d)", name, r.lo, r.hi), 3
	case below && above:
		return fmt.Sprintf("%s >= %d && %[1]s <= %d", name, r.lo, r.hi), 3
	case above && r.hi == -1:
		return name + " < 0", 1
	case above:
		return fmt.Sprintf("%s <= %d", name, r.hi), 2
	case below && r.lo == 0:
		return name + " >= 0", 1
	case below:
		return fmt.Sprintf("%s > %d", name, r.lo-1), 2
	case r.ulo > 0 && r.ulo <= math.MaxInt64 && r.uhi == math.MaxUint64: // it is not signed
		return fmt.Sprintf("%s > %d", name, r.ulo-1), 2
	}
	return "", 0
}
