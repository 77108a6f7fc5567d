// This file holds the table of phases, and what each of them does.

package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/plumb-project/plumb/internal/capture"
	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/model"
	"github.com/plumb-project/plumb/internal/prove"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/slice"
	"github.com/plumb-project/plumb/internal/solve"
)

// A state is what the phases of one run have made so far.
type state struct {
	cfg      Config
	captured *capture.Result
	keep     bool           // captured is needed after it was read
	units    []capture.Unit // to be read; nil once they are
	inputs   []int          // by ir.UnitID: index in units
	models   *model.Set
	program  *ir.Program
	found    *leak.Result
	like     *ir.Program  // another version of the program; nil for none
	previous *leak.Result // what was found in it
	report   report.Report
}

// A phase is one step of a run.
type phase struct {
	name string
	run  func(context.Context, *state) (counts string, err error)
	when func(*Config) bool // nil for always
}

// phases run in this order; each reads only what earlier ones wrote.
var phases = []phase{
	{name: "models", run: readModels},
	{name: "capture", run: captureUnits},
	{name: "lower", run: lowerUnits},
	{name: "verify", run: verifyProgram, when: func(cfg *Config) bool { return cfg.Verify }},
	{name: "leak", run: findCandidates},
	{name: "prove", run: proveCandidates},
	{name: "select", run: selectFindings},
	{name: "slice", run: sliceFindings, when: func(cfg *Config) bool { return cfg.Slices }},
}

// analysis is the index of the first phase that Load does not run.
var analysis = slices.IndexFunc(phases, func(p phase) bool { return p.name == "leak" })

// readModels reads what is known of library functions. It comes first, so that a
// mistake in a model file is told before the work.
func readModels(_ context.Context, s *state) (string, error) {
	var err error
	if s.models, err = Models(s.cfg.Models); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d functions", s.models.Len()), nil
}

