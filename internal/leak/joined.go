// This file walks objects with too many paths once more, with what is known joined
// where paths meet. What such a walk does not lose is not lost; what it loses may
// be so on paths that cannot be.

package leak

import "slices"

// A joint is what is known at a point on all paths with the same holders.
type joint struct {
	env env
	mem []stored
}

// join lets s know what is known on all paths that came here like it. It reports
// whether that is less than it was, so that the way on has to be gone again.
func (w *walker) join(s *state) bool {
	w.buf = s.pairKey(w.buf[:0])
	j, ok := w.joints[string(w.buf)]
	if !ok {
		w.joints[string(w.buf)] = &joint{s.env.clone(), slices.Clone(s.mem)}
		return true
	}
	less := j.env.common(&s.env)
	mem := slices.DeleteFunc(slices.Clone(j.mem), func(m stored) bool { return !slices.Contains(s.mem, m) })
	less = less || len(mem) < len(j.mem)
	j.mem = mem
	s.env, s.mem = j.env.clone(), slices.Clone(mem)
	return less
}

// common forgets what f does not know as well. It reports whether there is such.
func (e *env) common(f *env) bool {
	n := len(e.facts) + len(e.rels) + len(e.bindings)
	e.facts = slices.DeleteFunc(e.facts, func(x fact) bool { return !slices.Contains(f.facts, x) })
	e.rels = slices.DeleteFunc(e.rels, func(x relation) bool { return !slices.Contains(f.rels, x) })
	e.bindings = slices.DeleteFunc(e.bindings, func(x binding) bool { return !slices.Contains(f.bindings, x) })
	return len(e.facts)+len(e.rels)+len(e.bindings) < n
}

// joined walks from the allocation, with joints. It reports whether the object is
// lost nowhere.
func (w *walker) joined(s *state) bool {
	w.joints, w.lost = map[string]*joint{}, nil
	w.from(s)
	safe := !w.over && len(w.found) == 0 && len(w.lost) == 0
	w.found, w.lost = nil, nil
	return safe
}

// fromAllocation returns a state right before the allocation, with what holds on
// all paths to it; ok is false if there are none.
func (w *walker) fromAllocation() (s *state, ok bool) {
	s = &state{before: true, block: w.fn.f.BlockOf(w.site), at: w.site}
	return s, w.assumeDominators(s)
}
