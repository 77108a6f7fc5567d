package main

import (
	"strings"
	"testing"
	"time"

	"github.com/plumb-project/plumb/internal/tools/cputime"
)

func TestBar(t *testing.T) {
	m := &measurement{Insts: 200_000, peak: 30e6, compile: cputime.Samples{3 * time.Second, time.Second, 2 * time.Second}}
	for _, c := range []struct {
		lower, analysis time.Duration
		met             bool
	}{
		{300 * time.Millisecond, 2000 * time.Millisecond, true},
		{301 * time.Millisecond, 2000 * time.Millisecond, false},
		{300 * time.Millisecond, 2001 * time.Millisecond, false},
	} {
		m.lower, m.analysis = cputime.Samples{c.lower}, cputime.Samples{c.analysis}
		if m.met() != c.met {
			t.Errorf("%v and %v of %v: met is %v", c.lower, c.analysis, m.compile.Median(), m.met())
		}
	}
	if got := m.per100k(); got != 15e6 {
		t.Errorf("%d bytes per 100k instructions, want 15 MB", got)
	}
}

// The table of growth has the small programs first.
func TestGrowth(t *testing.T) {
	one := func(name string, lines, functions int, cpu time.Duration) *measurement {
		return &measurement{Program: name, Insts: 1, lines: lines, functions: functions, objects: 7, analysis: cputime.Samples{cpu},
			compile: cputime.Samples{1}, lower: cputime.Samples{1}, bitcode: cputime.Samples{1}, warm: cputime.Samples{1}, cold: cputime.Samples{1}}
	}
	r := results{rows: []*measurement{one("large", 20_000, 1000, 3*time.Second), one("small", 5000, 500, time.Second)}}
	want := "| small | 5000 | 500 | 7 | 1.00 | 200.0 ms | 2000.0 ms |\n| large | 20000 | 1000 | 7 | 3.00 | 150.0 ms | 3000.0 ms |\n"
	if got := r.markdown(); !strings.HasSuffix(got, want) {
		t.Errorf("ends with\n%s\nwant\n%s", got[max(0, len(got)-200):], want)
	}
}

func TestResident(t *testing.T) {
	now, err := resident("VmRSS")
	if err != nil {
		t.Fatal(err)
	}
	if most, err := resident("VmHWM"); err != nil || now <= 0 || most < now/2 {
		t.Errorf("now %d, at most %d, %v", now, most, err)
	}
}
