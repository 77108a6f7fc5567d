// This file records a walk: every point at which something happens to the object,
// with what holds it then, and where paths meet. Nothing is recorded unless
// someone asks.

package leak

import (
	"cmp"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
)

// A recording is the graph of one walk: nodes lead to earlier ones.
type recording struct {
	points bool     // what happens is wanted too, and not only how paths meet
	nodes  []*trail // joins and points
}

// A more is what a node of a recorded trail has beyond others.
type more struct {
	others []*trail // of a join: the other trails that lead here
	holds  string   // of a point: what holds the object after it; "" for a join
	text   string   // and what happens
}

// startRecording begins a recording if the walk is wanted.
func (w *walker) startRecording() {
	points := w.fn.watch.wants(w)
	if points || w.fn.allPaths {
		w.rec = &recording{points: points}
	}
}

func (w *walker) resetRecording() {
	w.lost = nil
	if w.rec != nil {
		w.rec.nodes = nil
	}
}

// stopRecording ends it: all paths to what was lost are known now.
func (w *walker) stopRecording() {
	switch {
	case w.rec == nil:
	case w.rec.points:
		w.fn.watch.add(w)
	case !w.over:
		w.tellAll()
	}
}

// recordJoin notes that paths may meet in s, and returns where.
func (w *walker) recordJoin(s *state) *trail {
	if w.rec == nil || s.before {
		return nil
	}
	s.trail = &trail{prev: s.trail, more: &more{}}
	w.rec.nodes = append(w.rec.nodes, s.trail)
	return s.trail
}

// join notes that another path comes by.
func (t *trail) join(other *trail) {
	if t != nil {
		t.more.others = append(t.more.others, other)
	}
}

// recordPoint notes that something happens in instruction v of a path.
func (w *walker) recordPoint(s *state, v ir.ValueID, text string) {
	if w.rec != nil && w.rec.points {
		w.addPoint(s, v, text, w.holders(s))
	}
}

func (w *walker) addPoint(s *state, v ir.ValueID, text, holds string) {
	s.trail = &trail{prev: s.trail, at: v, more: &more{text: text, holds: holds}}
	w.rec.nodes = append(w.rec.nodes, s.trail)
}

// holders spells what holds the object, for a recording.
//
//	held by buf, cfg->name
func (w *walker) holders(s *state) string {
	switch {
	case w.rec == nil || !w.rec.points || s.before:
		return ""
	case s.loss != nil:
		return "lost"
	case s.end != 0:
		return "not followed"
	}
	var names []string
	for _, v := range s.vars {
		names = append(names, w.fn.f.Vars[v].Name)
	}
	for _, c := range s.cells {
		names = append(names, cmp.Or(w.cellName(c), "another object"))
	}
	switch {
	case len(names) == 0 && len(s.vals) == 0:
		return "held by nothing"
	case len(names) == 0:
		return "held by a value"
	}
	return "held by " + strings.Join(names, ", ")
}

// recordInst notes what instruction v did, if it changed what holds the object.
func (w *walker) recordInst(s *state, v ir.ValueID, was string) {
	if w.rec == nil || !w.rec.points || s.before || s.trail != nil && s.trail.more != nil && s.trail.at == v {
		return
	}
	if now := w.holders(s); now != was {
		w.addPoint(s, v, w.happens(s, v), now)
	}
}

// happens words what an instruction did to the object, after which it is in s.
func (w *walker) happens(s *state, v ir.ValueID) string {
	f := w.fn.f
	x := &f.Values[v]
	switch {
	case x.Op == ir.OpSet && slices.Contains(s.vars, x.Var):
		return "copied to " + f.Vars[x.Var].Name
	case x.Op == ir.OpSet:
		return f.Vars[x.Var].Name + " is overwritten"
	case x.Op.IsCall():
		return "passed to " + w.calleeName(v)
	case s.end != 0:
		return "goes where it is not followed"
	case x.Op == ir.OpStore:
		c, _ := w.cellOf(s, f.ArgsOf(v)[1])
		if slices.Contains(s.cells, c) {
			return "stored in " + w.cellName(c)
		}
		return w.cellName(c) + " is overwritten"
	case x.Op == ir.OpMemcpy:
		return "copied with what holds it"
	case x.Op == ir.OpMemset:
		return "a holder is cleared"
	}
	return "used by " + x.Op.String()
}

func (w *walker) calleeName(v ir.ValueID) string {
	if sum, _ := w.fn.callee(v); sum != nil {
		return sum.name
	}
	if c := w.fn.f.Callee(v); c != 0 {
		return w.fn.p.Funcs[c].SourceName()
	}
	return "a function pointer"
}

// recordWay notes one way in which a call ends for the object.
func (w *walker) recordWay(s *state, v ir.ValueID, x way) {
	if w.rec == nil || !w.rec.points || s.before {
		return
	}
	text, holds := "passed to ", w.holders(s)
	for _, a := range x.acts {
		if a.effect == consumes {
			text, holds = "released by ", "released"
		}
	}
	text += w.calleeName(v)
	if sum, _ := w.fn.callee(v); w.usesResult(v) && x.ret != everything && (sum == nil || x.ret != sum.ret) { // which is more than it always is
		text += ", which returns " + spellRange(x.ret)
	}
	w.addPoint(s, v, text, holds)
}

// recordEdge notes that a scope ends behind a block.
func (w *walker) recordEdge(s *state, from ir.BlockID, was string) {
	if now := w.holders(s); now != was {
		w.addPoint(s, w.fn.f.Terminator(from), "a scope ends", now)
	}
}

// recordReturn notes how the object leaves the function at instruction v.
func (w *walker) recordReturn(s *state, v ir.ValueID, returned, elsewhere bool) {
	switch {
	case w.rec == nil || !w.rec.points || s.before || s.end != 0:
	case returned:
		w.addPoint(s, v, "returned", "the caller's")
	case elsewhere:
		w.addPoint(s, v, "left in "+w.holder(s), "the caller's")
	case w.isHeldElsewhere(s):
		w.addPoint(s, v, "goes with "+w.holder(s), w.holders(s))
	}
}

// holder names the first that holds the object.
func (w *walker) holder(s *state) string { return cmp.Or(w.holderName(s), "another object") }

// recordLoss notes a finding.
func (w *walker) recordLoss(l *loss) {
	if w.rec != nil && w.rec.points {
		w.rec.nodes = append(w.rec.nodes, &trail{prev: l.trail, at: l.at, more: &more{text: l.text, holds: l.kind.String()}})
	}
}
