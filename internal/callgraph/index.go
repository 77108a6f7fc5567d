// This file goes through the program once and notes where pointers are stored,
// and whose address is taken.

package callgraph

import (
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
)

// A use is an instruction of some function.
type use struct {
	fn ir.FuncID
	at ir.ValueID
}

// A pointee is the address of a global in an initialiser.
type pointee struct {
	global ir.GlobalID
	off    int64
}

// A field is what the program puts into one field of a struct, of whatever object.
type field struct {
	funcs  []ir.FuncID // by initialisers
	points []pointee   // likewise
	stores []use
}

// An index says where to look for what a pointer can be.
type index struct {
	p       *ir.Program
	whole   bool // there is a main: nobody else calls the functions of the program by name
	fields  map[ir.Step]*field
	slots   map[int64][]ir.FuncID    // what stands in virtual tables, by offset from their address point
	behind  map[place][]use          // stores through a pointer that was loaded from a place
	globals [][]use                  // by GlobalID, unless constant: stores, copies and calls that are given its address
	callers [][]use                  // by FuncID: direct calls
	taken   []bool                   // by FuncID: its address is taken
	alien   []bool                   // by FuncID: a function without a body is given its address
	bySig   map[ir.SigID][]ir.FuncID // those whose address is taken
	shapes  []shape                  // by SigID
}

// A shape is a function type, its result apart.
type shape struct{ result, params string }

// newIndex looks through initialisers and instructions.
func newIndex(p *ir.Program) *index {
	t := &index{
		p: p, fields: map[ir.Step]*field{}, slots: map[int64][]ir.FuncID{}, behind: map[place][]use{}, bySig: map[ir.SigID][]ir.FuncID{},
		globals: make([][]use, len(p.Globals)), callers: make([][]use, len(p.Funcs)),
		taken: make([]bool, len(p.Funcs)), alien: make([]bool, len(p.Funcs)), shapes: make([]shape, len(p.Sigs)),
	}
	for i, s := range p.Sigs {
		result, params, _ := strings.Cut(s, "(")
		t.shapes[i] = shape{result, params}
	}
	for i := range p.Globals {
		t.initialiser(&p.Globals[i])
	}
	for i := range p.Funcs {
		f := &p.Funcs[i]
		if f.IsDecl() || len(f.Blocks) == 0 {
			continue
		}
		t.whole = t.whole || f.Name == "main"
		for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
			t.instruction(ir.FuncID(i), f, v)
		}
	}
	for i, taken := range t.taken {
		if sig := p.Funcs[i].Sig; taken {
			t.bySig[sig] = append(t.bySig[sig], ir.FuncID(i))
		}
	}
	return t
}

func (t *index) field(step ir.Step) *field {
	x := t.fields[step]
	if x == nil {
		x = &field{}
		t.fields[step] = x
	}
	return x
}

// initialiser takes the functions and addresses in the initialiser of a global.
func (t *index) initialiser(g *ir.Global) {
	virtual := strings.HasPrefix(g.Name, "_ZTV") // the C++ ABI names virtual tables so
	point := int64(-1)                           // the address point: after the offset and the type
	for i := range g.Init {
		c := &g.Init[i]
		if c.Kind == ir.CellFunc && c.Int == 0 {
			t.taken[c.Func] = true
		} else if c.Kind != ir.CellGlobal {
			continue
		}
		if virtual {
			if c.Kind != ir.CellFunc {
				continue
			}
			// A table for several bases has several address points; each run of functions starts one.
			if i == 0 || g.Init[i-1].Kind != ir.CellFunc || g.Init[i-1].Off+uint64(t.p.PtrBits/8) != c.Off {
				point = int64(c.Off)
			}
			off := int64(c.Off) - point
			t.slots[off] = add(t.slots[off], c.Func)
			continue
		}
		step, ok := t.fieldAt(g.Struct, g.Size, c.Off)
		switch {
		case !ok:
		case c.Kind == ir.CellFunc:
			x := t.field(step)
			x.funcs = add(x.funcs, c.Func)
		default:
			x := t.field(step)
			x.points = append(x.points, pointee{c.Global, c.Int})
		}
	}
}

// instruction notes what instruction v of f says.
func (t *index) instruction(id ir.FuncID, f *ir.Func, v ir.ValueID) {
	at := use{id, v}
	x := &f.Values[v]
	args := f.ArgsOf(v)
	switch x.Op {
	case ir.OpStore:
		if val := &f.Values[args[0]]; val.Type.Kind() == ir.Ptr {
			t.store(at, f, args[1])
			t.take(f, args[0])
		}
	case ir.OpMemcpy:
		t.globalUse(at, f, args[0])
	case ir.OpCall, ir.OpInvoke, ir.OpCallBr:
		t.call(at, f, args)
	case ir.OpICmp: // compared, not called
	default:
		for _, a := range args {
			t.take(f, a)
		}
	}
}

// take notes that v, if it is a function, can get anywhere.
func (t *index) take(f *ir.Func, v ir.ValueID) {
	if f.Values[v].Op == ir.OpFuncAddr {
		t.taken[f.Values[v].Aux] = true
	}
}

func (t *index) call(at use, f *ir.Func, args []ir.ValueID) {
	callee := f.Callee(at.at)
	if callee != 0 {
		t.callers[callee] = append(t.callers[callee], at)
	}
	for _, a := range args[1:] {
		if f.Values[a].Type.Kind() != ir.Ptr {
			continue
		}
		t.take(f, a)
		if f.Values[a].Op == ir.OpFuncAddr && callee != 0 && t.p.Funcs[callee].IsDecl() {
			t.alien[f.Values[a].Aux] = true
		}
		t.globalUse(at, f, a)
	}
}

// store notes a store of a pointer.
func (t *index) store(at use, f *ir.Func, addr ir.ValueID) {
	a := t.address(f, addr)
	if a.step.Struct != 0 {
		x := t.field(a.step)
		x.stores = append(x.stores, at)
		return
	}
	switch base := &f.Values[a.base]; base.Op {
	case ir.OpGlobalAddr:
		t.globals[base.Aux] = append(t.globals[base.Aux], at)
	case ir.OpLoad:
		if p, ok := t.placeOf(f, f.ArgsOf(a.base)[0]); ok {
			t.behind[p] = append(t.behind[p], at)
		}
	}
}

// globalUse notes that an instruction is given the address of a global it may write.
func (t *index) globalUse(at use, f *ir.Func, v ir.ValueID) {
	a := t.address(f, v)
	if x := &f.Values[a.base]; a.step.Struct == 0 && x.Op == ir.OpGlobalAddr && !t.p.Globals[x.Aux].Const {
		t.globals[x.Aux] = append(t.globals[x.Aux], at)
	}
}

func add(list []ir.FuncID, f ir.FuncID) []ir.FuncID {
	if i, ok := slices.BinarySearch(list, f); !ok {
		return slices.Insert(list, i, f)
	}
	return list
}
