// This file answers what those ask of a life who look for a place to end it.

package leak

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// A Loss is one place at which the object is lost.
type Loss struct {
	At     ir.ValueID // the instruction that loses it, or that stands for the return statement
	Kind   report.Kind
	Pos    source.Position
	Text   string
	Points []int // where it is still live, right before
	Ends   []int // where paths end that lose it there
}

// Losses lists where the object is lost, in the order of the program.
func (l *Life) Losses() []Loss {
	type key struct {
		at   ir.ValueID
		kind report.Kind
		pos  source.Position
	}
	preds := l.preds()
	found := map[key]*Loss{}
	for i := range l.Points {
		e := l.Points[i].End
		if e == nil || e.Kind != EndLost {
			continue
		}
		k := key{e.At, e.What, e.Loss}
		x := found[k]
		if x == nil {
			x = &Loss{At: e.At, Kind: e.What, Pos: e.Loss, Text: e.Text}
			found[k] = x
		}
		x.Ends = append(x.Ends, i)
		for _, p := range l.lastLive(i, preds) {
			if !slices.Contains(x.Points, p) {
				x.Points = append(x.Points, p)
			}
		}
	}
	keys := slices.SortedFunc(maps.Keys(found), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.at, b.at), a.pos.Compare(b.pos), cmp.Compare(a.kind, b.kind))
	})
	var out []Loss
	for _, k := range keys {
		slices.Sort(found[k].Points)
		out = append(out, *found[k])
	}
	return out
}

// lastLive returns the last points before point i at which the object is not lost yet.
func (l *Life) lastLive(i int, preds [][]int) []int {
	var out []int
	seen := map[int]bool{i: true}
	for work := []int{i}; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range preds[n] {
			switch {
			case seen[p]:
				continue
			case l.Points[p].Status != Lost:
				out = append(out, p)
			default:
				work = append(work, p)
			}
			seen[p] = true
		}
	}
	return out
}

func (l *Life) preds() [][]int {
	preds := make([][]int, len(l.Points))
	for i := range l.Points {
		for _, m := range l.Points[i].Out {
			preds[m.To] = append(preds[m.To], i)
		}
	}
	return preds
}

// before returns which points a path leads from to one of those that is holds for.
func (l *Life) before(is func(i int) bool) []bool {
	preds := l.preds()
	out := make([]bool, len(l.Points))
	var work []int
	for i := range l.Points {
		if is(i) {
			out[i], work = true, append(work, i)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range preds[n] {
			if !out[p] {
				out[p], work = true, append(work, p)
			}
		}
	}
	return out
}

// Leaky returns, by point, whether a path from there loses the object.
func (l *Life) Leaky() []bool {
	return l.before(func(i int) bool { e := l.Points[i].End; return e != nil && e.Kind == EndLost })
}

// Doomed returns, by point, whether the function has the object and every path from
// there loses it or ends the process, and one loses it.
func (l *Life) Doomed() []bool {
	leaky := l.Leaky()
	saved := l.before(func(i int) bool {
		p := &l.Points[i]
		return p.Status == Released || p.Status == Kept || p.End != nil && p.End.Kind != EndLost && p.End.Kind != EndExit
	})
	out := make([]bool, len(l.Points))
	for i := range out {
		out[i] = leaky[i] && !saved[i] && l.Points[i].Status == Live
	}
	return out
}

// Needed returns, by point, whether the object may still be read, written or passed
// from there on, but for what loses it.
func (l *Life) Needed() []bool {
	return l.before(func(i int) bool { return slices.ContainsFunc(l.Points[i].Out, l.needs) })
}

func (l *Life) needs(m Move) bool { return m.Use.Needs() && l.Points[m.To].Status != Lost }

// Dead returns, by point, whether the object could be released there: every path
// from there loses it, and none needs it any more.
func (l *Life) Dead() []bool {
	out, needed := l.Doomed(), l.Needed()
	for i := range out {
		out[i] = out[i] && !needed[i]
	}
	return out
}

// A Cut is a move onto which the object is dead: from a point at which it may still
// be needed, or saved.
type Cut struct{ From, Move int }

// Frontier lists where the object begins to be dead.
func (l *Life) Frontier() []Cut {
	dead := l.Dead()
	var out []Cut
	for i := range l.Points {
		for k, m := range l.Points[i].Out {
			if dead[m.To] && !dead[i] {
				out = append(out, Cut{i, k})
			}
		}
	}
	return out
}

// LastUses lists the instructions that use the object last on paths that lose it.
func (l *Life) LastUses() []ir.ValueID {
	doomed, needed := l.Doomed(), l.Needed()
	var out []ir.ValueID
	for i := range l.Points {
		for _, m := range l.Points[i].Out {
			if v := l.Points[i].At; l.needs(m) && doomed[m.To] && !needed[m.To] && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	slices.Sort(out)
	return out
}

// A Crossing is what comes by at one place of the program, on all paths.
type Crossing struct {
	Status  uint8    // a set of 1<<Status
	Dead    bool     // the object is dead in all points at which it is live
	Doomed  bool     // and doomed
	Holders []Holder // what holds it in all of these
}

// Only reports whether nothing but these comes by.
func (c Crossing) Only(s ...Status) bool {
	var set uint8
	for _, x := range s {
		set |= 1 << x
	}
	return c.Status&^set == 0
}

// Crossings returns what comes by before each instruction, on paths that come by the
// allocation.
func (l *Life) Crossings() map[ir.ValueID]Crossing {
	dead, doomed := l.Dead(), l.Doomed()
	out := map[ir.ValueID]Crossing{}
	for i := range l.Points {
		p := &l.Points[i]
		if p.End != nil {
			continue // which is the point before once more
		}
		c, ok := out[p.At]
		if !ok {
			c.Dead, c.Doomed = true, true
		}
		if p.Status == Live {
			if c.Status&(1<<Live) == 0 {
				c.Holders = p.Holders
			} else {
				c.Holders = slices.DeleteFunc(slices.Clone(c.Holders), func(h Holder) bool { return !slices.Contains(p.Holders, h) })
			}
			c.Dead, c.Doomed = c.Dead && dead[i], c.Doomed && doomed[i]
		}
		c.Status |= 1 << p.Status
		out[p.At] = c
	}
	return out
}

// Print writes the life in the order of the program, one line for each place where
// something changes.
func (l *Life) Print(out io.Writer, pos func(ir.ValueID) source.Position) error {
	dead, doomed := l.Dead(), l.Doomed()
	type line struct {
		at   ir.ValueID
		text string
	}
	var lines []line
	for i := range l.Points {
		p := &l.Points[i]
		if p.Status == NotMade {
			continue
		}
		var names []string
		for _, h := range p.Holders {
			name := cmp.Or(h.Name, "?")
			if h.Inside {
				name += "+"
			}
			names = append(names, name)
		}
		text := p.Status.String()
		if len(names) > 0 {
			text += " in " + strings.Join(names, ", ")
		}
		switch {
		case p.Status == Live && dead[i]:
			text += "; dead"
		case p.Status == Live && doomed[i]:
			text += "; doomed"
		}
		if p.End != nil {
			text += "; " + p.End.Kind.String()
			if p.End.Text != "" {
				text += ": " + p.End.Text
			}
		}
		lines = append(lines, line{p.At, fmt.Sprintf("%d:%d: %s", pos(p.At).Line, pos(p.At).Col, text)})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.at, b.at) })
	last := ""
	for _, x := range lines {
		if x.text == last {
			continue
		}
		last = x.text
		if _, err := fmt.Fprintln(out, x.text); err != nil {
			return err
		}
	}
	return nil
}
