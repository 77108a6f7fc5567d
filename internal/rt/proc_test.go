package rt_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/plumb-project/plumb/internal/event"
)

// A process runs one of testdata/proc, compiled without the pass: what is tested
// here is the runtime alone, preloaded.
type process struct {
	exe     string
	options string   // of PLUMB_OPTIONS, after out
	env     []string // on top
	args    []string
	dir     string // reports
}

// A result is how it ended and what it wrote.
type result struct {
	status  syscall.WaitStatus
	stdout  string
	stderr  string
	reports []*event.Report
}

func (r *result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "status %#x, stdout %q, stderr %q", uint32(r.status), r.stdout, r.stderr)
	for _, p := range r.reports {
		fmt.Fprintf(&b, "\n%d of %d, %v %d, whole %v, total %+v, notes %q", p.PID, p.PPID, p.Reason, p.Number, p.Whole, p.Total, p.Notes)
	}
	return b.String()
}

func compiled(t *testing.T, name string, flags ...string) *process {
	t.Helper()
	if clang == "" {
		t.Skip("no clang")
	}
	t.Parallel()
	exe := filepath.Join(t.TempDir(), strings.TrimSuffix(name, filepath.Ext(name)))
	args := append([]string{"-g", "-O1", "-fno-builtin", "-w", "-Icsrc", "-o", exe, filepath.Join("testdata", "proc", name), "-lpthread", "-ldl"}, flags...)
	if out, err := exec.Command(clang, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return &process{exe: exe, dir: dir}
}

func (p *process) command(t *testing.T) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute) // for a deadlock, not for slowness
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, p.exe, p.args...)
	cmd.Env = append(os.Environ(), "LD_PRELOAD="+filepath.Join(runtime, "libplumb_rt.so"), "PLUMB_OPTIONS=out="+p.dir+p.options)
	cmd.Env = append(cmd.Env, p.env...)
	return cmd
}

func (p *process) run(t *testing.T) *result {
	t.Helper()
	cmd := p.command(t)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	return p.finish(t, cmd.Run(), &stdout, &stderr)
}

func (p *process) finish(t *testing.T, err error, stdout, stderr *bytes.Buffer) *result {
	t.Helper()
	r := &result{stdout: stdout.String(), stderr: stderr.String()}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		r.status = exit.Sys().(syscall.WaitStatus)
	} else if err != nil {
		t.Fatal(err)
	}
	r.reports, err = event.ReadDir(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// one returns the only report, and wants it whole.
func (r *result) one(t *testing.T) *event.Report {
	t.Helper()
	if len(r.reports) != 1 || !r.reports[0].Whole {
		t.Fatalf("want one report with an end, got %v", r)
	}
	return r.reports[0]
}

// loses wants status 0 and that many blocks and bytes lost, no note.
func (r *result) loses(t *testing.T, blocks, bytes int64) {
	t.Helper()
	p := r.one(t)
	if r.status != 0 || p.Total.LostBlocks != blocks || p.Total.LostBytes != bytes || len(p.Notes) != 0 {
		t.Errorf("want %d blocks of %d bytes lost and status 0, got %v", blocks, bytes, r)
	}
}
