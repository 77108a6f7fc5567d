package plumbtest

import (
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/oracle"
)

// The comments of the fixtures are true. The test is here and not with the
// analysis, so that a change of that does not run everything again.
func TestTruth(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every fixture under valgrind")
	}
	for _, f := range Fixtures(t, "../leak/testdata") {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			f.Truth(t)
		})
	}
}

func TestJudge(t *testing.T) {
	lost := func(lines ...int) oracle.Complaint {
		e := oracle.Complaint{Kind: "Leak_DefinitelyLost"}
		for _, l := range lines {
			e.Frames = append(e.Frames, oracle.Frame{File: "x.c", Line: l})
		}
		return e
	}
	for _, c := range []struct {
		src  string
		errs []oracle.Complaint
		want string
	}{
		{"// alloc: p; leak: p", []oracle.Complaint{lost(7, 1)}, ""},
		{"// alloc: p; leak-missed: p", []oracle.Complaint{lost(1), lost(1)}, ""},
		{"// alloc: p; leak-false: p", nil, ""},
		{"// alloc: p; leak: p; not-run: p", nil, ""},
		{"// alloc: p; leak: p", nil, "x.c:1: p: no run loses it"},
		{"// alloc: p; leak-missed: p", nil, "x.c:1: p: no run loses it"},
		{"// alloc: p; leak-false: p", []oracle.Complaint{lost(1)}, "lost in a run, but no leak is marked"},
		{"// alloc: p; leak: p; not-run: p", []oracle.Complaint{lost(1)}, "lost in a run, but no leak is marked"},
		{"// alloc: p; leak: p", []oracle.Complaint{lost(1), lost(2)}, "lost in a run, but no leak is marked: [{x.c 2}]"},
		{"", []oracle.Complaint{{Kind: "InvalidRead", What: "Invalid read of size 8"}}, "InvalidRead: Invalid read of size 8"},
	} {
		r, err := readRemarks([]text{{"x.c", []byte(c.src)}})
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(r.judge(c.errs), "\n")
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", c.src, got, c.want)
		}
	}
}
