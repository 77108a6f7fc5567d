// This file proves guarded fixes: it follows the object through the changed
// program, together with what the record knows of it.

package guard

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/source"
)

// A Changed is the program with guards in it.
type Changed struct {
	Program *ir.Program
	Result  *leak.Result
	// Added reports whether the text at a position was put there by the fix.
	Added func(source.Position) bool
	// Old returns where a position was in the program as it is; nil if it is there.
	Old func(source.Position) source.Position
}

// Check follows all objects of a site. The error says in plain words what is wrong
// with the guard: a use that may come after its release, a release that the record
// does not hear of. What it returns are the places where the object is still lost.
func (c *Changed) Check(site string) ([]source.Position, error) {
	fn, adds := c.adds(site)
	if len(adds) == 0 {
		return nil, fmt.Errorf("nothing is added to %s", site)
	}
	if err := c.allNew(fn, adds); err != nil {
		return nil, err
	}
	var lost []source.Position
	for _, made := range c.made(fn, adds) {
		life := c.Result.Life(fn, made.site, made.place)
		if life == nil {
			continue
		}
		if life.GaveUp != "" {
			return nil, fmt.Errorf("not all paths of the object are known: %s", life.GaveUp)
		}
		k := &checker{c: c, f: &c.Program.Funcs[fn], fn: fn, site: site, life: life}
		if err := k.run(); err != nil {
			return nil, err
		}
		lost = append(lost, k.lost...)
	}
	slices.SortFunc(lost, source.Position.Compare)
	return slices.Compact(lost), nil
}

// adds returns the function that adds to a site, and the calls by which it does.
func (c *Changed) adds(site string) (ir.FuncID, []ir.ValueID) {
	for id := ir.FuncID(1); int(id) < len(c.Program.Funcs); id++ {
		f := &c.Program.Funcs[id]
		if f.IsDecl() || isGuard(f.SourceName()) {
			continue
		}
		var out []ir.ValueID
		for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
			if op, of := c.guardCall(f, v); op == opAdd && of == site {
				out = append(out, v)
			}
		}
		if len(out) > 0 {
			return id, out
		}
	}
	return 0, nil
}

// allNew makes sure that calls around whose results a guard stands return nothing but
// new objects: what else they return would be recorded, too.
func (c *Changed) allNew(fn ir.FuncID, adds []ir.ValueID) error {
	f := &c.Program.Funcs[fn]
	view := c.Result.View()
	for _, add := range adds {
		p := f.ArgsOf(add)[2]
		for f.Values[p].Op == ir.OpBitcast {
			p = f.ArgsOf(p)[0]
		}
		if f.Values[p].Op.IsCall() && !view.At(fn, p).Fresh {
			return fmt.Errorf("what %s returns is not always new", view.At(fn, p).Name)
		}
	}
	return nil
}

type object struct {
	site  ir.ValueID
	place *leak.Place
}

// made lists the objects that may be the ones added: those that the calls make
// whose results are added, else all that the function makes by other means.
func (c *Changed) made(fn ir.FuncID, adds []ir.ValueID) []object {
	f := &c.Program.Funcs[fn]
	var out []object
	for _, add := range adds {
		p := f.ArgsOf(add)[2]
		for f.Values[p].Op == ir.OpBitcast {
			p = f.ArgsOf(p)[0]
		}
		if f.Values[p].Op.IsCall() && slices.Contains(c.Result.Made(fn, p), nil) {
			out = append(out, object{site: p})
			continue
		}
		for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
			if !f.Values[v].Op.IsCall() {
				continue
			}
			for _, place := range c.Result.Made(fn, v) {
				out = append(out, object{v, place})
			}
		}
	}
	return out
}

// What the functions of the header do with a site.
type guardOp uint8

const (
	opNone   guardOp = iota
	opAdd            // plumb_guard_add
	opRemove         // plumb_guard_remove, plumb_guard_forget
	opTake           // plumb_guard_take
	opFix            // plumb_guard_fix
	opDone           // plumb_guard_done
)

// guardOps has them by the names under which the header shows them to plumb.
var guardOps = map[string]guardOp{
	"added": opAdd, "removed": opRemove, "forget": opRemove, "claim": opTake, "fixed": opFix, "close": opDone,
}

const prefix = "plumb_guard_"

func isGuard(name string) bool { return strings.HasPrefix(name, prefix) }

