// This file lowers debug information: locations, scopes, source variables.

package lower

import (
	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/ir"
)

// debugInfo is what a function's debug information has become so far.
type debugInfo struct {
	files   map[bitcode.MDID]ir.FileID // of the module's own nodes
	scopes  map[bitcode.MDID]ir.ScopeID
	vars    map[bitcode.MDID]ir.VarID
	locs    map[ir.Loc]ir.LocID
	locOf   []ir.LocID          // by location of the body, plus one; 0 is not lowered
	allocas map[uint32]ir.VarID // by instruction
	params  map[uint32]ir.VarID // by parameter
	next    int                 // next Dbg that emit has not passed
}

// startDebug lowers the function's own scope and its variables.
func (b *builder) startDebug() {
	d, f, body := &b.debug, b.fn, b.body
	clear(d.scopes)
	clear(d.vars)
	clear(d.locs)
	d.locOf = cleared(d.locOf, len(body.Locs))
	d.allocas, d.params = map[uint32]ir.VarID{}, map[uint32]ir.VarID{}
	d.next = 0
	f.Locs, f.Scopes, f.Vars = make([]ir.Loc, 1), make([]ir.Scope, 1), make([]ir.Var, 1)
	if s, ok := body.MD.Scope(body.Subprogram); ok && s.Kind == bitcode.ScopeFunc {
		b.scope(body.Subprogram, 0)
		f.File, f.Line = f.Scopes[1].File, s.Line
		if name := qualified(body.MD, s.Parent, s.Name); name != f.Name && s.Name != "" {
			f.Display = name
		}
		if s.Flags&bitcode.FlagArtificial != 0 {
			f.Flags |= ir.Artificial
		}
	}
	instOf := b.allocaInsts()
	for i := range body.Dbg {
		g := &body.Dbg[i]
		if !g.Declare || g.Value == bitcode.NoValue || g.Value < body.NumModule || !body.MD.IsPlain(g.Expr) {
			continue
		}
		k := uint32(g.Value - body.NumModule)
		if k < body.NumParams {
			if _, ok := d.params[k]; !ok {
				d.params[k] = b.variable(g.Var)
			}
		} else if inst, ok := instOf[k]; ok {
			if _, ok := d.allocas[inst]; !ok {
				d.allocas[inst] = b.variable(g.Var)
			}
		}
	}
}

// allocaInsts maps local values to the allocas that make them.
func (b *builder) allocaInsts() map[uint32]uint32 {
	if len(b.body.Dbg) == 0 {
		return nil
	}
	out := make(map[uint32]uint32, len(b.body.Dbg))
	for i := range b.body.Insts {
		if in := &b.body.Insts[i]; in.Op == bitcode.Alloca {
			out[uint32(in.Result-b.body.NumModule)] = uint32(i)
		}
	}
	return out
}

// maxScopeDepth bounds chains of scopes and of inlining; broken input could
// close them.
const maxScopeDepth = 1000

// scope lowers a scope and those around it.
func (b *builder) scope(id bitcode.MDID, depth int) ir.ScopeID {
	d, md := &b.debug, b.body.MD
	if s, ok := d.scopes[id]; ok {
		return s
	}
	s, ok := md.Scope(id)
	if !ok || depth > maxScopeDepth {
		return 0
	}
	out := ir.Scope{File: b.file(s.File), Line: s.Line, Col: s.Col}
	switch s.Kind {
	case bitcode.ScopeFunc:
		out.Func = qualified(md, s.Parent, s.Name)
	case bitcode.ScopeBlock, bitcode.ScopeBlockFile:
		out.Parent = b.scope(s.Parent, depth+1)
		if s.Kind == bitcode.ScopeBlockFile && b.fn.Scopes[out.Parent].File == out.File {
			d.scopes[id] = out.Parent // differs in its discriminator only
			return out.Parent
		}
	default:
		return 0
	}
	b.fn.Scopes = append(b.fn.Scopes, out)
	d.scopes[id] = ir.ScopeID(len(b.fn.Scopes) - 1)
	return d.scopes[id]
}

func (b *builder) file(id bitcode.MDID) ir.FileID {
	if id >= b.m.MD.Len() { // the function's own node
		return b.l.fileOf(b.body.MD, id)
	}
	f, ok := b.debug.files[id]
	if !ok {
		f = b.l.fileOf(b.body.MD, id)
		b.debug.files[id] = f
	}
	return f
}

// variable lowers a local variable.
func (b *builder) variable(id bitcode.MDID) ir.VarID {
	if v, ok := b.debug.vars[id]; ok {
		return v
	}
	x, ok := b.body.MD.LocalVar(id)
	if !ok {
		return 0
	}
	b.fn.Vars = append(b.fn.Vars, ir.Var{
		Name: x.Name, Type: b.typeName(x.Type), Scope: b.scope(x.Scope, 0), Line: x.Line,
		Arg: uint16(x.Arg), Artificial: x.Flags&bitcode.FlagArtificial != 0,
	})
	v := ir.VarID(len(b.fn.Vars) - 1)
	b.debug.vars[id] = v
	return v
}

// loc lowers the location of an instruction.
func (b *builder) loc(i uint32) ir.LocID {
	if i == 0 {
		return 0
	}
	c := &b.debug.locOf[i]
	if *c == 0 {
		*c = b.location(&b.body.Locs[i], 0) + 1
	}
	return *c - 1
}

func (b *builder) location(l *bitcode.DILocation, depth int) ir.LocID {
	out := ir.Loc{Line: l.Line, Col: l.Col, Scope: b.scope(l.Scope, 0)}
	if l.Inlined != bitcode.NoMD && depth < maxScopeDepth {
		if at, ok := b.body.MD.Location(l.Inlined); ok {
			out.Inlined = b.location(&at, depth+1)
		}
	}
	id, ok := b.debug.locs[out]
	if !ok {
		b.fn.Locs = append(b.fn.Locs, out)
		id = ir.LocID(len(b.fn.Locs) - 1)
		b.debug.locs[out] = id
	}
	return id
}
