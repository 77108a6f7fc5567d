package lower_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/plumbtest"
)

func unit(name string, data []byte) lower.Unit {
	return lower.Unit{Name: name, Data: func() ([]byte, error) { return data, nil }}
}

// mustLower lowers units and checks the program.
func mustLower(t testing.TB, jobs int, units ...lower.Unit) *ir.Program {
	t.Helper()
	res, err := lower.Lower(context.Background(), units, lower.Config{Jobs: jobs})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range res.Skipped {
		t.Fatalf("%s: skipped: %s", s.Unit, s.Reason)
	}
	if err := ir.Verify(res.Program); err != nil {
		t.Fatal(err)
	}
	return res.Program
}

func text(t testing.TB, p *ir.Program) string {
	t.Helper()
	var b bytes.Buffer
	if err := ir.Print(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestVersions lowers sources that use every record, with every clang, and
// checks the result, its text and the way back.
func TestVersions(t *testing.T) {
	sources, _ := filepath.Glob("../bitcode/testdata/*.c*")
	if len(sources) == 0 {
		t.Fatal("no sources")
	}
	versions, opts := []int{14, 15, 16, 19, 22}, []string{"-O0", "-O2"}
	if testing.Short() {
		versions, opts = []int{14, 22}, opts[:1]
	}
	for _, v := range versions {
		for _, src := range sources {
			for _, opt := range opts {
				t.Run(fmt.Sprintf("clang-%d/%s%s", v, filepath.Base(src), opt), func(t *testing.T) {
					t.Parallel()
					p := mustLower(t, 2, unit(src, plumbtest.CompileWith(t, v, src, opt)))
					want := text(t, p)
					q, err := ir.Parse("text", []byte(want))
					if err != nil {
						t.Fatal(err)
					}
					if got := text(t, q); got != want {
						t.Error("text changes when it is read and printed again")
					}
				})
			}
		}
	}
}
