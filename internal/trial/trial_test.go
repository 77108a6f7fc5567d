package trial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/plumb-project/plumb/internal/patch"
)

// A project is a directory, and one for copies.
type project struct {
	t         *testing.T
	dir, temp string
}

func newProject(t *testing.T, files ...string) *project {
	t.Helper()
	p := &project{t: t, dir: filepath.Join(t.TempDir(), "project"), temp: t.TempDir()}
	t.Setenv("TMPDIR", p.temp)
	must(t, os.Mkdir(p.dir, 0o777))
	for i := 0; i < len(files); i += 2 {
		p.write(files[i], files[i+1])
	}
	return p
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (p *project) path(name string) string { return filepath.Join(p.dir, name) }

func (p *project) write(name, text string) {
	p.t.Helper()
	must(p.t, os.MkdirAll(filepath.Dir(p.path(name)), 0o777))
	must(p.t, os.WriteFile(p.path(name), []byte(text), 0o666))
}

// lines makes one patch for each word, which puts it before the line.
func (p *project) patches(name string, words ...string) []*patch.Patch {
	p.t.Helper()
	var out []*patch.Patch
	for _, w := range words {
		q, err := patch.New([]patch.Edit{{File: p.path(name), New: w + "\n"}}, nil)
		must(p.t, err)
		out = append(out, q)
	}
	return out
}

// run tries the patches and lists the indices of those that failed.
func (p *project) run(command string, ps []*patch.Patch) (string, *Result) {
	p.t.Helper()
	res, err := Run(context.Background(), Config{Root: p.dir, Dir: p.dir, Command: command}, ps)
	must(p.t, err)
	var failed []string
	for i, err := range res.Failed {
		if err != nil {
			failed = append(failed, fmt.Sprint(i))
			if !strings.Contains(err.Error(), "exit status 1; see "+res.Log) {
				p.t.Errorf("%v: does not name the status and the log", err)
			}
		}
	}
	p.clean(res.Log)
	return strings.Join(failed, " "), res
}

// clean fails unless all that is left of a trial is the log.
func (p *project) clean(log string) {
	p.t.Helper()
	left, err := filepath.Glob(filepath.Join(p.temp, "*"))
	must(p.t, err)
	var want []string
	if log != "" {
		want = []string{log}
		must(p.t, os.Remove(log))
	}
	if !slices.Equal(left, want) {
		p.t.Errorf("left behind: %v, want %v", left, want)
	}
}

func TestRun(t *testing.T) {
	p := newProject(t, "a.c", "end\n", "sub/x", "")
	words := []string{"w0", "w1", "w2", "w3", "w4", "w5"}
	for _, tt := range []struct{ name, command, failed string }{
		{"all pass", "true", ""},
		{"one is bad", "! grep -q w3 a.c", "3"},
		{"two are bad", "! grep -q 'w[05]' a.c", "0 5"},
		{"two that do not go together", "! { grep -q w1 a.c && grep -q w4 a.c; }", "4"},
		{"all are bad", "! grep -q w a.c", "0 1 2 3 4 5"},
		{"what tests leave behind does not count", "test ! -e left && touch left && ! grep -q w2 a.c", "2"},
	} {
		if failed, _ := p.run(tt.command, p.patches("a.c", words...)); failed != tt.failed {
			t.Errorf("%s: failed %q, want %q", tt.name, failed, tt.failed)
		}
	}
	if failed, _ := p.run("false", nil); failed != "" {
		t.Errorf("nothing to try: %s", failed)
	}
	if got, _ := os.ReadFile(p.path("a.c")); string(got) != "end\n" {
		t.Errorf("the project itself was changed: %q", got)
	}
	if _, err := os.Stat(p.path("left")); err == nil {
		t.Error("the command ran in the project itself")
	}
}

// TestLog: the log has what the command printed, attempt by attempt.
func TestLog(t *testing.T) {
	p := newProject(t, "a.c", "end\n")
	var out bytes.Buffer
	res, err := Run(context.Background(), Config{Root: p.dir, Dir: p.dir, Command: "echo run; grep -c w a.c >&2; ! grep bad a.c", Output: &out}, p.patches("a.c", "w", "bad w"))
	must(t, err)
	log, err := os.ReadFile(res.Log)
	must(t, err)
	for _, part := range []string{"with all 2 changes", "without changes", "with one change", "run\n2\nbad w\n=== exit status 1\n", "run\n1\n=== passed\n"} {
		if !bytes.Contains(log, []byte(part)) {
			t.Errorf("the log lacks %q:\n%s", part, log)
		}
	}
	if strings.Count(out.String(), "run\n") != strings.Count(string(log), "run\n") {
		t.Errorf("printed\n%s\nlogged\n%s", out.String(), log)
	}
	p.clean(res.Log)
}

// TestBroken: a command that fails anyway says nothing of the patches.
func TestBroken(t *testing.T) {
	p := newProject(t, "a.c", "end\n")
	_, err := Run(context.Background(), Config{Root: p.dir, Dir: p.dir, Command: "echo broken; exit 3"}, p.patches("a.c", "w"))
	if !errors.Is(err, ErrBroken) || !strings.Contains(err.Error(), "exit status 3; see "+p.temp) {
		t.Fatalf("%v", err)
	}
	logs, _ := filepath.Glob(filepath.Join(p.temp, "*.log"))
	if len(logs) != 1 {
		t.Fatalf("logs: %v", logs)
	}
	p.clean(logs[0])
}

// TestStale: what is tested is the patch for the files that are there.
func TestStale(t *testing.T) {
	p := newProject(t, "a.c", "end\n")
	ps := p.patches("a.c", "w")
	p.write("a.c", "other\n")
	var stale *patch.Stale
	if _, err := Run(context.Background(), Config{Root: p.dir, Dir: p.dir, Command: "true"}, ps); !errors.As(err, &stale) {
		t.Errorf("%v", err)
	}
	p.clean("")
}

// TestInterrupted: nothing is left of a trial that was stopped, not even what the
// command started.
func TestInterrupted(t *testing.T) {
	p := newProject(t, "a.c", "end\n")
	ctx, cancel := context.WithCancel(context.Background())
	started := filepath.Join(t.TempDir(), "started")
	go func() {
		for range 1000 {
			if _, err := os.Stat(started); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	begin := time.Now()
	_, err := Run(ctx, Config{Root: p.dir, Dir: p.dir, Command: "sleep 1000 & touch " + started + "; wait"}, p.patches("a.c", "w"))
	if !errors.Is(err, context.Canceled) || time.Since(begin) > 30*time.Second {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
	p.clean("")
}

func TestCopy(t *testing.T) {
	p := newProject(t, "src/a.c", "a\n", "run.sh", "#!/bin/sh\n",
		"cmake/CMakeCache.txt", "CMAKE_HOME_DIRECTORY="+"/somewhere", "cmake/x.o", "")
	old := time.Now().Add(-48 * time.Hour).Truncate(time.Second)
	must(t, os.Chmod(p.path("run.sh"), 0o755))
	must(t, os.Chtimes(p.path("run.sh"), old, old))
	must(t, os.Symlink("src/a.c", p.path("rel")))
	must(t, os.Symlink(p.path("src/a.c"), p.path("abs")))
	must(t, os.Symlink("/etc/passwd", p.path("out")))
	must(t, os.Chmod(p.path("src"), 0o555))
	defer os.Chmod(p.path("src"), 0o777)
	var notes []string
	res, err := Run(context.Background(), Config{
		Root: p.dir, Dir: p.path("src"), Note: func(s string) { notes = append(notes, s) },
		Command: `set -e; pwd | grep -q '/project/src$'; cd ..; test -x run.sh; test ! -e cmake
			test "$(stat -c %Y run.sh)" = ` + fmt.Sprint(old.Unix()) + `; test "$(stat -c %a src)" = 555
			test "$(readlink rel)" = src/a.c; test "$(readlink abs)" = "$PWD/src/a.c"; test "$(readlink out)" = /etc/passwd
			grep -q w src/a.c; grep -q w abs`,
	}, p.patches("abs", "w"))
	must(t, err)
	if res.Failed[0] != nil {
		log, _ := os.ReadFile(res.Log)
		t.Errorf("%v\n%s", res.Failed[0], log)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "cmake: a build directory of CMake") {
		t.Errorf("notes: %q", notes)
	}
	p.clean(res.Log)
}

// TestCopyOfRepository: the copy is a repository of its own.
func TestCopyOfRepository(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	p := newProject(t, "a.c", "a\n")
	git := "git -c user.name=n -c user.email=e -c commit.gpgsign=false "
	sh := func(command string) string {
		t.Helper()
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = p.dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		return string(out)
	}
	sh("git init -q . && git add . && " + git + "commit -qm one")
	before := sh("git log --format=%H; git status --porcelain")
	failed, _ := p.run("set -e; git log --oneline | grep one; git diff | grep '^+w'; git add .; "+git+"commit -qm two; git log --oneline | grep two", p.patches("a.c", "w"))
	if failed != "" {
		t.Errorf("failed: %s", failed)
	}
	if after := sh("git log --format=%H; git status --porcelain"); after != before {
		t.Errorf("the repository itself was changed:\n%s", after)
	}
}

// TestCopyInside: copies may be made in the project itself, and hold no copies.
func TestCopyInside(t *testing.T) {
	p := newProject(t, "a.c", "end\n", "tmp/x", "")
	p.temp = p.path("tmp")
	t.Setenv("TMPDIR", p.temp)
	res, err := Run(context.Background(), Config{Root: p.dir, Dir: p.dir, Command: "test $(find . -name a.c | wc -l) = 1"}, p.patches("a.c", "w"))
	must(t, err)
	if res.Failed[0] != nil {
		t.Error(res.Failed[0])
	}
	must(t, os.Remove(p.path("tmp/x")))
	p.clean(res.Log)
}

// TestNoRoom: the message says how to make the copies elsewhere.
func TestNoRoom(t *testing.T) {
	p := newProject(t, "a.c", "end\n", "big", strings.Repeat("x", 64<<10))
	ps := p.patches("a.c", "w")
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=32k"); err != nil {
		t.Skip("needs the right to mount a small file system:", err)
	}
	defer syscall.Unmount(disk, 0)
	p.temp = disk
	t.Setenv("TMPDIR", disk)
	_, err := Run(context.Background(), Config{Root: p.dir, Dir: p.dir, Command: "true"}, ps)
	if err == nil || !strings.Contains(err.Error(), "no space left on device") || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("%v", err)
	}
	p.clean("")
}
