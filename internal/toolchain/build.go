// This file runs the compiler on the embedded sources.

package toolchain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/plumb-project/plumb/internal/rt"
)

// buildRuntime fills dir with the runtime from dir/src.
func buildRuntime(ctx context.Context, h *Host, dir string) error {
	files, err := sources(filepath.Join(dir, "src", "csrc"), ".c")
	if err != nil {
		return err
	}
	// Debuggers and profilers show these names; the directory will be gone.
	flags := append(slices.Clone(rt.RuntimeFlags), "-ffile-prefix-map="+filepath.Join(dir, "src")+"=plumb")
	shared, err := compileAll(ctx, h, files, filepath.Join(dir, "obj", "shared"), flags)
	if err != nil {
		return err
	}
	out := []string{"-o", filepath.Join(dir, "libplumb_rt.so")}
	if err := runTool(ctx, h.Path, slices.Concat(out, shared, rt.RuntimeLinkFlags)); err != nil {
		return err
	}
	static, err := compileAll(ctx, h, files, filepath.Join(dir, "obj", "static"), slices.Concat(flags, rt.StaticFlags))
	if err != nil {
		return err
	}
	if err := runTool(ctx, "ar", slices.Concat([]string{"rcsD", filepath.Join(dir, "libplumb_rt.a")}, static)); err != nil {
		return err
	}
	include := filepath.Join(dir, "include")
	if err := os.Mkdir(include, 0o777); err != nil {
		return err
	}
	for _, f := range []string{"include/plumb.h", "wraps.txt"} {
		if err := os.Rename(filepath.Join(dir, "src", "csrc", filepath.Base(f)), filepath.Join(dir, f)); err != nil {
			return err
		}
	}
	return nil
}

// buildPass fills dir with the plugin from dir/src. All files are one unit: most of
// the time goes into LLVM's headers, and this way they are read once.
func buildPass(ctx context.Context, h *Host, dir string) error {
	files, err := sources(filepath.Join(dir, "src", "pass"), ".cpp")
	if err != nil {
		return err
	}
	var all strings.Builder
	for _, f := range files {
		fmt.Fprintf(&all, "#include \"%s\"\n", filepath.Base(f))
	}
	unit := filepath.Join(dir, "src", "pass", "all.cc")
	if err := os.WriteFile(unit, []byte(all.String()), 0o666); err != nil {
		return err
	}
	return runTool(ctx, h.Path, slices.Concat([]string{"--driver-mode=g++"}, rt.PassFlags,
		[]string{"-isystem", h.Headers, "-I", filepath.Join(dir, "src", "csrc"), unit, "-shared", "-s", "-o", filepath.Join(dir, "plumb_pass.so")}))
}

// compileAll compiles files to objects in a directory, some at a time.
func compileAll(ctx context.Context, h *Host, files []string, dir string, flags []string) ([]string, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	objs, errs := make([]string, len(files)), make([]error, len(files))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, f := range files {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			objs[i] = filepath.Join(dir, filepath.Base(f)+".o")
			errs[i] = runTool(ctx, h.Path, slices.Concat(flags, []string{"-c", f, "-o", objs[i]}))
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err // one is enough: they mostly say the same
		}
	}
	return objs, nil
}

// runTool runs a compiler that should have nothing to say.
func runTool(ctx context.Context, name string, args []string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	var text bytes.Buffer
	cmd.Stderr = &text
	cmd.Stdout = &text
	cmd.Env = append(cmd.Environ(), "LC_ALL=C", "CCC_OVERRIDE_OPTIONS=", "CPATH=", "C_INCLUDE_PATH=", "CPLUS_INCLUDE_PATH=")
	err := cmd.Run()
	if err == nil || ctx.Err() != nil {
		return errors.Join(ctx.Err(), err)
	}
	return explain(err, text.String())
}

// explain names the package that is missing, where it is that.
func explain(err error, text string) error {
	first := strings.TrimSpace(text)
	for line := range strings.Lines(text) {
		if strings.Contains(line, "error:") {
			first = strings.TrimSpace(line)
			break
		}
	}
	switch {
	case strings.Contains(text, "No space left on device"):
		return errors.New("no space left on device")
	case strings.Contains(text, "'stdlib.h' file not found"), strings.Contains(text, "'errno.h' file not found"), strings.Contains(text, "cannot find crti.o"):
		return fmt.Errorf("the headers of the C library are missing; install them (Debian: apt-get install libc6-dev): %s", first)
	case strings.Contains(text, "file not found") && !strings.Contains(first, "llvm/"), strings.Contains(text, "cannot find -lstdc++"):
		return fmt.Errorf("the C++ library's headers are missing; install them (Debian: apt-get install g++): %s", first)
	case strings.Contains(text, "unable to execute command") || strings.Contains(text, "invalid linker name"):
		return fmt.Errorf("there is no linker; install one (Debian: apt-get install binutils): %s", first)
	}
	return fmt.Errorf("%w: %s", err, first)
}

const tempPrefix = ".tmp-"

// sweep removes what builds left behind that were killed.
func sweep(root string) {
	old, _ := filepath.Glob(filepath.Join(root, tempPrefix+"*"))
	for _, dir := range old {
		if st, err := os.Stat(dir); err == nil && time.Since(st.ModTime()) > 24*time.Hour {
			os.RemoveAll(dir)
		}
	}
}

// lock waits until no other process holds the file. Where there are no locks two
// builds run side by side, which only costs time.
func lock(file string) (unlock func()) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return func() {}
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	return func() { f.Close() }
}
