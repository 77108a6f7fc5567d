// This file mends what a check finds.

package driver

import (
	"context"
	"fmt"

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
		res, err = fix.Run(ctx, s, rep, how)
		return "", err
	}}})
	return res, err
}

// Read gives a file as it was compiled; *patch.Stale if it is another by now.
func (f *Fixes) Read(file string) ([]byte, error) { return f.session.Read(file) }

// Prove shows that a patch which someone changed, or put together of some of the
// mends, holds: the program with it compiles without new warnings, the findings with
// these indices are gone, and nothing new is there. The error says what stands
// against it.
func (f *Fixes) Prove(ctx context.Context, p *patch.Patch, gone []int) error {
	v, err := f.session.Look(ctx, p)
	switch {
	case err != nil:
		return err
	case len(v.Errors) > 0:
		return fmt.Errorf("it does not compile: %s", v.Errors[0])
	case len(v.Warnings) > 0:
		return fmt.Errorf("the compiler warns of it: %s", v.Warnings[0])
	}
	key := func(x *report.Finding) string { return fmt.Sprint(x.Kind, " ", x.Alloc, " ", x.Loss) }
	was := map[string]int{}
	for i := range f.session.view.Findings {
		was[key(&f.session.view.Findings[i])]++
	}
	for _, i := range gone {
		delete(was, key(&f.Report.Findings[i]))
	}
	for _, x := range v.Findings {
		x.Alloc.Line, x.Alloc.Col = p.Old(x.Alloc.File, x.Alloc.Line, x.Alloc.Col)
		x.Loss.Line, x.Loss.Col = p.Old(x.Loss.File, x.Loss.Line, x.Loss.Col)
		k := key(&x)
		if was[k]--; was[k] < 0 {
			return fmt.Errorf("%s: %s", x.Loss, x.Message())
		}
	}
	return nil
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
