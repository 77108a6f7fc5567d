// This file watches a walk for what stands against a release: before it, at it, and
// after it.

package leak

import (
	"fmt"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/modref"
)

// watch looks at s before instruction v.
func (l *lifer) watch(s *state, v ir.ValueID) {
	c := l.check
	if c.done() {
		l.w.over = true // nothing else is of interest
		return
	}
	if s.before || s.loss != nil {
		return
	}
	if l.origin.kind == fresh && s.life.status == Live {
		l.confine(s, v)
	}
	l.readsNull(s, v)
	if v == c.call && s.life.status != Released {
		l.reached(s)
	}
	if l.isGone(s) {
		l.after(s, v)
	}
	if l.origin.kind == foreign || l.origin.kind == unset || l.origin.kind == missing {
		l.rewrite(s, v)
	}
}

// isGone reports whether the release that is checked has released the object.
func (l *lifer) isGone(s *state) bool {
	return l.check != nil && s.life.status == Released && s.life.by == l.check.call
}

// confine says that someone else may have the object when it is in memory that others
// see, or when instruction v may read it from memory by another name.
func (l *lifer) confine(s *state, v ir.ValueID) {
	for _, at := range s.cells {
		base := at.base
		for range 3 {
			if up, ok := s.linkOf(base); ok {
				base = up.base
			}
		}
		if op := l.w.fn.value(base).Op; op != ir.OpAlloca && !op.IsCall() || isContent(base) {
			s.setStatus(Kept, max(v-1, 1))
			return
		}
	}
	if l.readsByOtherName(s, v) || l.readsBits(s, v) {
		s.setStatus(Kept, v)
	}
	if v > l.w.fn.f.Blocks[s.block].First {
		l.pointInto(s, v-1)
	}
}

// readsBits reports whether instruction v reads a cell that holds the object as
// something else than a pointer.
func (l *lifer) readsBits(s *state, v ir.ValueID) bool {
	f := l.w.fn.f
	x := &f.Values[v]
	if x.Op != ir.OpLoad || x.Type.Kind() == ir.Ptr || x.Type.Kind() == ir.Agg || len(s.cells) == 0 {
		return false
	}
	at, ok := l.w.fn.spot(f.ArgsOf(v)[0])
	return ok && slices.ContainsFunc(s.cells, func(c cell) bool {
		return c.base == at.base && at.off < c.off+8 && c.off < at.off+int64(x.Type.Bytes())
	})
}

// pointInto lets variables point into the object whose address a function of the library
// was given together with it, in call v: strtol says there where it stopped.
func (l *lifer) pointInto(s *state, v ir.ValueID) {
	fn, f := l.w.fn, l.w.fn.f
	if !f.Values[v].Op.IsCall() {
		return
	}
	sum, _ := fn.callee(v)
	args := f.ArgsOf(v)[1:]
	if sum == nil || !sum.modelled || !slices.ContainsFunc(args, s.holdsValue) {
		return
	}
	for k, a := range args {
		base := fn.baseOf(a)
		isNew := slices.ContainsFunc(sum.outs, func(o out) bool { return o.to.param == k })
		if f.Values[base].Op != ir.OpAlloca || f.Ints[f.Values[base].Aux+1] != 0 || !fn.holdsPointer(base) || isNew || s.holdsValue(a) {
			continue
		}
		if c, ok := l.w.cellOf(s, a); ok {
			s.setCell(c, true)
		} else {
			s.setStatus(Kept, v)
		}
	}
}

