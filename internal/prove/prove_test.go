package prove_test

import (
	"context"
	"errors"
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

// parse reads a program in text form.
func parse(t testing.TB, src string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("test", []byte(src))
	if err == nil {
		err = ir.Verify(p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A block that is forgotten when n is more than 16 and not more than 32.
const threshold = `program ptr64
func @malloc(%1) ptr external decl
func @free(%1) void external decl
func @f(%1: i32 n#1) void external {
  var #1 "n" "int" arg=1
  var #2 "p" "char *"
b1:
  set n#1 = %1
  %c: i1 = icmp sgt %1, i32 16
  condbr %c, b2, b5
b2:
  %p: ptr p#2 = call @malloc(i64 1)
  set p#2 = %p
  %d: i1 = icmp ne %p, null
  condbr %d, b3, b5
b3:
  %e: i1 = icmp sgt %1, i32 32
  condbr %e, b4, b5
b4:
  call @free(%p)
  br b5
b5:
  ret
}
`

// main calls f of threshold with a number.
func calledWith(n int) string {
	return threshold + fmt.Sprintf("func @main() i32 external {\nb1:\n  call @f(i32 %d)\n  ret i32 0\n}\n", n)
}

// A finding says which branches were taken, and for what values.
func TestWitness(t *testing.T) {
	fs := check(t, parse(t, threshold), prove.Config{}, "none")
	if len(fs) != 1 {
		t.Fatalf("%d findings", len(fs))
	}
	f := fs[0]
	if f.Confidence != report.Certain || len(f.When) != 1 || len(f.Why) != 0 {
		t.Errorf("%s, when %v, why %v", f.Confidence, f.When, f.Why)
	}
	var n int
	if _, err := fmt.Sscanf(strings.Join(f.When, ""), "n = %d", &n); err != nil || n <= 16 || n > 32 {
		t.Errorf("when %v", f.When)
	}
	if !slices.ContainsFunc(f.Steps, func(s report.Step) bool { return s.Text == "n > 32 is false" }) {
		t.Errorf("steps %v", f.Steps)
	}
}

// What no call of the program leads to is latent; what one does is told with its values.
func TestLatent(t *testing.T) {
	for n, want := range map[int]report.Confidence{8: report.Latent, 20: report.Certain, 40: report.Latent} {
		fs := check(t, parse(t, calledWith(n)), prove.Config{}, "none")
		if len(fs) != 1 || fs[0].Confidence != want {
			t.Errorf("f(%d): %s", n, story(fs))
		}
	}
	// A function that someone else may call can be called with anything.
	fs := check(t, parse(t, strings.Replace(calledWith(8), "func @malloc", "global @hook external ptr size=8 { 0 ptr @f }\nfunc @malloc", 1)), prove.Config{}, "none")
	if len(fs) != 1 || fs[0].Confidence != report.Certain {
		t.Errorf("address taken: %s", story(fs))
	}
}

// When the budget is spent the finding stays, is not certain, and says why.
func TestBudget(t *testing.T) {
	var st report.Stats
	fs := check(t, parse(t, threshold), prove.Config{Budget: 1, Stats: &st}, "none")
	if len(fs) != 1 || fs[0].Confidence != report.Possible || len(fs[0].Why) != 1 || !strings.Contains(fs[0].Why[0], "budget") {
		t.Fatal(story(fs))
	}
	if st.Spent != 1 || st.Possible != 1 || st.GaveUp[report.TooManyPaths] != 1 {
		t.Errorf("%+v", st)
	}
	if !slices.ContainsFunc(fs[0].GaveUp, func(g report.GaveUp) bool { return g.Reason == report.TooManyPaths }) {
		t.Errorf("gave up: %v", fs[0].GaveUp)
	}
}

func TestCancel(t *testing.T) {
	p := parse(t, threshold)
	res, err := leak.Search(context.Background(), p, leak.Config{Graphs: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	solver := solve.New(solve.Config{Command: "none"})
	defer solver.Close()
	if _, err := prove.Check(ctx, p, res, prove.Config{Solver: solver}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

// What stage two refutes it refutes without an external solver too, on the fixtures.
func TestWithoutSolver(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all fixtures twice")
	}
	with, without := 0, 0
	for _, fixture := range plumbtest.Fixtures(t, fixtures) {
		p := program(t, fixture)
		var a, b report.Stats
		check(t, p, prove.Config{Stats: &a}, "")
		check(t, p, prove.Config{Stats: &b}, "none")
		with += a.Refuted.Sum()
		without += b.Refuted.Sum()
	}
	if with < 10 || without*10 < with*8 {
		t.Errorf("%d refuted with a solver, %d without", with, without)
	}
	t.Logf("%d refuted with a solver, %d without", with, without)
}
