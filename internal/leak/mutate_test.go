package leak_test

import (
	"testing"

	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/plumbtest"
)

// TestMutated looks for leaks in damaged bitcode, as far as it is not refused.
func TestMutated(t *testing.T) {
	looked := 0
	plumbtest.Mutated(t, "../bitcode/testdata/bc/*.bc", 3_000, 5, func(data []byte) {
		unit := lower.Unit{Name: "in.bc", Data: func() ([]byte, error) { return data, nil }, Given: true}
		res, err := lower.Lower(t.Context(), []lower.Unit{unit}, lower.Config{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Skipped) == 0 {
			looked++
			find(t, res.Program, leak.Config{Jobs: 1})
		}
	})
	if looked == 0 {
		t.Error("every file was refused")
	}
}