// guardCall returns what an instruction does with which site.
func (c *Changed) guardCall(f *ir.Func, v ir.ValueID) (guardOp, string) {
	id := f.Callee(v)
	if id == 0 {
		return opNone, ""
	}
	name, ok := strings.CutPrefix(c.Program.Funcs[id].SourceName(), prefix)
	name, _, _ = strings.Cut(name, "<") // of a template
	op := guardOps[name]
	if !ok || op == opNone {
		return opNone, ""
	}
	s := f.ArgsOf(v)[1]
	for f.Values[s].Op == ir.OpGep || f.Values[s].Op == ir.OpBitcast {
		s = f.ArgsOf(s)[0]
	}
	if f.Values[s].Op != ir.OpGlobalAddr {
		return op, ""
	}
	return op, c.Program.Globals[f.Values[s].Aux].SourceName()
}

// What the record knows of the object.
type known uint8

const (
	unknown  known = iota // nothing
	recorded              // that it is not released
	taken                 // no more: take has said yes, and the release is to follow
	gone                  // and has followed
)

// A checker follows one object.
type checker struct {
	c    *Changed
	f    *ir.Func
	fn   ir.FuncID
	site string
	life *leak.Life
	lost []source.Position
}

type place struct {
	point int
	known known
}

func (k *checker) run() error {
	seen := map[place]bool{{0, unknown}: true}
	for work := []place{{0, unknown}}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		p := &k.life.Points[at.point]
		if err := k.end(p.End, at.known); err != nil {
			return err
		}
		for _, m := range p.Out {
			next, err := k.step(p, m, at.known)
			if err != nil {
				return err
			}
			for _, n := range next {
				if to := (place{m.To, n}); !seen[to] {
					seen[to] = true
					work = append(work, to)
				}
			}
		}
	}
	return nil
}

// end looks at how a path ends.
func (k *checker) end(e *leak.LifeEnd, now known) error {
	switch {
	case e == nil:
	case e.Kind == leak.EndLost && (now == unknown || now == recorded && !k.fixed(e.At)):
		k.lost = append(k.lost, e.Loss)
	case now == gone && e.Still:
		return fmt.Errorf("the caller still gets it from %s after the place of the release", k.where(e.At))
	}
	return nil
}

// fixed reports whether every way from an instruction to the end of the function
// comes by a place where all objects of the site are released that are recorded.
func (k *checker) fixed(from ir.ValueID) bool {
	seen := map[ir.BlockID]bool{}
	met := false
	var through func(b ir.BlockID, v ir.ValueID) bool
	through = func(b ir.BlockID, v ir.ValueID) bool {
		for ; v < k.f.Blocks[b].End; v++ {
			if op, site := k.c.guardCall(k.f, v); op == opFix && site == k.site {
				met = true
				return true
			}
			if k.f.Values[v].Op == ir.OpRet {
				return false
			}
		}
		for _, s := range k.f.SuccsOf(b) {
			if !seen[s] {
				seen[s] = true
				if !through(s, k.f.Blocks[s].First) {
					return false
				}
			}
		}
		return true
	}
	return through(k.f.BlockOf(from), from) && met
}

// step returns what the record may know behind a move; nothing if the move cannot be.
func (k *checker) step(p *leak.Point, m leak.Move, now known) ([]known, error) {
	same := []known{now}
	if m.Succ != 0 || p.End != nil {
		return same, nil
	}
	if op, site := k.c.guardCall(k.f, p.At); op != opNone {
		if site != k.site && site != "" || p.Status == leak.NotMade || p.Status == leak.Lost {
			return same, nil
		}
		return k.guard(op, p, m, now)
	}
	ours := m.Use.Needs() && k.c.Added(k.position(p.At))
	switch {
	case ours && now == taken:
		if k.life.Points[m.To].Status == leak.Released {
			return []known{gone}, nil
		}
		return same, nil // of what is in it, first
	case ours:
		return nil, nil // take has said no
	case now == gone || now == taken:
		return same, k.after(p, m)
	}
	return same, nil
}

