package rt_test

import (
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// A program without a dynamic linker, where the linker puts the runtime between
// it and libc.
func TestStatic(t *testing.T) {
	link := func(name string) *process {
		exe := filepath.Join(t.TempDir(), "program")
		args := []string{"-g", "-O1", "-fno-builtin", "-w", "-static", "-Icsrc", filepath.Join("testdata", "proc", name), "-o", exe,
			"-Wl,@csrc/wraps.txt", "-Wl,--whole-archive", filepath.Join(runtime, "libplumb_rt.a"), "-Wl,--no-whole-archive", "-lpthread", "-ldl"}
		if out, err := exec.Command(clang, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return &process{exe: exe, dir: t.TempDir(), env: []string{"LD_PRELOAD="}}
	}
	if clang == "" {
		t.Skip("no clang")
	}
	t.Parallel()

	p := link("ten.c")
	p.args = []string{"20000"}
	r := p.run(t)
	r.loses(t, 10*2000, 10*2000*24)
	if one := r.one(t); one.Number != 0 || one.Total.LiveBlocks != 0 {
		t.Errorf("libc's own blocks, or no status: %v", r)
	}

	p = link("dies.c")
	p.args = []string{"thread"}
	if r := p.run(t); r.status.Signal() != syscall.SIGSEGV || r.one(t).Total.LostBytes != 77 {
		t.Errorf("got %v", r)
	}
	p = link("stopped.c")
	if r := p.run(t); r.status != 0 || r.stdout != "checks: 0 0 0\nlost: 64\n" {
		t.Errorf("got %v", r)
	}
	p = link("forks.c")
	p.args = []string{"child"}
	if r := p.run(t); r.status != 0 || len(r.reports) != 2 || r.lost()[1] != 122 {
		t.Errorf("got %v", r)
	}
}
