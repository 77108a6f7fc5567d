// This file keeps a program at hand after its check, to look at changed versions.

package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/capture"
	"github.com/plumb-project/plumb/internal/fix"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/report"
)

// A Session is a program that was checked, and can be looked at with changes. It
// implements fix.World; its methods are not for concurrent use.
type Session struct {
	base  *state
	view  *fix.View
	root  string          // directory of the project
	read  map[string]bool // real paths of the files that units were made of
	made  string          // directory of files that the build makes; "" for none
	given string          // a unit that came as bitcode; "" for none

	afresh bool     // Look takes over nothing that is known of the program as it is
	last   struct { // what Look saw last
		over map[string][]byte
		view *fix.View
	}
}

// Open checks a program as Check does, but looks for every kind of defect whatever
// cfg.Checks says, which then decides what is reported. With an error that wraps
// ErrNothing there still is a report.
func Open(ctx context.Context, cfg Config) (*Session, *report.Report, error) {
	asked := cfg.Checks
	cfg.Checks = nil
	s := &Session{base: &state{cfg: cfg, keep: true}}
	chosen := phaseIndex("select")
	if err := s.base.run(ctx, phases[:chosen]); err != nil {
		if errors.Is(err, ErrNothing) {
			return nil, &s.base.report, err
		}
		return nil, nil, err
	}
	s.view = s.base.view()
	rep := &s.base.report
	if asked != nil {
		rep.Findings = slices.DeleteFunc(slices.Clone(rep.Findings), func(f report.Finding) bool { return !slices.Contains(asked, f.Kind) })
	}
	if err := s.base.run(ctx, phases[chosen:]); err != nil {
		return nil, nil, err
	}
	s.survey()
	return s, rep, nil
}

// view is what the phases found.
func (s *state) view() *fix.View {
	return &fix.View{Program: s.program, Leak: s.found, Models: s.models, Findings: slices.Clone(s.report.Findings)}
}

// Base is the program as it is.
func (s *Session) Base() *fix.View { return s.view }

// Look is the program as a patch makes it. Units that read no changed file are taken
// as they are; then all are linked. Functions that are as they were, as far as they and
// all they call go, are not analysed again. Nothing is written.
func (s *Session) Look(ctx context.Context, p *patch.Patch) (*fix.View, error) {
	over := p.Overlay()
	if !s.afresh && s.last.view != nil && maps.EqualFunc(over, s.last.over, bytes.Equal) {
		return s.last.view, nil
	}
	laid, err := s.base.captured.Overlay(ctx, over)
	if err != nil {
		return nil, err
	}
	if len(laid.Failed) > 0 {
		v := &fix.View{}
		for _, f := range laid.Failed {
			if !slices.Contains(v.Errors, f.Reason) { // a header may be in several units
				v.Errors = append(v.Errors, f.Reason)
			}
		}
		return v, nil
	}
	now := &state{cfg: s.base.cfg, models: s.base.models, units: laid.Units, like: s.base.program}
	now.cfg.Note = nil // all was said the first time
	lower, leak, chosen := phaseIndex("lower"), phaseIndex("leak"), phaseIndex("select")
	if err := now.run(ctx, phases[lower:leak]); err != nil {
		return nil, err
	}
	var at *moved
	if !s.afresh {
		now.previous, at = s.base.found, before(now.program, p)
	}
	err = now.run(ctx, phases[leak:chosen])
	v := now.view()
	if at != nil {
		at.restore()
		v.Findings = at.findings(v.Findings)
	}
	if err != nil {
		return nil, err
	}
	if v.Warnings, err = s.warnings(ctx, p, laid.Changed, over); err != nil {
		return nil, err
	}
	if !s.afresh {
		s.last.over, s.last.view = over, v
	}
	return v, nil
}

// Read gives a file as it was compiled; *patch.Stale if it is another by now.
func (s *Session) Read(file string) ([]byte, error) {
	text, err := s.base.captured.Read(file)
	if errors.Is(err, capture.ErrChanged) {
		return nil, &patch.Stale{File: file}
	}
	return text, err
}

// Command says how the unit of a function is compiled.
func (s *Session) Command(f ir.FuncID) (ast.Command, error) {
	id := s.view.Program.Funcs[f].Unit
	if id == 0 {
		return ast.Command{}, fmt.Errorf("%s is in no unit", s.view.Program.Funcs[f].Name)
	}
	u := &s.base.captured.Units[s.base.inputs[id]]
	if u.Flags == nil {
		return ast.Command{}, fmt.Errorf("%s was given as bitcode: how its sources are compiled is not known; give those, or the build", u.Name)
	}
	return ast.Command{Clang: s.base.captured.Clang.Path, Dir: u.Dir, Args: u.Args(), Env: u.Env()}, nil
}

// phaseIndex finds a phase in the table.
func phaseIndex(name string) int {
	return slices.IndexFunc(phases, func(p phase) bool { return p.name == name })
}
