package runtest

import "testing"

// TestPrograms reads all programs; there are as many as were promised, and a good
// part of them lose nothing.
func TestPrograms(t *testing.T) {
	programs, err := Programs("testdata/programs")
	if err != nil {
		t.Fatal(err)
	}
	clean, cxx := 0, 0
	for _, p := range programs {
		if len(p.Labels) == 0 {
			clean++
		}
		if p.CXX {
			cxx++
		}
	}
	t.Logf("%d programs, %d without any block at the end, %d in C++", len(programs), clean, cxx)
	if len(programs) < 60 || clean < 15 || cxx < 15 {
		t.Error("programs are missing")
	}
}
