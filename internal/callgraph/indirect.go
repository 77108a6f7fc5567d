// This file resolves calls through pointers: what was stored in the same field of
// the same struct anywhere in the program, or in the same slot of a virtual table.

package callgraph

import (
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
)

// maxTargets is how many functions a call through a pointer may lead to before
// it counts as unresolved.
const maxTargets = 8

// A pointers holds the functions that each place for a function pointer can hold.
type pointers struct {
	p      *ir.Program
	fields map[ir.Step][]ir.FuncID // what was stored in a field
	slots  map[int64][]ir.FuncID   // what stands in virtual tables, by offset from their address point
	open   map[ir.Step]bool        // fields into which something else was stored too
}

// findPointers looks through initialisers and stores.
func findPointers(p *ir.Program) *pointers {
	t := &pointers{p: p, fields: map[ir.Step][]ir.FuncID{}, slots: map[int64][]ir.FuncID{}, open: map[ir.Step]bool{}}
	for i := range p.Globals {
		t.fromGlobal(&p.Globals[i])
	}
	for i := range p.Funcs {
		if f := &p.Funcs[i]; !f.IsDecl() && len(f.Blocks) > 0 {
			t.fromStores(f)
		}
	}
	return t
}

func add(list []ir.FuncID, f ir.FuncID) []ir.FuncID {
	if i, ok := slices.BinarySearch(list, f); !ok {
		return slices.Insert(list, i, f)
	}
	return list
}

// fromGlobal takes the functions in an initialiser.
func (t *pointers) fromGlobal(g *ir.Global) {
	virtual := strings.HasPrefix(g.Name, "_ZTV") // the C++ ABI names virtual tables so
	point := int64(-1)                           // the address point: after the offset and the type
	for i := range g.Init {
		c := &g.Init[i]
		if c.Kind != ir.CellFunc || c.Int != 0 {
			continue
		}
		if virtual {
			// A table for several bases has several address points; each run of functions starts one.
			if i == 0 || g.Init[i-1].Kind != ir.CellFunc || g.Init[i-1].Off+uint64(t.p.PtrBits/8) != c.Off {
				point = int64(c.Off)
			}
			off := int64(c.Off) - point
			t.slots[off] = add(t.slots[off], c.Func)
			continue
		}
		if step, ok := t.fieldAt(g.Struct, g.Size, c.Off); ok {
			t.fields[step] = add(t.fields[step], c.Func)
		}
	}
}

// fieldAt returns the innermost field at an offset into a struct, or an array of it.
func (t *pointers) fieldAt(id ir.StructID, size, off uint64) (ir.Step, bool) {
	var step ir.Step
	for id != 0 {
		s := &t.p.Structs[id]
		if s.Size == 0 || s.Size > size && size != 0 {
			break
		}
		off %= s.Size
		i := len(s.Fields) - 1
		for i >= 0 && s.Fields[i].Off > off {
			i--
		}
		if i < 0 {
			break
		}
		step = ir.Step{Struct: id, Field: uint32(i)}
		off -= s.Fields[i].Off
		id, size = s.Fields[i].Struct, 0
	}
	return step, step.Struct != 0
}

// fromStores takes the functions that f stores into fields.
func (t *pointers) fromStores(f *ir.Func) {
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		if f.Values[v].Op != ir.OpStore {
			continue
		}
		args := f.ArgsOf(v)
		val := &f.Values[args[0]]
		if val.Type.Kind() != ir.Ptr {
			continue
		}
		step, ok := fieldOf(f, args[1])
		switch {
		case !ok:
		case val.Op == ir.OpFuncAddr:
			t.fields[step] = add(t.fields[step], ir.FuncID(val.Aux))
		case val.Op != ir.OpConstNull:
			t.open[step] = true
		}
	}
}

// fieldOf returns the field that an address is of.
func fieldOf(f *ir.Func, addr ir.ValueID) (ir.Step, bool) {
	x := &f.Values[addr]
	if x.Op != ir.OpGep {
		return ir.Step{}, false
	}
	g := &f.Geps[x.Aux]
	if g.NStep == 0 || g.NStride > 0 {
		return ir.Step{}, false
	}
	return f.Steps[g.Step+g.NStep-1], true
}

// targets returns the functions that call v of f may lead to; nil when that is
// not known.
func (t *pointers) targets(f *ir.Func, v ir.ValueID) []ir.FuncID {
	callee := f.ArgsOf(v)[0]
	if f.Values[callee].Op != ir.OpLoad {
		return nil
	}
	addr := f.ArgsOf(callee)[0]
	var list []ir.FuncID
	if step, ok := fieldOf(f, addr); ok {
		if t.open[step] {
			return nil
		}
		list = t.fields[step]
	} else if slot, ok := virtualSlot(f, addr); ok {
		list = t.slots[slot]
	}
	sig := ir.SigID(f.Values[v].Aux)
	list = slices.DeleteFunc(slices.Clone(list), func(id ir.FuncID) bool { return t.p.Funcs[id].Sig != sig })
	if len(list) > maxTargets {
		return nil
	}
	return list
}

// virtualSlot reports whether addr is that of a slot in the virtual table of an
// object: the table's address was loaded from the object itself.
func virtualSlot(f *ir.Func, addr ir.ValueID) (off int64, ok bool) {
	if f.Values[addr].Op == ir.OpGep {
		g := &f.Geps[f.Values[addr].Aux]
		if g.NStride > 0 || g.NStep > 0 {
			return 0, false
		}
		off = g.Off
		addr = f.ArgsOf(addr)[0]
	}
	return off, f.Values[addr].Op == ir.OpLoad && f.Values[addr].Type.Kind() == ir.Ptr
}
