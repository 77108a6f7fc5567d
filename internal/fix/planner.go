// This file holds what all objects of a run share.

package fix

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/own"
	"github.com/plumb-project/plumb/internal/source"
)

// A planner makes candidates and proves them.
type planner struct {
	ctx   context.Context
	w     World
	base  *View
	index *own.Index
	asked *leak.View      // nil until asked
	known map[finding]int // findings of the program as it is
	trees map[ir.FuncID]*tree

	lostAt map[source.Position]int // how many objects are lost there
	listen func(string)            // hears of what fails; nil for nobody
}

// A tree is the syntax tree of a function, or why there is none.
type tree struct {
	f   *ast.Func
	err error
}

// tree returns the syntax tree of a function.
func (p *planner) tree(id ir.FuncID) (*ast.Func, error) {
	if p.trees[id] == nil {
		p.parse([]ir.FuncID{id})
	}
	return p.trees[id].f, p.trees[id].err
}

// parseAll makes the trees of all functions that objects are made or lost in: units
// are parsed once.
func (p *planner) parseAll(objs []*object) {
	byUnit := map[ir.UnitID][]ir.FuncID{}
	for _, o := range objs {
		if o.failed != "" {
			continue
		}
		ids := []ir.FuncID{o.fn}
		for i := range o.losses {
			ids = append(ids, p.functionOf(o.losses[i].Pos, o.fn))
		}
		for _, id := range ids {
			u := p.base.Program.Funcs[id].Unit
			if id != 0 && !slices.Contains(byUnit[u], id) {
				byUnit[u] = append(byUnit[u], id)
			}
		}
	}
	for _, u := range slices.Sorted(maps.Keys(byUnit)) {
		p.parse(byUnit[u])
	}
}

// parse makes the trees of functions of one unit.
func (p *planner) parse(ids []ir.FuncID) {
	var wants []ast.Want
	var wanted []*tree
	for _, id := range ids {
		t := &tree{}
		p.trees[id] = t
		f := &p.base.Program.Funcs[id]
		file := p.base.Program.Files[f.File]
		if t.err = p.w.Editable(file); t.err == nil {
			wants = append(wants, ast.Want{Name: f.SourceName(), File: file, Line: int(f.Line)})
			wanted = append(wanted, t)
		}
	}
	if len(wants) == 0 {
		return
	}
	cmd, err := p.w.Command(ids[0])
	var u *ast.Unit
	if err == nil {
		u, err = ast.Load(p.ctx, cmd, p.w.Read, wants)
	}
	for i, t := range wanted {
		if t.err = err; err == nil {
			t.f, t.err = u.Funcs[i], u.Errs[i]
		}
	}
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

// functionOf is functionAt for a position that concerns function near: a function of
// a header may be there several times, once for each unit.
func (p *planner) functionOf(pos source.Position, near ir.FuncID) ir.FuncID {
	id := p.functionAt(pos)
	if f, g := &p.base.Program.Funcs[id], &p.base.Program.Funcs[near]; f.File == g.File && f.Line == g.Line {
		return near
	}
	return id
}

// where spells a position for a reason.
//
//	parse.c:41
func (p *planner) where(pos source.Position) string {
	return fmt.Sprintf("%s:%d", filepath.Base(pos.File), pos.Line)
}
