package lower_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/plumbtest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestGolden compares the text of small programs with testdata/NAME.pir. The
// sources are compiled as if they lay in /src.
func TestGolden(t *testing.T) {
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19 is not installed: scripts/setup.sh test")
	}
	sources, _ := filepath.Glob("testdata/golden/*.c*")
	if len(sources) == 0 {
		t.Fatal("no sources in testdata/golden")
	}
	for _, src := range sources {
		t.Run(filepath.Base(src), func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("clang-19", "-c", "-emit-llvm", "-O0", "-g", "-Xclang", "-disable-O0-optnone",
				"-fdebug-compilation-dir=/src", "-target", "x86_64-linux-gnu", "-fno-discard-value-names", "-w", "-o", "-", filepath.Base(src))
			cmd.Dir = filepath.Dir(src)
			data, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			got := text(t, mustLower(t, 1, unit(src, data)))
			golden := strings.TrimSuffix(src, filepath.Ext(src)) + ".pir"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("run go test -update if this is right (-want +got):\n%s", diff)
			}
		})
	}
}

// TestInvariant lowers several units with one worker and with eight; the text
// must be the same to the byte. In another order of units the same functions
// must come out.
func TestInvariant(t *testing.T) {
	var units []lower.Unit
	for _, src := range []string{"../bitcode/testdata/records.c", "../bitcode/testdata/records.cpp", "testdata/run.c", "../bitcode/testdata/bc/seed.c"} {
		units = append(units, unit(src, plumbtest.CompileWith(t, 19, src)))
	}
	want := text(t, mustLower(t, 1, units...))
	for range 5 {
		if got := text(t, mustLower(t, 8, units...)); got != want {
			t.Fatal("text depends on the number of workers")
		}
	}
	names := func(units []lower.Unit) string {
		p := mustLower(t, 2, units...)
		count := map[string]int{}
		for i := range p.Funcs {
			f := &p.Funcs[i]
			count[fmt.Sprint(f.Name, " ", f.Flags, " ", len(f.Values), " ", len(f.Blocks))]++
		}
		return fmt.Sprint(count)
	}
	straight := names(units[:3])
	shuffled := append([]lower.Unit(nil), units[:3]...)
	rand.New(rand.NewPCG(5, 6)).Shuffle(3, func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	if names(shuffled) != straight {
		t.Error("functions depend on the order of units")
	}
}

// TestBadUnit puts a broken unit among good ones.
func TestBadUnit(t *testing.T) {
	good, err := os.ReadFile("../bitcode/testdata/bc/c-19.bc")
	if err != nil {
		t.Fatal(err)
	}
	res, err := lower.Lower(t.Context(), []lower.Unit{
		unit("cut.bc", good[:len(good)/2]),
		unit("good.bc", good),
		unit("text.c", []byte("int main(void) { return 0; }\n")),
		{Name: "gone.bc", Data: func() ([]byte, error) { return os.ReadFile("does-not-exist") }},
	}, lower.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range res.Skipped {
		got = append(got, s.Unit)
		t.Logf("%s: %s", s.Unit, s.Reason)
	}
	if strings.Join(got, " ") != "cut.bc text.c gone.bc" {
		t.Errorf("skipped: %v", got)
	}
	if len(res.Program.Units) != 2 || len(res.Program.Funcs) < 4 {
		t.Errorf("the good unit is missing: %v", res.Program.Units)
	}
}
