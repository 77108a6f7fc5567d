// This file proves candidates on the changed program.

package fix

import (
	"errors"
	"fmt"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/own"
	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// A finding is what tells findings apart, in positions of the program as it is.
type finding struct {
	kind        report.Kind
	alloc, loss source.Position
}

func keyOf(f *report.Finding) finding { return finding{f.Kind, f.Alloc, f.Loss} }

// A trial is candidates that are looked at together.
type trial struct {
	p     *planner
	cands []*candidate
	patch *patch.Patch
	view  *View
	index *own.Index // of the changed program; nil until asked for
	fault []fault    // by candidate
	loose string     // what is wrong with none of them in particular
}

// A fault is what is wrong with a candidate.
type fault struct {
	why   string
	slots []int          // the losses it is about; nil for all
	unset map[int]string // by loss: the variable that would have to have a value from the start
}

// try looks at the program with all candidates at once. They must not overlap.
func (p *planner) try(cands []*candidate) (*trial, error) {
	var ps []*patch.Patch
	for _, c := range cands {
		ps = append(ps, c.patch)
	}
	merged, err := patch.Merge(ps...)
	if err != nil {
		return nil, err
	}
	t := &trial{p: p, cands: cands, patch: merged, fault: make([]fault, len(cands))}
	if t.view, err = p.w.Look(p.ctx, merged); err != nil {
		return nil, err
	}
	if t.judge(); t.loose == "" && !t.broken() {
		t.releases()
	}
	return t, nil
}

// judge holds the changed program against the program as it is.
func (t *trial) judge() {
	if len(t.view.Errors) > 0 {
		t.hear(t.view.Errors, "it does not compile: ", true)
		return
	}
	t.hear(t.view.Warnings, "the compiler warns of it: ", false)
	t.findings()
}

// broken reports whether the changed program does not compile, so that nothing is
// known of candidates that are not to blame.
func (t *trial) broken() bool { return len(t.view.Errors) > 0 }

// all reports whether all candidates hold.
func (t *trial) all() bool {
	return t.loose == "" && !slices.ContainsFunc(t.fault, func(f fault) bool { return f.why != "" })
}

// old maps a position of the changed program back.
func (t *trial) old(pos source.Position) source.Position {
	pos.Line, pos.Col = t.patch.Old(pos.File, pos.Line, pos.Col)
	return pos
}

// findings holds what is found now against what was: what was to be mended must be
// gone, and nothing may be new.
func (t *trial) findings() {
	now := map[finding]int{}
	for i := range t.view.Findings {
		f := &t.view.Findings[i]
		k := keyOf(f)
		k.alloc, k.loss = t.old(k.alloc), t.old(k.loss)
		now[k]++
		if c, slot := t.meant(k); c >= 0 {
			t.accuse(c, fmt.Sprintf("%s does not help: it is still lost at %s", t.cands[c].clause(), t.p.where(k.loss)), slot)
		} else if now[k] > t.p.known[k] {
			t.news(f, k)
		}
	}
}

// meant returns the candidate that was to make a finding go away, and the loss it is
// about; -1 if there is none.
func (t *trial) meant(k finding) (cand, slot int) {
	for i, c := range t.cands {
		if c.o.seen || k.alloc != t.p.allocOf(c.o) {
			continue
		}
		for s, l := range c.o.losses {
			if l.Kind == k.kind && l.Pos == k.loss {
				return i, s
			}
		}
	}
	return -1, 0
}

// news blames a finding that was not there before on the candidates that change its
// functions.
func (t *trial) news(f *report.Finding, k finding) {
	why := fmt.Sprintf("there would be a %s at %s", f.Kind, t.p.where(k.loss))
	if f.Kind.IsLeak() {
		why = fmt.Sprintf("memory made at %s would be lost at %s", t.p.where(k.alloc), t.p.where(k.loss))
	}
	blamed := false
	for i, c := range t.cands {
		if t.touches(c, k.loss) || t.touches(c, k.alloc) || slices.ContainsFunc(f.Steps, func(s report.Step) bool { return t.touches(c, t.old(s.Pos)) }) {
			t.accuse(i, c.clause()+" is not right: "+why, -1)
			blamed = true
		}
	}
	if !blamed && t.loose == "" {
		t.loose = why
	}
}

// touches reports whether a candidate changes the function that a position is in.
func (t *trial) touches(c *candidate, pos source.Position) bool {
	in := t.p.functionAt(pos)
	for _, e := range c.patch.Edits() {
		line, col := c.patch.Position(e.File, e.Start)
		if t.p.functionAt(source.Position{File: e.File, Line: line, Col: col}) == in {
			return true
		}
	}
	return false
}

func (t *trial) accuse(cand int, why string, slot int) {
	f := &t.fault[cand]
	if f.why == "" {
		f.why = why
		f.slots = nil
		if slot >= 0 {
			f.slots = []int{slot}
		}
	} else if slot >= 0 && len(f.slots) > 0 && !slices.Contains(f.slots, slot) {
		f.slots = append(f.slots, slot)
	}
}

// releases checks each release that a candidate puts in.
func (t *trial) releases() {
	calls := addedCalls(t.view.Program, t.patch)
	for i, c := range t.cands {
		if c.guard != nil {
			if slots, err := t.checkGuard(c); err != nil {
				t.fault[i] = fault{why: err.Error(), slots: slots}
				continue
			}
		}
		for s := range c.options {
			x := &c.options[s]
			n := 0
			for _, call := range calls {
				if !x.made(call) {
					continue
				}
				n++
				if err := t.check(call.fn, call.call); err != nil {
					t.unset(i, s, err)
					t.accuse(i, fmt.Sprintf("%s %s is not safe: %v", x.what, spell(x.where), err), s)
				}
			}
			for _, pos := range x.calls {
				n++
				if err := t.checkThere(pos); err != nil {
					t.unset(i, s, err)
					t.accuse(i, fmt.Sprintf("%s %s is not safe: %v", x.what, spell(x.where), err), s)
				}
			}
			if n == 0 && x.how != nil {
				t.accuse(i, fmt.Sprintf("%s %s would never run", x.what, spell(x.where)), s)
			}
		}
	}
}

// unset notes that a release fails only because a variable may have no value yet.
func (t *trial) unset(cand, slot int, err error) {
	var u *leak.Uninitialised
	if errors.As(err, &u) {
		t.noteUnset(cand, slot, u.Name)
	}
}

func (t *trial) noteUnset(cand, slot int, name string) {
	f := &t.fault[cand]
	if f.unset == nil {
		f.unset = map[int]string{}
	}
	f.unset[slot] = name
}

// made reports whether a call is the release that an option puts in.
func (x *option) made(a added) bool {
	if x.how == nil || !isCallOf(x.how, a.name) {
		return false
	}
	return slices.Contains(x.edits, a.edit)
}

// check shows that a release is right: of what the function has itself, or of what a
// field or a global is the only owner of.
func (t *trial) check(fn ir.FuncID, call ir.ValueID) error {
	err := t.view.Leak.CheckRelease(fn, call)
	var others *leak.NotLocal
	if !errors.As(err, &others) && !t.descends(fn, call, err) {
		return err
	}
	if t.index == nil {
		t.index = own.New(t.view.Program, t.view.Leak, t.view.Models)
	}
	return t.index.Sole(fn, call)
}

// descends reports whether a call is one of the function itself, and nothing stands
// against it but that it cannot be seen what it releases there: who owns that decides.
func (t *trial) descends(fn ir.FuncID, call ir.ValueID, err error) bool {
	var u *leak.Unsafe
	return errors.As(err, &u) && t.view.Program.Funcs[fn].Callee(call) == fn && u.At == t.view.Leak.Position(fn, call)
}

// checkThere shows that a release which was there before is still right.
func (t *trial) checkThere(pos source.Position) error {
	id := t.p.functionAt(pos)
	pos.Line, pos.Col = t.patch.New(pos.File, pos.Line, pos.Col)
	name := t.p.base.Program.Funcs[id].Name
	for i := range t.view.Program.Funcs {
		f := &t.view.Program.Funcs[i]
		if f.Name != name || f.IsDecl() || t.view.Program.Files[f.File] != pos.File {
			continue
		}
		if v := callIn(t.view.Program, ir.FuncID(i), pos, ""); v != 0 {
			return t.check(ir.FuncID(i), v)
		}
	}
	return fmt.Errorf("there is no call at %s any more", t.p.where(pos))
}

// allocOf returns where findings say that an object comes from.
func (p *planner) allocOf(o *object) source.Position {
	for i := range p.base.Leak.Candidates {
		c := &p.base.Leak.Candidates[i]
		if c.Graph != nil && o.same(&object{fn: c.Graph.Func, site: c.Graph.Site, place: c.Graph.Place}) {
			return c.Alloc
		}
	}
	return p.base.Leak.Position(o.fn, o.site)
}
