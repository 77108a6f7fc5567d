package rt_test

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"syscall"
	"testing"

	"github.com/plumb-project/plumb/internal/event"
)

// lost is the bytes that each report says are lost, in order of size.
func (r *result) lost() []int64 {
	var out []int64
	for _, p := range r.reports {
		out = append(out, p.Total.LostBytes)
	}
	slices.Sort(out)
	return out
}

func TestFork(t *testing.T) {
	plain := compiled(t, "forks.c")
	tests := []struct {
		how  string
		lost []int64
	}{
		{"child", []int64{100, 122}},
		{"threads", append(slices.Repeat([]int64{7}, 60), 0)},
		{"vfork", []int64{0, 0, 0}}, // true by vfork and by spawn, and ourselves; a shell calls _exit
		{"exec", []int64{13, 19}},   // what the process lost that became another one is nobody's
	}
	for _, test := range tests {
		t.Run(test.how, func(t *testing.T) {
			t.Parallel()
			p := &process{exe: plain.exe, dir: t.TempDir(), args: []string{test.how, plain.exe}}
			r := p.run(t)
			want := slices.Sorted(slices.Values(test.lost))
			if r.status != 0 || !slices.Equal(r.lost(), want) {
				t.Errorf("want %v, got %v: %v", want, r.lost(), r)
			}
			pids := map[int]bool{}
			for _, p := range r.reports {
				if pids[p.PID] || !p.Whole || p.Reason != event.Exit {
					t.Errorf("report %v", r)
				}
				pids[p.PID] = true
			}
		})
	}
}

// A process without a parent, by its own will or by kill -9, reports when it ends.
func TestOrphans(t *testing.T) {
	plain := compiled(t, "forks.c")
	for _, test := range []struct {
		how  string
		lost int64
	}{{"daemon", 23}, {"orphan", 29}} {
		p := &process{exe: plain.exe, dir: t.TempDir(), args: []string{test.how}}
		cmd := p.command(t)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		// Nobody waits for the grandchild; this pipe ends when it does.
		alive, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatal(line, err)
		}
		if test.how == "orphan" {
			if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := io.ReadAll(alive); err != nil {
			t.Fatal(err)
		}
		r := p.finish(t, cmd.Wait(), new(bytes.Buffer), new(bytes.Buffer))
		if !slices.Contains(r.lost(), test.lost) {
			t.Errorf("%s: got %v", test.how, r)
		}
	}
}
