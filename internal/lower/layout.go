// This file computes sizes and offsets of LLVM types from the data layout.

package lower

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/ir"
)

// A layout is what a data layout string says about sizes, all in bits.
type layout struct {
	ptrBits, ptrAlign uint64
	ints, floats      []alignment // ascending by size
	vectors           []alignment
	aggAlign          uint64
	sizes             []typeSize // by TypeID, filled as asked
}

type alignment struct{ bits, align uint64 }

// A typeSize is the size and alignment of a type in bytes; align is 0 until known.
type typeSize struct {
	size, align uint64
	offs        []uint64 // fields of a struct
}

// parseLayout reads a data layout string such as "e-m:e-i64:64-f80:128-n8:16".
// What it does not mention has LLVM's defaults.
func parseLayout(s string) layout {
	l := layout{
		ptrBits: 64, ptrAlign: 64,
		ints:    []alignment{{1, 8}, {8, 8}, {16, 16}, {32, 32}, {64, 32}},
		floats:  []alignment{{16, 16}, {32, 32}, {64, 64}, {128, 128}},
		vectors: []alignment{{64, 64}, {128, 128}},
	}
	for spec := range strings.SplitSeq(s, "-") {
		if spec == "" {
			continue
		}
		f := strings.Split(spec[1:], ":")
		num := func(i int) uint64 {
			if i >= len(f) {
				return 0
			}
			n, _ := strconv.ParseUint(f[i], 10, 32)
			return n
		}
		switch spec[0] {
		case 'p':
			if (f[0] == "" || f[0] == "0") && num(1) > 0 {
				l.ptrBits, l.ptrAlign = num(1), max(num(2), 8)
			}
		case 'i':
			l.ints = setAlign(l.ints, num(0), num(1))
		case 'f':
			l.floats = setAlign(l.floats, num(0), num(1))
		case 'v':
			l.vectors = setAlign(l.vectors, num(0), num(1))
		case 'a':
			l.aggAlign = num(1)
		}
	}
	return l
}

func setAlign(list []alignment, bits, align uint64) []alignment {
	if bits == 0 || align == 0 {
		return list
	}
	for i, a := range list {
		if a.bits == bits {
			list[i].align = align
			return list
		}
		if a.bits > bits {
			return append(list[:i], append([]alignment{{bits, align}}, list[i:]...)...)
		}
	}
	return append(list, alignment{bits, align})
}

// alignOf finds the alignment for a size: the exact entry, else for integers the
// next larger one or the largest.
func alignOf(list []alignment, bits uint64) (uint64, bool) {
	for _, a := range list {
		if a.bits >= bits {
			return a.align, a.bits == bits
		}
	}
	return list[len(list)-1].align, false
}

// maxSize bounds sizes so that sums of a few cannot overflow.
const maxSize = math.MaxInt64 / 16

func mulSize(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 || lo > maxSize {
		return maxSize
	}
	return lo
}

func roundUp(n, align uint64) uint64 {
	if align <= 1 {
		return n
	}
	return (n + align - 1) / align * align
}

// of returns size and alignment of type id of module m. Types do not contain
// themselves: bitcode refuses those.
func (l *layout) of(m *bitcode.Module, id bitcode.TypeID) *typeSize {
	if l.sizes == nil {
		l.sizes = make([]typeSize, len(m.Types))
	}
	if s := &l.sizes[id]; s.align != 0 {
		return s
	}
	s := l.compute(m, &m.Types[id])
	s.align = max(s.align, 1)
	l.sizes[id] = s
	return &l.sizes[id]
}

func (l *layout) compute(m *bitcode.Module, t *bitcode.Type) typeSize {
	switch t.Kind {
	case bitcode.TInt:
		a, _ := alignOf(l.ints, t.N)
		a /= 8
		return typeSize{size: roundUp((t.N+7)/8, a), align: a}
	case bitcode.TFloat:
		a, ok := alignOf(l.floats, t.N)
		if !ok {
			a = 128
		}
		a /= 8
		return typeSize{size: roundUp((t.N+7)/8, a), align: a}
	case bitcode.TPtr:
		return typeSize{size: l.ptrBits / 8, align: l.ptrAlign / 8}
	case bitcode.TArray:
		e := l.of(m, t.Elem)
		return typeSize{size: mulSize(e.size, t.N), align: e.align}
	case bitcode.TVector:
		return l.vector(m, t)
	case bitcode.TStruct:
		return l.structure(m, t)
	}
	return typeSize{}
}

func (l *layout) vector(m *bitcode.Module, t *bitcode.Type) typeSize {
	e := &m.Types[t.Elem]
	elem := e.N
	if e.Kind == bitcode.TPtr {
		elem = l.ptrBits
	}
	n := mulSize(elem, t.N)
	a, ok := alignOf(l.vectors, n)
	if !ok {
		a = 8
		for a < n && a < 1<<20 {
			a *= 2
		}
	}
	a /= 8
	return typeSize{size: roundUp((n+7)/8, a), align: a}
}

func (l *layout) structure(m *bitcode.Module, t *bitcode.Type) typeSize {
	s := typeSize{align: max(l.aggAlign/8, 1), offs: make([]uint64, len(t.Elems))}
	if t.Packed {
		s.align = 1
	}
	for i, id := range t.Elems {
		e := l.of(m, id)
		if !t.Packed {
			s.size = roundUp(s.size, e.align)
			s.align = max(s.align, e.align)
		}
		s.offs[i] = s.size
		s.size = min(s.size+e.size, maxSize)
	}
	s.size = roundUp(s.size, s.align)
	return s
}

// irTypes gives every type of a module its machine type.
func irTypes(m *bitcode.Module, l *layout) []ir.Type {
	out := make([]ir.Type, len(m.Types))
	for i := range m.Types {
		out[i] = irType(&m.Types[i], l, l.of(m, bitcode.TypeID(i)).size)
	}
	return out
}

func irType(t *bitcode.Type, l *layout, size uint64) ir.Type {
	switch t.Kind {
	case bitcode.TInt:
		return ir.MakeType(ir.Int, t.N)
	case bitcode.TFloat:
		return ir.MakeType(ir.Float, t.N)
	case bitcode.TPtr:
		return ir.MakeType(ir.Ptr, l.ptrBits)
	case bitcode.TVector:
		return ir.MakeType(ir.Vec, size)
	case bitcode.TArray, bitcode.TStruct:
		return ir.MakeType(ir.Agg, size)
	case bitcode.TToken:
		return ir.MakeType(ir.Token, 0)
	}
	return ir.MakeType(ir.Void, 0)
}
