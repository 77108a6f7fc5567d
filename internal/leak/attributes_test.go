package leak_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/plumbtest"
)

// Attributes reach us by other ways from an old clang than from a new one.
func TestAttributesByVersion(t *testing.T) {
	for _, version := range []int{14, 16, 19, 22} {
		for _, fixture := range plumbtest.Fixtures(t, "testdata/attributes") {
			t.Run(fmt.Sprintf("clang-%d/%s", version, fixture.Name), func(t *testing.T) {
				data := plumbtest.CompileWith(t, version, fixture.Files[0])
				unit := lower.Unit{Name: fixture.Name, Data: func() ([]byte, error) { return data, nil }}
				res, err := lower.Lower(context.Background(), []lower.Unit{unit}, lower.Config{})
				if err != nil || len(res.Skipped) > 0 {
					t.Fatal(err, res)
				}
				fixture.Check(t, find(t, res.Program, leak.Config{}))
			})
		}
	}
}
