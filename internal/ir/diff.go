// This file compares programs.

package ir

import (
	"fmt"
	"reflect"
	"slices"
)

// Diff returns the first difference between two programs, or nil. Ids count,
// also of constants; the layout of the flat arrays and the numbering of
// locations do not, nor does a table that holds nothing but its unused entry.
func Diff(p, q *Program) error {
	if p.PtrBits != q.PtrBits {
		return fmt.Errorf("pointers: %d and %d bits", p.PtrBits, q.PtrBits)
	}
	for _, d := range []struct {
		what string
		x, y any
	}{{"units", rest(p.Units), rest(q.Units)}, {"files", rest(p.Files), rest(q.Files)}, {"sigs", rest(p.Sigs), rest(q.Sigs)}} {
		if !reflect.DeepEqual(d.x, d.y) {
			return fmt.Errorf("%s: %v and %v", d.what, d.x, d.y)
		}
	}
	if len(rest(p.Structs)) != len(rest(q.Structs)) || len(rest(p.Globals)) != len(rest(q.Globals)) || len(rest(p.Funcs)) != len(rest(q.Funcs)) {
		return fmt.Errorf("%d and %d structs, %d and %d globals, %d and %d functions", len(p.Structs), len(q.Structs),
			len(p.Globals), len(q.Globals), len(p.Funcs), len(q.Funcs))
	}
	for i := range rest(p.Structs) {
		x, y := p.Structs[i+1], q.Structs[i+1]
		if !slices.Equal(x.Fields, y.Fields) || x.Name != y.Name || x.Size != y.Size || x.Union != y.Union {
			return fmt.Errorf("struct %d: %+v and %+v", i+1, x, y)
		}
	}
	for i := range rest(p.Globals) {
		x, y := p.Globals[i+1], q.Globals[i+1]
		if !slices.Equal(x.Init, y.Init) {
			return fmt.Errorf("global %d: initialisers %+v and %+v", i+1, x.Init, y.Init)
		}
		x.Init, y.Init = nil, nil
		if !reflect.DeepEqual(x, y) {
			return fmt.Errorf("global %d: %+v and %+v", i+1, x, y)
		}
	}
	for i := range rest(p.Funcs) {
		if err := diffFunc(&p.Funcs[i+1], &q.Funcs[i+1]); err != nil {
			return fmt.Errorf("func %d @%s: %w", i+1, p.Funcs[i+1].Name, err)
		}
	}
	return nil
}

// rest returns s without its unused first entry.
func rest[T any](s []T) []T { return s[min(1, len(s)):] }

func diffFunc(f, g *Func) error {
	switch {
	case f.Name != g.Name, f.Display != g.Display, f.Linkage != g.Linkage, f.Flags != g.Flags, f.Unit != g.Unit,
		f.Sig != g.Sig, f.Result != g.Result, f.File != g.File, f.Line != g.Line, f.Alloc != g.Alloc,
		f.NParams != g.NParams, !slices.Equal(f.Params, g.Params), f.Personality != g.Personality:
		return fmt.Errorf("signatures differ")
	case !slices.Equal(rest(f.Vars), rest(g.Vars)):
		return fmt.Errorf("variables: %+v and %+v", f.Vars, g.Vars)
	case !slices.Equal(rest(f.Scopes), rest(g.Scopes)):
		return fmt.Errorf("scopes: %+v and %+v", f.Scopes, g.Scopes)
	case len(rest(f.Values)) != len(rest(g.Values)), len(rest(f.Blocks)) != len(rest(g.Blocks)):
		return fmt.Errorf("%d and %d values, %d and %d blocks", len(f.Values), len(g.Values), len(f.Blocks), len(g.Blocks))
	}
	for i := range rest(f.Blocks) {
		b := BlockID(i + 1)
		x, y := &f.Blocks[b], &g.Blocks[b]
		if x.First != y.First || x.End != y.End || !slices.Equal(f.SuccsOf(b), g.SuccsOf(b)) || !slices.Equal(f.PredsOf(b), g.PredsOf(b)) {
			return fmt.Errorf("b%d: blocks differ", b)
		}
	}
	for i := range rest(f.Values) {
		v := ValueID(i + 1)
		if err := diffValue(f, g, v); err != nil {
			return fmt.Errorf("%%%d %s: %w", v, f.Values[v].Op, err)
		}
	}
	return nil
}

func diffValue(f, g *Func, v ValueID) error {
	x, y := f.Values[v], g.Values[v]
	switch {
	case x.Op != y.Op, x.Sub != y.Sub, x.Type != y.Type, x.Var != y.Var:
		return fmt.Errorf("%+v and %+v", x, y)
	case !slices.Equal(f.ArgsOf(v), g.ArgsOf(v)):
		return fmt.Errorf("operands %d and %d", f.ArgsOf(v), g.ArgsOf(v))
	}
	for a, b := x.Loc, y.Loc; a != 0 || b != 0; {
		if a == 0 || b == 0 {
			return fmt.Errorf("locations differ")
		}
		k, l := f.Locs[a], g.Locs[b]
		a, b = k.Inlined, l.Inlined
		k.Inlined, l.Inlined = 0, 0
		if k != l {
			return fmt.Errorf("locations %+v and %+v", k, l)
		}
	}
	if !reflect.DeepEqual(f.auxOf(&x), g.auxOf(&y)) {
		return fmt.Errorf("%+v and %+v", f.auxOf(&x), g.auxOf(&y))
	}
	return nil
}

// auxOf returns what Aux stands for.
func (f *Func) auxOf(x *Value) any {
	switch x.Op {
	case OpConstInt, OpConstFloat, OpExtractValue, OpInsertValue:
		return f.Ints[x.Aux]
	case OpAlloca:
		return [2]int64{f.Ints[x.Aux], f.Ints[x.Aux+1]}
	case OpConstData, OpAsm:
		return f.Strs[x.Aux]
	case OpGep:
		g := f.Geps[x.Aux]
		return struct {
			off     int64
			strides []int64
			steps   []Step
		}{g.Off, append([]int64{}, f.Strides[g.Stride:g.Stride+g.NStride]...), append([]Step{}, f.Steps[g.Step:g.Step+g.NStep]...)}
	}
	return x.Aux
}
