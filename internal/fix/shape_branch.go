// This file mends objects that are lost where paths meet: on some of them it was
// released, on others not. The release goes to the end of the branches that lose it.

package fix

import (
	"cmp"
	"slices"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/edit"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/patch"
)

// An edge is a way out of a block.
type edge struct {
	block ir.BlockID
	succ  int
}

// atBranchEnds releases on the last edges on which all paths lose the object, before
// it meets paths that do not.
//
//	if (o->close)
//		o->close(h);
//	else
//		free(h);
func atBranchEnds(s *spot) []option {
	if s.inCallee() {
		return nil
	}
	edges, holders := s.lastEdges()
	if len(edges) == 0 {
		return nil
	}
	var out []option
	for _, h := range holders {
		what, ok := s.release(h)
		if !ok {
			continue
		}
		for _, text := range s.texts(what, h) {
			x := option{what: what, how: s.r}
			var failed error
			for _, e := range edges {
				edits, where, err := s.onEdge(e, text)
				if err != nil {
					failed = err
					break
				}
				for _, d := range edits {
					if !slices.Contains(x.edits, d) {
						x.edits = append(x.edits, d)
					}
				}
				if !slices.Contains(x.where, where) {
					x.where = append(x.where, where)
				}
			}
			if failed != nil {
				s.p.refused(s.o, what, place{"where it is lost", s.loss.Pos.Line}, failed)
				continue
			}
			out = append(out, x)
		}
	}
	return out
}

// lastEdges lists the edges on which the object is dead whatever path was taken, and
// behind which it is not, on the way to the loss; and how it can be named on all of
// them.
func (s *spot) lastEdges() ([]edge, []string) {
	life := s.o.life
	f := &s.p.base.Program.Funcs[s.o.fn]
	dead := life.Dead()
	leads := s.leading()
	pure := map[edge]bool{}       // all that comes by there is dead
	into := map[ir.BlockID]bool{} // and so is all that comes into the block
	and := func(was, known, is bool) bool { return is && (was || !known) }
	var holders []leak.Holder
	named := false
	for i := range life.Points {
		for _, m := range life.Points[i].Out {
			if m.Succ == 0 || !isThere(&life.Points[m.To]) {
				continue
			}
			e := edge{life.Points[i].Block, m.Succ}
			to := f.SuccsOf(e.block)[e.succ-1]
			was, known := pure[e]
			pure[e] = and(was, known, dead[m.To] && leads[m.To])
			was, known = into[to]
			into[to] = and(was, known, dead[m.To] && leads[m.To])
		}
	}
	var out []edge
	for e, ok := range pure {
		if ok && !into[f.SuccsOf(e.block)[e.succ-1]] { // or the next one will do
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b edge) int { return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.succ, b.succ)) })
	for i := range life.Points {
		for _, m := range life.Points[i].Out {
			if m.Succ == 0 || !isThere(&life.Points[m.To]) || !slices.Contains(out, edge{life.Points[i].Block, m.Succ}) {
				continue
			}
			hs := life.Points[m.To].Holders
			if !named {
				named, holders = true, slices.Clone(hs)
			}
			holders = slices.DeleteFunc(holders, func(h leak.Holder) bool { return !slices.Contains(hs, h) })
		}
	}
	return out, namesOf(holders)
}

// isThere reports whether a point is about an object that something refers to: not
// about one that is not made yet, or that another round of a loop was done with.
func isThere(p *leak.Point) bool { return p.Status == leak.Live || len(p.Holders) > 0 }

// leading reports for each point whether the loss can follow.
func (s *spot) leading() []bool {
	points := s.o.life.Points
	preds := make([][]int, len(points))
	for i := range points {
		for _, m := range points[i].Out {
			preds[m.To] = append(preds[m.To], i)
		}
	}
	out := make([]bool, len(points))
	work := slices.Clone(s.loss.Ends)
	for _, i := range work {
		out[i] = true
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range preds[n] {
			if !out[p] {
				out[p] = true
				work = append(work, p)
			}
		}
	}
	return out
}

// onEdge puts text onto an edge.
func (s *spot) onEdge(e edge, text string) ([]patch.Edit, place, error) {
	f := &s.p.base.Program.Funcs[s.o.fn]
	pos := s.p.base.Leak.Position(s.o.fn, f.Terminator(e.block))
	n := s.f.At(pos.Line, pos.Col)
	stmt := s.f.StmtAt(pos.Line, pos.Col)
	if n == nil || stmt == nil {
		return nil, place{}, &edit.Refusal{Why: "there is no statement at " + s.p.where(pos)}
	}
	if len(f.SuccsOf(e.block)) == 1 {
		switch {
		case jumps[stmt.Kind] != "":
			edits, err := edit.Before(s.f, stmt, text)
			return edits, place{"before the " + jumps[stmt.Kind], stmt.Line}, err
		case stmt.Kind == "CompoundStmt":
			edits, err := edit.AtEndOf(s.f, stmt, text)
			return edits, place{"at the end of the block", stmt.Line}, err
		}
		edits, err := edit.After(s.f, stmt, text)
		return edits, place{"after the statement", stmt.Line}, err
	}
	for ; n != nil; n = n.Parent {
		c := n.Cond()
		if c == nil || !c.Contains(offsetOf(s.f, pos.Line, pos.Col)) {
			continue
		}
		switch {
		case n.Kind == "IfStmt" && n.Else() == nil:
			edits, err := edit.AsElseOf(s.f, n, text)
			return edits, place{"in an else of the if", n.Line}, err
		case n.IsLoop():
			edits, err := edit.After(s.f, n, text)
			return edits, place{"after the loop", n.Line}, err
		}
		break
	}
	return nil, place{}, &edit.Refusal{Why: "no text belongs to the branch at " + s.p.where(pos)}
}

func offsetOf(f *ast.Func, line, col int) int {
	off, _ := f.Text.Offset(line, col)
	return off
}
