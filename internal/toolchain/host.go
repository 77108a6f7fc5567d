// This file finds a clang that plugins can be built for.

package toolchain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// OldestHost is the oldest clang that programs can be instrumented with: the
// interfaces that the pass uses are as they are since LLVM 16.
const OldestHost = 16

// EnvClang is the environment variable that chooses the clang of the compiler
// drivers, which have no flags of their own.
const EnvClang = "PLUMB_CLANG"

// ErrNoHeaders is wrapped by the error of FindHost when no clang has headers.
var ErrNoHeaders = errors.New("no LLVM headers")

// A Host is a clang that can load plumb's plugin.
type Host struct {
	Path    string // as it is called: /usr/bin/clang-19
	Real    string // what that is: /usr/lib/llvm-19/bin/clang
	Major   int
	Version string // "19.1.7" where the headers say so, else "19"
	Headers string // directory of llvm/Pass.h; "" if they are not installed
}

func (h *Host) String() string { return fmt.Sprintf("clang %s (%s)", h.Version, h.Path) }

// FindHost returns the newest clang on PATH that has LLVM's headers, or the one
// that explicit names. It runs no program where names and files tell the version:
// the drivers call it for each file of a build.
//
// With needHeaders false one without headers will do, if there is no other.
func FindHost(ctx context.Context, explicit string, needHeaders bool) (*Host, error) {
	if explicit != "" {
		h, err := inspect(ctx, explicit)
		if errors.Is(err, exec.ErrNotFound) {
			err = fmt.Errorf("%s: not found on PATH", explicit)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: --clang, %s: %w", ErrNoClang, EnvClang, err)
		}
		if h.Headers == "" && needHeaders {
			return nil, noHeaders(h)
		}
		return h, nil
	}
	var bare *Host // the newest without headers
	var refused []string
	for _, name := range candidates() {
		h, err := inspect(ctx, name)
		switch {
		case errors.Is(err, exec.ErrNotFound):
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			refused = append(refused, err.Error())
		case h.Headers != "":
			return h, nil
		case bare == nil:
			bare = h
		}
	}
	if bare == nil {
		msg := fmt.Sprintf("looked on PATH for clang-%d to clang-%d and clang", Newest, OldestHost)
		if len(refused) > 0 {
			msg += ", found " + strings.Join(refused, "; ")
		}
		return nil, fmt.Errorf("%w for instrumented runs: %s; install one (Debian: apt-get install clang-19 llvm-19-dev) or name it with --clang or %s", ErrNoClang, msg, EnvClang)
	}
	if needHeaders {
		return nil, noHeaders(bare)
	}
	return bare, nil
}

func noHeaders(h *Host) error {
	return fmt.Errorf("%w for %s: plumb builds its compiler plugin with them; install them (Debian: apt-get install llvm-%d-dev)", ErrNoHeaders, h, h.Major)
}

var (
	versionedName = regexp.MustCompile(`^clang-(\d+)$`)
	versionedDir  = regexp.MustCompile(`/llvm-?(\d+)/bin/clang$`)
)

// inspect looks at one clang.
func inspect(ctx context.Context, name string) (*Host, error) {
	path, err := lookPath(name)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	h := &Host{Path: path, Real: real, Major: majorByName(path, real)}
	if h.Major == 0 {
		c, err := probe(ctx, path)
		if err != nil {
			return nil, err
		}
		h.Major, h.Version = c.Major, c.Version
	}
	if h.Version == "" {
		h.Version = strconv.Itoa(h.Major)
	}
	if h.Major < OldestHost || h.Major > Newest {
		return nil, fmt.Errorf("%s (version %s, instrumented runs need %d to %d)", path, h.Version, OldestHost, Newest)
	}
	for _, dir := range []string{
		filepath.Join(filepath.Dir(filepath.Dir(real)), "include"),
		fmt.Sprintf("/usr/lib/llvm-%d/include", h.Major),
	} {
		if v := headerVersion(dir); v == strconv.Itoa(h.Major) || strings.HasPrefix(v, strconv.Itoa(h.Major)+".") {
			h.Headers, h.Version = dir, v
			break
		}
	}
	return h, nil
}

// lookPath finds a program as exec.LookPath does, but never this one: plumb may be
// on PATH under the name of a compiler.
func lookPath(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	self := func(path string) bool {
		exe, _ := os.Executable()
		a, err := os.Stat(exe)
		if err != nil {
			return false
		}
		b, err := os.Stat(path)
		return err == nil && os.SameFile(a, b)
	}
	if !self(path) {
		return filepath.Abs(path)
	}
	if !strings.Contains(name, "/") {
		for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
			if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil && filepath.IsAbs(path) && !self(path) {
				return path, nil
			}
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}

// majorByName is the version that the names of the program give away, or 0. A
// script may be called anything.
func majorByName(path, real string) int {
	for _, m := range [][]string{versionedName.FindStringSubmatch(filepath.Base(real)), versionedDir.FindStringSubmatch(real)} {
		if m == nil {
			continue
		}
		if p := versionedName.FindStringSubmatch(filepath.Base(path)); (p == nil || p[1] == m[1]) && isELF(real) {
			n, _ := strconv.Atoi(m[1]) // the pattern admits digits only
			return n
		}
	}
	return 0
}

func isELF(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	magic := make([]byte, 4)
	_, err = io.ReadFull(f, magic)
	return err == nil && string(magic) == "\x7fELF"
}

var versionString = regexp.MustCompile(`(?m)^#define LLVM_VERSION_STRING "([0-9.]+)`)

// headerVersion reads the version of the headers in dir, "" if there are none.
func headerVersion(dir string) string {
	if _, err := os.Stat(filepath.Join(dir, "llvm", "Pass.h")); err != nil {
		return ""
	}
	b, err := os.ReadFile(filepath.Join(dir, "llvm", "Config", "llvm-config.h"))
	if err != nil {
		return ""
	}
	if m := versionString.FindSubmatch(b); m != nil {
		return string(m[1])
	}
	return ""
}
