package rt_test

import (
	"strings"
	"testing"
)

// Ten threads allocate and lose at the same time: the totals are exact.
func TestTenThreads(t *testing.T) {
	p := compiled(t, "ten.c")
	p.args = []string{"200000"}
	p.run(t).loses(t, 10*20000, 10*20000*24)
}

// Threads are stopped wherever they are, and see nothing of it: neither sleeps,
// polls nor waits of theirs end early.
func TestCheckStopsThreads(t *testing.T) {
	r := compiled(t, "stopped.c").run(t)
	if r.status != 0 || r.stdout != "checks: 0 0 0\nlost: 64\n" {
		t.Errorf("got %v", r)
	}
}

// What threads hold when they end is lost there: on their stacks (which libc
// keeps, with all that was there), in thread-local variables, in keys without a
// destructor; not what a result holds until it is joined.
func TestThreadEnds(t *testing.T) {
	p := compiled(t, "ends.c")
	r := p.run(t)
	if !strings.Contains(r.stdout, "before the join: 0\n") {
		t.Errorf("got %v", r)
	}
	last := r.reports[len(r.reports)-1]
	if r.status != 0 || last.Total.LostBlocks != 5 || last.Total.LostBytes != 11+22+33+44+55 {
		t.Errorf("got %v", r)
	}
}

// A main thread that calls pthread_exit leaves the rest to the others.
func TestMainThreadEnds(t *testing.T) {
	compiled(t, "mainends.c").run(t).loses(t, 2, 30)
}

// Programs that block every signal in every way can still be stopped, and see
// what they set themselves.
func TestSignalMasks(t *testing.T) {
	r := compiled(t, "masks.c").run(t)
	if r.status != 0 || r.stdout != "ok\nlost: 0\n" {
		t.Errorf("got %v", r)
	}
}
