// This file leads from a loss to the statement that it is in.

package fix

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/guard"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/own"
	"github.com/plumb-project/plumb/internal/patch"
)

// A spot is a loss in the source, with the release that is to be put in.
type spot struct {
	p    *planner
	o    *object
	loss *leak.Loss
	r    *own.Release
	g    *guard.Guard // the release is to be checked when the program runs; nil if not

	fn      ir.FuncID     // the function that the loss is written in: that of the object, or one that it calls
	f       *ast.Func     // and its tree
	stmt    *ast.Node     // the statement of the loss; a block when it is its end
	holders []leak.Holder // what holds the object right before on all paths, in the object's function
}

// spot finds where a loss is written.
func (p *planner) spot(o *object, l *leak.Loss) (*spot, error) {
	s := &spot{p: p, o: o, loss: l, fn: o.fn}
	if id := p.functionOf(l.Pos, o.fn); id != 0 {
		s.fn = id
	}
	var err error
	if s.f, err = p.tree(s.fn); err != nil {
		return nil, err
	}
	if s.stmt = s.f.StmtAt(l.Pos.Line, l.Pos.Col); s.stmt == nil {
		return nil, fmt.Errorf("there is no statement at %s", p.where(l.Pos))
	}
	for i, k := range l.Points {
		hs := o.life.Points[k].Holders
		if i == 0 {
			s.holders = slices.Clone(hs)
			continue
		}
		s.holders = slices.DeleteFunc(s.holders, func(h leak.Holder) bool { return !slices.Contains(hs, h) })
	}
	return s, nil
}

// inCallee reports whether the loss is in another function than that of the object.
func (s *spot) inCallee() bool { return s.fn != s.o.fn }

// names lists how the object can be written where it is lost, variables first.
func (s *spot) names() []string { return namesOf(s.holders) }

// namesOf lists the names of holders that point to the start of the object.
func namesOf(holders []leak.Holder) []string {
	var out []string
	for _, h := range holders {
		if h.Name != "" && !h.Inside && !h.Many && !slices.Contains(out, h.Name) {
			out = append(out, h.Name)
		}
	}
	return out
}

// release spells the release of what an expression holds.
func (s *spot) release(holder string) (string, bool) {
	if s.r.Form == own.OfPointer && s.isConst(holder) {
		holder = "(void *)" + holder
	}
	if lines, ok := s.r.Lines(holder); ok && len(lines) > 1 {
		return strings.Join(lines, " and "), true
	}
	return s.r.Text(holder)
}

// isConst reports whether an expression points to what is const, so that it cannot be
// released as it is.
func (s *spot) isConst(holder string) bool {
	typ := ""
	if v := s.f.Lookup(s.stmt, holder); v != nil {
		typ = v.Type
	} else {
		s.f.Body.Walk(func(n *ast.Node) bool {
			if typ == "" && n.Kind == "MemberExpr" && s.f.Source(n) == holder {
				typ = n.Type
			}
			return typ == ""
		})
	}
	to, ok := strings.CutSuffix(strings.TrimSpace(typ), "*")
	return ok && !s.f.Unit.CXX && !strings.Contains(to, "*") && slices.Contains(strings.Fields(to), "const")
}

// option makes an option of edits, if they could be made.
func (s *spot) option(what string, where place, edits []patch.Edit, err error) []option {
	if err != nil {
		s.p.refused(s.o, what, where, err)
		return nil
	}
	return []option{{what: what, where: []place{where}, edits: edits, how: s.r}}
}
