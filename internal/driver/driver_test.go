package driver

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/ir"
)

// A panic of a phase is an error that names it, and later phases do not run.
func TestPanic(t *testing.T) {
	later := false
	var timed []string
	s := &state{cfg: Config{Timing: func(st Stat) { timed = append(timed, st.Name) }}}
	err := s.run(context.Background(), []phase{
		{name: "off", run: func(context.Context, *state) (string, error) { panic("not asked for") }, when: func(*Config) bool { return false }},
		{name: "bad", run: func(context.Context, *state) (string, error) { panic("edge to nowhere") }},
		{name: "later", run: func(context.Context, *state) (string, error) { later = true; return "", nil }},
	})
	var crash *PanicError
	if !errors.As(err, &crash) || crash.Phase != "bad" || !strings.Contains(err.Error(), "edge to nowhere") {
		t.Errorf("error is %v", err)
	}
	if later || strings.Join(timed, " ") != "bad" {
		t.Errorf("later ran: %v; timed: %v", later, timed)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := &state{}
	err := s.run(ctx, []phase{
		{name: "one", run: func(context.Context, *state) (string, error) { cancel(); return "", nil }},
		{name: "two", run: func(context.Context, *state) (string, error) { t.Error("ran after cancellation"); return "", nil }},
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

// Lines are counted once for the whole program, by file, and declarations not
// at all.
func TestMeasure(t *testing.T) {
	body := func(file ir.FileID, lines ...uint32) ir.Func {
		f := ir.Func{
			Blocks: make([]ir.Block, 2),
			Values: make([]ir.Value, 4),
			Scopes: []ir.Scope{{}, {File: file}},
			Locs:   make([]ir.Loc, 1),
		}
		for _, l := range lines {
			f.Locs = append(f.Locs, ir.Loc{Line: l, Scope: 1})
		}
		return f
	}
	p := &ir.Program{
		Files: []string{"", "a.c", "b.c"},
		Funcs: []ir.Func{{}, body(1, 3, 4, 4, 700), body(1, 4, 5), body(2, 3, 0), {Flags: ir.Decl}},
	}
	functions, lines, values := measure(p)
	if functions != 3 || lines != 5 || values != 9 {
		t.Errorf("%d functions, %d lines, %d values", functions, lines, values)
	}
}

// Load stops where the analysis begins.
func TestAnalysis(t *testing.T) {
	if analysis < 1 || phases[analysis].name != "leak" {
		t.Errorf("analysis begins at phase %d", analysis)
	}
}
