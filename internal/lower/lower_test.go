package lower_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/lower"
)

// compile makes bitcode of a source with one version of clang, or skips.
func compile(t testing.TB, version int, src string, flags ...string) []byte {
	t.Helper()
	clang := fmt.Sprintf("clang-%d", version)
	if _, err := exec.LookPath(clang); err != nil {
		t.Skipf("%s is not installed: scripts/setup.sh test", clang)
	}
	out := filepath.Join(t.TempDir(), "out.bc")
	args := append([]string{"-c", "-emit-llvm", "-O0", "-g", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names", "-w", "-o", out, src}, flags...)
	if msg, err := exec.Command(clang, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", clang, err, msg)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

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
	sources, _ := filepath.Glob("../bitcode/testdata/records.c*")
	if len(sources) == 0 {
		t.Fatal("no sources")
	}
	for _, v := range []int{14, 15, 16, 19, 22} {
		for _, src := range sources {
			for _, opt := range []string{"-O0", "-O2"} {
				t.Run(fmt.Sprintf("clang-%d/%s%s", v, filepath.Base(src), opt), func(t *testing.T) {
					t.Parallel()
					p := mustLower(t, 2, unit(src, compile(t, v, src, opt)))
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
