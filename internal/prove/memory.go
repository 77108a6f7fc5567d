// This file holds what is known of memory on a path.
//
// A cell is a number of bytes at a constant offset from a base. The base is the
// address of an object of the path (a variable, a global, a new block) or any
// other term: what a parameter points to, what was loaded from somewhere, an
// element with an index. Bases that are different terms may still be the same
// memory; a store through one forgets what the fields of the same name hold under
// the other, unless one of them is an object that nobody else knows.

package prove

import (
	"cmp"
	"slices"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/modref"
)

// A cell is a piece of memory that is known.
type cell struct {
	base  cond.Term
	off   int64
	size  uint8 // bytes
	val   cond.Term
	place modref.Place
	read  bool // it was never written on the path
	fixed bool // it is read by a pointer to what is const, and was not written on the path
}

// A span is size bytes from off on; all of the object if size is negative.
type span struct {
	base      cond.Term
	off, size int64
	calls     *visit // calls that were given the object since
}

func (z span) same(y span) bool { return z.base == y.base && z.off == y.off && z.size == y.size }

// A visit is a call that may have written an object.
type visit struct {
	caller ir.FuncID
	site   ir.ValueID
	prev   *visit
}

// with returns the calls of both lists.
func (v *visit) with(w *visit) *visit {
	if v == w {
		return v
	}
	for ; w != nil; w = w.prev {
		known := false
		for x := v; x != nil && !known; x = x.prev {
			known = x.caller == w.caller && x.site == w.site
		}
		if !known {
			v = &visit{w.caller, w.site, v}
		}
	}
	return v
}

func (z span) has(base cond.Term, off int64) bool {
	return z.base == base && (z.size < 0 || off >= z.off && off < z.off+z.size)
}

func compareCell(c cell, k span) int {
	return cmp.Or(cmp.Compare(c.base, k.base), cmp.Compare(c.off, k.off))
}

// split returns an address as a base and a constant offset.
func (m *machine) split(t cond.Term) (base cond.Term, off int64) {
	if m.pool.Kind(t) == cond.Arithmetic && m.pool.Op(t) == cond.Add {
		a := m.pool.Args(t)
		if n, ok := m.pool.Signed(a[1]); ok {
			return a[0], n
		}
	}
	return t, 0
}

// root returns the object that an address is in, or the term it is made of.
func (m *machine) root(t cond.Term) cond.Term {
	for range 8 {
		if m.pool.Kind(t) != cond.Arithmetic || m.pool.Op(t) != cond.Add {
			return t
		}
		a := m.pool.Args(t)
		if m.isObject(a[1]) {
			return a[1]
		}
		t = a[0]
	}
	return t
}

// isObject reports whether t is the address of an object of the path, or of a global.
func (m *machine) isObject(t cond.Term) bool { return m.pool.Kind(t) == cond.ObjectAddr || m.new[t] }

// private reports whether nobody but the path knows the object t is in.
func (m *machine) private(s *state, t cond.Term) bool {
	return m.isObject(t) && m.globals[t] == 0 && !slices.Contains(s.shown, t)
}

// load returns what is at an address.
func (m *machine) load(s *state, addr cond.Term, typ ir.Type, place modref.Place, name string) cond.Term {
	bits, ok := m.width(typ)
	if !ok {
		return 0
	}
	base, off := m.split(addr)
	size := uint8((bits + 7) / 8)
	i, found := slices.BinarySearchFunc(s.mem, span{base: base, off: off}, compareCell)
	if found {
		switch c := &s.mem[i]; {
		case c.size == size:
			return m.fit(c.val, bits)
		case c.size > size:
			return m.fit(c.val, bits)
		}
	}
	val := m.initial(s, base, off, size, bits, place)
	if val == 0 {
		val = m.found(origin{base, off, size, s.epoch}, bits, name)
		m.note(s, val, typ)
		m.loaded[val] = s.epoch
	}
	if c := (cell{base, off, size, val, place, true, false}); found {
		s.mem[i] = c
	} else {
		s.mem = slices.Insert(s.mem, i, c)
	}
	return val
}

// fix notes that what was read at an address is not meant to be written. Calls that
// are not given the address are taken to leave it alone.
func (m *machine) fix(s *state, addr cond.Term) {
	base, off := m.split(addr)
	if i, ok := slices.BinarySearchFunc(s.mem, span{base: base, off: off}, compareCell); ok && s.mem[i].read {
		s.mem[i].fixed = true
	}
}

// note remembers which variables are no numbers, and which have a name in the function
// of the candidate.
func (m *machine) note(s *state, t cond.Term, typ ir.Type) {
	if s.top.depth == 0 {
		m.home[t] = true
	}
	if typ.Kind() != ir.Int {
		m.pointers[t] = true
	}
}

