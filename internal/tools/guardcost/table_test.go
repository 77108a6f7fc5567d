package main

import (
	"strings"
	"testing"
	"time"
)

func TestTable(t *testing.T) {
	times := func(ms ...time.Duration) (out []time.Duration) {
		for _, n := range ms {
			out = append(out, n*time.Millisecond)
		}
		return out
	}
	r := &row{program: program{name: "p", about: "a program"}, guards: 2, modes: []mode{
		{times(100, 120, 200), 1000}, {times(150, 180, 190), 1500}, {times(110, 120, 130), 1100}, {times(101, 126, 300), 1019}, {times(100, 120, 200), 1000},
	}}
	tab := &table{rows: []*row{r}, machine: "m", runs: 3}
	text := tab.markdown()
	for _, want := range []string{
		"| p | 0 M | +50.00% | +10.00% | +1.90% | +0.00% |",
		"| p | 0.10 s | +50.0% (+50.0%) | +10.0% (+0.0%) | +1.0% (+5.0%) | +0.0% (+0.0%) |",
		"2 guarded sites", ": met.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	r.modes[3].instructions = 1021
	if tab.met() || !strings.Contains(tab.markdown(), "NOT MET") {
		t.Error("2.1% more counts as met")
	}
	r.worst = true
	if !tab.met() {
		t.Error("the bar is not for worst cases")
	}
}

func TestCounted(t *testing.T) {
	n, err := counted([]byte("==7== \n==7== I   refs:      1,234,567\n"))
	if err != nil || n != 1234567 {
		t.Error(n, err)
	}
	if _, err := counted([]byte("nothing")); err == nil {
		t.Error("no error for nothing")
	}
}
