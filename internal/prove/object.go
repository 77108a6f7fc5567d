// This file executes the call that makes the object, and says where that then is.

package prove

import (
	"slices"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/modref"
)

// make executes the call that makes the object. Only the paths count on which it
// does.
func (m *machine) make(s *state) []*state {
	g := m.graph
	args := s.top.f.ArgsOf(g.Site)[1:]
	for _, x := range g.Args {
		if x.Arg < len(args) && !m.within(s, g.Site, m.value(s, args[x.Arg]), x.Range) {
			return nil
		}
	}
	before, epoch := len(s.made), s.epoch
	s.making, s.outside, s.target = true, false, 0
	if p := g.Place; p != nil && p.Global == 0 && p.Arg >= 0 && p.Arg < len(args) {
		s.target = m.root(m.value(s, args[p.Arg]))
	}
	return slices.DeleteFunc(m.call(s, g.Site, true), func(x *state) bool {
		outside := x.outside
		x.making, x.outside = false, false
		t := x.top.env[g.Site]
		if g.Place != nil {
			if t != 0 && !m.within(x, g.Site, t, g.Ret) {
				return true
			}
			t = m.at(x, g.Place)
		}
		if outside && g.Place != nil {
			m.plant(x, g.Place)
			return false
		}
		if t == 0 || g.Number {
			return false // it cannot be told
		}
		root := m.root(t)
		if m.isObject(root) && !slices.Contains(x.made[before:], root) {
			return true // it is another
		}
		if at, ok := m.loaded[root]; ok && at == epoch {
			return true // it was there before
		}
		if !m.assume(x, m.pool.Compare(cond.NE, t, m.pool.Const(m.pool.Bits(t), 0)), g.Site, 0, false) {
			return true
		}
		x.object = root
		return false
	})
}

// plant puts a new object where a call leaves one that is only seen from outside.
func (m *machine) plant(s *state, p *leak.Place) {
	addr, ok := m.addressOf(s, p)
	if !ok {
		return
	}
	t := m.pool.Address("")
	m.new[t] = true
	s.made, s.object = append(slices.Clip(s.made), t), t
	m.store(s, addr, t, 8, modref.Place{Type: ir.MakeType(ir.Ptr, 64)})
}

// addressOf returns the address of the place where the call leaves the object.
func (m *machine) addressOf(s *state, p *leak.Place) (cond.Term, bool) {
	var base cond.Term
	args := s.top.f.ArgsOf(m.graph.Site)[1:]
	switch {
	case p.Global != 0:
		base = m.global(p.Global)
	case p.Arg < 0:
		base = s.top.env[m.graph.Site]
	case p.Arg < len(args):
		base = m.value(s, args[p.Arg])
	}
	if base == 0 || p.Off >= 1<<32 {
		return 0, false
	}
	addr := m.add(base, p.Off)
	if p.Deep {
		if base = m.holds(s, addr); base == 0 {
			return 0, false
		}
		addr = m.add(base, p.Inner)
	}
	return addr, true
}

// holds returns the pointer at an address; 0 if it is not known.
func (m *machine) holds(s *state, addr cond.Term) cond.Term {
	base, off := m.split(addr)
	i, ok := slices.BinarySearchFunc(s.mem, span{base: base, off: off}, compareCell)
	if !ok {
		return m.initial(s, base, off, 8, 64, modref.Place{})
	}
	if s.mem[i].size != 8 {
		return 0
	}
	return s.mem[i].val
}

// at returns what is in the place where the call leaves the object; 0 if it is not known.
func (m *machine) at(s *state, p *leak.Place) cond.Term {
	addr, ok := m.addressOf(s, p)
	if !ok {
		return 0
	}
	return m.holds(s, addr)
}