// An origin is memory at a time: after as many calls that may have written it.
type origin struct {
	base  cond.Term
	off   int64
	size  uint8
	epoch int
}

// found returns the variable for what was in memory that the path did not write. It
// is the same on all paths, so that they can be told to be alike.
func (m *machine) found(o origin, bits uint8, name string) cond.Term {
	t, ok := m.origins[o]
	if !ok || m.pool.Bits(t) != bits {
		t = m.pool.Fresh(bits, name)
		m.origins[o] = t
	}
	return t
}

// visited reports whether one of the calls may have written at a place; at one of which
// nothing is known, any of them.
func (m *machine) visited(v *visit, place modref.Place) bool {
	if place == (modref.Place{}) {
		return v != nil
	}
	for ; v != nil; v = v.prev {
		if m.table.CallMayWrite(v.caller, v.site, place) {
			return true
		}
	}
	return false
}

// erase forgets cells. What was zero where they are is not known to be so any more.
func (m *machine) erase(s *state, which func(cell) bool) {
	for i := 0; i < len(s.mem); {
		c := s.mem[i]
		switch {
		case !which(c):
			i++
		case slices.ContainsFunc(s.zeros, func(z span) bool { return z.has(c.base, c.off) }):
			s.mem[i].val, s.mem[i].read = m.found(origin{c.base, c.off, c.size, s.epoch}, c.size*8, ""), false
			m.note(s, s.mem[i].val, c.place.Type)
			i++
		default:
			s.mem = slices.Delete(s.mem, i, i+1)
		}
	}
}

// initial returns what memory holds that was not written since it is there; 0 if
// that is not known.
func (m *machine) initial(s *state, base cond.Term, off int64, size, bits uint8, place modref.Place) cond.Term {
	for _, z := range s.zeros {
		if z.has(base, off) && !m.visited(z.calls, place) {
			return m.pool.Const(bits, 0)
		}
	}
	id := m.globals[base]
	if id == 0 {
		return 0
	}
	g := &m.p.Globals[id]
	if n, ok := m.res.Fixed(id); ok && off == 0 {
		return m.pool.Const(bits, uint64(n))
	}
	if !g.Const || g.Decl || off < 0 || uint64(off)+uint64(size) > g.Size {
		return 0
	}
	for _, c := range g.Init {
		switch {
		case c.Kind == ir.CellBytes && uint64(off) >= c.Off && uint64(off)+uint64(size) <= c.Off+uint64(len(c.Bytes)):
			n := uint64(0)
			for i := int(size) - 1; i >= 0; i-- {
				n = n<<8 | uint64(c.Bytes[uint64(off)-c.Off+uint64(i)])
			}
			return m.pool.Const(bits, n)
		case c.Off != uint64(off):
			if c.Off < uint64(off)+uint64(size) && c.Off+max(c.Type.Bytes(), uint64(len(c.Bytes))) > uint64(off) {
				return 0
			}
		case c.Kind == ir.CellInt && c.Type.Bytes() == uint64(size):
			return m.pool.Const(bits, uint64(c.Int))
		case c.Kind == ir.CellGlobal && bits == 64:
			return m.add(m.global(c.Global), c.Int)
		case c.Kind == ir.CellFunc && bits == 64:
			return m.function(c.Func)
		default:
			return 0
		}
	}
	return m.pool.Const(bits, 0) // zeros are left out
}

// store writes val to an address.
func (m *machine) store(s *state, addr, val cond.Term, size uint8, place modref.Place) {
	base, off := m.split(addr)
	root := m.root(base)
	private := m.private(s, root)
	s.mem = slices.DeleteFunc(s.mem, func(c cell) bool {
		return c.base == base && c.off < off+int64(size) && off < c.off+int64(c.size)
	})
	m.erase(s, func(c cell) bool {
		return c.base != base && m.mayBe(s, c.base, base, root, private) && overlap(c.place, place)
	})
	if val == 0 {
		m.forgetZeros(s, base)
		s.epoch = m.nextEpoch()
		return
	}
	i, _ := slices.BinarySearchFunc(s.mem, span{base: base, off: off}, compareCell)
	s.mem = slices.Insert(s.mem, i, cell{base, off, size, val, place, false, false})
	if v := m.root(val); !private && m.private(s, v) {
		m.show(s, v)
	}
}

// mayBe reports whether two different bases may be the same memory.
func (m *machine) mayBe(s *state, other, base, root cond.Term, private bool) bool {
	r := m.root(other)
	switch {
	case r == root:
		return true // elements with different indices
	case m.isObject(r) && m.isObject(root):
		return false
	case private || m.private(s, r):
		return false
	}
	return true
}