// readsByOtherName reports whether instruction v may read the object from a cell, or
// pass what holds it, by a name that is not followed.
func (l *lifer) readsByOtherName(s *state, v ir.ValueID) bool {
	if len(s.cells) == 0 {
		return false
	}
	f := l.w.fn.f
	other := func(addr ir.ValueID) bool {
		base := l.w.fn.baseOf(addr)
		if op := f.Values[base].Op; f.Values[addr].Type.Kind() != ir.Ptr || op != ir.OpPhi && op != ir.OpSelect {
			return false
		}
		if obj, _, ok := l.w.pointee(s, addr); ok && obj != l.w.fn.rep[base] {
			return false
		}
		return slices.ContainsFunc(s.cells, func(c cell) bool { return c.base&(globalBit|contentBit) == 0 && l.w.fn.comesFrom(base, c.base) })
	}
	switch op := f.Values[v].Op; {
	case op == ir.OpLoad:
		return other(f.ArgsOf(v)[0])
	case op == ir.OpMemcpy:
		return other(f.ArgsOf(v)[1])
	case op.IsCall():
		return slices.ContainsFunc(f.ArgsOf(v)[1:], other)
	}
	return false
}

// reached looks at a path that comes to the release with something that it may release
// without that being seen.
func (l *lifer) reached(s *state) {
	c, w := l.check, l.w
	f := w.fn.f
	if s.life.status == Kept && c.memory && l.origin.kind != foreign && l.origin.kind != missing && f.Values[s.life.by].Op == ir.OpStore {
		c.unsafe(s.life.by, "%s is stored where it cannot be followed, and may be what is released", l.what())
		return
	}
	if l.origin.kind != unset && l.origin.kind != missing {
		return
	}
	for _, a := range f.ArgsOf(c.call)[1:] {
		obj, off, ok := w.pointee(s, a)
		for _, at := range s.cells {
			p, reached := s.pathFrom(at, obj, off)
			switch {
			case !ok || !reached || p.depth != 1:
			case l.origin.kind == unset:
				c.refuse(l.unset())
			case slices.Contains(c.fields, p.off):
				c.unsafe(c.call, "%s may be null here, which %s does not expect", c.nameAt(at), c.sum.name)
			}
		}
	}
}

// released looks at s, in which call v is about to release the object.
func (l *lifer) released(s *state, v ir.ValueID) {
	c := l.check
	if c == nil || v != c.call || c.done() {
		return
	}
	at := s.life.by
	switch l.origin.kind {
	case wrong:
		c.unsafe(c.call, "%s", l.wrong())
	case unset:
		c.refuse(l.unset())
	case missing:
		name := l.what()
		if at := l.origin.cell; len(s.cells) > 0 && !s.holdsValue(l.origin.site) && at != (cell{}) {
			name = c.nameAt(at)
		}
		c.unsafe(c.call, "%s may be null here, which %s does not take", name, c.sum.name)
	case foreign:
		c.refuse(l.notLocal())
	case fresh:
		f := l.w.family()
		switch {
		case s.life.status == Released && at == c.call:
			c.unsafe(c.call, "%s may be released here twice", l.what())
		case s.life.status == Released:
			c.unsafe(at, "%s is released before on a path", l.what())
		case s.life.status == Kept:
			c.unsafe(at, "%s may be used by others: %s", l.what(), l.kept(at))
		case s.refs > 0:
			c.unsafe(c.call, "there may be more references to %s", l.what())
		case s.family != "" && f != "" && s.family != f, !c.sum.inferred && (f == "" || s.family == ""):
			c.unsafe(c.call, "%s is not to be released by %s", l.what(), c.sum.name)
		}
	}
}

// kept says how someone else got the object.
func (l *lifer) kept(at ir.ValueID) string {
	line := l.w.fn.position(at).Line
	if l.w.fn.f.Values[at].Op.IsCall() {
		return fmt.Sprintf("it is passed to %s in line %d", l.w.fn.nameOf(at), line)
	}
	return fmt.Sprintf("it goes elsewhere in line %d", line)
}

