package runtest

import (
	"fmt"
	"strings"
	"testing"
)

// program makes one of lines.
func program(t *testing.T, lines ...string) *Program {
	t.Helper()
	p := &Program{Name: "x.c", Units: []string{"x.c"}, Labels: map[string]*Label{}}
	for i, text := range lines {
		if err := p.line(Place{"x.c", i + 1}, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.check(); err != nil {
		t.Fatal(err)
	}
	return p
}

func at(line int) Place { return Place{"x.c", line} }

func lost(alloc, loss int, blocks, bytes int64) Observation {
	return Observation{Lost: true, Alloc: at(alloc), Loss: at(loss), Amount: Amount{blocks, bytes}}
}

func held(alloc, use int, blocks, bytes int64) Observation {
	return Observation{Alloc: at(alloc), Use: at(use), Amount: Amount{blocks, bytes}}
}

func TestJudge(t *testing.T) {
	p := program(t,
		"// run: 1 => A=2/16 ~B=1/8 ~C=?/?",
		"a = malloc(8); // alloc: A",
		"a = 0; // leak: A",
		"return; // leak: A",
		"b = malloc(8); // alloc: B",
		"*b = 1; // forgotten: B",
		"c = malloc(8); // alloc: C",
	)
	for _, c := range []struct {
		seen []Observation
		want Score
		says string // part of each remark, in order
	}{
		{[]Observation{lost(2, 3, 1, 8), lost(2, 4, 1, 8), held(5, 6, 1, 8)},
			Score{Leaks: 1, Found: 1, Exact: 1, Held: 1, HeldFound: 1, HeldExact: 1}, ""},
		{[]Observation{lost(2, 3, 1, 8), lost(2, 5, 1, 8), held(5, 6, 1, 8), held(7, 1, 9, 9)},
			Score{Leaks: 1, Found: 1, Wrong: 1, Held: 1, HeldFound: 1, HeldExact: 1}, "wrong line: A"},
		{[]Observation{lost(2, 3, 1, 8), held(5, 7, 1, 8)},
			Score{Leaks: 1, Found: 1, Count: 1, Held: 1, HeldFound: 1}, "wrong number: A|last use: B"},
		{[]Observation{lost(5, 3, 1, 8), held(2, 6, 2, 16)},
			Score{Leaks: 1, Miss: 1, False: 1, Held: 1, Noise: 1}, "missed: A|held: B|false: 1/8|held: 2/16"},
		{nil, Score{Leaks: 1, Miss: 1, Held: 1}, "missed: A|held: B"},
	} {
		c.want.Runs = 1
		score, remarks := p.Judge(p.Runs[0], c.seen)
		if score != c.want {
			t.Errorf("%v: score %+v, not %+v", c.seen, score, c.want)
		}
		var says []string
		if c.says != "" {
			says = strings.Split(c.says, "|")
		}
		if len(says) != len(remarks) {
			t.Fatalf("%v: %v, not %q", c.seen, remarks, says)
		}
		for i, r := range remarks {
			if !strings.HasPrefix(r.Text, "1: "+says[i]) {
				t.Errorf("%v: %q, not %q", c.seen, r.Text, says[i])
			}
		}
	}
}

// TestJudgeCase is about runs of which only the number of leaks is known.
func TestJudgeCase(t *testing.T) {
	p := &Program{Units: []string{"x.c"}, Labels: map[string]*Label{
		"1": {Alloc: []Place{at(1)}, Loss: []Place{at(2)}, Also: []Place{at(9)}},
		"2": {Alloc: []Place{at(3)}, Loss: []Place{at(4)}},
	}}
	score, remarks := p.Judge(Run{Any: 1}, []Observation{lost(3, 4, 5, 50), held(7, 7, 1, 1)})
	if want := (Score{Runs: 1, Leaks: 1, Found: 1, Exact: 1}); score != want || len(remarks) > 0 {
		t.Errorf("%+v, %v", score, remarks)
	}
	score, _ = p.Judge(Run{Any: 2}, []Observation{lost(1, 2, 1, 1), lost(9, 2, 1, 1)})
	if want := (Score{Runs: 1, Leaks: 2, Found: 1, Exact: 1, Miss: 1}); score != want {
		t.Errorf("%+v", score)
	}
	score, _ = p.Judge(Run{}, []Observation{lost(1, 2, 1, 1)})
	if want := (Score{Runs: 1, False: 1}); score != want {
		t.Errorf("%+v", score)
	}
}

// TestMarks is about comments that contradict each other.
func TestMarks(t *testing.T) {
	for text, want := range map[string]string{
		"x // alloc: A":                                          "there is no run",
		"// run: => A=1/8":                                       "there is no alloc: A",
		"// run: => A=1/8\nx // alloc: A":                        "but not both",
		"// run: =>\nx // alloc: A; leak: A":                     "but not both",
		"// run: =>\nx // alloc: A\ny // leak: A":                "but not both",
		"// run: => A=x":                                         "is no amount",
		"// run: => A=1/8 A=1/8":                                 "twice",
		"// run: => A=1/8\nx // alloc: A; leak: A; forgotten: A": "no run holds it",
	} {
		p := &Program{Name: "x.c", Units: []string{"x.c"}, Labels: map[string]*Label{}}
		var err error
		for i, line := range strings.Split(text, "\n") {
			if e := p.line(at(i+1), line); e != nil {
				err = e
			}
		}
		if err == nil {
			err = p.check()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %q", text, err, want)
		}
	}
}

// TestReport reads what plumb run writes.
func TestReport(t *testing.T) {
	p := &Program{Units: []string{"/src/x.c"}}
	seen, err := p.observations([]byte(`{"processes":[{"end":"exit 0"}],"findings":[
		{"rule":"plumb-leak-lost","allocation":{"file":"/src/x.c","line":3},"run":{"blocks":2,"bytes":16,"loss":{"file":"x.c","line":9},
		 "owned":[{"blocks":1,"bytes":4,"allocation":{"file":"/usr/include/y.h","line":1}}]}},
		{"rule":"plumb-still-held","allocation":{"file":"x.c","line":4},"run":{"blocks":1,"bytes":8,"use":{"file":"x.c","line":5}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(seen)
	if want := "[{true x.c:3 x.c:9 nowhere 2/16} {true nowhere x.c:9 nowhere 1/4} {false x.c:4 nowhere x.c:5 1/8}]"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	if _, err := p.observations([]byte(`{"findings":[]}`)); err == nil {
		t.Error("a report of no process is one that cannot be judged")
	}
}
