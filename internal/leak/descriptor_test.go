package leak_test

import (
	"context"
	"testing"

	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/plumbtest"
)

// Descriptors are followed when that is asked for, and not otherwise.
func TestDescriptors(t *testing.T) {
	for _, fixture := range plumbtest.Fixtures(t, "testdata/fd") {
		data := plumbtest.Compile(t, fixture.Files[0])
		res, err := lower.Lower(context.Background(), []lower.Unit{{Name: fixture.Name, Data: func() ([]byte, error) { return data, nil }}}, lower.Config{})
		if err != nil {
			t.Fatal(err)
		}
		fixture.Check(t, find(t, res.Program, leak.Config{}))
		fixture.Check(t, find(t, res.Program, leak.Config{Descriptors: true}), "fd")
	}
}