// after makes sure that an object is left alone after its release.
func (k *checker) after(p *leak.Point, m leak.Move) error {
	op := k.f.Values[p.At].Op
	switch {
	case m.Use.Needs():
		return fmt.Errorf("it is still used in %s after the place of the release", k.where(p.At))
	case m.Use&leak.Copies != 0 && (op == ir.OpStore || op == ir.OpRet):
		return fmt.Errorf("it is still handed on in %s after the place of the release", k.where(p.At))
	case p.Status == leak.Live && k.life.Points[m.To].Status == leak.Kept:
		return fmt.Errorf("it may be kept by others in %s after the place of the release", k.where(p.At))
	}
	return nil
}

// guard is step for a call of one of the header's functions.
func (k *checker) guard(op guardOp, p *leak.Point, m leak.Move, now known) ([]known, error) {
	same := []known{now}
	it, sure := true, true // done and fix are about all objects of the site
	if op != opFix && op != opDone {
		it, sure = k.isIt(p, m)
	}
	if !it {
		return same, nil
	}
	to := now
	switch {
	case op == opAdd && now > recorded:
		return nil, fmt.Errorf("it is added again in %s after the place of the release", k.where(p.At))
	case op == opAdd:
		to = recorded
	case now == taken && (op == opTake || op == opFix):
		return nil, nil // the release was to come first
	case now != recorded:
		return same, nil
	case op == opRemove || op == opDone:
		to = unknown
	case op == opTake:
		to = taken
	case op == opFix:
		to = gone
	}
	if to >= taken {
		if err := k.mayEnd(p); err != nil {
			return nil, err
		}
	}
	if sure {
		return []known{to}, nil
	}
	return []known{now, to}, nil
}

// mayEnd makes sure that the object can be released at point p, where the record has
// it: that it is there, and that nobody else has it.
func (k *checker) mayEnd(p *leak.Point) error {
	if p.Status != leak.Live {
		return fmt.Errorf("%s in %s, of which the record does not hear", heard[p.Status], k.where(p.By))
	}
	for _, h := range p.Holders {
		if h.Global != 0 || h.Param != 0 {
			return fmt.Errorf("others can still reach it by %s in %s", nameOf(h), k.where(p.At))
		}
	}
	return nil
}

var heard = map[leak.Status]string{leak.Released: "it may be released", leak.Kept: "others may get it"}

func nameOf(h leak.Holder) string {
	if h.Name == "" {
		return "a pointer"
	}
	return h.Name
}

// isIt reports whether the pointer that a call of the header's is given is the
// object's address, and whether that is sure.
func (k *checker) isIt(p *leak.Point, m leak.Move) (it, sure bool) {
	if m.Use&leak.Passes == 0 {
		return false, true
	}
	args := k.f.ArgsOf(p.At)
	return true, k.holds(p, args[len(args)-1], 0)
}

// holds reports whether value v is surely the object's address at point p.
func (k *checker) holds(p *leak.Point, v ir.ValueID, depth int) bool {
	x := &k.f.Values[v]
	for _, h := range p.Holders {
		if h.Inside {
			continue
		}
		if h.Value == v && v != 0 || h.Var != 0 && h.Var == x.Var {
			return true
		}
		if x.Op == ir.OpLoad && h.Base != 0 && !h.Many {
			if base, off, ok := k.address(k.f.ArgsOf(v)[0]); ok && base == h.Base && off == h.Off {
				return true
			}
		}
	}
	if depth > 4 {
		return false
	}
	if x.Op == ir.OpBitcast {
		return k.holds(p, k.f.ArgsOf(v)[0], depth+1)
	}
	if op, _ := k.c.guardCall(k.f, v); op == opAdd || op == opRemove {
		args := k.f.ArgsOf(v)
		return k.holds(p, args[len(args)-1], depth+1)
	}
	return false
}

// address takes a constant address apart.
func (k *checker) address(v ir.ValueID) (base ir.ValueID, off int64, ok bool) {
	for {
		x := &k.f.Values[v]
		switch x.Op {
		case ir.OpBitcast:
		case ir.OpGep:
			g := &k.f.Geps[x.Aux]
			if g.NStride > 0 {
				return 0, 0, false
			}
			off += g.Off
		default:
			return v, off, true
		}
		v = k.f.ArgsOf(v)[0]
	}
}

func (k *checker) position(v ir.ValueID) source.Position { return k.c.Result.Position(k.fn, v) }

func (k *checker) where(v ir.ValueID) string {
	pos := k.position(v)
	if k.c.Old != nil {
		pos = k.c.Old(pos)
	}
	return fmt.Sprintf("%s:%d", filepath.Base(pos.File), pos.Line)
}
