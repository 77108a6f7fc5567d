// This file keeps models by name, and those that come with plumb.

package model

import (
	"embed"
	"maps"
	"slices"
	"strings"
	"sync"
)

// A Set is a collection of models. A model that comes with plumb is read when it
// is first asked for: most programs use few of them.
type Set struct{ funcs map[string]*entry }

// An entry is a model, or the line that it is read from.
type entry struct {
	text, file string
	line       int
	once       sync.Once
	f          *Func
}

func (e *entry) get() *Func {
	e.once.Do(func() {
		if e.f != nil {
			return
		}
		f, err := parseLine(e.text)
		if err != nil {
			panic("model: " + (&Error{e.file, e.line, err}).Error())
		}
		f.File, f.Line, f.Builtin = e.file, e.line, true
		e.f = f
	})
	return e.f
}

// Lookup returns the model of a function by its linkage name, or nil.
func (s *Set) Lookup(name string) *Func {
	if e := s.funcs[name]; e != nil {
		return e.get()
	}
	return nil
}

// With returns s with the models of t added; where both have one, that of t holds.
func (s *Set) With(t *Set) *Set {
	out := &Set{funcs: maps.Clone(s.funcs)}
	maps.Copy(out.funcs, t.funcs)
	return out
}

// All returns the models of s by name.
func (s *Set) All() []*Func {
	out := make([]*Func, 0, len(s.funcs))
	for _, name := range slices.Sorted(maps.Keys(s.funcs)) {
		out = append(out, s.funcs[name].get())
	}
	return out
}

// Len returns how many functions s has.
func (s *Set) Len() int { return len(s.funcs) }

//go:embed *.model
var embedded embed.FS

// Builtin returns the models that come with plumb.
var Builtin = sync.OnceValue(load)

// load notes where each line of the embedded files is. Cost: see BenchmarkLoad.
func load() *Set {
	files, err := embedded.ReadDir(".")
	if err != nil {
		panic("model: " + err.Error())
	}
	texts, lines := make([]string, len(files)), 0
	for i, f := range files {
		src, err := embedded.ReadFile(f.Name())
		if err != nil {
			panic("model: " + err.Error())
		}
		texts[i] = string(src)
		lines += strings.Count(texts[i], "\n")
	}
	s := &Set{funcs: make(map[string]*entry, lines)}
	all := make([]entry, 0, lines)
	for i, f := range files {
		line := 0
		for text := range strings.Lines(texts[i]) {
			line++
			if name, _, ok := strings.Cut(text, "("); ok && text[0] != '#' {
				all = append(all, entry{text: text, file: f.Name(), line: line})
				s.funcs[name] = &all[len(all)-1]
			}
		}
	}
	return s
}
