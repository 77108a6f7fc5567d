package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/source"
)

func at(file string, line int) source.Position {
	return source.Position{File: file, Line: line, Col: 1}
}

// seen is a finding of a run: allocated by the calls at lines of /src/a.c, innermost
// first, in functions f0, f1 and so on, and lost in a line of f1.
func seen(kind Kind, loss int, bytes int64, lines ...int) Finding {
	f := Finding{Kind: kind, Alloc: at("/src/a.c", lines[0]), Loss: at("/src/a.c", loss), Function: "f1", Confidence: Certain,
		Run: &Run{Blocks: 1, Bytes: bytes, Processes: []int{0}}}
	for i, n := range lines {
		f.Run.Alloc.Frames = append(f.Run.Alloc.Frames, Frame{Pos: at("/src/a.c", n), Function: fmt.Sprintf("f%d", i)})
	}
	f.Run.Loss = Trace{Step: Step{Pos: f.Loss}, Frames: []Frame{{Pos: f.Loss, Function: "f1"}, {Pos: at("/src/a.c", 90), Function: "f2"}}}
	return f
}

func joined(r *Report) string {
	var out []string
	for _, f := range r.Findings {
		s := fmt.Sprintf("%d-%d %s", f.Alloc.Line, f.Loss.Line, f.Confidence)
		if f.Run != nil {
			s += fmt.Sprintf(" %s %d %v", f.Run.Check, f.Run.Bytes, f.Run.Processes)
		}
		for _, a := range f.Also {
			s += fmt.Sprintf(" +%d %s", a.Pos.Line, a.Text)
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func TestConfirm(t *testing.T) {
	leak := func(alloc, loss int, by string) Finding {
		return Finding{Kind: LeakLost, Alloc: at("/src/a.c", alloc), Loss: at("/src/a.c", loss), Function: "f1", Allocator: by, Confidence: Possible, Why: []string{"because"}}
	}
	for _, test := range []struct {
		name  string
		check []Finding
		left  []Finding
		run   []Finding
		want  string
	}{
		{"both lines", []Finding{leak(3, 9, "malloc"), leak(3, 8, "malloc")}, nil, []Finding{seen(LeakForgotten, 9, 16, 3)}, "3-8 possible; 3-9 certain confirmed 16 [1]"},
		{"the allocation", []Finding{leak(3, 9, "malloc")}, nil, []Finding{seen(LeakLost, 12, 16, 3)}, "3-9 certain confirmed 16 [1]"},
		{"two losses", []Finding{leak(3, 9, "malloc")}, nil, []Finding{seen(LeakLost, 9, 16, 3), seen(LeakLost, 12, 8, 3)},
			"3-9 certain confirmed 24 [1] +12 a run lost 1 block, 8 bytes here"},
		{"a call of what allocates", []Finding{leak(30, 9, "f0")}, nil, []Finding{seen(LeakLost, 9, 16, 3, 30, 50)}, "30-9 certain confirmed 16 [1]"},
		{"a call of something else", []Finding{leak(50, 8, "f0")}, nil, []Finding{seen(LeakLost, 9, 16, 3, 30, 50)}, "50-8 possible; 3-9 certain only-run 16 [1]"},
		{"a call through a pointer", []Finding{leak(50, 9, "f0")}, nil, []Finding{seen(LeakLost, 9, 16, 3, 30, 50)}, "50-9 certain confirmed 16 [1]"},
		{"a call of what loses", []Finding{leak(3, 8, "malloc"), leak(3, 90, "malloc")}, nil, []Finding{seen(LeakLost, 9, 16, 3)}, "3-8 possible; 3-90 certain confirmed 16 [1]"},
		{"nothing alike", []Finding{leak(4, 9, "malloc")}, nil, []Finding{seen(LeakLost, 9, 16, 3)}, "3-9 certain only-run 16 [1]; 4-9 possible"},
		{"left out", nil, []Finding{leak(3, 9, "malloc")}, []Finding{seen(LeakLost, 9, 16, 3)}, "3-9 certain confirmed 16 [1]"},
		{"held", []Finding{leak(3, 9, "malloc")}, nil, []Finding{seen(StillHeld, 9, 16, 3)}, "3-9 possible"},
		{"held at exit", []Finding{{Kind: LeakAtExit, Alloc: at("/src/a.c", 3), Loss: at("/src/a.c", 9), Confidence: Certain}}, nil, []Finding{seen(StillHeld, 4, 16, 3)}, "3-9 certain confirmed 16 [1]"},
		{"no leak", []Finding{{Kind: DoubleFree, Alloc: at("/src/a.c", 3), Loss: at("/src/a.c", 9), Confidence: Certain}}, nil, nil, "3-9 certain"},
	} {
		r := &Report{Findings: test.check, LeftOut: len(test.left), Processes: []Process{{}}}
		r.Confirm(&Report{Findings: test.run, Processes: []Process{{PID: 5}}}, test.left)
		if got := joined(r); got != test.want {
			t.Errorf("%s:\n%s, want\n%s", test.name, got, test.want)
		}
		if r.LeftOut != 0 || len(r.Processes) != 2 {
			t.Errorf("%s: %d left out, %d processes", test.name, r.LeftOut, len(r.Processes))
		}
		for _, f := range r.Findings {
			if f.Run != nil && f.Why != nil {
				t.Errorf("%s: confirmed, but %q", test.name, f.Why)
			}
		}
	}
}

// Several runs add up.
func TestConfirmTwice(t *testing.T) {
	r := &Report{}
	for range 2 {
		r.Confirm(&Report{Findings: []Finding{seen(LeakLost, 9, 16, 3)}, Processes: []Process{{}}, Notes: []string{"a note"}}, nil)
	}
	if got := joined(r); got != "3-9 certain only-run 32 [0 1]" {
		t.Error(got)
	}
	if len(r.Notes) != 1 {
		t.Errorf("notes %q", r.Notes)
	}
}

func TestSameFile(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"/src/a.c", "/src/../src/a.c", true},
		{"src/a.c", "/home/src/a.c", true},
		{"rc/a.c", "/home/src/a.c", false},
		{"/x/src/a.c", "/home/src/a.c", false},
	} {
		if got := sameFile(test.a, test.b); got != test.want || sameFile(test.b, test.a) != got {
			t.Errorf("%s and %s: %v", test.a, test.b, got)
		}
	}
}
