package lower_test

import (
	"testing"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/plumbtest"
)

// TestMutated lowers damaged bitcode. What is not refused must be sound, and a
// refusal must leave a reason.
func TestMutated(t *testing.T) {
	tried, refused := 0, 0
	plumbtest.Mutated(t, "../bitcode/testdata/bc/*.bc", 10_000, 3, func(data []byte) {
		tried++
		u := unit("in.bc", data)
		u.Given = true
		res, err := lower.Lower(t.Context(), []lower.Unit{u}, lower.Config{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range res.Skipped {
			refused++
			if s.Unit != "in.bc" || s.Reason == "" {
				t.Errorf("no reason: %v", s)
			}
		}
		if err := ir.Verify(res.Program); err != nil {
			t.Errorf("not refused: %v", err)
		}
	})
	t.Logf("%d of %d refused", refused, tried)
	if refused < tried/4 {
		t.Errorf("only %d of %d damaged files were refused", refused, tried)
	}
}
