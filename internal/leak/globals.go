// This file finds globals that nobody writes.

package leak

import "github.com/plumb-project/plumb/internal/ir"

// constants returns the value of each integer global that no function writes or
// takes the address of: it is what its initialiser says, const or not.
func constants(p *ir.Program) map[ir.GlobalID]int64 {
	open := make([]bool, len(p.Globals)) // something else than a load may reach it
	for i := range p.Globals {
		for _, c := range p.Globals[i].Init {
			open[c.Global] = true
		}
	}
	for i := range p.Funcs {
		f := &p.Funcs[i]
		for v := range f.Values {
			for k, a := range f.ArgsOf(ir.ValueID(v)) {
				if x := &f.Values[a]; x.Op == ir.OpGlobalAddr && (f.Values[v].Op != ir.OpLoad || k != 0) {
					open[x.Aux] = true
				}
			}
		}
	}
	out := map[ir.GlobalID]int64{}
	for i := 1; i < len(p.Globals); i++ {
		g := &p.Globals[i]
		if open[i] || g.Decl || g.Type.Kind() != ir.Int || g.Linkage == ir.Weak || len(g.Init) > 1 {
			continue
		}
		n := int64(0)
		if len(g.Init) == 1 {
			if g.Init[0].Kind != ir.CellInt {
				continue
			}
			n = g.Init[0].Int
		}
		out[ir.GlobalID(i)] = n
	}
	return out
}
