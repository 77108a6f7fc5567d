// This file executes calls: by going into the function that is called, or by what
// is known of it from outside.

package prove

import (
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
)

const (
	maxDepth    = 6     // calls within calls that are gone into
	tinyBlocks  = 6     // of a function that is gone into also when it has to be cheap
	asideSteps  = 700   // instructions executed for a call that has nothing to do with the object
	roleSteps   = 10000 // and for one that has
	firstSteps  = 10000 // and for the first path that is found
	sweepSteps  = 16000 // and for all paths at once
	againSteps  = 9000  // and for a path that is taken once more
	prefixSteps = 2500  // and for what comes before the allocation
	maxAsides   = 3     // of them that have nothing to do with the object
	maxResults  = 16    // ways in which a call may end that has to do with the object
	maxAnswers  = 4     // and one that is only asked something
	maxAlike    = 10    // states at one place, before one has to stand for several
	maxWaiting  = 160   // states that wait in one function
)

// call executes call v and returns the states after it: none if it does not return.
// A call with a role in the life of the object is gone into wherever that can be.
func (m *machine) call(s *state, v ir.ValueID, role bool) []*state {
	f := s.top.f
	args := f.ArgsOf(v)
	info := m.view.At(s.top.id, v)
	if info.NoReturn {
		return nil
	}
	callee := f.Callee(v)
	if callee == 0 {
		callee = m.funcOf[m.value(s, args[0])]
	}
	if callee != 0 && m.builtin(s, v, callee) {
		return []*state{s}
	}
	terms := make([]cond.Term, len(args)-1)
	for i, a := range args[1:] {
		if _, ok := m.width(f.Values[a].Type); ok {
			terms[i] = m.value(s, a)
		}
	}
	if callee != 0 && m.worth(s, v, callee, terms, role) {
		if out, ok := m.into(s, v, callee, terms, role); ok {
			return out
		}
	}
	s.outside = s.outside || s.making && s.top.depth == 0
	if !m.fromOutside(s, v, terms, info) {
		return nil
	}
	return []*state{s}
}

// builtin executes functions that the compiler knows.
func (m *machine) builtin(s *state, v ir.ValueID, callee ir.FuncID) bool {
	f := &m.p.Funcs[callee]
	if f.Flags&ir.Intrinsic == 0 {
		return false
	}
	args := s.top.f.ArgsOf(v)
	switch {
	case strings.HasPrefix(f.Name, "llvm.expect"):
		s.set(v, m.value(s, args[1]))
		return true
	case strings.Contains(f.Name, ".with.overflow."):
		// What is taken out of it is known from the operands.
		s.set(v, m.pool.Apply(64, f.Name, m.value(s, args[1]), m.value(s, args[2])))
		return true
	}
	return false
}

// worth reports whether it is worth while to go into a function: if what it does
// can decide a branch, and it is small enough for where it is called.
func (m *machine) worth(s *state, v ir.ValueID, id ir.FuncID, args []cond.Term, role bool) bool {
	f := &m.p.Funcs[id]
	depth := s.top.depth
	if f.IsDecl() || f.Flags&ir.Variadic != 0 && !role || depth >= maxDepth || s.calls(id) || 2*m.tooMuch()[id] > m.limit-m.steps {
		return false
	}
	if role {
		return len(f.Blocks) <= 200
	}
	if len(f.Blocks) > 40 || s.top.asides >= maxAsides || m.cheap && len(f.Blocks) > tinyBlocks {
		return false
	}
	if m.tells(s.top.f, v) {
		return true
	}
	return slices.ContainsFunc(args, func(t cond.Term) bool {
		return t != 0 && m.pool.Kind(m.root(t)) == cond.ObjectAddr && m.private(s, m.root(t))
	})
}

// tells reports whether a branch, or what is returned, depends on the result of a call.
func (m *machine) tells(f *ir.Func, v ir.ValueID) bool { return m.shape(f).tells[v] }

