package rt_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/plumb-project/plumb/internal/event"
)

// Processes that die of a signal report first, and die of that signal.
func TestDies(t *testing.T) {
	plain := compiled(t, "dies.c")
	tests := []struct {
		how    string
		signal syscall.Signal
		reason event.Reason
	}{
		{"segv", syscall.SIGSEGV, event.Crash},
		{"fpe", syscall.SIGFPE, event.Crash},
		{"ill", syscall.SIGILL, event.Crash},
		{"abort", syscall.SIGABRT, event.Abort},
		{"overflow", syscall.SIGSEGV, event.Crash},
		{"thread", syscall.SIGSEGV, event.Crash},
		{"threadoverflow", syscall.SIGSEGV, event.Crash},
		{"pipe", syscall.SIGPIPE, event.Crash},
		{"once", syscall.SIGSEGV, event.Crash},
		{"back", syscall.SIGTERM, event.Crash},
		{"small", syscall.SIGSEGV, event.Crash},
	}
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2,
		syscall.SIGALRM, syscall.SIGXCPU, syscall.SIGPROF, syscall.SIGSYS, 40} {
		tests = append(tests, struct {
			how    string
			signal syscall.Signal
			reason event.Reason
		}{fmt.Sprint(int(s)), s, event.Crash})
	}
	for _, test := range tests {
		t.Run(test.how, func(t *testing.T) {
			t.Parallel()
			p := &process{exe: plain.exe, dir: t.TempDir(), args: []string{test.how}}
			r := p.run(t)
			got := r.one(t)
			if !r.status.Signaled() || r.status.Signal() != test.signal || got.Reason != test.reason || got.Number != int(test.signal) || got.Total.LostBytes != 77 {
				t.Errorf("got %v", r)
			}
		})
	}
}

// The same wait status, core file included, as without the runtime.
func TestStatusIsKept(t *testing.T) {
	plain := compiled(t, "dies.c")
	for _, how := range []string{"segv", "abort", "3", "15", "6"} {
		p := &process{exe: plain.exe, dir: t.TempDir(), args: []string{how}}
		with := p.run(t).status
		cmd := p.command(t)
		cmd.Env = os.Environ()
		without := p.finish(t, cmd.Run(), new(bytes.Buffer), new(bytes.Buffer)).status
		if with != without {
			t.Errorf("%s: status %#x, without the runtime %#x", how, uint32(with), uint32(without))
		}
	}
}

// Signals from elsewhere, while it waits.
func TestKilled(t *testing.T) {
	plain := compiled(t, "dies.c")
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGKILL} {
		p := &process{exe: plain.exe, dir: t.TempDir(), args: []string{"wait"}}
		cmd := p.command(t)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatal(line, err)
		}
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		r := p.finish(t, cmd.Wait(), new(bytes.Buffer), new(bytes.Buffer))
		if r.status.Signal() != s || (len(r.reports) == 1) == (s == syscall.SIGKILL) {
			t.Errorf("%v: got %v", s, r)
		}
	}
}

// What the parent ignores stays ignored, as nohup wants it.
func TestIgnoredSignals(t *testing.T) {
	p := compiled(t, "dies.c")
	p.args = []string{"-c", `trap "" HUP; exec "$0" 1`, p.exe}
	p.exe = "/bin/sh"
	r := p.run(t)
	if r.status.ExitStatus() != 9 {
		t.Errorf("got %v", r)
	}
}

// Ends that skip exit handlers report by option only.
func TestExits(t *testing.T) {
	plain := compiled(t, "dies.c")
	for _, how := range []string{"_exit", "_Exit", "quick"} {
		for _, option := range []string{"", ":exit=1"} {
			p := &process{exe: plain.exe, dir: t.TempDir(), args: []string{how}, options: option}
			r := p.run(t)
			if r.status.ExitStatus() != 3 || len(r.reports) != len(option)/len(":exit=1") {
				t.Errorf("%s, %q: got %v", how, option, r)
			} else if option != "" && (r.one(t).Total.LostBytes != 77 || r.one(t).Number != 3) {
				t.Errorf("%s, %q: got %v", how, option, r)
			}
		}
	}
}

// A crash with the runtime's own tables in ruins still ends, with its signal.
func TestRuinedHeap(t *testing.T) {
	p := compiled(t, "dies.c")
	p.args = []string{"ruin"}
	if r := p.run(t); r.status.Signal() != syscall.SIGSEGV {
		t.Errorf("got %v", r)
	}
}

// The runtime keeps its way to the directory of reports.
func TestDescriptors(t *testing.T) {
	plain := compiled(t, "closes.c")
	for _, how := range []string{"none", "loop", "range", "from", "dup", "full", "root", "user"} {
		if (how == "root" || how == "user") && os.Getuid() != 0 {
			continue
		}
		p := &process{exe: plain.exe, dir: t.TempDir(), args: []string{how, filepath.Join(t.TempDir(), "jail")}}
		if err := os.Chmod(p.dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if r := p.run(t); r.status != 0 || r.one(t).Total.LostBytes != 31 || r.one(t).Total.LiveBytes != 33 || r.one(t).Program != plain.exe {
			t.Errorf("%s: got %v", how, r)
		}
	}
}
