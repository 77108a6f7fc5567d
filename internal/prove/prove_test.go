package prove_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/plumbtest"
	"github.com/plumb-project/plumb/internal/prove"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/solve"
)

const fixtures = "../leak/testdata"

// program compiles the files of a fixture.
func program(t testing.TB, fixture plumbtest.Fixture) *ir.Program {
	t.Helper()
	var units []lower.Unit
	for _, name := range fixture.Files {
		data := plumbtest.Compile(t, name)
		units = append(units, lower.Unit{Name: name, Data: func() ([]byte, error) { return data, nil }})
	}
	res, err := lower.Lower(context.Background(), units, lower.Config{})
	if err != nil || len(res.Skipped) > 0 {
		t.Fatal(err, res)
	}
	return res.Program
}

// check runs both stages.
func check(t testing.TB, p *ir.Program, cfg prove.Config, solver string) []report.Finding {
	t.Helper()
	cfg.Solver = solve.New(solve.Config{Command: solver})
	defer cfg.Solver.Close()
	res, err := leak.Search(context.Background(), p, leak.Config{Graphs: true, Jobs: cfg.Jobs})
	if err != nil {
		t.Fatal(err)
	}
	fs, err := prove.Check(context.Background(), p, res, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return fs
}

// shown leaves out what is not reported unless asked for.
func shown(fs []report.Finding) []report.Finding {
	return slices.DeleteFunc(slices.Clone(fs), func(f report.Finding) bool { return f.Confidence == report.Latent })
}

// story writes findings with all that is told of them.
func story(fs []report.Finding) string {
	var b strings.Builder
	for _, f := range fs {
		fmt.Fprintf(&b, "%s %s %s %v %v\n", f.Loss, f.Kind, f.Confidence, f.Why, f.When)
		for _, s := range f.Steps {
			fmt.Fprintf(&b, "\t%s %d %s\n", s.Pos, s.Depth, s.Text)
		}
	}
	return b.String()
}

// The fixtures say in comments what is to be found in them.
func TestFixtures(t *testing.T) {
	for _, fixture := range plumbtest.Fixtures(t, fixtures) {
		t.Run(fixture.Name, func(t *testing.T) {
			t.Parallel()
			p := program(t, fixture)
			fs := check(t, p, prove.Config{}, "")
			fixture.Check(t, shown(fs))
			if d := cmp.Diff(story(fs), story(check(t, p, prove.Config{Jobs: 1}, ""))); d != "" {
				t.Errorf("with one worker:\n%s", d)
			}
		})
	}
}
