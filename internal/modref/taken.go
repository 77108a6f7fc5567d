// This file finds what pointers may point to of which nothing is known: memory and
// functions whose address is taken.

package modref

import (
	"iter"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/model"
)

// taken is what the program takes the address of.
type taken struct {
	fields  map[ir.Step]bool              // fields, of objects that are not globals
	fixed   map[globalStep]bool           // fields of globals
	bytes   map[ir.Step]bool              // fields, and those inside of them
	globals [][]span                      // by GlobalID: parts of it
	funcs   []bool                        // by FuncID
	members map[ir.StructID][]ir.StructID // by union: structs that the program sees there
	named   map[string][]ir.StructID
	sized   map[uint64][]ir.StructID
}

// A globalStep is a field of a global.
type globalStep struct {
	global ir.GlobalID
	step   ir.Step
}

// plain reports whether a pointer of which nothing is known may point to a field of an
// object, or of a global when it is known to be of that.
func (t *taken) plain(g ir.GlobalID, off int64, step ir.Step) bool {
	if g == 0 {
		return t.fields[step]
	}
	return t.fixed[globalStep{g, step}] || t.fields[step] && t.global(g, off)
}

// A span is the bytes from lo up to hi of a global.
type span struct{ lo, hi int64 }

// global reports whether the bytes at an offset into g may be pointed to.
func (t *taken) global(g ir.GlobalID, off int64) bool {
	return slices.ContainsFunc(t.globals[g], func(s span) bool { return off == Anywhere || s.lo <= off && off < s.hi })
}

// findTaken goes through the program once.
func findTaken(p *ir.Program, models *model.Set) taken {
	t := taken{fields: map[ir.Step]bool{}, fixed: map[globalStep]bool{}, bytes: map[ir.Step]bool{}, globals: make([][]span, len(p.Globals)), funcs: make([]bool, len(p.Funcs)),
		members: map[ir.StructID][]ir.StructID{}, named: map[string][]ir.StructID{}, sized: map[uint64][]ir.StructID{}}
	for i := 1; i < len(p.Structs); i++ {
		s := &p.Structs[i]
		t.named[s.Name] = append(t.named[s.Name], ir.StructID(i))
		t.sized[s.Size] = append(t.sized[s.Size], ir.StructID(i))
	}
	for i := range p.Globals {
		for _, c := range p.Globals[i].Init {
			switch c.Kind {
			case ir.CellFunc:
				t.funcs[c.Func] = true
			case ir.CellGlobal:
				t.take(p, c.Global, region{off: c.Int})
			}
		}
	}
	for i := range p.Funcs {
		f := &p.Funcs[i]
		if f.IsDecl() || len(f.Blocks) == 0 {
			continue
		}
		for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
			t.instruction(p, models, f, v)
		}
	}
	for s := range t.fields {
		t.bytes[s] = true
		for in := range parts(p, &t, p.Structs[s.Struct].Fields[s.Field].Struct) {
			t.bytes[in] = true
		}
	}
	return t
}

// instruction notes the addresses that v does more with than read or write there.
func (t *taken) instruction(p *ir.Program, models *model.Set, f *ir.Func, v ir.ValueID) {
	x := &f.Values[v]
	switch x.Op {
	case ir.OpLoad, ir.OpICmp, ir.OpSet, ir.OpMemset, ir.OpMemcpy, ir.OpLifetimeStart, ir.OpLifetimeEnd:
		return
	case ir.OpGep:
		t.overlay(p, f, v)
		return
	}
	for k, a := range f.ArgsOf(v) {
		switch op := f.Values[a].Op; {
		case op == ir.OpFuncAddr:
			if !x.Op.IsCall() || k > 0 {
				t.funcs[f.Values[a].Aux] = true
			}
			continue
		case op != ir.OpGep && op != ir.OpGlobalAddr,
			x.Op == ir.OpStore && k == 1,
			(x.Op == ir.OpCmpXchg || x.Op == ir.OpAtomicRMW) && k == 0,
			x.Op.IsCall() && k > 0 && onlyBorrowed(p, models, f, v, k-1):
			continue
		}
		r := regionOf(p, f, a)
		if b := &f.Values[r.base]; b.Op == ir.OpGlobalAddr {
			t.take(p, ir.GlobalID(b.Aux), r)
		} else if r.step.Struct != 0 {
			t.fields[r.step] = true
		}
	}
}

// take notes that the address of a region of g is taken: of a field, or of all that
// comes after.
func (t *taken) take(p *ir.Program, g ir.GlobalID, r region) {
	s := span{0, int64(max(p.Globals[g].Size, 1))}
	if r.step.Struct != 0 && r.vary == 0 {
		s.lo = r.off - r.rest
		s.hi = s.lo + int64(p.Structs[r.step.Struct].Fields[r.step.Field].Type.Bytes())
	}
	if !slices.Contains(t.globals[g], s) {
		t.globals[g] = append(t.globals[g], s)
	}
	// The address of a global and that of its first field are one constant.
	for id, off := p.Globals[g].Struct, r.off; id != 0 && off >= 0; {
		step, rest := fieldAt(p, id, 0, uint64(off))
		if step.Struct == 0 {
			break
		}
		t.fixed[globalStep{g, step}] = true
		id, off = p.Structs[step.Struct].Fields[step.Field].Struct, rest
	}
}

// overlay notes that a union is seen as a struct.
func (t *taken) overlay(p *ir.Program, f *ir.Func, v ir.ValueID) {
	g := &f.Geps[f.Values[v].Aux]
	base := f.ArgsOf(v)[0]
	if g.NStep == 0 || f.Values[base].Op != ir.OpGep {
		return
	}
	r := regionOf(p, f, base)
	if r.step.Struct == 0 {
		return
	}
	u := p.Structs[r.step.Struct].Fields[r.step.Field].Struct
	if s := f.Steps[g.Step].Struct; u != 0 && u != s && p.Structs[u].Union && !slices.Contains(t.members[u], s) {
		t.members[u] = append(t.members[u], s)
	}
}

// onlyBorrowed reports whether a function without a body has the address it is given as
// argument i no more when it returns, neither itself nor in what it returns. What it
// writes there itself, the call says.
func onlyBorrowed(p *ir.Program, models *model.Set, f *ir.Func, v ir.ValueID, i int) bool {
	c := f.Callee(v)
	if c == 0 || !p.Funcs[c].IsDecl() || f.Values[v].Type.Kind() == ir.Ptr {
		return false
	}
	if p.Funcs[c].Flags&(ir.ReadOnly|ir.ReadNone) != 0 {
		return true
	}
	m := models.Lookup(p.Funcs[c].Name)
	return m != nil && !m.KeepsParam(i)
}

// parts yields all fields of a struct, those of structs and unions inside of it
// included.
func (t *Table) parts(id ir.StructID) iter.Seq[ir.Step] { return parts(t.p, &t.taken, id) }

func parts(p *ir.Program, t *taken, id ir.StructID) iter.Seq[ir.Step] {
	return func(yield func(ir.Step) bool) {
		seen := []ir.StructID{0, id}
		for k := 1; k < len(seen); k++ {
			more := func(s ir.StructID) {
				if !slices.Contains(seen, s) {
					seen = append(seen, s)
				}
			}
			for i, x := range p.Structs[seen[k]].Fields {
				if !yield(ir.Step{Struct: seen[k], Field: uint32(i)}) {
					return
				}
				more(x.Struct)
			}
			for _, s := range t.members[seen[k]] {
				more(s)
			}
		}
	}
}
