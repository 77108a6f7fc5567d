// This file compares a program with what a patch made of it.

package fixtest

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Seen is how a program compiles and what its runs do.
type Seen struct {
	tools    *Tools // that take the program
	warnings map[string]int
	runs     []seenRun
}

// A seenRun is what was seen of one of the program's runs.
type seenRun struct {
	Run
	asan     *Sight
	valgrind *Sight   // nil when it was not asked
	failed   []*Sight // as asan, the nth call that may fail failing
}

// See builds and runs the program in dir, with results in work. As often as
// before, if that is given, calls are let fail. Was tells where a line of
// a file was before the patch.
func (t *Tools) See(ctx context.Context, p *Program, dir, work string, before *Seen, was map[string]func(int) int) (*Seen, error) {
	s := &Seen{tools: t}
	var err error
	if s.warnings, err = t.warnings(ctx, p, dir); err != nil && before == nil && t.GCC != "" {
		return t.withoutGCC().See(ctx, p, dir, work, before, was)
	} else if err != nil {
		return nil, err
	}
	withAsan, plain := filepath.Join(work, "asan"), filepath.Join(work, "plain")
	if err := t.asan().make(ctx, p, dir, withAsan); err != nil {
		return nil, err
	}
	if t.Valgrind != "" {
		if err := t.plain().make(ctx, p, dir, plain); err != nil {
			return nil, err
		}
	}
	own := map[string]bool{}
	for _, f := range slices.Concat(p.Units, p.Other, p.Headers) {
		own[filepath.Base(f)] = true
	}
	where := func(file string, line int) string {
		if !own[file] {
			return ""
		}
		if old := was[file]; old != nil {
			line = old(line)
		}
		return fmt.Sprintf("%s:%d", file, line)
	}
	for i, r := range p.Runs {
		seen := seenRun{Run: r}
		// Valgrind knows better what was lost where; and that is slow to tell.
		var lines func(string, int) string
		if t.Valgrind == "" && before != nil {
			lines = where
		}
		if seen.asan, err = asan(ctx, withAsan, r, lines); err != nil {
			return nil, err
		}
		if t.Valgrind != "" {
			if seen.valgrind, err = valgrind(ctx, t.Valgrind, plain, r, where); err != nil {
				return nil, err
			}
		}
		n := min(seen.asan.Calls, t.Failures)
		if before != nil {
			n = len(before.runs[i].failed)
		}
		for k := range n {
			r.Fail = k + 1
			f, err := asan(ctx, withAsan, r, nil)
			if err != nil {
				return nil, err
			}
			seen.failed = append(seen.failed, f)
		}
		s.runs = append(s.runs, seen)
	}
	return s, nil
}

// Losses are what the program's runs lose, by calls to the allocation, or
// by number where only that is known.
func (s *Seen) Losses(p *Program) []string {
	out := map[string]bool{}
	for _, r := range s.runs {
		known := r.asan.Lost
		if r.valgrind != nil {
			known = r.valgrind.Lost
		}
		for at := range known {
			out[at] = true
		}
		if r.asan.Blocks > 0 && len(known) == 0 {
			out[fmt.Sprintf("%d blocks, says LeakSanitizer", r.asan.Blocks)] = true
		}
		if p.Resource && r.asan.Open > 0 {
			out["an open descriptor"] = true
		}
	}
	return slices.Sorted(maps.Keys(out))
}

// Problems are what the patched program does that the program did not do.
func (s *Seen) Problems(after *Seen) []string {
	var out []string
	for _, w := range slices.Sorted(maps.Keys(after.warnings)) {
		if after.warnings[w] > s.warnings[w] {
			out = append(out, "new warning: "+w)
		}
	}
	for i, r := range s.runs {
		a := after.runs[i]
		say := func(format string, args ...any) {
			out = append(out, fmt.Sprintf("%v: %s", r, fmt.Sprintf(format, args...)))
		}
		// What differs from build to build is no concern of the patch.
		stable := r.valgrind == nil || r.valgrind.Out == r.asan.Out && r.valgrind.Status == r.asan.Status
		compare(r.asan, a.asan, stable, func(what string) { say("%s", what) })
		if r.valgrind != nil {
			compare(r.valgrind, a.valgrind, stable, func(what string) { say("under valgrind: %s", what) })
		}
		// When the patched program makes other calls, the same number is another call.
		same := stable && r.asan.Calls == a.asan.Calls
		for n := range r.failed {
			if len(r.failed[n].Errors) == 0 {
				compare(r.failed[n], a.failed[n], same, func(what string) { say("call %d failing: %s", n+1, what) })
			}
		}
	}
	return out
}

