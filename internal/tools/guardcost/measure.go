package main

// This file guards a program, builds it in every mode, and runs it.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/plumb-project/plumb/internal/driver"
	"github.com/plumb-project/plumb/internal/fix"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/tools/cputime"
)

// A bench is the setting of all measurements.
type bench struct {
	clang, corpus, script, work string
	runs                        int
}

// bits are the numbers of slots that are measured, as powers of two; AutoFix's figure
// 10 has the same. The header's own is 8.
var bits = []int{0, 6, 8, 16}

// A mode is the program as it is (the first), or guarded with a number of slots.
type mode struct {
	times        cputime.Samples
	instructions int64
}

// A row is what was measured of a program.
type row struct {
	program
	guards int
	modes  []mode // plain, then by bits
}

// tool counts instructions.
var tool = []string{"valgrind", "--tool=cachegrind", "--cache-sim=no", "--branch-sim=no", "--cachegrind-out-file=/dev/null"}

func (b *bench) measure(ctx context.Context, p program) (*row, error) {
	say := func(what string) { fmt.Fprintf(os.Stderr, "guardcost: %s %s\n", what, p.name) }
	r := &row{program: p, modes: make([]mode, 1+len(bits))}
	plain, guarded := filepath.Join(b.work, p.name, "plain"), filepath.Join(b.work, p.name, "guarded")
	for _, dir := range []string{plain, guarded} {
		if err := os.RemoveAll(dir); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	if _, err := p.tree(plain); err != nil {
		return nil, err
	}
	cfg, err := p.tree(guarded)
	if err != nil {
		return nil, err
	}
	say("guarding")
	if r.guards, err = b.guard(ctx, cfg); err != nil {
		return nil, err
	}
	say("building")
	exes := make([]string, len(r.modes))
	for i := range r.modes {
		dir, flags := plain, []string(nil)
		if i > 0 {
			dir, flags = guarded, []string{fmt.Sprintf("-DPLUMB_GUARD_BITS=%d", bits[i-1])}
		}
		exe, err := p.build(ctx, dir, flags)
		if err != nil {
			return nil, err
		}
		// The next mode is built in the same place.
		exes[i] = filepath.Join(filepath.Dir(exe), fmt.Sprintf("%s-%d", filepath.Base(exe), i))
		if err := os.Rename(exe, exes[i]); err != nil {
			return nil, err
		}
	}
	say("counting")
	for i := range r.modes {
		_, out, err := p.work(ctx, exes[i], tool)
		if err != nil {
			return nil, err
		}
		if r.modes[i].instructions, err = counted(out); err != nil {
			return nil, err
		}
	}
	say("running")
	var want []byte
	for range b.runs {
		for i := range r.modes {
			cmd, out, err := p.work(ctx, exes[i], nil)
			if err != nil {
				return nil, err
			}
			if want == nil {
				want = out
			} else if !bytes.Equal(out, want) {
				return nil, fmt.Errorf("the output differs with guards:\n%s\nwant\n%s", out, want)
			}
			r.modes[i].times = append(r.modes[i].times, cmd.ProcessState.UserTime())
		}
	}
	return r, nil
}

// errNothing is the error of a program in which no leak can be guarded.
var errNothing = errors.New("nothing is guarded")

// guard puts guards into the sources, wherever plumb finds a leak and can guard it. It
// returns how many there are.
func (b *bench) guard(ctx context.Context, cfg driver.Config) (int, error) {
	cfg.Clang, cfg.CacheDir = b.clang, filepath.Join(b.work, "cache")
	s, rep, err := driver.Open(ctx, cfg)
	if err != nil {
		return 0, err
	}
	res, err := fix.Run(ctx, s, rep, fix.Config{Always: true})
	if err != nil {
		return 0, err
	}
	n := 0
	for _, m := range res.Mends {
		if m.Outcome == report.Guarded {
			n++
		}
	}
	if n == 0 {
		return 0, errNothing
	}
	return n, res.Patch.Write()
}

var refs = regexp.MustCompile(`I\s+refs:\s+([0-9,]+)`)

// counted reads the number of instructions from what the tool says.
func counted(out []byte) (int64, error) {
	m := refs.FindSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("valgrind counts no instructions:\n%s", out)
	}
	return strconv.ParseInt(strings.ReplaceAll(string(m[1]), ",", ""), 10, 64)
}

// output runs a command and returns what it writes.
func output(ctx context.Context, stdin []byte, line []string) (*exec.Cmd, []byte, error) {
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Stdin = bytes.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%v: %w\n%s", line, err, out[max(0, len(out)-2000):])
	}
	return cmd, out, err
}

// command runs a command that must not fail.
func (b *bench) command(ctx context.Context, dir string, line ...string) error {
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", line, err, out[max(0, len(out)-4000):])
	}
	return nil
}
