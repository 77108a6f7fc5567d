// This file tells whether a branch after a release may exclude that the release
// happened.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
)

// depend notes that states where the prey is released go on in different ways by
// a condition. What was known before the release may have decided about it too,
// in a way that is not seen:
//
//	if (is_string(v)) free(v->string);
//	if (is_list(v)) list_free(v->list);
//
// What is only learnt afterwards, as from a call that fails, has not.
func (w *walker) depend(cond ir.ValueID, states ...*state) {
	for _, s := range states {
		if s.freed != nil && !s.freed.chance && w.isOld(s, cond, 0) {
			f := *s.freed
			f.chance = true
			s.freed = &f
		}
	}
}

// isOld reports whether v may follow from what was there before the release.
func (w *walker) isOld(s *state, v ir.ValueID, depth int) bool {
	f := w.fn.f
	x := &f.Values[v]
	switch {
	case x.Op.IsConst():
		return false
	case x.Op == ir.OpParam || depth > deep:
		return true
	case x.Op.IsCall():
		return !w.after(v, s.freed.at) || w.fn.gets(v)
	case x.Op == ir.OpLoad:
		base := w.fn.baseOf(f.ArgsOf(v)[0])
		return !f.Values[base].Op.IsCall() || w.isOld(s, base, depth+1)
	case x.Op == ir.OpPhi:
		b := s.env.binding(v)
		return b == 0 || w.isOld(s, b, depth+1)
	}
	return !isPure(x.Op) || slices.ContainsFunc(f.ArgsOf(v), func(a ir.ValueID) bool { return w.isOld(s, a, depth+1) })
}

// after reports whether control comes to v after it has come to r, loops aside.
func (w *walker) after(v, r ir.ValueID) bool {
	b, c := w.fn.f.BlockOf(v), w.fn.f.BlockOf(r)
	return b == c && v > r || w.fn.rpo[b] > w.fn.rpo[c]
}
