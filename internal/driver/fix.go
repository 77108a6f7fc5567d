// This file mends what a check finds.

package driver

import (
	"context"
	"slices"

	"github.com/plumb-project/plumb/internal/fix"
	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/report"
)

// Fixes is what Fix made of a program.
type Fixes struct {
	*fix.Result
	Report *report.Report // its findings say what became of them

	session *Session
}

// Fix checks a program and mends what is found. With an error that wraps ErrNothing
// there still is a report, and nothing else.
func Fix(ctx context.Context, cfg Config, how fix.Config) (*Fixes, error) {
	s, rep, err := Open(ctx, cfg)
	if err != nil {
		if rep != nil {
			return &Fixes{Report: rep}, err
		}
		return nil, err
	}
	f := &Fixes{Report: rep, session: s}
	f.Result, err = mend(ctx, s, rep, how)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// mend runs package fix as a phase of its own.
func mend(ctx context.Context, s *Session, rep *report.Report, how fix.Config) (res *fix.Result, err error) {
	err = s.base.run(ctx, []phase{{name: "fix", run: func(ctx context.Context, _ *state) (string, error) {
		if res, err = fix.Run(ctx, s, rep, how); err != nil {
			return "", err
		}
		same, err := s.agrees(ctx, res.Patch)
		if err == nil && !same {
			s.afresh = true
			res, err = fix.Run(ctx, s, rep, how)
		}
		return "", err
	}}})
	return res, err
}

// agrees makes sure that what was taken over from the program as it is did not hide
// anything: it looks at the whole patch once more, with nothing taken over.
func (s *Session) agrees(ctx context.Context, p *patch.Patch) (bool, error) {
	if p.Empty() || s.afresh {
		return true, nil
	}
	quick, err := s.Look(ctx, p)
	if err != nil {
		return false, err
	}
	s.afresh = true
	defer func() { s.afresh = false }()
	whole, err := s.Look(ctx, p)
	if err != nil {
		return false, err
	}
	return slices.EqualFunc(quick.Findings, whole.Findings, func(a, b report.Finding) bool {
		return a.Kind == b.Kind && a.Alloc == b.Alloc && a.Loss == b.Loss && a.Confidence == b.Confidence
	}), nil
}

// Read gives a file as it was compiled; *patch.Stale if it is another by now.
func (f *Fixes) Read(file string) ([]byte, error) { return f.session.Read(file) }

// Prove shows that a patch which someone changed, or put together of some of the
// mends, mends the findings with these indices and breaks nothing: see fix.Prove.
func (f *Fixes) Prove(ctx context.Context, p *patch.Patch, gone []int) error {
	var fs []report.Finding
	for _, i := range gone {
		fs = append(fs, f.Report.Findings[i])
	}
	return fix.Prove(ctx, f.session, p, fs)
}

// Dir is the directory that the names in a diff of a patch are relative to: the
// working directory if all changed files are in it, and else the project's.
func (f *Fixes) Dir(p *patch.Patch) string {
	dir := f.session.base.cfg.Dir
	for _, name := range p.Files() {
		if !below(realPath(name), realPath(dir)) {
			return f.session.root
		}
	}
	return dir
}
