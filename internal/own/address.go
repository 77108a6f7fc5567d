// This file finds who takes the address of a slot, and names addresses.

package own

import (
	"fmt"

	"github.com/plumb-project/plumb/internal/ir"
)

// readAddresses notes all addresses of fields and of globals, once.
func (x *Index) readAddresses() {
	if x.addresses != nil {
		return
	}
	x.addresses = map[slot][]value{}
	for id := ir.FuncID(1); int(id) < len(x.p.Funcs); id++ {
		f := &x.p.Funcs[id]
		if f.IsDecl() {
			continue
		}
		for v := ir.ValueID(1); int(v) < len(f.Values); v++ {
			switch val := &f.Values[v]; val.Op {
			case ir.OpGep:
				if base := f.ArgsOf(v)[0]; f.Geps[val.Aux].NStep > 0 || f.Values[base].Op != ir.OpGep && !x.isElement(f, id, v) {
					for _, s := range x.slotsAt(id, v, 0) {
						if s.kind != nearSlot {
							x.addresses[s] = append(x.addresses[s], value{id, v})
						}
					}
				}
			case ir.OpGlobalAddr:
				s := slot{kind: globalSlot, id: val.Aux}
				if st := x.p.Globals[val.Aux].Struct; st != 0 { // its first field has no other address
					s = x.fieldOf(st, 0)
				}
				x.addresses[s] = append(x.addresses[s], value{id, v})
			}
		}
	}
}

// isElement reports whether v is the address of an element of an array of structs, and not
// that of its first field.
func (x *Index) isElement(f *ir.Func, id ir.FuncID, v ir.ValueID) bool {
	base := value{id, f.ArgsOf(v)[0]}
	s := x.structAt(base)
	return s != 0 && f.Values[base.id].Op != ir.OpGlobalAddr && x.indexes(f, v, s)
}

// usesOf returns the instructions that use a value.
func (x *Index) usesOf(v value) []ir.ValueID {
	uses := x.uses[v.fn]
	if uses == nil {
		f := &x.p.Funcs[v.fn]
		uses = make([][]ir.ValueID, len(f.Values))
		for at := f.Blocks[1].First; int(at) < len(f.Values); at++ {
			for _, a := range f.ArgsOf(at) {
				if n := len(uses[a]); n == 0 || uses[a][n-1] != at {
					uses[a] = append(uses[a], at)
				}
			}
		}
		x.uses[v.fn] = uses
	}
	return uses[v.id]
}

// A name is an address as a function spells it: two that are equal are the same
// address, if nothing was stored in the pointers on the way.
type name struct {
	fn   ir.FuncID
	text string
	deep bool // there are pointers on the way
}

// spelling names an address.
func (x *Index) spelling(at value) name {
	n := name{fn: at.fn}
	n.text = x.spellAddress(&x.p.Funcs[at.fn], at.id, 0, &n.deep)
	return n
}

func (x *Index) spellAddress(f *ir.Func, v ir.ValueID, depth int, deep *bool) string {
	switch val := &f.Values[v]; {
	case val.Op == ir.OpGep:
		g := &f.Geps[val.Aux]
		text := fmt.Sprintf("%s+%d", x.spellAddress(f, f.ArgsOf(v)[0], depth, deep), g.Off)
		for i, a := range f.ArgsOf(v)[1:] {
			text += fmt.Sprintf("+%d*%s", f.Strides[int(g.Stride)+i], x.spellAddress(f, a, depth, deep))
		}
		return text
	case val.Op == ir.OpGlobalAddr:
		return fmt.Sprintf("g%d", val.Aux)
	case (val.Op == ir.OpSExt || val.Op == ir.OpZExt) && depth < 4:
		return x.spellAddress(f, f.ArgsOf(v)[0], depth, deep)
	case val.Op == ir.OpLoad && depth < 4:
		*deep = true
		return "[" + x.spellAddress(f, f.ArgsOf(v)[0], depth+1, deep) + "]"
	case val.Op == ir.OpConstInt:
		if n, ok := f.ConstInt(v); ok {
			return fmt.Sprint(n)
		}
	}
	return fmt.Sprintf("v%d", v)
}
