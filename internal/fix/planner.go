// This file holds what all objects of a run share.

package fix

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/own"
	"github.com/plumb-project/plumb/internal/source"
)

// A planner makes candidates and proves them.
type planner struct {
	ctx   context.Context
	w     World
	base  *View
	index *own.Index
	known map[finding]int // findings of the program as it is
	trees map[ir.FuncID]*tree
}

// A tree is the syntax tree of a function, or why there is none.
type tree struct {
	f   *ast.Func
	err error
}

// tree returns the syntax tree of a function.
func (p *planner) tree(id ir.FuncID) (*ast.Func, error) {
	t := p.trees[id]
	if t == nil {
		t = &tree{}
		t.f, t.err = p.parse(id)
		p.trees[id] = t
	}
	return t.f, t.err
}

func (p *planner) parse(id ir.FuncID) (*ast.Func, error) {
	f := &p.base.Program.Funcs[id]
	file := p.base.Program.Files[f.File]
	if err := p.w.Editable(file); err != nil {
		return nil, err
	}
	cmd, err := p.w.Command(id)
	if err != nil {
		return nil, err
	}
	u, err := ast.Load(p.ctx, cmd, p.w.Read, []ast.Want{{Name: f.SourceName(), File: file, Line: int(f.Line)}})
	if err != nil {
		return nil, err
	}
	return u.Funcs[0], u.Errs[0]
}

// functionAt returns the function whose body a position is in, or 0.
func (p *planner) functionAt(pos source.Position) ir.FuncID {
	best, line := ir.FuncID(0), uint32(0)
	for id := ir.FuncID(1); int(id) < len(p.base.Program.Funcs); id++ {
		f := &p.base.Program.Funcs[id]
		if !f.IsDecl() && p.base.Program.Files[f.File] == pos.File && f.Line >= line && int(f.Line) <= pos.Line {
			best, line = id, f.Line
		}
	}
	return best
}

// where spells a position for a reason.
//
//	parse.c:41
func (p *planner) where(pos source.Position) string {
	return fmt.Sprintf("%s:%d", filepath.Base(pos.File), pos.Line)
}
