package fixtest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/fix"
)

var (
	seeds   = flag.Int("seeds", 4, "how many random programs to mend")
	first   = flag.Uint64("seed", 1, "the first of them")
	runs    = flag.Int("runs", 8, "how often to run each")
	attacks = flag.Int("attacks", 6, "how many releases to put into each of them at random")
	keepIn  = flag.String("keep", "", "leave programs and patches that are wrong in this directory")
)

// quick judges without valgrind and gcc, and lets only those calls fail that the
// run says.
func quick(t *testing.T) *Tools {
	q := *tools(t).withoutGCC()
	q.Valgrind, q.Failures = "", 0
	return &q
}

// TestRandom mends random programs: whatever a patch is for, the program does what
// it did, and loses nothing that is said to be mended.
func TestRandom(t *testing.T) {
	for i := range uint64(*seeds) {
		for _, guard := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d/guard=%v", *first+i, guard), func(t *testing.T) {
				t.Parallel()
				q := quick(t)
				p, err := RandomProgram(*first+i, *runs, t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				trial, err := q.Try(t.Context(), p, t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range trial.Seen.runs {
					if r.Fail == 0 && (len(r.asan.Errors) > 0 || r.asan.Status != "exit status 0") {
						t.Fatalf("the program itself is wrong: %v: %s %q", r, r.asan.Status, r.asan.Errors)
					}
				}
				var claims []Claim
				r, err := trial.Make(t.Context(), Inside(fix.Config{Guard: guard}, &claims))
				if err != nil {
					t.Fatal(err)
				}
				if wrong := slices.Concat(r.Problems, Liars(claims, r.Left)); len(wrong) > 0 {
					t.Errorf("%s\n%s", strings.Join(wrong, "\n"), r.Patch.Diff)
					keep(t, p, r.Patch)
				}
				count := map[string]int{}
				for _, c := range claims {
					count[c.Outcome.String()]++
				}
				t.Log(count)
				for _, c := range claims {
					t.Logf("%s: %v: %s", c.Alloc, c.Outcome, c.Text)
				}
			})
		}
	}
}

// keep leaves what is wrong where it can be looked at.
func keep(t *testing.T, p *Program, patch *Patch) {
	if *keepIn == "" {
		return
	}
	if err := p.Copy(*keepIn); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*keepIn, p.Name+".diff"), patch.Diff, 0o666); err != nil {
		t.Fatal(err)
	}
}
