// This file mends objects right behind their last use, as AutoFix does: on every path
// that loses them, and on no other.

package fix

import (
	"cmp"
	"slices"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/edit"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/own"
	"github.com/plumb-project/plumb/internal/patch"
)

// lastUsePlan releases where the object begins to be dead: behind the statement that
// uses it last, or at the beginning of the branch that does not save it.
//
//	if (done < 0) {
//		freeaddrinfo(list);
//		continue;
//	}
func (p *planner) lastUsePlan(o *object, r *own.Release) (plan, bool) {
	s, err := p.spot(o, &o.losses[0])
	if err != nil || s.inCallee() || !p.declared(s.f, r) {
		return plan{}, false
	}
	s.r = r
	cuts, ok := firstDead(o.life)
	if !ok {
		return plan{}, false
	}
	var holders []leak.Holder
	for i, c := range cuts {
		hs := o.life.Points[o.life.Points[c.From].Out[c.Move].To].Holders
		if i == 0 {
			holders = slices.Clone(hs)
		}
		holders = slices.DeleteFunc(holders, func(h leak.Holder) bool { return !slices.Contains(hs, h) })
	}
	var opts []option
	for _, h := range namesOf(holders) {
		what, ok := s.release(h)
		if !ok {
			continue
		}
		for _, text := range s.texts(what, h) {
			x := option{what: what, how: r}
			ok := true
			for _, c := range cuts {
				edits, where, err := s.atCut(c, text)
				if err != nil {
					p.refused(o, what, where, err)
					ok = false
					break
				}
				for _, e := range edits {
					if !slices.Contains(x.edits, e) {
						x.edits = append(x.edits, e)
					}
				}
				if !slices.Contains(x.where, where) {
					x.where = append(x.where, where)
				}
			}
			if ok && len(x.edits) > 0 {
				opts = append(opts, x)
			}
		}
	}
	if len(opts) == 0 {
		return plan{}, false
	}
	return plan{slots: [][]option{opts}}, true
}

// firstDead lists the moves, one for each place, by which paths come to places where
// the object is dead whatever path was taken. It reports whether no path loses the
// object without coming by one.
func firstDead(l *leak.Life) (cuts []leak.Cut, ok bool) {
	type location struct {
		block ir.BlockID
		at    ir.ValueID
	}
	dead := l.Dead()
	all := map[location]bool{}
	for i := range l.Points {
		p := &l.Points[i]
		if p.End != nil || !isThere(p) {
			continue
		}
		k := location{p.Block, p.At}
		was, known := all[k]
		all[k] = dead[i] && (was || !known)
	}
	type way struct {
		from location
		succ int
	}
	ways := map[way]bool{}
	seen := make([]bool, len(l.Points))
	for work := []int{0}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		p := &l.Points[i]
		if p.End != nil && p.End.Kind == leak.EndLost {
			return nil, false
		}
		for k, m := range p.Out {
			to := &l.Points[m.To]
			if !isThere(to) || !all[location{to.Block, to.At}] || to.End != nil {
				work = append(work, m.To)
				continue
			}
			if w := (way{location{p.Block, p.At}, m.Succ}); !ways[w] {
				ways[w] = true
				cuts = append(cuts, leak.Cut{From: i, Move: k})
			}
		}
	}
	slices.SortFunc(cuts, func(a, b leak.Cut) int {
		return cmp.Or(cmp.Compare(l.Points[a.From].At, l.Points[b.From].At), cmp.Compare(a.Move, b.Move))
	})
	return cuts, true
}

// atCut puts text where the object begins to be dead.
func (s *spot) atCut(c leak.Cut, text string) ([]patch.Edit, place, error) {
	from := &s.o.life.Points[c.From]
	move := from.Out[c.Move]
	f := &s.p.base.Program.Funcs[s.o.fn]
	pos := s.p.base.Leak.Position(s.o.fn, from.At)
	stmt := s.f.StmtAt(pos.Line, pos.Col)
	if stmt == nil {
		return nil, place{"there", pos.Line}, &edit.Refusal{Why: "there is no statement at " + s.p.where(pos)}
	}
	where := place{"after the statement", stmt.Line}
	if move.Succ == 0 {
		if !isSimple(stmt) {
			return nil, where, &edit.Refusal{Why: "it is used in the head of a statement"}
		}
		edits, err := edit.After(s.f, stmt, text)
		return edits, where, err
	}
	succs := f.SuccsOf(from.Block)
	if len(succs) == 1 {
		return s.onEdge(edge{from.Block, move.Succ}, text)
	}
	first := s.first(succs[move.Succ-1])
	for n := s.f.At(pos.Line, pos.Col); n != nil; n = n.Parent {
		if n.Kind != "IfStmt" || n.Cond() == nil || !n.Cond().Contains(offsetOf(s.f, pos.Line, pos.Col)) {
			continue
		}
		for _, b := range []*ast.Node{n.Then(), n.Else()} {
			if b == nil || first < 0 || !b.Contains(first) {
				continue
			}
			if b.Kind == "CompoundStmt" {
				if len(b.Children) == 0 {
					edits, err := edit.AtEndOf(s.f, b, text)
					return edits, place{"in the block", b.Line}, err
				}
				b = b.Children[0]
			}
			edits, err := edit.Before(s.f, b, text)
			return edits, place{"before the statement", b.Line}, err
		}
		if n.Else() == nil {
			edits, err := edit.AsElseOf(s.f, n, text)
			return edits, place{"in an else of the if", n.Line}, err
		}
		break
	}
	return s.onEdge(edge{from.Block, move.Succ}, text)
}

// first returns the offset of the first instruction of a block that has a place in
// the source; -1 if none has.
func (s *spot) first(b ir.BlockID) int {
	f := &s.p.base.Program.Funcs[s.o.fn]
	for v := f.Blocks[b].First; v < f.Blocks[b].End; v++ {
		if l := f.Values[v].Loc; l != 0 && f.Locs[l].Line != 0 && f.Values[v].Op != ir.OpPhi {
			return offsetOf(s.f, int(f.Locs[l].Line), int(f.Locs[l].Col))
		}
	}
	return -1
}

// isSimple reports whether a statement is over when its expression is: control goes
// on to the next one.
func isSimple(n *ast.Node) bool {
	switch n.Kind {
	case "IfStmt", "ForStmt", "WhileStmt", "DoStmt", "SwitchStmt", "CompoundStmt", "CXXForRangeStmt", "CXXTryStmt":
		return false
	}
	return jumps[n.Kind] == "" && !n.IsLabel()
}
