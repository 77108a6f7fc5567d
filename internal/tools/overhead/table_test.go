package main

import (
	"strings"
	"testing"
	"time"

	"github.com/plumb-project/plumb/internal/tools/cputime"
)

// twoRows is a table of two programs, which cost 2 and 8 times plain in mode
// tool; the second was not built in it.
func twoRows() *table {
	cost := func(user, build time.Duration, peak int64) *sample {
		s := &sample{user: cputime.Samples{user, user + time.Second, 0}, peak: []int64{peak, peak - 1}}
		if build != 0 {
			s.build = cputime.Samples{build}
		}
		return s
	}
	return &table{
		modes: []mode{{name: "plain"}, {name: "tool"}},
		rows: []*row{
			{workload{name: "one"}, map[string]*sample{"plain": cost(time.Second, time.Second, 10e6), "tool": cost(2*time.Second, 3*time.Second, 15e6)}},
			{workload{name: "two"}, map[string]*sample{"plain": cost(time.Second, time.Second, 20e6), "tool": cost(8*time.Second, 0, 20e6)}},
		},
	}
}

func TestMean(t *testing.T) {
	tab := twoRows()
	for _, c := range []struct {
		what        string
		of          ratio
		mean, worst float64
	}{
		{"user", ratioOf("tool", user), 4, 8},
		{"peak", ratioOf("tool", peak), 1.2247, 1.5},
		{"build", ratioOf("tool", build), 3, 3},
	} {
		mean, worst, ok := tab.mean(c.of)
		if !ok || mean < c.mean-1e-4 || mean > c.mean+1e-4 || worst != c.worst {
			t.Errorf("%s: mean %v, worst %v, %v; want %v and %v", c.what, mean, worst, ok, c.mean, c.worst)
		}
	}
}

func TestVerdict(t *testing.T) {
	tab := twoRows()
	for _, c := range []struct {
		mean, worst float64
		met         bool
	}{{4.1, 0, true}, {3.9, 0, false}, {4.1, 8, true}, {4.1, 7.9, false}} {
		text, met := tab.verdict(bar{"full", ratioOf("tool", user), c.mean, c.worst})
		if met != c.met || strings.Contains(text, "NOT MET") == c.met {
			t.Errorf("%v: %q, %v", c, text, met)
		}
	}
}

// What was not measured is an empty cell, not a 0.
func TestCells(t *testing.T) {
	want := []string{
		"program | plain | memory | build | tool | memory tool | build tool",
		"one | 1.00 s | 10 MB | 1.0 s | 2.00 | 1.50 | 3.00",
		"two | 1.00 s | 20 MB | 1.0 s | 8.00 | 1.00 | ",
		"geometric mean |  |  |  | 4.00 | 1.22 | 3.00",
	}
	for i, line := range twoRows().cells() {
		if got := strings.Join(line, " | "); got != want[i] {
			t.Errorf("line %d is %q, want %q", i, got, want[i])
		}
	}
}

func TestCalls(t *testing.T) {
	stats := "# Commandstats\r\ncmdstat_set:calls=5,usec=9\r\ncmdstat_ping:calls=2,usec=1\r\ncmdstat_get:calls=7,usec=3\r\n"
	if got, want := string(calls([]byte(stats))), "cmdstat_get:calls=7\ncmdstat_set:calls=5\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
