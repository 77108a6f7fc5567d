package main

// This file builds and runs one workload in every mode.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/plumb-project/plumb/internal/tools/cputime"
)

// A bench is the setting of all measurements.
type bench struct {
	self, plumb, corpus, work string
	runs                      int
	modes                     []mode
}

// A starter is the command that runs the program with these arguments.
type starter func(stdin io.Reader, args ...string) *exec.Cmd

// A sample is what one mode costs one workload.
type sample struct {
	build, user cputime.Samples
	peak        []int64
}

// A row is what one workload costs, by mode.
type row struct {
	workload
	samples map[string]*sample
}

func (b *bench) program(w workload, m *mode) string {
	name := m.name
	if m.as != "" {
		name = m.as
	}
	return filepath.Join(b.work, w.name+"-"+name)
}

// measure builds the workload in every mode, and runs it.
func (b *bench) measure(ctx context.Context, w workload) (*row, error) {
	say := func(what string) { fmt.Fprintf(os.Stderr, "overhead: %s %s\n", what, w.name) }
	r := &row{workload: w, samples: map[string]*sample{}}
	for i := range b.modes {
		r.samples[b.modes[i].name] = &sample{}
	}
	say("preparing")
	if err := w.prepare(ctx); err != nil {
		return nil, err
	}
	say("building")
	for range w.builds {
		for i := range b.modes {
			m := &b.modes[i]
			if m.as != "" {
				continue
			}
			before := cputime.Used(syscall.RUSAGE_CHILDREN)
			if err := w.build(ctx, m, b.program(w, m)); err != nil {
				return nil, fmt.Errorf("building %s: %w", m.name, err)
			}
			s := r.samples[m.name]
			s.build = append(s.build, cputime.Used(syscall.RUSAGE_CHILDREN)-before)
		}
	}
	say("running")
	var want []byte
	for n := range b.runs {
		for i := range b.modes {
			m := &b.modes[i]
			if m.once && n > 0 {
				continue
			}
			got, c, err := b.one(ctx, w, m)
			if err != nil {
				return nil, fmt.Errorf("running %s: %w", m.name, err)
			}
			if want == nil {
				want = got
			} else if !bytes.Equal(got, want) {
				return nil, fmt.Errorf("%s: the output differs from %s:\n%s\nwant\n%s", m.name, b.modes[0].name, got, want)
			}
			s := r.samples[m.name]
			s.user = append(s.user, c.User)
			s.peak = append(s.peak, c.Peak)
		}
	}
	return r, nil
}

// one runs a workload once.
func (b *bench) one(ctx context.Context, w workload, m *mode) (out []byte, c cost, err error) {
	file := filepath.Join(b.work, "cost.json")
	if err := os.RemoveAll(file); err != nil {
		return nil, c, err
	}
	var messages bytes.Buffer
	start := func(stdin io.Reader, args ...string) *exec.Cmd {
		line := slices.Concat(m.outer, []string{b.self, "-child", file, "--"}, m.inner, []string{b.program(w, m)}, args)
		if m.reported {
			line = slices.Insert(line, 2, "--only-reported", b.report(w.name))
		}
		cmd := exec.CommandContext(ctx, line[0], line[1:]...)
		cmd.Env = append(os.Environ(), m.env...)
		cmd.Stdin, cmd.Stderr = stdin, &messages
		return cmd
	}
	out, err = w.work(ctx, start)
	if err == nil && w.leaks && !bytes.Contains(messages.Bytes(), []byte(m.sign)) {
		err = errors.New("the leak was not found")
	}
	if err != nil {
		return nil, c, fmt.Errorf("%w\n%s", err, messages.Bytes())
	}
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	return out, c, err
}

// compiler is the command of a mode that compiles and links a workload, C or C++.
// Valgrind 3.19, Debian's, does not read newer debug information than that.
func (b *bench) compiler(m *mode, workload string, cxx bool) []string {
	cc := m.cc
	if cxx {
		cc = m.cxx
	}
	if m.reported {
		cc = slices.Insert(slices.Clone(cc), 1, "PLUMB_ONLY="+b.report(workload))
	}
	return slices.Concat(cc, []string{"-gdwarf-4", "-O2", "-w"}, m.flags)
}

// report is the file for what plumb check says of a workload.
func (b *bench) report(workload string) string {
	return filepath.Join(b.work, workload+"-reported.json")
}

// check writes that file; args are files, or -- and a build.
func (b *bench) check(ctx context.Context, workload, dir string, args ...string) error {
	line := append([]string{b.plumb, "check", "-q", "--clang", b.modes[0].cc[0], "--format", "json", "-o", b.report(workload)}, args...)
	err := b.command(ctx, dir, line)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 { // leaks found
		return nil
	}
	return err
}

// command runs a command that must not fail.
func (b *bench) command(ctx context.Context, dir string, line []string, args ...string) error {
	line = append(slices.Clone(line), args...)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Dir = dir
	if msg, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", line, err, msg[max(0, len(msg)-4000):])
	}
	return nil
}