// compare says what a run does after the patch that it did not do before.
func compare(before, after *Sight, stable bool, say func(string)) {
	for _, e := range after.Errors {
		if !slices.Contains(before.Errors, e) {
			say(e)
		}
	}
	if len(before.Errors) > 0 || len(after.Errors) > 0 {
		return
	}
	if stable && after.Out != before.Out {
		a, b := apart(after.Out, before.Out)
		say(fmt.Sprintf("prints %q, not %q", a, b))
	}
	if stable && after.Status != before.Status {
		say(fmt.Sprintf("ends with %s, not %s", after.Status, before.Status))
	}
	if stable && after.Blocks > before.Blocks {
		say(fmt.Sprintf("loses %d blocks, not %d", after.Blocks, before.Blocks))
	}
	if stable && after.Open > before.Open {
		say(fmt.Sprintf("leaves %d descriptors open, not %d", after.Open, before.Open))
	}
	if stable && before.Lost != nil && after.lost() > before.lost() {
		say(fmt.Sprintf("loses %v, not %v", after.Lost, before.Lost))
	}
}

// lost is how many blocks valgrind says are.
func (s *Sight) lost() (n int) {
	for _, k := range s.Lost {
		n += k
	}
	return n
}

// apart are the first lines that differ.
func apart(a, b string) (string, string) {
	for {
		x, restA, _ := strings.Cut(a, "\n")
		y, restB, _ := strings.Cut(b, "\n")
		if x != y || restA == "" || restB == "" {
			return a[:min(len(a), len(x)+1)], b[:min(len(b), len(y)+1)]
		}
		a, b = restA, restB
	}
}

// A Result is what became of a program by a patch.
type Result struct {
	Patch    *Patch
	Problems []string // what it breaks; nothing is what it has to be
	Left     []string // what is still lost
}

// A Trial is a program before patches.
type Trial struct {
	Program *Program
	Seen    *Seen
	Lost    []string // by the program as it is
	tools   *Tools
	work    string
	known   map[string]*Result // by patch
}

// Try builds and runs a program as it is. Work is a directory for the trial alone.
func (t *Tools) Try(ctx context.Context, p *Program, work string) (*Trial, error) {
	trial := &Trial{Program: p, tools: t, work: work, known: map[string]*Result{}}
	dir, err := trial.copy("before")
	if err != nil {
		return nil, err
	}
	if trial.Seen, err = t.See(ctx, p, dir, filepath.Dir(dir), nil, nil); err != nil {
		return nil, err
	}
	trial.tools, trial.Lost = trial.Seen.tools, trial.Seen.Losses(p)
	return trial, nil
}

// copy puts the program into a new directory, called src.
func (t *Trial) copy(name string) (string, error) {
	dir, err := os.MkdirTemp(t.work, name)
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "src")
	return dir, t.Program.Copy(dir)
}

// Make lets a maker mend the program, and judges what it made.
func (t *Trial) Make(ctx context.Context, make Maker) (*Result, error) {
	dir, err := t.copy("patch")
	if err != nil {
		return nil, err
	}
	patch, err := make(ctx, t.Program, dir)
	if err != nil {
		return nil, err
	}
	if len(patch.Diff) == 0 {
		return &Result{Patch: patch, Left: t.Lost}, nil
	}
	if r := t.known[string(patch.Diff)]; r != nil {
		return &Result{Patch: patch, Problems: r.Problems, Left: r.Left}, nil
	}
	r := &Result{Patch: patch}
	t.known[string(patch.Diff)] = r
	if err := patch.apply(ctx, dir); err != nil {
		r.Problems, r.Left = []string{err.Error()}, t.Lost
		return r, nil
	}
	after, err := t.tools.See(ctx, t.Program, dir, filepath.Dir(dir), t.Seen, patch.lines())
	if err != nil {
		r.Problems, r.Left = []string{err.Error()}, t.Lost
		return r, ctx.Err()
	}
	r.Problems, r.Left = t.Seen.Problems(after), after.Losses(t.Program)
	return r, nil
}
