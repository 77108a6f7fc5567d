// This file mends objects that each round of a loop makes and the next one loses.

package fix

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/edit"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/own"
)

// loopPlan releases at the end of each round what no other round needs: at the end of
// the loop's body and wherever control leaves it.
//
//	while (n > 0) {
//		s = malloc(8);
//		...
//		free(s);
//	}
func (p *planner) loopPlan(o *object, r *own.Release) (plan, bool) {
	var over *spot
	for k := range o.losses {
		s, err := p.spot(o, &o.losses[k])
		if err == nil && !s.inCallee() && s.assignment() != nil && s.makes() {
			over = s
		}
	}
	if over == nil || !o.doomed() {
		return plan{}, false
	}
	loop := over.stmt.EnclosingLoop()
	if loop == nil || loop.Sub() == nil {
		return plan{}, false
	}
	over.r = r
	h := over.f.Source(over.assignment().Children[0])
	what, ok := over.release(h)
	if !ok || !isStable(over.assignment().Children[0]) {
		return plan{}, false
	}
	x := option{what: what, how: r, where: []place{{"at the end of the loop", loop.Line}}}
	body := loop.Sub()
	texts := over.texts(what, h)
	if len(texts) == 0 {
		return plan{}, false
	}
	text := texts[0]
	edits, err := edit.After(over.f, body, text)
	if body.Kind == "CompoundStmt" {
		edits, err = edit.AtEndOf(over.f, body, text)
	}
	if err != nil {
		p.refused(o, what, x.where[0], err)
		return plan{}, false
	}
	x.edits = edits
	for _, j := range over.exits(body) {
		edits, err := edit.Before(over.f, j, text)
		if err != nil {
			return plan{}, false
		}
		x.edits = append(x.edits, edits...)
		x.where = append(x.where, place{"before the " + jumps[j.Kind], j.Line})
	}
	pl := plan{slots: [][]option{{x}}}
	return pl, true
}

// makes reports whether the statement of the loss is that which makes the object.
func (s *spot) makes() bool {
	pos := s.p.base.Leak.Position(s.o.fn, s.o.site)
	return pos.File == s.f.File && s.stmt.Contains(offsetOf(s.f, pos.Line, pos.Col))
}

// doomed reports whether every path loses the object.
func (o *object) doomed() bool {
	doomed := o.life.Doomed()
	for i := range o.life.Points {
		if o.life.Points[i].Status == leak.Live && o.life.Points[i].End == nil && !doomed[i] {
			return false
		}
	}
	return true
}

// exits lists the jumps out of a body that are taken with the object.
func (s *spot) exits(body *ast.Node) []*ast.Node {
	live := map[int]bool{} // offsets at which a path with the object branches
	f := &s.p.base.Program.Funcs[s.o.fn]
	for at, c := range s.o.life.Crossings() {
		if c.Status&(1<<leak.Live) != 0 && f.Values[at].Op == ir.OpBr {
			pos := s.p.base.Leak.Position(s.o.fn, at)
			live[offsetOf(s.f, pos.Line, pos.Col)] = true
		}
	}
	var out []*ast.Node
	body.Walk(func(n *ast.Node) bool {
		switch n.Kind {
		case "ReturnStmt", "GotoStmt":
		case "BreakStmt":
			if inner := n.Enclosing("ForStmt", "WhileStmt", "DoStmt", "CXXForRangeStmt", "SwitchStmt"); inner != nil && inner.Within(body) {
				return true
			}
		case "ContinueStmt":
			if inner := n.EnclosingLoop(); inner != nil && inner.Within(body) {
				return true
			}
		default:
			return true
		}
		if live[n.Begin] {
			out = append(out, n)
		}
		return true
	})
	slices.SortFunc(out, func(a, b *ast.Node) int { return a.Begin - b.Begin })
	return out
}
