// This file looks through a program once for what slices ask.

package slice

import (
	"strings"

	"github.com/plumb-project/plumb/internal/callgraph"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/source"
)

// A use is an instruction of a function.
type use struct {
	fn ir.FuncID
	at ir.ValueID
}

// A place is memory with one name in all functions: a global, or a field of all
// objects of its type, or what a pointer there points to.
type place struct {
	step   ir.Step
	global ir.GlobalID
	behind bool
}

// A line is a line of a file.
type line struct {
	file string
	n    int
}

func lineOf(p source.Position) line { return line{p.File, p.Line} }

// An index says where things are.
type index struct {
	calls   map[source.Position][]use
	lines   map[line][]ir.FuncID // functions that have code there
	loads   map[place][]use
	types   map[string][]ir.FuncID // functions with variables of a struct type, or pointers to it
	callers map[ir.FuncID][]use    // also by calls through pointers
}

func newIndex(p *ir.Program, calls *callgraph.Graph) *index {
	x := &index{calls: map[source.Position][]use{}, lines: map[line][]ir.FuncID{}, loads: map[place][]use{},
		types: map[string][]ir.FuncID{}, callers: map[ir.FuncID][]use{}}
	for id := ir.FuncID(1); int(id) < len(p.Funcs); id++ {
		if !p.Funcs[id].IsDecl() {
			x.function(p, id)
		}
	}
	for i := range calls.Calls {
		c := &calls.Calls[i]
		for callee := range c.All() {
			x.callers[callee] = append(x.callers[callee], use{c.Caller, c.Site})
		}
	}
	return x
}

func (x *index) function(p *ir.Program, id ir.FuncID) {
	f := &p.Funcs[id]
	for v := ir.ValueID(1); int(v) < len(f.Values); v++ {
		switch op := f.Values[v].Op; {
		case op.IsCall():
			at := positionOf(p, f, f.Values[v].Loc)
			x.calls[at] = append(x.calls[at], use{id, v})
		case op == ir.OpLoad && f.Values[v].Type.Bytes() >= 4: // pointers, also as integers
			if pl, ok := placeOf(p, f, f.ArgsOf(v)[0]); ok {
				x.loads[pl] = append(x.loads[pl], use{id, v})
			}
		}
	}
	for l := 1; l < len(f.Locs); l++ {
		at := lineOf(positionOf(p, f, ir.LocID(l)))
		if list := x.lines[at]; len(list) == 0 || list[len(list)-1] != id {
			x.lines[at] = append(list, id)
		}
	}
	for i := 1; i < len(f.Vars); i++ {
		name := structName(f.Vars[i].Type)
		if list := x.types[name]; name != "" && (len(list) == 0 || list[len(list)-1] != id) {
			x.types[name] = append(list, id)
		}
	}
}

// placeOf returns the place that an address of f is of, if it has the same name
// everywhere.
func placeOf(p *ir.Program, f *ir.Func, addr ir.ValueID) (place, bool) {
	step, base := callgraph.PlaceOf(p, f, addr)
	if step.Struct != 0 {
		return place{step: step}, true
	}
	switch b := &f.Values[base]; b.Op {
	case ir.OpGlobalAddr:
		return place{global: ir.GlobalID(b.Aux)}, true
	case ir.OpLoad:
		step, base := callgraph.PlaceOf(p, f, f.ArgsOf(base)[0])
		if step.Struct != 0 {
			return place{step: step, behind: true}, true
		}
		if g := &f.Values[base]; g.Op == ir.OpGlobalAddr {
			return place{global: ir.GlobalID(g.Aux), behind: true}, true
		}
	}
	return place{}, false
}

// structName is the struct of a variable's type: "struct cfg *" is of cfg.
func structName(typ string) string {
	typ = strings.TrimRight(typ, " *&[]0123456789")
	for _, word := range []string{"const ", "volatile ", "struct ", "union ", "class "} {
		typ = strings.TrimPrefix(typ, word)
	}
	return typ
}
