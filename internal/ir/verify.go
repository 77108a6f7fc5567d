// This file checks what a program must satisfy outside of its functions.

package ir

import (
	"errors"
	"fmt"
)

// Verify reports the first thing that is wrong with p: an id out of range, a
// block that does not end, a value used where it is not defined, an operand of
// the wrong kind.
//
// It is linear but for dominance, which is nearly so, and costs about as much
// as printing. It never panics.
func Verify(p *Program) error {
	if err := verifyTables(p); err != nil {
		return err
	}
	v := newVerifier(p)
	for id := 1; id < len(p.Funcs); id++ {
		if err := v.verify(FuncID(id)); err != nil {
			return err
		}
	}
	return nil
}

// VerifyBodies checks the functions of p that want names, all of them, and hands
// each that fails to bad. The tables outside of functions are taken to be right.
func VerifyBodies(p *Program, want func(*Func) bool, bad func(FuncID, error)) {
	v := newVerifier(p)
	for id := 1; id < len(p.Funcs); id++ {
		if want(&p.Funcs[id]) {
			if err := v.verify(FuncID(id)); err != nil {
				bad(FuncID(id), err)
			}
		}
	}
}

// verifyTables checks everything but the functions' inside.
func verifyTables(p *Program) error {
	if p.PtrBits != 32 && p.PtrBits != 64 {
		return fmt.Errorf("ir: pointers of %d bits", p.PtrBits)
	}
	for id := 1; id < len(p.Units); id++ {
		if int(p.Units[id].Lang) >= len(langNames) {
			return fmt.Errorf("ir: unit %d: bad language %d", id, p.Units[id].Lang)
		}
	}
	sigs := make(map[string]bool, len(p.Sigs))
	for id := 1; id < len(p.Sigs); id++ {
		if sigs[p.Sigs[id]] {
			return fmt.Errorf("ir: signature %q is there twice", p.Sigs[id])
		}
		sigs[p.Sigs[id]] = true
	}
	for id := 1; id < len(p.Structs); id++ {
		if err := verifyStruct(p, &p.Structs[id]); err != nil {
			return fmt.Errorf("ir: struct $%d %q: %w", id, p.Structs[id].Name, err)
		}
	}
	for id := 1; id < len(p.Globals); id++ {
		if err := verifyGlobal(p, &p.Globals[id]); err != nil {
			return fmt.Errorf("ir: global %d @%s: %w", id, p.Globals[id].Name, err)
		}
	}
	for id := 1; id < len(p.Funcs); id++ {
		if err := verifySignature(p, &p.Funcs[id]); err != nil {
			return fmt.Errorf("ir: func %d @%s: %w", id, p.Funcs[id].Name, err)
		}
	}
	return nil
}

func verifyStruct(p *Program, s *Struct) error {
	last := uint64(0)
	for i, f := range s.Fields {
		if err := verifyType(p, f.Type); err != nil {
			return fmt.Errorf("field %d: %w", i, err)
		}
		if err := below("field struct", f.Struct, p.Structs); err != nil {
			return err
		}
		if f.Off < last {
			return fmt.Errorf("field %d is at %d, before its predecessor", i, f.Off)
		}
		last = f.Off
	}
	return nil
}

func verifyGlobal(p *Program, g *Global) error {
	if g.Linkage == 0 || int(g.Linkage) >= len(linkageNames) {
		return fmt.Errorf("bad linkage %d", g.Linkage)
	}
	if g.Decl && len(g.Init) > 0 {
		return errors.New("a declaration with an initialiser")
	}
	err := errors.Join(verifyType(p, g.Type), below("unit", g.Unit, p.Units), below("struct", g.Struct, p.Structs),
		below("file", g.File, p.Files))
	if err != nil {
		return err
	}
	last := uint64(0)
	for i := range g.Init {
		c := &g.Init[i]
		if err := verifyCell(p, c); err != nil {
			return fmt.Errorf("initialiser at %d: %w", c.Off, err)
		}
		if c.Off < last {
			return fmt.Errorf("initialiser at %d comes after one at %d", c.Off, last)
		}
		last = c.Off
	}
	return nil
}

func verifyCell(p *Program, c *Cell) error {
	if err := verifyType(p, c.Type); err != nil {
		return err
	}
	switch c.Kind {
	case CellFunc:
		return need("function", c.Func, p.Funcs)
	case CellGlobal:
		return need("global", c.Global, p.Globals)
	case CellInt, CellFloat, CellBytes, CellOpaque:
		return nil
	}
	return fmt.Errorf("bad kind %d", c.Kind)
}

func verifySignature(p *Program, f *Func) error {
	if f.Linkage == 0 || int(f.Linkage) >= len(linkageNames) {
		return fmt.Errorf("bad linkage %d", f.Linkage)
	}
	if f.Flags>>len(funcFlagNames) != 0 {
		return fmt.Errorf("unknown flags %#x", f.Flags)
	}
	if int(f.NParams) != len(f.Params) {
		return fmt.Errorf("%d parameters, %d sets of flags", f.NParams, len(f.Params))
	}
	for i, flags := range f.Params {
		if flags>>len(paramFlagNames) != 0 {
			return fmt.Errorf("parameter %d: unknown flags %#x", i+1, flags)
		}
	}
	return errors.Join(verifyType(p, f.Result), below("unit", f.Unit, p.Units), below("signature", f.Sig, p.Sigs),
		below("file", f.File, p.Files), below("personality", f.Personality, p.Funcs))
}

// verifyType checks that t is a type of p.
func verifyType(p *Program, t Type) error {
	switch t.Kind() {
	case Void, Token:
		if t.Size() != 0 {
			return fmt.Errorf("%s of size %d", t, t.Size())
		}
	case Ptr:
		if t.Size() != uint64(p.PtrBits) {
			return fmt.Errorf("a pointer of %d bits", t.Size())
		}
	case Int, Float:
		if t.Size() == 0 {
			return errors.New("a number of no bits")
		}
	case Vec, Agg:
	default:
		return fmt.Errorf("bad type %#x", uint32(t))
	}
	return nil
}

// below checks that id is none or indexes s.
func below[ID ~uint32, T any](what string, id ID, s []T) error {
	if id != 0 && int(id) >= len(s) {
		return fmt.Errorf("%s %d of %d", what, id, max(len(s)-1, 0))
	}
	return nil
}

// need is below for an id that must not be none.
func need[ID ~uint32, T any](what string, id ID, s []T) error {
	if id == 0 {
		return fmt.Errorf("no %s", what)
	}
	return below(what, id, s)
}
