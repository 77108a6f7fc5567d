package fixtest

import (
	"slices"
	"testing"
)

// A case is read, and the fix that it gives for itself mends it.
func TestCase(t *testing.T) {
	suite, err := Suite("testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	p := suite[0]
	if len(suite) != 1 || p.Name != "two-files" || p.Verdict != "leak" || !slices.Equal(p.Headers, []string{"join.h"}) || p.Runs[2].Stdin != "" || p.Runs[1].Stdin != "in\n" {
		t.Fatalf("read %+v", p)
	}
	s := quick(t).Score(t.Context(), p, ByHand(p.Fix), nil)
	if s.Outcome != Fixed || len(s.Lost) != 1 || len(s.Left) != 0 {
		t.Errorf("%v: %q was lost, %q is left: %q", s.Outcome, s.Lost, s.Left, s.Why)
	}
	if s = quick(t).Score(t.Context(), p, ByHand(nil), nil); s.Outcome != NotFixed {
		t.Errorf("without a patch: %v", s.Outcome)
	}
}

// What other packages have to run is found.
func TestSuites(t *testing.T) {
	for dir, least := range map[string]int{"../runtest/testdata/programs": 100, "../leak/testdata": 150, "testdata/figures": 10} {
		programs, err := Suite(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(programs) < least {
			t.Errorf("%s: %d programs, fewer than %d", dir, len(programs), least)
		}
		for _, p := range programs {
			if len(p.Runs) == 0 || len(p.Units) == 0 {
				t.Errorf("%s has nothing to run", p.Name)
			}
		}
	}
}