// show notes that others know an object, and all that it holds.
func (m *machine) show(s *state, t cond.Term) {
	for _, o := range m.reach(s, []cond.Term{t}) {
		if m.private(s, o) {
			s.shown = append(s.shown, o)
		}
	}
}

// reach returns the objects that are in the list, or held by those that are.
func (m *machine) reach(s *state, list []cond.Term) []cond.Term {
	var out []cond.Term
	add := func(t cond.Term) {
		if r := m.root(t); m.isObject(r) && !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	for _, t := range list {
		if t != 0 {
			add(t)
		}
	}
	for i := 0; i < len(out); i++ {
		for _, c := range s.mem {
			if c.val != 0 && c.size == 8 && m.root(c.base) == out[i] {
				add(c.val)
			}
		}
	}
	return out
}

func (m *machine) forgetZeros(s *state, base cond.Term) {
	s.zeros = slices.DeleteFunc(s.zeros, func(z span) bool { return z.base == base })
}

// forget takes away what a call may write: of objects that it can reach, and of
// all that is no object of the path alone.
func (m *machine) forget(s *state, caller ir.FuncID, site ir.ValueID, args []cond.Term) {
	given := m.reach(s, args)
	s.epoch = m.nextEpoch()
	var filled []cond.Term // objects that the library may write
	for i, t := range args {
		if t != 0 && !m.table.Leaves(m.p.Funcs[caller].Callee(site), i) {
			filled = append(filled, m.root(t))
		}
	}
	may := map[modref.Place]bool{}
	m.erase(s, func(c cell) bool {
		root := m.root(c.base)
		if m.private(s, root) && !slices.Contains(given, root) {
			return false
		}
		if id := m.globals[root]; id != 0 && m.p.Globals[id].Const {
			return false
		}
		if slices.Contains(filled, root) {
			return true
		}
		if c.fixed {
			return false
		}
		w, known := may[c.place]
		if !known {
			w = m.table.CallMayWrite(caller, site, c.place)
			may[c.place] = w
		}
		return w
	})
	s.zeros = slices.DeleteFunc(slices.Clone(s.zeros), func(z span) bool { return slices.Contains(filled, z.base) })
	for i, z := range s.zeros {
		if !m.private(s, z.base) || slices.Contains(given, z.base) {
			s.zeros[i].calls = &visit{caller, site, z.calls}
		}
	}
}

// copy copies n bytes, as far as they are known; a negative n is any number.
func (m *machine) copy(s *state, dst, src cond.Term, n int64) {
	sb, so := m.split(src)
	var moved []cell
	if n > 0 {
		db, do := m.split(dst)
		for _, c := range s.mem {
			if c.base == sb && c.off >= so && c.off+int64(c.size) <= so+n {
				c.base, c.off, c.read = db, c.off-so+do, false
				moved = append(moved, c)
			}
		}
	}
	m.wipe(s, dst, n)
	for _, c := range moved {
		i, found := slices.BinarySearchFunc(s.mem, span{base: c.base, off: c.off}, compareCell)
		if found {
			s.mem[i] = c
		} else {
			s.mem = slices.Insert(s.mem, i, c)
		}
		base := m.root(c.base)
		if v := m.root(c.val); !m.private(s, base) && m.private(s, v) {
			m.show(s, v)
		}
	}
	if n > 0 && len(moved) == 0 && slices.ContainsFunc(s.zeros, func(z span) bool { return z.has(sb, so) && z.has(sb, so+n-1) }) {
		db, do := m.split(dst)
		s.zeros = append(s.zeros, span{base: db, off: do, size: n})
	}
}

// wipe forgets n bytes from an address on; all if n is negative.
func (m *machine) wipe(s *state, addr cond.Term, n int64) {
	base, off := m.split(addr)
	root := m.root(base)
	private := m.private(s, root)
	s.epoch = m.nextEpoch()
	m.erase(s, func(c cell) bool {
		if c.base == base {
			return n < 0 || c.off < off+n && off < c.off+int64(c.size)
		}
		if m.root(c.base) == root {
			return true
		}
		return !private && m.mayBe(s, c.base, base, root, private) && !m.isObject(m.root(c.base))
	})
	m.forgetZeros(s, base)
}

// overlap reports whether two places may be the same memory, as far as their names
// tell: fields by their struct, anything else by its type.
func overlap(a, b modref.Place) bool {
	if a.Global != 0 && b.Global != 0 {
		return a.Global == b.Global && (a.Off == b.Off || a.Off == modref.Anywhere || b.Off == modref.Anywhere)
	}
	if a.Struct != 0 && b.Struct != 0 {
		return a.Struct == b.Struct && a.Field == b.Field
	}
	return a.Type == b.Type || a.Type == 0 || b.Type == 0
}
