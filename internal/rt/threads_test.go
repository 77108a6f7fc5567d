package rt_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/event"
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

// Checks by signal, while four threads allocate: nothing hangs, and what threads
// hold in their hands is not lost.
func TestAskedBySignal(t *testing.T) {
	p := compiled(t, "asked.c")
	p.options = ":signal=10:kinds=lost"
	p.args = []string{"100"}
	r := p.run(t)
	if r.status != 0 || len(r.reports) < 10 {
		t.Fatalf("got %v", r)
	}
	for _, report := range r.reports {
		if report.Total.LostBlocks != 0 || !report.Whole || len(report.Notes) > 0 {
			t.Fatalf("got %v", r)
		}
	}
}

// Stacks of coroutines, of signal handlers: whatever they hold is held.
func TestOtherStacks(t *testing.T) {
	if r := compiled(t, "coroutines.c").run(t); r.status != 0 || r.stdout != "worst 0\n" || len(r.reports) == 0 {
		t.Errorf("got %v", r)
	}
}

// Thread-local variables of a module that is loaded later lie in blocks that the
// linker allocates: they hold as long as their thread lives.
func TestThreadLocalsOfModule(t *testing.T) {
	p := compiled(t, "tlsmodule.c")
	lib := filepath.Join(t.TempDir(), "tlslib.so")
	if out, err := exec.Command(clang, "-shared", "-fPIC", "-o", lib, "testdata/proc/tlslib.c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p.args = []string{lib}
	if r := p.run(t); r.status != 0 || r.stdout != "held: 0\nended: 22\n" {
		t.Errorf("got %v", r)
	}
}

// The program of `make stress-run`, for a moment: what it says it lost is what
// the report says, forks among threads or not.
func TestStress(t *testing.T) {
	p := compiled(t, "minute.c")
	p.args = []string{"0", "forks"}
	r := p.run(t)
	var lost, children int64
	if _, err := fmt.Sscan(r.stdout, &lost, &children); err != nil || lost == 0 || int64(len(r.reports)) != children+1 {
		t.Fatalf("%v: got %v", err, r)
	}
	for _, report := range r.reports {
		var own int64
		for _, b := range report.Blocks {
			if b.State == event.Lost && b.Bytes == b.Count*7776 {
				own += b.Count
			}
		}
		if report.PPID == os.Getpid() {
			if own != 0 || report.Total.LostBlocks != lost || report.Total.LostBytes != lost*32 {
				t.Errorf("lost %d blocks: got %v", lost, r)
			}
		} else if own != 5 {
			t.Errorf("a child lost 5 blocks, its report has %d: %v", own, r)
		}
	}
}

// A thread that cannot be stopped is waited for, not for ever; all of its stack
// counts, and the report says so.
func TestThreadThatDoesNotStop(t *testing.T) {
	r := compiled(t, "deaf.c").run(t)
	if r.status != 0 || r.stdout != "lost: 0\n" || len(r.reports) != 2 || len(r.reports[0].Notes) != 1 || len(r.reports[1].Notes) != 0 {
		t.Errorf("got %v", r)
	}
}