// after looks at what instruction v does with the object after its release.
func (l *lifer) after(s *state, v ir.ValueID) {
	c, w := l.check, l.w
	f := w.fn.f
	use := l.useOf(s, v)
	args := f.ArgsOf(v)
	switch op := f.Values[v].Op; {
	case v == c.call && use&Passes != 0:
		return // it is released again, which released sees
	case use&(Reads|Writes) != 0:
		c.unsafe(v, "%s is used after that, in line %d", l.what(), w.fn.position(v).Line)
	case use&Passes != 0 && !l.onlyForgets(s, v):
		c.unsafe(v, "%s is passed to %s after that, in line %d", l.what(), w.fn.nameOf(v), w.fn.position(v).Line)
	case op == ir.OpStore && use&Copies != 0, op == ir.OpRet && use&Copies != 0:
		c.unsafe(v, "%s is copied after that, in line %d", l.what(), w.fn.position(v).Line)
	case op == ir.OpICmp && use&Compares != 0 && f.Values[args[0]].Op != ir.OpConstNull && f.Values[args[1]].Op != ir.OpConstNull:
		c.unsafe(v, "%s is compared after that, in line %d", l.what(), w.fn.position(v).Line)
	case l.readsBits(s, v), c.asksAgain(v):
		c.unsafe(v, "%s may be used after that, in line %d", l.what(), w.fn.position(v).Line)
	case l.readsByOtherName(s, v):
		c.unsafe(v, "%s may be read by another name after that, in line %d", l.what(), w.fn.position(v).Line)
	case op.IsCall() && l.seenByOthers(s) && v != c.call && !l.isLibrary(v):
		c.unsafe(v, "memory that %s may see still points to it", w.fn.nameOf(v))
	}
}

// onlyForgets reports whether call v does nothing with the object but that what pointed
// to it goes, or is overwritten, and is not read before.
func (l *lifer) onlyForgets(s *state, v ir.ValueID) bool {
	fn, f := l.w.fn, l.w.fn.f
	sum, _ := fn.callee(v)
	if sum == nil || sum.fresh {
		return false
	}
	for i, a := range f.ArgsOf(v)[1:] {
		if s.holdsValue(a) {
			return false
		}
		obj, off, ok := l.w.pointee(s, a)
		if !ok || !s.owns(obj) {
			continue
		}
		for _, at := range s.cells {
			p, reached := s.pathFrom(at, obj, off)
			if !reached {
				continue
			}
			acts := l.w.content(v, sum, i, p)
			if p.depth != 1 || !sum.modelled && slices.Contains(l.check.reads(f.Callee(v), i, 0), p.off) ||
				slices.ContainsFunc(acts, func(a act) bool { return a.effect != drops || a.dies && !sum.modelled }) {
				return false
			}
		}
	}
	return true
}

// seenByOthers reports whether memory that others see still points to the object.
func (l *lifer) seenByOthers(s *state) bool {
	return slices.ContainsFunc(s.cells, func(at cell) bool {
		x := l.w.fn.value(at.base)
		return x.Op != ir.OpAlloca && !x.Op.IsCall()
	})
}

// isLibrary reports whether call v is of a function of the library that calls none of
// the program: it sees only what it is given.
func (l *lifer) isLibrary(v ir.ValueID) bool {
	fn := l.w.fn
	sum, flags := fn.callee(v)
	call, _ := fn.callAt(v)
	return flags&ir.Intrinsic != 0 || sum != nil && sum.modelled && len(call.Passed) == 0
}

// escapes is called when the address goes where it cannot be followed.
func (l *lifer) escapes(s *state) {
	if l.isGone(s) {
		l.check.unsafe(s.at-1, "%s is used after that, in line %d", l.what(), l.w.fn.position(s.at-1).Line)
	}
}

// ends looks at the end of the function.
func (l *lifer) ends(s *state, holds bool, places []place) {
	switch {
	case !l.isGone(s):
	case holds:
		l.check.unsafe(l.check.call, "%s is returned after that", l.what())
	case len(places) > 0 || l.seenByOthers(s):
		l.check.unsafe(l.check.call, "something that outlives the function still points to %s", l.what())
	}
}