// captureUnits gets the bitcode of every unit.
func captureUnits(ctx context.Context, s *state) (string, error) {
	cfg := &s.cfg
	res, err := capture.Run(ctx, capture.Config{
		Files: cfg.Files, Flags: cfg.Flags, CompileDB: cfg.BuildDir, Build: cfg.Build,
		WriteDB: cfg.WriteDB, Clang: cfg.Clang, CacheDir: cfg.CacheDir, NoCache: cfg.NoCache,
		Jobs: cfg.Jobs, Dir: cfg.Dir, Progress: cfg.Progress, Note: cfg.note,
		Stdout: cfg.Stdout, Stderr: cfg.Stderr,
	})
	if res == nil {
		return "", err
	}
	s.captured, s.units = res, res.Units
	c := &s.report.Coverage
	c.Compiled, c.Cached = res.Compiled, res.Cached
	for _, k := range res.Skipped {
		c.Skipped = append(c.Skipped, report.Skipped{Unit: k.Unit, Reason: k.Reason})
	}
	if len(c.Skipped) > 0 && errors.Is(err, ErrNothing) {
		err = s.nothing()
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d units, %d compiled, %d from cache, %d skipped", len(s.units), c.Compiled, c.Cached, len(c.Skipped)), nil
}

// lowerUnits reads the bitcode and links it into one program.
func lowerUnits(ctx context.Context, s *state) (string, error) {
	units := make([]lower.Unit, len(s.units))
	for i := range s.units {
		units[i] = lower.Unit{Name: s.units[i].Name, Data: s.units[i].Bitcode, Given: s.units[i].Flags == nil}
	}
	res, err := lower.Lower(ctx, units, lower.Config{Jobs: s.cfg.Jobs, Like: s.like})
	if err != nil {
		return "", err
	}
	s.units, s.inputs = nil, res.Inputs
	if !s.keep {
		s.captured = nil
	}
	s.program = res.Program
	for _, n := range res.Notes {
		s.cfg.note(n)
	}
	c := &s.report.Coverage
	for _, k := range res.Skipped {
		c.Skipped = append(c.Skipped, report.Skipped{Unit: k.Unit, Reason: k.Reason})
	}
	c.Units = len(units) - len(res.Skipped)
	if c.Units == 0 {
		return "", s.nothing()
	}
	var values int
	c.Functions, c.Lines, values = measure(res.Program)
	return fmt.Sprintf("%d units, %d functions, %d lines, %d values", c.Units, c.Functions, c.Lines, values), nil
}

// verifyProgram checks what lower promises.
func verifyProgram(_ context.Context, s *state) (string, error) {
	return "", ir.Verify(s.program)
}

// findCandidates is stage one of the analysis.
func findCandidates(ctx context.Context, s *state) (string, error) {
	var stats leak.Stats
	var err error
	s.found, err = leak.Search(ctx, s.program, leak.Config{Graphs: true, Jobs: s.cfg.Jobs, Models: s.models, Kinds: s.cfg.Checks, Descriptors: s.cfg.Descriptors, Policy: s.cfg.Policy, AllPaths: s.cfg.Level == report.EveryPath, Stats: &stats, Previous: s.previous})
	if err != nil {
		return "", err
	}
	st := &s.report.Stats
	st.Objects, st.Candidates, st.GaveUp = stats.Objects, len(s.found.Candidates), stats.GaveUp
	if stats.GivenUp > 0 {
		s.cfg.note(fmt.Sprintf("%d of %d objects were given up: too many paths in their functions", stats.GivenUp, stats.Objects))
	}
	if n := stats.GaveUp[report.Recursion]; n > 0 {
		s.cfg.note(fmt.Sprintf("%d functions call one another in cycles that were cut: less is known of them than might be", n))
	}
	counts := fmt.Sprintf("%d candidates, %d objects, %d given up", len(s.found.Candidates), stats.Objects, stats.GivenUp)
	if s.previous != nil {
		counts += fmt.Sprintf(", %d functions as before", stats.Reused)
	}
	return counts, nil
}

// proveCandidates is stage two: of what stage one found, it leaves what can happen.
func proveCandidates(ctx context.Context, s *state) (string, error) {
	solver := solve.New(solve.Config{Command: s.cfg.Solver, Timeout: s.cfg.SolverTimeout})
	defer solver.Close()
	st := &s.report.Stats
	fs, err := prove.Check(ctx, s.program, s.found, prove.Config{Jobs: s.cfg.Jobs, Models: s.models, Solver: solver, Stats: st})
	if err != nil {
		return "", err
	}
	s.report.Findings = fs
	asked := solver.Stats()
	st.Solver.Command, st.Solver.Note = solver.Command(), solver.Note()
	st.Solver.Queries, st.Solver.Cached, st.Solver.Timeouts, st.Solver.Restarts, st.Solver.Time = asked.Asked, asked.Cached, asked.Timeouts, asked.Restarts, asked.Time
	if st.Solver.Note != "" {
		s.cfg.note(st.Solver.Note)
	}
	return fmt.Sprintf("%d of %d candidates left", len(fs), st.Groups), nil
}

// selectFindings leaves the findings that are reported, and joins them with what
// runs of the program saw.
func selectFindings(_ context.Context, s *state) (string, error) {
	r := &s.report
	var left []report.Finding
	for _, f := range r.Findings {
		if f.Confidence > cmp.Or(s.cfg.MinConfidence, report.Possible) {
			left = append(left, f)
		}
	}
	r.Findings, r.LeftOut = report.Select(r.Findings, s.cfg.Level, s.cfg.MinConfidence)
	for _, run := range s.cfg.Runs {
		r.Confirm(run, left)
	}
	return fmt.Sprintf("%d findings, %d left out", len(r.Findings), r.LeftOut), nil
}

// sliceFindings says what a run must follow to see each leak.
func sliceFindings(_ context.Context, s *state) (string, error) {
	view := s.found.View()
	slicer := slice.New(s.program, slice.Config{
		Calls:     s.found.Calls(),
		Allocates: func(caller ir.FuncID, site ir.ValueID) bool { return view.At(caller, site).Makes },
	})
	functions := 0
	for i := range s.report.Findings {
		f := &s.report.Findings[i]
		if f.Kind.IsLeak() && f.Alloc.IsValid() {
			f.Slice = slicer.Of(f)
			functions = max(functions, len(f.Slice.Functions))
		}
	}
	return fmt.Sprintf("at most %d functions for a finding", functions), nil
}

// note passes a remark to whoever listens.
func (cfg *Config) note(msg string) {
	if cfg.Note != nil {
		cfg.Note(msg)
	}
}

// nothing is the error of a run that skipped every unit.
func (s *state) nothing() error {
	n := len(s.report.Coverage.Skipped)
	if n == 1 {
		return fmt.Errorf("%w: the only unit failed; see the warning above", ErrNothing)
	}
	return fmt.Errorf("%w: all %d units failed; see the warnings above", ErrNothing, n)
}

// measure counts functions with a body, distinct source lines that carry code
// in them, and values.
func measure(p *ir.Program) (functions, lines, values int) {
	seen := make([][]uint64, len(p.Files)) // bit set of lines, by FileID
	for i := 1; i < len(p.Funcs); i++ {
		f := &p.Funcs[i]
		if f.IsDecl() || len(f.Blocks) == 0 {
			continue
		}
		functions++
		values += len(f.Values) - 1
		for _, l := range f.Locs {
			if l.Line == 0 || int(l.Scope) >= len(f.Scopes) {
				continue
			}
			file := f.Scopes[l.Scope].File
			if int(file) >= len(seen) {
				continue
			}
			word, bit := int(l.Line/64), uint64(1)<<(l.Line%64)
			if n := word + 1 - len(seen[file]); n > 0 {
				seen[file] = append(seen[file], make([]uint64, n)...)
			}
			if seen[file][word]&bit == 0 {
				seen[file][word] |= bit
				lines++
			}
		}
	}
	return functions, lines, values
}
