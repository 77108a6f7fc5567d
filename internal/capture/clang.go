package capture

// This file runs clang once and reads what it says.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// A clangRun is one finished run of clang.
type clangRun struct {
	bitcode []byte
	depText []byte
	stderr  string
	state   *os.ProcessState
}

// killDelay is how long a killed process may keep the pipes open.
const killDelay = 2 * time.Second

// runClang runs clang in its own process group, which dies with ctx. Bitcode
// comes from its standard output and dependencies from descriptor 3.
func runClang(ctx context.Context, path string, args []string, j *job) (*clangRun, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("cannot start clang: %w", err)
	}
	defer r.Close()
	var out bytes.Buffer
	stderr := &head{max: 16 << 20}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Env = j.dir, j.environ()
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = &out, stderr, []*os.File{w}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = killDelay
	err = cmd.Start()
	w.Close()
	if err != nil {
		return nil, startError(err, path, j.dir)
	}
	deps := make(chan []byte, 1)
	go func() {
		b, _ := io.ReadAll(r) // a short read shows as a missing source in the list
		deps <- b
	}()
	err = cmd.Wait()
	_ = r.SetReadDeadline(time.Now().Add(killDelay)) // in case a grandchild still holds the pipe
	res := &clangRun{bitcode: out.Bytes(), depText: <-deps, stderr: stderr.String(), state: cmd.ProcessState}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && !errors.As(err, &exit):
		return nil, fmt.Errorf("clang: %w", err)
	}
	return res, nil
}

// startError tells a missing directory from a missing clang.
func startError(err error, clang, dir string) error {
	if _, derr := os.Stat(dir); derr != nil {
		return fmt.Errorf("cannot enter the directory of the compile command: %w", derr)
	}
	return fmt.Errorf("cannot start %s: %w", clang, err)
}

func (r *clangRun) ok() bool {
	return r.state.Success() && len(r.bitcode) > 0
}

// crashed reports whether clang died rather than refused the source. The
// driver catches the crash of its own compiler, prints a report and exits
// with a status above 128, or with 1 in some builds.
func (r *clangRun) crashed() bool {
	ws, ok := r.state.Sys().(syscall.WaitStatus)
	return ok && ws.Signaled() || r.state.ExitCode() >= 128 || strings.Contains(r.stderr, "PLEASE submit a bug report")
}

// reason is why there is no bitcode, in one line.
func (r *clangRun) reason() string {
	first := ""
	for line := range strings.Lines(r.stderr) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, "error: ") {
			first = line
			break
		}
		if first == "" && (strings.HasPrefix(line, "LLVM ERROR:") || strings.Contains(line, "Assertion")) {
			first = line
		}
	}
	if r.crashed() {
		return "clang crashed: " + r.crashLine(first)
	}
	if first == "" {
		return fmt.Sprintf("clang gave no bitcode (%s)", r.state)
	}
	return first
}

// crashLine finds the line of a crash report that says where in the source
// clang was.
func (r *clangRun) crashLine(first string) string {
	if first != "" {
		return first
	}
	last := ""
	for line := range strings.Lines(r.stderr) {
		// 1.	a.c:1:2: current parser token 'x'
		if n, rest, ok := strings.Cut(line, ".\t"); ok && len(n) <= 2 && !strings.HasPrefix(rest, "Program arguments") {
			last = strings.TrimSpace(rest)
			break
		}
	}
	if last == "" {
		return r.state.String()
	}
	return last
}

// deps returns the absolute paths of the files clang read, the source among
// them.
func (r *clangRun) deps(j *job) []string {
	out := []string{j.name}
	seen := map[string]bool{j.name: true}
	for _, d := range parseDeps(string(r.depText)) {
		if d = absolute(j.dir, d); !seen[d] {
			seen[d] = true
			out = append(out, d)
		}
	}
	return out
}

// parseDeps reads the prerequisites of a makefile rule as clang writes it:
// blanks and # are escaped by a backslash, $ is doubled.
func parseDeps(s string) []string {
	_, s, _ = strings.Cut(s, ":")
	var out []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		next := byte(0)
		if i+1 < len(s) {
			next = s[i+1]
		}
		switch {
		case c == '\\' && next == '\n':
			end()
			i++
		case c == '\\' && (next == ' ' || next == '#'), c == '$' && next == '$':
			word.WriteByte(next)
			i++
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			end()
		default:
			word.WriteByte(c)
		}
	}
	end()
	return out
}

// A head keeps the first max bytes written to it.
type head struct {
	buf bytes.Buffer
	max int
}

func (h *head) Write(p []byte) (int, error) {
	if n := min(len(p), h.max-h.buf.Len()); n > 0 {
		h.buf.Write(p[:n])
	}
	return len(p), nil
}

func (h *head) String() string { return h.buf.String() }
