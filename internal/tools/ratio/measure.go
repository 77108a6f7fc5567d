package main

// This file measures one program.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/plumb-project/plumb/internal/capture"
	"github.com/plumb-project/plumb/internal/tools/cputime"
	"github.com/plumb-project/plumb/internal/tools/program"
)

// How often things are measured.
const (
	lowerRuns = 5
	otherRuns = 3
)

// A measurement is what one program costs.
type measurement struct {
	Program, Version, Clang string
	Units, Insts            int
	Bytes                   int64 // of bitcode
	peak                    int64 // growth of the process during lower, bytes
	peakAll                 int64 // and during all of the analysis
	lines, functions        int   // with code
	objects, findings       int

	compile, lower, analysis, bitcode, warm, cold cputime.Samples
}

// per1000 is what the analysis costs per 1000 of n, in milliseconds.
func (m *measurement) per1000(n int) float64 {
	return m.analysis.Median().Seconds() * 1e6 / float64(max(n, 1))
}

// over is the cost in compilations.
func (m *measurement) over(s cputime.Samples) float64 {
	return s.Median().Seconds() / m.compile.Median().Seconds()
}

func (m *measurement) met() bool {
	return m.over(m.lower) <= bar && m.over(m.analysis) <= analysisBar
}

// per100k is the peak memory of lower per 100,000 instructions.
func (m *measurement) per100k() int64 { return m.peak * 100_000 / int64(m.Insts) }

// A runner measures one program.
type runner struct {
	*measurement
	program *program.Program
	plumb   string
	cfg     capture.Config
	clang   string // path
	units   []capture.Unit
	tmp     string // holds the bitcode, and what compile writes
}

func measure(ctx context.Context, p *program.Program, plumb string, cfg capture.Config) (*measurement, error) {
	res, err := p.Capture(ctx, cfg)
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "plumb-ratio-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	r := &runner{
		measurement: &measurement{Program: p.Name, Version: p.Version, Clang: res.Clang.Version, Units: len(res.Units)},
		program:     p, plumb: plumb, cfg: cfg, clang: res.Clang.Path, units: res.Units, tmp: tmp,
	}
	if err := r.spill(); err != nil {
		return nil, err
	}
	for round := range max(lowerRuns, otherRuns) {
		if err := r.round(ctx, round); err != nil {
			return nil, err
		}
	}
	return r.measurement, nil
}

// spill writes the bitcode where the processes that lower it find it.
func (r *runner) spill() error {
	for i := range r.units {
		data, err := r.units[i].Bitcode()
		if err != nil {
			return err
		}
		err = program.Instructions(r.units[i].Name, data, func(string, string) { r.Insts++ })
		if err != nil {
			return err
		}
		r.Bytes += int64(len(data))
		if err := os.WriteFile(filepath.Join(r.tmp, fmt.Sprintf("%06d.bc", i)), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// round measures everything once.
func (r *runner) round(ctx context.Context, n int) error {
	var err error
	do := func(runs int, s *cputime.Samples, what func(context.Context) (time.Duration, error)) {
		if err != nil || n >= runs {
			return
		}
		var d time.Duration
		if d, err = what(ctx); err == nil {
			*s = append(*s, d)
		}
	}
	check := func(args ...string) func(context.Context) (time.Duration, error) {
		return func(ctx context.Context) (time.Duration, error) { return r.check(ctx, args) }
	}
	warm := []string{}
	if r.cfg.CacheDir != "" {
		warm = append(warm, "--cache-dir", r.cfg.CacheDir)
	}
	do(lowerRuns, &r.analysis, r.runAnalysis)
	do(otherRuns, &r.compile, r.runCompile)
	do(otherRuns, &r.bitcode, r.runBitcode)
	do(otherRuns, &r.warm, check(warm...))
	do(otherRuns, &r.cold, check("--no-cache"))
	return err
}

// runCompile compiles every unit to an object file.
func (r *runner) runCompile(ctx context.Context) (time.Duration, error) {
	cpu := make([]time.Duration, len(r.units))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range r.units {
		g.Go(func() error {
			u := &r.units[i]
			// The quiet flags are those of the bitcode, so that neither side
			// pays for warnings.
			args := append(slices.Clone(u.Flags), "-O0", "-g", "-c", "-Wno-everything", "-Qunused-arguments",
				"-o", filepath.Join(r.tmp, fmt.Sprintf("%06d.o", i)), u.Name)
			cmd := exec.CommandContext(ctx, r.clang, args...)
			cmd.Dir = u.Dir
			if msg, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("clang -c %s: %w\n%s", u.Name, err, msg)
			}
			cpu[i] = cputime.Of(cmd.ProcessState)
			return nil
		})
	}
	err := g.Wait()
	var sum time.Duration
	for _, d := range cpu {
		sum += d
	}
	return sum, err
}

// runBitcode makes the bitcode of every unit: clang's time and capture's own.
func (r *runner) runBitcode(ctx context.Context) (time.Duration, error) {
	cfg := r.cfg
	cfg.NoCache = true
	before := cputime.Used(syscall.RUSAGE_SELF) + cputime.Used(syscall.RUSAGE_CHILDREN)
	_, err := r.program.Capture(ctx, cfg)
	return cputime.Used(syscall.RUSAGE_SELF) + cputime.Used(syscall.RUSAGE_CHILDREN) - before, err
}

// check runs all of plumb.
func (r *runner) check(ctx context.Context, args []string) (time.Duration, error) {
	args = append([]string{"check", "-q", "-p", filepath.Dir(r.program.DB), "--clang", r.clang, "-o", os.DevNull}, args...)
	cmd := exec.CommandContext(ctx, r.plumb, args...)
	msg, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) { // 1: leaks found
		return 0, fmt.Errorf("plumb check: %w\n%s", err, msg)
	}
	return cputime.Of(cmd.ProcessState), nil
}
