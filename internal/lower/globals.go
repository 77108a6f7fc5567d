// This file lowers the initialisers of globals.

package lower

import (
	"strings"

	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/ir"
)

// A globalInit is an initialiser that waits for all symbols to have ids.
type globalInit struct {
	m    *module
	init bitcode.ValueID
	to   ir.GlobalID
}

// globals lowers every initialiser.
func (l *linker) globals() {
	for _, g := range l.inits {
		if g.init != bitcode.NoValue {
			l.prog.Globals[g.to].Init = g.m.cells(nil, g.init, 0, 0)
		}
	}
}

// maxConstDepth bounds the nesting of constants; broken input could close a cycle.
const maxConstDepth = 200

// cells appends what constant id stores at offset off. Zeros are left out.
func (m *module) cells(out []ir.Cell, id bitcode.ValueID, off uint64, depth int) []ir.Cell {
	if depth > maxConstDepth {
		return append(out, ir.Cell{Off: off, Kind: ir.CellOpaque})
	}
	v := &m.Values[id]
	t := m.types[v.Type]
	if v.Kind != bitcode.ValConst {
		return append(out, symbolCell(m.syms[id], off, t))
	}
	c := &v.Const
	switch c.Kind {
	case bitcode.ConstNull, bitcode.ConstUndef:
		return out
	case bitcode.ConstInt:
		if c.Int == 0 {
			return out
		}
		return append(out, ir.Cell{Off: off, Kind: ir.CellInt, Type: t, Int: c.Int})
	case bitcode.ConstFloat:
		return append(out, ir.Cell{Off: off, Kind: ir.CellFloat, Type: t, Int: c.Int})
	case bitcode.ConstData:
		if strings.Trim(c.Str, "\x00") == "" {
			return out
		}
		return append(out, ir.Cell{Off: off, Kind: ir.CellBytes, Bytes: c.Str})
	case bitcode.ConstAgg:
		for i, e := range c.Ops {
			out = m.cells(out, e, off+m.elemOffset(v.Type, i), depth+1)
		}
		return out
	}
	if s := m.target(id, 0); s != (symbol{}) {
		return append(out, symbolCell(s, off, t))
	}
	return append(out, ir.Cell{Off: off, Kind: ir.CellOpaque, Type: t})
}

func symbolCell(s symbol, off uint64, t ir.Type) ir.Cell {
	if s.fn != 0 {
		return ir.Cell{Off: off, Kind: ir.CellFunc, Type: t, Func: s.fn, Int: s.off}
	}
	return ir.Cell{Off: off, Kind: ir.CellGlobal, Type: t, Global: s.gl, Int: s.off}
}

// elemOffset returns the byte offset of element i of an aggregate type.
func (m *module) elemOffset(id bitcode.TypeID, i int) uint64 {
	t := &m.Types[id]
	switch t.Kind {
	case bitcode.TStruct:
		if offs := m.layout.of(m.Module, id).offs; i < len(offs) {
			return offs[i]
		}
	case bitcode.TArray, bitcode.TVector:
		return mulSize(m.layout.of(m.Module, t.Elem).size, uint64(i))
	}
	return 0
}

// constOffset adds up a constant GEP.
func (m *module) constOffset(c *bitcode.Const) (off int64, ok bool) {
	id := c.Src
	for i, op := range c.Ops[1:] {
		v := &m.Values[op]
		if v.Kind != bitcode.ValConst || v.Const.Kind != bitcode.ConstInt && v.Const.Kind != bitcode.ConstNull {
			return 0, false
		}
		n := v.Const.Int
		t := &m.Types[id]
		switch {
		case i == 0:
			off += n * int64(m.layout.of(m.Module, id).size)
		case t.Kind == bitcode.TStruct && n >= 0 && n < int64(len(t.Elems)):
			off += int64(m.elemOffset(id, int(n)))
			id = t.Elems[n]
		case t.Kind == bitcode.TArray || t.Kind == bitcode.TVector:
			off += n * int64(m.layout.of(m.Module, t.Elem).size)
			id = t.Elem
		default:
			return 0, false
		}
	}
	return off, true
}
