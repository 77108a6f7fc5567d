// This file lets code that a patch only moves have the positions it had: then what
// is known of it from before holds.

package driver

import (
	"path/filepath"
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// A moved is the program of a patch with the positions of the original.
type moved struct {
	p     *patch.Patch
	files map[string]bool                     // those that the patch changes
	inner map[source.Position]source.Position // of text that the patch put in: what it is called meanwhile, and where it is
	back  []func()                            // give the functions their positions again
}

// putIn is added to the columns of text that the patch put in. It has the line at which
// it was put in.
const putIn = 1 << 20

// before gives a program the positions of the original.
func before(prog *ir.Program, p *patch.Patch) *moved {
	s := &moved{p: p, files: map[string]bool{}, inner: map[source.Position]source.Position{}}
	for _, name := range p.Files() {
		s.files[name] = true
	}
	changed := make([]bool, len(prog.Files))
	for i, name := range prog.Files {
		changed[i] = s.files[filepath.Clean(name)]
	}
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		if slices.ContainsFunc(f.Scopes, func(c ir.Scope) bool { return changed[c.File] }) || changed[f.File] {
			s.function(prog, f, changed)
		}
	}
	return s
}

// function changes the positions of one function.
func (s *moved) function(prog *ir.Program, f *ir.Func, changed []bool) {
	line, scopes, locs, vars := f.Line, f.Scopes, f.Locs, f.Vars
	s.back = append(s.back, func() { f.Line, f.Scopes, f.Locs, f.Vars = line, scopes, locs, vars })
	f.Scopes, f.Locs, f.Vars = slices.Clone(scopes), slices.Clone(locs), slices.Clone(vars)
	if changed[f.File] {
		f.Line, _ = s.old(prog.Files[f.File], f.Line, 0)
	}
	for i := range f.Scopes {
		if c := &f.Scopes[i]; changed[c.File] {
			c.Line, c.Col = s.old(prog.Files[c.File], c.Line, c.Col)
		}
	}
	in := func(scope ir.ScopeID) (string, bool) {
		if int(scope) >= len(scopes) {
			return "", false
		}
		file := scopes[scope].File
		return prog.Files[file], changed[file]
	}
	for i := range f.Locs {
		if name, ok := in(f.Locs[i].Scope); ok {
			f.Locs[i].Line, f.Locs[i].Col = s.old(name, f.Locs[i].Line, f.Locs[i].Col)
		}
	}
	for i := range f.Vars {
		if name, ok := in(f.Vars[i].Scope); ok {
			f.Vars[i].Line, _ = s.old(name, f.Vars[i].Line, 0)
		}
	}
}

// old is where a position of the patched file was.
func (s *moved) old(name string, line, col uint32) (uint32, uint32) {
	if line == 0 {
		return line, col
	}
	oldLine, oldCol := s.p.Old(name, int(line), int(col))
	if s.p.Added(name, int(line), int(col)) {
		// Of two pieces of text that are put in at one place, each has its own.
		oldCol += putIn
		for now := (source.Position{File: name, Line: int(line), Col: int(col)}); ; oldCol++ {
			at := source.Position{File: name, Line: oldLine, Col: oldCol}
			if was, taken := s.inner[at]; !taken || was == now {
				s.inner[at] = now
				break
			}
		}
	}
	return uint32(oldLine), uint32(oldCol)
}

// restore gives the program its positions again.
func (s *moved) restore() {
	for _, do := range s.back {
		do()
	}
}

// now is where a position of the original is in the patched file.
func (s *moved) now(pos source.Position) source.Position {
	if !s.files[filepath.Clean(pos.File)] || pos.Line == 0 {
		return pos
	}
	if at, ok := s.inner[pos]; ok {
		return at
	}
	pos.Line, pos.Col = s.p.New(pos.File, pos.Line, pos.Col)
	return pos
}

// findings gives findings the positions of the patched files, in their order.
func (s *moved) findings(fs []report.Finding) []report.Finding {
	out := slices.Clone(fs)
	for i := range out {
		f := &out[i]
		f.Alloc, f.Loss = s.now(f.Alloc), s.now(f.Loss)
		f.Steps, f.Also, f.GaveUp = slices.Clone(f.Steps), slices.Clone(f.Also), slices.Clone(f.GaveUp)
		for k := range f.Steps {
			f.Steps[k].Pos = s.now(f.Steps[k].Pos)
		}
		for k := range f.Also {
			f.Also[k].Pos = s.now(f.Also[k].Pos)
		}
		for k := range f.GaveUp {
			f.GaveUp[k].Pos = s.now(f.GaveUp[k].Pos)
		}
	}
	slices.SortStableFunc(out, func(a, b report.Finding) int { return report.Compare(&a, &b) })
	return out
}
