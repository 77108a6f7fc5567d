package leak_test

import (
	"context"
	"slices"
	"testing"

	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/plumbtest"
	"github.com/plumb-project/plumb/internal/report"
)

// Each policy has a fixture that says, for both of its values, what is found.
func TestPolicies(t *testing.T) {
	fixtures := plumbtest.Fixtures(t, "testdata/policies")
	for _, s := range leak.Settings {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			i := slices.IndexFunc(fixtures, func(f plumbtest.Fixture) bool { return f.Name == s.Name+".c" })
			if i < 0 {
				t.Fatal("no fixture")
			}
			fixture := fixtures[i]
			data := plumbtest.Compile(t, fixture.Files[0])
			res, err := lower.Lower(context.Background(), []lower.Unit{{Name: fixture.Name, Data: func() ([]byte, error) { return data, nil }}}, lower.Config{})
			if err != nil {
				t.Fatal(err)
			}
			var stories []string
			for i, v := range s.Values {
				var p leak.Policy
				if !s.Set(&p, v) {
					t.Fatalf("%s is refused", v)
				}
				fs := find(t, res.Program, leak.Config{Policy: p})
				stories = append(stories, story(fs))
				// All paths lead to the same places.
				for _, f := range find(t, res.Program, leak.Config{Policy: p, AllPaths: true}) {
					if !slices.ContainsFunc(fs, func(g report.Finding) bool { return g.Same(&f) }) {
						t.Errorf("%s: only when all paths are told: %s at %s", v, f.Message(), f.Loss)
					}
				}
				if i == 0 {
					fixture.Check(t, fs)
				} else {
					fixture.Check(t, fs, v)
				}
			}
			if stories[0] == stories[1] {
				t.Error("the fixture does not tell the values apart")
			}
			if s.Set(new(leak.Policy), "neither") {
				t.Error("any value will do")
			}
		})
	}
}
