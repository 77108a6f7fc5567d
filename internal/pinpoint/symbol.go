// This file turns frames of the runtime into frames of the source. A site has all
// that is needed. An address is looked up in the file of its module, or in the
// separate file with its debug information; if the file has changed since, or is
// gone, the symbol that the process knew is left, and the offset.

package pinpoint

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/event"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// symbols looks addresses up. Files are opened once for all processes.
type symbols struct {
	debugDirs []string
	opened    map[moduleKey]*module
	numbers   map[string]uint32 // of frames, by how they print
}

type moduleKey struct{ path, buildID string }

func newSymbols(cfg Config) *symbols {
	dirs := cfg.DebugDirs
	if dirs == nil {
		dirs = []string{"/usr/lib/debug"}
	}
	return &symbols{debugDirs: dirs, opened: map[moduleKey]*module{}, numbers: map[string]uint32{}}
}

// frames looks up the frames of one report.
type frames struct {
	*symbols
	r       *event.Report
	known   map[event.ID]stack // by frame id; an address is several when code was inlined
	nodes   map[event.ID]stack
	sites   []string          // modules that have sites
	modules map[string]string // by function with sites
}

func (s *symbols) frames(r *event.Report) *frames {
	x := &frames{symbols: s, r: r, known: map[event.ID]stack{}, nodes: map[event.ID]stack{}, modules: map[string]string{}}
	for _, c := range r.Code {
		if c.Instrumented {
			x.sites = append(x.sites, c.Path)
		}
	}
	return x
}

// module returns the module of a function with sites. Sites do not name it.
func (x *frames) module(function string) string {
	if len(x.sites) == 1 {
		return x.sites[0]
	}
	m, ok := x.modules[function]
	if !ok {
		i := slices.IndexFunc(x.sites, func(path string) bool { return x.open(event.Module{Path: path}).has(function) })
		if i >= 0 {
			m = x.sites[i]
		}
		x.modules[function] = m
	}
	return m
}

// maxFrames is how many of the innermost calls are kept: more help nobody, and every
// block may have its own.
const maxFrames = 256

// stack returns the frames of an event: the place itself, and the calls that lead to
// it. A place without a line is not shown: the call that leads there is.
func (x *frames) stack(at, node event.ID) stack {
	calls, ok := x.nodes[node]
	if !ok {
		for _, id := range x.r.Stack(node) {
			if calls = append(calls, x.frame(id)...); len(calls) >= maxFrames {
				break
			}
		}
		calls = calls.trimmed()
		x.nodes[node] = calls
	}
	if at == 0 {
		return calls
	}
	return append(append(stack(nil), x.frame(at)...), calls...)
}

// frame returns the frames that an id stands for, innermost first.
func (x *frames) frame(id event.ID) stack {
	if s, ok := x.known[id]; ok {
		return s
	}
	var s stack
	e, ok := x.r.Frames[id]
	switch {
	case !ok:
	case e.What != 0:
		if e.Line > 0 {
			f := &frame{Frame: report.Frame{Pos: source.Position{File: filepath.Clean(e.File), Line: e.Line, Col: e.Col}, Function: e.Function, Module: x.module(e.Function), System: isSystem(e.File)}, site: true}
			if e.What == event.Call {
				f.calls = e.Holder
			}
			s = stack{f}
		}
	default:
		s = x.address(e)
	}
	for _, f := range s {
		f.number = x.number(f)
	}
	x.known[id] = s
	return s
}

// number numbers frames.
func (s *symbols) number(f *frame) uint32 {
	text := f.String()
	n, ok := s.numbers[text]
	if !ok {
		n = uint32(len(s.numbers) + 1)
		s.numbers[text] = n
	}
	return n
}

// address looks a return address up.
func (x *frames) address(e event.Frame) stack {
	m, ok := x.r.Modules[e.Module]
	if !ok {
		return stack{{Frame: report.Frame{Function: e.Symbol, Offset: e.Offset}}}
	}
	if strings.HasPrefix(filepath.Base(m.Path), "libplumb_rt") {
		return nil
	}
	s := x.open(m).find(e.Offset, e.Symbol)
	for _, f := range s {
		f.Module, f.Offset = m.Path, e.Offset
		f.System = isSystem(m.Path) || f.Pos.File != "" && isSystem(f.Pos.File)
	}
	return s
}

// open opens the file of a module.
func (s *symbols) open(m event.Module) *module {
	key := moduleKey{m.Path, m.BuildID}
	if s.opened[key] == nil {
		s.opened[key] = openModule(m.Path, m.BuildID, s.debugDirs)
	}
	return s.opened[key]
}
