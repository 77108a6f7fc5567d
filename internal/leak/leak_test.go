package leak_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/plumbtest"
	"github.com/plumb-project/plumb/internal/report"
)

var update = flag.Bool("update", false, "rewrite the expected findings")

// story prints findings with their steps.
func story(fs []report.Finding) string {
	var b strings.Builder
	for _, f := range fs {
		fmt.Fprintf(&b, "%s: %s: %s in %s\n", f.Loss, f.Kind, f.Message(), f.Function)
		for _, s := range f.Steps {
			fmt.Fprintf(&b, "\t%s: %s\n", s.Pos, s.Text)
		}
	}
	return b.String()
}

func parse(t testing.TB, name string, src []byte) *ir.Program {
	t.Helper()
	p, err := ir.Parse(name, src)
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(p); err != nil {
		t.Fatal(err)
	}
	return p
}

func find(t testing.TB, p *ir.Program, cfg leak.Config) []report.Finding {
	t.Helper()
	fs, err := leak.Find(context.Background(), p, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return fs
}

// Each archive has a program, in.pir, and what is found in it, want.
func TestText(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := story(find(t, parse(t, name, ar.Files[0].Data), leak.Config{}))
			if *update {
				ar.Files = append(ar.Files[:1], txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(string(ar.Files[1].Data), got); d != "" {
				t.Error(d)
			}
		})
	}
}

// What is found in the fixtures does not depend on what should not count. Whether it
// is what their comments say is checked after stage two, in internal/prove.
func TestFixtures(t *testing.T) {
	for _, fixture := range plumbtest.Fixtures(t, "testdata") {
		t.Run(fixture.Name, func(t *testing.T) {
			t.Parallel()
			var units []lower.Unit
			for _, name := range fixture.Files {
				data := plumbtest.Compile(t, name)
				units = append(units, lower.Unit{Name: name, Data: func() ([]byte, error) { return data, nil }})
			}
			res, err := lower.Lower(context.Background(), units, lower.Config{})
			if err != nil || len(res.Skipped) > 0 {
				t.Fatal(err, res)
			}
			if err := ir.Verify(res.Program); err != nil {
				t.Fatal(err)
			}
			fs := find(t, res.Program, leak.Config{})
			if !slices.IsSortedFunc(fs, func(a, b report.Finding) int { return a.Loss.Compare(b.Loss) }) {
				t.Error("findings are not sorted")
			}
			// The order of the units does not count.
			if slices.Reverse(units); len(units) > 1 {
				res, err := lower.Lower(context.Background(), units, lower.Config{})
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(story(fs), story(find(t, res.Program, leak.Config{}))); d != "" {
					t.Errorf("units in another order:\n%s", d)
				}
			}
			// What text carries is all that counts, and the number of workers does not.
			var text strings.Builder
			if err := ir.Print(&text, res.Program); err != nil {
				t.Fatal(err)
			}
			parsed := parse(t, fixture.Name, []byte(text.String()))
			if err := ir.Diff(res.Program, parsed); err != nil {
				t.Error(err)
			}
			again := find(t, parsed, leak.Config{Jobs: 1})
			if d := cmp.Diff(story(fs), story(again)); d != "" {
				t.Error(d)
			}
			samePlaces(t, fs, find(t, parsed, leak.Config{AllPaths: true}))
			drawn(t, parsed, fs)
		})
	}
}

// many is a function with n branches on different conditions between the allocation and its release.
func many(n int) string {
	var b strings.Builder
	b.WriteString("program ptr64\nfunc @malloc(%1) ptr external decl\nfunc @free(%1) void external decl\nfunc @f(%1: ptr) void external {\n" +
		"  var #1 \"p\" \"char *\"\nb1:\n  %p: ptr = call @malloc(i64 1)\n  set p#1 = %p\n  br b2\n")
	for i := range n {
		fmt.Fprintf(&b, "b%d:\n  %%a%d: ptr = gep %%1 + %d\n  %%v%d: i32 = load %%a%d\n  %%c%d: i1 = icmp eq %%v%d, i32 0\n  condbr %%c%d, b%d, b%d\nb%d:\n  br b%d\n",
			2*i+2, i, 4*i, i, i, i, i, i, 2*i+3, 2*i+4, 2*i+3, 2*i+4)
	}
	last := 2*n + 2
	fmt.Fprintf(&b, "b%d:\n  br b%d\n", last, last+1)
	for i := range n { // test everything again, so that nothing can be forgotten
		fmt.Fprintf(&b, "b%d:\n  condbr %%c%d, b%d, b%d\nb%d:\n  br b%d\n", last+2*i+1, i, last+2*i+2, last+2*i+3, last+2*i+2, last+2*i+3)
	}
	fmt.Fprintf(&b, "b%d:\n  ret\n}\n", last+2*n+1)
	return b.String()
}

// Branches that matter later multiply the states: few are followed, many are given up.
func TestBudget(t *testing.T) {
	if fs := find(t, parse(t, "few", []byte(many(4))), leak.Config{}); len(fs) != 1 {
		t.Errorf("4 branches: %d findings", len(fs))
	}
	if fs := find(t, parse(t, "many", []byte(many(40))), leak.Config{States: 500}); len(fs) != 0 {
		t.Errorf("40 branches: %d findings", len(fs))
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := leak.Find(ctx, parse(t, "x", []byte(many(1))), leak.Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

func BenchmarkFind(b *testing.B) {
	p := parse(b, "bench", []byte(many(8)))
	for b.Loop() {
		find(b, p, leak.Config{Jobs: 1})
	}
}
