package leak_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/plumbtest"
)

// TestMutated looks for leaks in damaged bitcode, as far as it is not refused.
func TestMutated(t *testing.T) {
	n := 3_000
	if testing.Short() {
		n = 200
	}
	names, _ := filepath.Glob("../bitcode/testdata/bc/*.bc")
	if len(names) == 0 {
		t.Fatal("no seeds")
	}
	rng := rand.New(rand.NewPCG(5, 6))
	looked := 0
	for range n {
		data, err := os.ReadFile(names[rng.IntN(len(names))])
		if err != nil {
			t.Fatal(err)
		}
		data = plumbtest.Mutate(rng, data)
		unit := lower.Unit{Name: "in.bc", Data: func() ([]byte, error) { return data, nil }, Given: true}
		res, err := lower.Lower(t.Context(), []lower.Unit{unit}, lower.Config{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Skipped) == 0 {
			looked++
			find(t, res.Program, leak.Config{Jobs: 1})
		}
	}
	t.Logf("%d of %d looked at", looked, n)
}