// rewrite lets memory hold something else when instruction v writes there: for places
// that the walk does not follow otherwise.
func (l *lifer) rewrite(s *state, v ir.ValueID) {
	f, fn := l.w.fn.f, l.w.fn
	args := f.ArgsOf(v)
	switch op := f.Values[v].Op; {
	case op == ir.OpStore && !s.holdsValue(args[0]):
		if at, ok := fn.spot(args[1]); ok {
			s.setCell(at, false)
		}
	case op.IsCall() && l.origin.kind != foreign && v != l.check.call:
		// A function that is given the memory, and writes there, sets it up.
		sum, _ := fn.callee(v)
		if sum == nil || !sum.inferred {
			return
		}
		for _, a := range args[1:] {
			base := fn.baseOf(a)
			s.cells = slices.DeleteFunc(s.cells, func(c cell) bool {
				return c.base == base && f.Values[base].Op.IsCall() && fn.modref.CallMayWrite(fn.id, v, modref.Place{Type: ir.MakeType(ir.Ptr, 0)})
			})
		}
	}
}

// what names the object.
func (l *lifer) what() string { return l.check.what() }

// what names what is released.
func (c *checker) what() string {
	for i, a := range c.fn.f.ArgsOf(c.call)[1:] {
		if slices.ContainsFunc(c.sum.param(i), func(o outcome) bool { return o.effect == consumes }) {
			return c.name(a)
		}
	}
	return "it"
}

// wrong says what is released that must not be.
func (l *lifer) wrong() string {
	f := l.w.fn.f
	x := &f.Values[l.origin.site]
	name := l.what()
	switch {
	case x.Op == ir.OpParam && x.Var != 0:
		return fmt.Sprintf("%s may be %s, which the caller has", name, f.Vars[x.Var].Name)
	case x.Op == ir.OpGlobalAddr, x.Op == ir.OpConstData, x.Op == ir.OpFuncAddr:
		return name + " may point to static memory"
	case x.Op == ir.OpAlloca:
		return name + " may point to a variable"
	case x.Op.IsCall():
		return fmt.Sprintf("%s may be what %s returns, which is not known to be new", name, l.w.fn.nameOf(l.origin.site))
	}
	return "it is not known what " + name + " points to"
}

// unset says what is not initialised.
func (l *lifer) unset() error {
	f := l.w.fn.f
	if at := l.origin.cell; at != (cell{}) {
		e := &Uninitialised{Name: l.check.nameAt(at)}
		if f.Values[at.base].Op == ir.OpAlloca {
			e.Var = f.Values[at.base].Var
		}
		return e
	}
	return &Uninitialised{Name: l.what(), Var: l.check.variable()}
}

// variable returns the variable whose value is released, or 0.
func (c *checker) variable() ir.VarID {
	f := c.fn.f
	for i, a := range f.ArgsOf(c.call)[1:] {
		if !slices.ContainsFunc(c.sum.param(i), func(o outcome) bool { return o.effect == consumes }) {
			continue
		}
		if f.Values[a].Var != 0 {
			return f.Values[a].Var
		}
		for _, u := range c.fn.uses.Succs(uint32(a)) {
			if y := &f.Values[u]; y.Op == ir.OpSet {
				return y.Var
			}
		}
	}
	return 0
}

// notLocal says whose memory what is released was read from, or that it lingers.
func (l *lifer) notLocal() error {
	fn, f := l.w.fn, l.w.fn.f
	load := l.origin.site
	addr := f.ArgsOf(load)[0]
	at, ok := fn.spot(addr)
	if !ok {
		return &Unsafe{fn.position(load), l.what() + " is read from a place that varies"}
	}
	pl := modref.PlaceOf(fn.p, f, addr, f.Values[load].Type)
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		if x := &f.Values[v]; x.Op != ir.OpLoad || x.Type.Kind() != ir.Ptr || v == load || !l.check.usedAfter(v) {
			continue
		}
		other := modref.PlaceOf(fn.p, f, f.ArgsOf(v)[0], f.Values[v].Type)
		if o, ok := fn.spot(f.ArgsOf(v)[0]); ok && o == at || other == pl || other.Struct == 0 && other.Global == 0 {
			return &Unsafe{fn.position(v), fmt.Sprintf("%s may be used after that: it is also read in line %d", l.what(), fn.position(v).Line)}
		}
	}
	return &NotLocal{Name: l.check.name(load), Global: pl.Global, Off: max(pl.Off, 0), Field: ir.Step{Struct: pl.Struct, Field: pl.Field}}
}
