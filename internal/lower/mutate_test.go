package lower_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/plumbtest"
)

// TestMutated lowers damaged bitcode. What is not refused must be sound, and a
// refusal must leave a reason.
func TestMutated(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 500
	}
	names, _ := filepath.Glob("../bitcode/testdata/bc/*.bc")
	if len(names) == 0 {
		t.Fatal("no seeds")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	skipped := 0
	for range n {
		data, err := os.ReadFile(names[rng.IntN(len(names))])
		if err != nil {
			t.Fatal(err)
		}
		u := unit("in.bc", plumbtest.Mutate(rng, data))
		u.Given = true
		res, err := lower.Lower(context.Background(), []lower.Unit{u}, lower.Config{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range res.Skipped {
			skipped++
			if s.Unit != "in.bc" || s.Reason == "" {
				t.Errorf("no reason: %v", s)
			}
		}
		if err := ir.Verify(res.Program); err != nil {
			t.Errorf("not refused: %v", err)
		}
	}
	t.Logf("%d of %d refused", skipped, n)
}
