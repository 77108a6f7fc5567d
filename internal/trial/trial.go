// Package trial tries patches with a command of the user, such as the tests of the
// project, and keeps those with which it succeeds.
//
// The project is copied, the patches are applied to the copy, the command runs in
// it; nothing of this touches the project. Each attempt has a copy of its own, so
// that nothing a test leaves behind is blamed on a patch. All patches are tried
// together first. If that fails, and the command succeeds without any, halves are
// tried, each on top of what is known to be good: what is left in the end was tried
// together.
//
// Cost: one copy and one run of the command if all is well; else about the logarithm
// of the number of patches for each that is bad.
package trial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/plumb-project/plumb/internal/patch"
)

// A Config says what to try and where.
type Config struct {
	Root    string          // the project: this directory is copied
	Dir     string          // where the command would run; if it is in Root, it runs at its place in the copy, else at the top
	Command string          // for the shell
	Output  io.Writer       // hears what the command prints, too; nil for none
	Copied  func(files int) // hears of the files copied now and then; nil for nobody
	Note    func(string)    // hears what could not be copied; nil for nobody
}

// A Result says which patches passed.
type Result struct {
	Failed []error // by patch: why it did not pass; nil if it did
	Log    string  // file with what the command printed; "" when all passed
}

// ErrBroken is wrapped by the error of Run when the command fails without any patch.
var ErrBroken = errors.New("the test fails without any change, too")

// Run tries patches that fit together. The error says that nothing can be known of
// them.
func Run(ctx context.Context, cfg Config, patches []*patch.Patch) (*Result, error) {
	log, err := os.CreateTemp("", "plumb-test-*.log")
	if err != nil {
		return nil, fmt.Errorf("no room for what the test prints: %w; TMPDIR says where", err)
	}
	defer log.Close()
	t := &trial{cfg: cfg, patches: patches, log: log, res: &Result{Failed: make([]error, len(patches)), Log: log.Name()}}
	err = t.run(ctx)
	if err != nil && !errors.Is(err, ErrBroken) || err == nil && t.good() {
		os.Remove(log.Name())
		t.res.Log = ""
	}
	if err != nil {
		return nil, err
	}
	return t.res, nil
}

// A trial is the state of one Run.
type trial struct {
	cfg     Config
	patches []*patch.Patch
	log     *os.File
	res     *Result
	kept    []int // patches known to pass together
}

// good reports whether no patch failed.
func (t *trial) good() bool {
	return !slices.ContainsFunc(t.res.Failed, func(err error) bool { return err != nil })
}

// A failure is that of the command.
type failure struct{ why string }

func (e *failure) Error() string { return e.why }

func (t *trial) run(ctx context.Context) error {
	all := make([]int, len(t.patches))
	for i := range all {
		all[i] = i
	}
	if len(all) == 0 {
		return nil
	}
	err := t.attempt(ctx, all)
	var failed *failure
	if !errors.As(err, &failed) {
		return err
	}
	if plain := t.attempt(ctx, nil); errors.As(plain, new(*failure)) {
		return fmt.Errorf("%w: %w; see %s", ErrBroken, plain, t.log.Name())
	} else if plain != nil {
		return plain
	}
	return t.split(ctx, all, failed)
}

// split finds the bad ones of a group that failed as a whole.
func (t *trial) split(ctx context.Context, group []int, why *failure) error {
	if len(group) == 1 {
		t.res.Failed[group[0]] = fmt.Errorf("the test fails with it: %w; see %s", why, t.log.Name())
		return nil
	}
	for _, half := range [][]int{group[:len(group)/2], group[len(group)/2:]} {
		var failed *failure
		err := t.attempt(ctx, slices.Concat(t.kept, half))
		if err == nil {
			t.kept = append(t.kept, half...)
		} else if errors.As(err, &failed) {
			err = t.split(ctx, half, failed)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// attempt runs the command with some of the patches; the error is a *failure if it
// fails.
func (t *trial) attempt(ctx context.Context, which []int) error {
	var ps []*patch.Patch
	for _, i := range which {
		ps = append(ps, t.patches[i])
	}
	p, err := patch.Merge(ps...)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "plumb-test-")
	if err != nil {
		return fmt.Errorf("no room for a copy of the project: %w; TMPDIR says where copies are made", err)
	}
	defer remove(scratch)
	c := &copier{ctx: ctx, from: t.cfg.Root, to: filepath.Join(scratch, filepath.Base(t.cfg.Root)), copied: t.cfg.Copied}
	if err := c.run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("cannot copy the project to %s: %w; TMPDIR says where copies are made", scratch, err)
	}
	if len(which) == len(t.patches) && t.cfg.Note != nil { // the first attempt
		for _, s := range c.skipped {
			t.cfg.Note(s + ": not in the copy that is tested")
		}
	}
	if err := c.apply(p); err != nil {
		return err
	}
	fmt.Fprintf(t.log, "=== %s, %s\n", t.cfg.Command, count(len(which), len(t.patches)))
	err = t.command(ctx, c.place(t.cfg.Dir))
	outcome := "passed"
	if err != nil {
		outcome = err.Error()
	}
	fmt.Fprintf(t.log, "=== %s\n", outcome)
	return err
}

func count(n, of int) string {
	switch {
	case n == 0:
		return "without changes"
	case n == of && n > 1:
		return fmt.Sprintf("with all %d changes", n)
	case n == 1:
		return "with one change"
	}
	return fmt.Sprintf("with %d of %d changes", n, of)
}

// stopDelay is how long the command may take to end once it is told to.
const stopDelay = 5 * time.Second

// command runs the user's command in its own process group, which ends with it.
func (t *trial) command(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", t.cfg.Command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PWD="+dir)
	out := io.Writer(t.log)
	if t.cfg.Output != nil {
		out = io.MultiWriter(t.log, t.cfg.Output)
	}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = stopDelay
	err := cmd.Run()
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left running would be in the way
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, exec.ErrWaitDelay): // it ended well, but what it started holds its output
		return nil
	case errors.As(err, &exit):
		return &failure{exit.Error()}
	case err != nil:
		return fmt.Errorf("cannot run the test: %w", err)
	}
	return nil
}

// remove deletes a copy, also what the test made unwritable.
func remove(dir string) {
	if os.RemoveAll(dir) == nil {
		return
	}
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(dir)
}