// into goes into a function. It reports whether that could be done to the end; if
// not, s is as it was.
func (m *machine) into(s *state, v ir.ValueID, id ir.FuncID, args []cond.Term, role bool) ([]*state, bool) {
	n := s.clone()
	m.serial++
	n.enter(id, &m.p.Funcs[id], v, args, m.serial)
	if !role {
		n.top.asides++
	}
	left := m.limit - m.steps
	out, ok := m.inside(n, s, role)
	if !ok {
		m.tooMuch()[id] = left
		m.skip(s.top.f, v, id)
		return nil, false
	}
	for _, x := range out {
		x.leave()
		if x.ret != 0 {
			x.set(v, x.ret)
			x.ret = 0
		}
	}
	return out, true
}

// fromOutside does what is known of a call without going into it. It reports whether
// the path goes on.
func (m *machine) fromOutside(s *state, v ir.ValueID, args []cond.Term, info leak.Callee) bool {
	f := s.top.f
	caller := s.top.id
	if !m.quiet(caller, v) {
		m.forget(s, caller, v, args)
		for _, t := range args {
			if r := m.root(t); t != 0 && m.new[r] && m.private(s, r) {
				m.show(s, r)
			}
		}
	}
	for _, i := range info.Frees {
		if i < len(args) && args[i] != 0 {
			s.freed = append(s.freed, args[i])
		}
	}
	bits, ok := m.width(f.Values[v].Type)
	if !ok {
		return true
	}
	name := m.spell(f, v)
	if !info.Fresh {
		t := m.answer(s, v, bits, args, name)
		m.note(s, t, f.Values[v].Type)
		s.set(v, t)
		return m.within(s, v, t, info.Ret)
	}
	t := m.pool.Fresh(bits, name)
	m.new[t] = true
	s.made = append(s.made, t)
	s.set(v, t)
	if info.Zeroed {
		s.zeros = append(s.zeros, span{base: t, size: -1})
	}
	return info.MayFail || m.assume(s, m.pool.Compare(cond.NE, t, m.pool.Const(bits, 0)), v, 0, false)
}

// answer returns what a call returns. A pure function that is asked the same again
// answers the same, unless what it may look at was written.
func (m *machine) answer(s *state, v ir.ValueID, bits uint8, args []cond.Term, name string) cond.Term {
	callee := s.top.f.Callee(v)
	if callee == 0 || !m.table.Pure(callee) || slices.Contains(args, 0) {
		return m.pool.Fresh(bits, name)
	}
	key := m.pool.Apply(64, m.p.Funcs[callee].Name, args...)
	return m.load(s, key, s.top.f.Values[v].Type, m.anyByte(), name)
}

// quiet reports whether a call writes nothing that the caller knows.
func (m *machine) quiet(caller ir.FuncID, v ir.ValueID) bool {
	callee := m.p.Funcs[caller].Callee(v)
	return callee != 0 && m.table.WritesNothing(callee)
}

// within assumes that t is in a range.
func (m *machine) within(s *state, v ir.ValueID, t cond.Term, r leak.Range) bool {
	if r.Everything() {
		return true
	}
	p := m.pool
	bits := p.Bits(t)
	lo, hi := int64(-1)<<(bits-1), int64(1)<<(bits-1)-1
	all := uint64(1)<<bits - 1
	if bits == 64 {
		lo, hi, all = -1<<63, 1<<63-1, 1<<64-1
	}
	c := func(n uint64) cond.Term { return p.Const(bits, n) }
	ok := true
	and := func(pred cond.Pred, n uint64) { ok = ok && m.assume(s, p.Compare(pred, t, c(n)), v, 0, false) }
	if r.Lo == r.Hi {
		and(cond.EQ, uint64(r.Lo))
		return ok
	}
	if bits > 1 {
		if r.Lo > lo {
			and(cond.SGE, uint64(r.Lo))
		}
		if r.Hi < hi {
			and(cond.SLE, uint64(r.Hi))
		}
	}
	if r.ULo == 1 {
		and(cond.NE, 0)
	} else if r.ULo > 0 && r.ULo <= all {
		and(cond.UGE, r.ULo)
	}
	if r.UHi < all {
		and(cond.ULE, r.UHi)
	}
	return ok
}
