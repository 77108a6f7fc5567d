package main

import (
	"testing"
	"time"
)

func TestBar(t *testing.T) {
	m := &measurement{Insts: 200_000, peak: 30e6, compile: samples{3 * time.Second, time.Second, 2 * time.Second}}
	for _, c := range []struct {
		lower, analysis time.Duration
		met             bool
	}{
		{300 * time.Millisecond, 2000 * time.Millisecond, true},
		{301 * time.Millisecond, 2000 * time.Millisecond, false},
		{300 * time.Millisecond, 2001 * time.Millisecond, false},
	} {
		m.lower, m.analysis = samples{c.lower}, samples{c.analysis}
		if m.met() != c.met {
			t.Errorf("%v and %v of %v: met is %v", c.lower, c.analysis, m.compile.median(), m.met())
		}
	}
	if got := m.per100k(); got != 15e6 {
		t.Errorf("%d bytes per 100k instructions, want 15 MB", got)
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
