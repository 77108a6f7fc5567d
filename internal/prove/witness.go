// This file tells the path that was found, in the words of the source.

package prove

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/cond"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

const (
	maxSteps  = 24 // of a story
	maxValues = 3  // that are told
)

// tell gives a finding the steps of the path that was found, and values for which it
// is taken.
func (m *machine) tell(f *report.Finding, g *leak.Graph, v verdict) {
	if v.state == nil {
		return
	}
	before, after := g.Story(*f)
	if before+after > len(f.Steps) || before == 0 {
		return
	}
	on := m.events(v.state)
	room := max(maxSteps-before-after, 0)
	if len(on) > room { // what happens last says most
		on = on[len(on)-room:]
	}
	steps := slices.Concat(f.Steps[:before], on, f.Steps[len(f.Steps)-after:])
	f.Steps = steps
	f.When = m.values(v)
}

// events returns what happens on a path after the object is made: branches that
// could have gone another way, and what stage one says becomes of the object.
func (m *machine) events(s *state) []report.Step {
	var out []report.Step
	for a := s.path; a != nil; a = a.prev {
		switch {
		case a.note != nil:
			out = append(out, *a.note)
		case a.free && a.seen && a.frame.depth == 0:
			if step, ok := m.branch(a); ok {
				out = append(out, step)
			}
		}
	}
	slices.Reverse(out)
	return slices.CompactFunc(out, func(a, b report.Step) bool { return a == b })
}

// branch words a branch that was taken.
//
//	len > 16 is true
//	kind is 3
func (m *machine) branch(a *assumption) (report.Step, bool) {
	f := a.frame.f
	step := report.Step{Pos: m.position(f, a.at)}
	x := &f.Values[a.at]
	on := f.ArgsOf(a.at)[0]
	if x.Op == ir.OpSwitch {
		name := m.spell(f, on)
		switch {
		case name == "":
			return step, false
		case a.truth == 0:
			step.Text = name + " is none of the cases"
		default:
			step.Text = name + " is " + m.spell(f, f.ArgsOf(a.at)[a.truth])
		}
		return step, true
	}
	truth := a.truth == 0
	text := m.condition(f, on, true, 0)
	if text == "" {
		return step, false
	}
	if rest, ok := strings.CutPrefix(text, "!"); ok && !strings.HasPrefix(rest, "(") {
		text, truth = rest, !truth
	}
	if f.Values[on].Loc != 0 && f.Locs[f.Values[on].Loc].Line != 0 { // where the branch is depends on the version of clang
		step.Pos = m.position(f, on)
	}
	step.Text = fmt.Sprintf("%s is %t", text, truth)
	return step, true
}

// position returns where an instruction is in the source.
func (m *machine) position(f *ir.Func, v ir.ValueID) source.Position {
	b := f.BlockOf(v)
	for i := v; b != 0 && i >= f.Blocks[b].First; i-- {
		if l := f.Values[i].Loc; l != 0 && f.Locs[l].Line != 0 {
			return source.Position{File: m.p.Files[f.FileOf(l)], Line: int(f.Locs[l].Line), Col: int(f.Locs[l].Col)}
		}
	}
	return source.Position{File: m.p.Files[f.File], Line: int(f.Line)}
}

// values words values for which the path is taken, of variables of the source.
//
//	len = 17
func (m *machine) values(v verdict) []string {
	var out []string
	for _, t := range m.pool.VarsOf(v.state.conditions()) {
		n, ok := v.model[t]
		name := m.pool.Name(t)
		bits := m.pool.Bits(t)
		if !ok || m.pool.Kind(t) != cond.Variable || bits < 8 || !isWord(name) || m.pointers[t] || !m.home[t] || !m.measured(v.state, t) {
			continue
		}
		text := fmt.Sprintf("%s = %d", name, int64(n<<(64-bits))>>(64-bits))
		if !slices.ContainsFunc(out, func(s string) bool { return strings.HasPrefix(s, name+" = ") }) && len(out) < maxValues {
			out = append(out, text)
		}
	}
	return out
}

// measured reports whether a branch asks for more of a variable than whether it is a
// certain number: then the reader may wonder which one it is.
func (m *machine) measured(s *state, t cond.Term) bool {
	for a := s.path; a != nil; a = a.prev {
		if a.term == 0 || !a.free || a.frame.depth > 0 || !slices.Contains(m.pool.Vars(a.term), t) {
			continue
		}
		c := a.term
		if m.pool.Kind(c) == cond.Negation {
			c = m.pool.Args(c)[0]
		}
		if m.pool.Kind(c) != cond.Comparison {
			continue
		}
		if _, ok := m.pool.ConstValue(m.pool.Args(c)[1]); !ok || m.pool.Pred(c) != cond.EQ {
			return true
		}
	}
	return false
}

// isWord reports whether the source spells something in a way that reads well in a
// sentence: a variable, a field.
func isWord(s string) bool {
	return s != "" && !strings.ContainsAny(s, " ()[]*&")
}
