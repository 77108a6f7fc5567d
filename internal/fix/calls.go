// This file leads from calls in the text to calls in the program.

package fix

import (
	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/source"
)

// view answers questions about calls of the program as it is.
func (p *planner) view() *leak.View {
	if p.asked == nil {
		p.asked = p.base.Leak.View()
	}
	return p.asked
}

// position is where a node begins.
func (s *spot) position(n *ast.Node) source.Position {
	return source.Position{File: s.f.File, Line: n.Line, Col: n.Col}
}

// callAt returns the call that a node is in the program; 0 if it is none.
func (s *spot) callAt(n *ast.Node) (ir.FuncID, ir.ValueID) {
	return s.fn, callIn(s.p.base.Program, s.fn, s.position(n), n.Callee())
}

// callIn finds the call of a function at a position. Several may begin there; then
// the name of the callee decides.
func callIn(prog *ir.Program, id ir.FuncID, pos source.Position, name string) ir.ValueID {
	f := &prog.Funcs[id]
	found := ir.ValueID(0)
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		l := f.Values[v].Loc
		if !f.Values[v].Op.IsCall() || l == 0 || int(f.Locs[l].Line) != pos.Line || int(f.Locs[l].Col) != pos.Col || prog.Files[f.FileOf(l)] != pos.File {
			continue
		}
		if c := f.Callee(v); c != 0 && name != "" && prog.Funcs[c].SourceName() == name {
			return v
		}
		if found == 0 {
			found = v
		}
	}
	return found
}
