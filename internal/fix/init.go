// This file gives variables a value from the start, where a release needs that.

package fix

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/edit"
)

// initialise makes, of options that failed because a variable may have no value yet,
// options with a value, and puts them next.
func (p *planner) initialise(c *candidate, unset map[int]string) {
	pl := &c.o.plans[c.o.at]
	for s, name := range unset {
		x := c.options[s]
		if x.init != "" {
			continue
		}
		f, err := p.tree(c.o.fn)
		if err != nil {
			return
		}
		v := declared(f, name)
		if v == nil {
			continue
		}
		null, err := f.Unit.Null(p.ctx, f.Text)
		if err != nil {
			return
		}
		edits, err := edit.Initialise(f, v, null)
		if err != nil {
			continue
		}
		x.edits = append(slices.Clone(edits), x.edits...)
		x.init = name
		k := pl.choice[s] + 1
		pl.slots[s] = slices.Insert(slices.Clone(pl.slots[s]), k, x)
	}
}

// declared returns the only variable of a function with a name.
func declared(f *ast.Func, name string) *ast.Node {
	var found *ast.Node
	n := 0
	f.Body.Walk(func(x *ast.Node) bool {
		if x.Kind == "VarDecl" && x.Name == name {
			found, n = x, n+1
		}
		return true
	})
	if n != 1 {
		return nil
	}
	return found
}
