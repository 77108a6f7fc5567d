// Package driver runs plumb's phases: from a user's build to a report.
//
// The order of the phases is in one table, here and nowhere else. Each phase
// reads what earlier ones wrote into the state of the run, and adds to it. The
// driver measures every phase, checks the program between phases when it is
// asked to, and turns a panic of a phase into an error that names the phase.
package driver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/plumb-project/plumb/internal/capture"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/solve"
)

// Config says what to analyse and how.
//
// The input is one of Files, BuildDir and Build.
type Config struct {
	Files    []string // sources, bitcode, objects with bitcode in them, archives of those
	Flags    []string // compiler flags for the sources among Files
	BuildDir string   // directory of a compile_commands.json, or the file itself
	Build    []string // build command to run and to listen to

	Models []string      // model files, in which what is said holds over what plumb knows
	Checks []report.Kind // what to look for; nil for everything

	Descriptors bool // follow file descriptors too

	Policy Policy       // how open questions are answered
	Level  report.Level // which findings tell the same

	Solver        string            // command line of an SMT-LIB 2 solver; "" for z3 if it is there, "none" for none
	SolverTimeout time.Duration     // for one question; 0 for SolverTimeout
	MinConfidence report.Confidence // the least that is reported; 0 for report.Possible
	Runs          []*report.Report  // runs of the program, which may confirm findings
	Slices        bool              // say of each leak what a run must follow to see it

	WriteDB  string // write the compile commands of the build to this file
	Clang    string // clang to use; "" for the newest on PATH
	CacheDir string // "" for the user's cache directory
	NoCache  bool
	Jobs     int    // 0 for one per processor
	Dir      string // working directory, absolute

	Progress Progress         // hears of each unit; nil for none
	Note     func(msg string) // hears of what only a curious user wants to know; nil for none
	Stdout   io.Writer        // of the build command
	Stderr   io.Writer        // of the build command

	Verify bool       // check the program after each phase that makes one
	Timing func(Stat) // hears of each phase when it is over; nil for none
}

// SolverTimeout is how long the solver may think about one question.
const SolverTimeout = solve.DefaultTimeout

// A Policy answers what no analysis can decide; Policies lists the flags that set
// its fields.
type Policy = leak.Policy

// Policies are the settings of a Policy.
func Policies() []leak.Setting { return leak.Settings }

// Progress hears of the units while they are compiled.
type Progress = capture.Progress

// ErrNothing is wrapped by the error of a run in which no unit could be
// analysed.
var ErrNothing = capture.ErrNothing

// A PanicError is a defect of plumb itself, met in a phase.
type PanicError struct {
	Phase string
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("internal error in phase %s: %v", e.Phase, e.Value)
}

// ShimMain runs this process as a recording compiler if it was started as one:
// the shims of an intercepted build are links to plumb itself.
func ShimMain(args, env []string) (handled bool, exitCode int) { return capture.ShimMain(args, env) }

// Check runs every phase. With an error that wraps ErrNothing it still returns
// a report, which says why each unit was skipped.
func Check(ctx context.Context, cfg Config) (*report.Report, error) {
	s := &state{cfg: cfg}
	if err := s.run(ctx, phases); err != nil {
		if errors.Is(err, ErrNothing) {
			return &s.report, err
		}
		return nil, err
	}
	return &s.report, nil
}

// Load runs the phases up to the program, for dumps. The report tells what was
// read, as that of Check does.
func Load(ctx context.Context, cfg Config) (*ir.Program, *report.Report, error) {
	s := &state{cfg: cfg}
	if err := s.run(ctx, phases[:analysis]); err != nil {
		if errors.Is(err, ErrNothing) {
			return nil, &s.report, err
		}
		return nil, nil, err
	}
	return s.program, &s.report, nil
}

// run runs the given phases in order.
func (s *state) run(ctx context.Context, ps []phase) error {
	for _, p := range ps {
		if p.when != nil && !p.when(&s.cfg) {
			continue
		}
		m := startMeter()
		counts, err := s.guard(ctx, p)
		stat := m.stop(p.name, counts)
		s.report.Stats.Phases = append(s.report.Stats.Phases, stat.Phase)
		if s.cfg.Timing != nil {
			s.cfg.Timing(stat)
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// guard runs one phase and catches its panic.
func (s *state) guard(ctx context.Context, p phase) (counts string, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Phase: p.name, Value: v, Stack: debug.Stack()}
		}
	}()
	return p.run(ctx, s)
}
