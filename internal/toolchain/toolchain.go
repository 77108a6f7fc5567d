// Package toolchain finds the compilers that plumb calls.
//
// plumb does not ship a compiler: it makes bitcode with a clang of the user's
// machine, versions 14 to 22, the range package bitcode reads. The newest one
// wins, because a newer clang accepts what an older one does and names more
// values; a version outside the range is refused here, with its number, and
// not later with a strange bitcode record.
package toolchain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Versions of clang that plumb works with.
const (
	Oldest = 14
	Newest = 22
)

// A Clang is one clang found on the machine.
//
// It compiles C++ too: clang++ is the same binary with --driver-mode=g++.
type Clang struct {
	Path    string // absolute path, or as the user named it
	Version string // "19.1.7"
	Major   int    // 19
	Banner  string // first line of --version, which also names the vendor's build
}

// String prints what a user wants to know of it.
//
//	clang 19.1.7 (/usr/bin/clang-19)
func (c *Clang) String() string { return fmt.Sprintf("clang %s (%s)", c.Version, c.Path) }

// ErrNoClang is wrapped by the error of FindClang when there is none to use.
var ErrNoClang = errors.New("no usable clang")

// FindClang returns the newest clang of versions 14 to 22 on PATH, looking
// for clang-22 down to clang-14 and then for clang; or the one that explicit
// names, by path or by a name on PATH.
func FindClang(ctx context.Context, explicit string) (*Clang, error) {
	if explicit != "" {
		return findExplicit(ctx, explicit)
	}
	var refused []string // those found that cannot be used, with the reason
	for _, name := range candidates() {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		c, err := probe(ctx, path)
		if err == nil {
			return c, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		refused = append(refused, err.Error())
	}
	msg := fmt.Sprintf("looked on PATH for clang-%d to clang-%d and clang", Newest, Oldest)
	if len(refused) > 0 {
		msg += ", found " + strings.Join(refused, "; ")
	}
	return nil, fmt.Errorf("%w: %s; install one (Debian: apt-get install clang-19) or name it with --clang", ErrNoClang, msg)
}

// candidates lists the names to look for, best first.
func candidates() []string {
	var names []string
	for v := Newest; v >= Oldest; v-- {
		names = append(names, "clang-"+strconv.Itoa(v))
	}
	return append(names, "clang")
}

func findExplicit(ctx context.Context, name string) (*Clang, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("%w: --clang %s: %w; give the path of a clang %d to %d", ErrNoClang, name, errors.Unwrap(err), Oldest, Newest)
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	c, err := probe(ctx, path)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("%w: --clang: %w", ErrNoClang, err)
	}
	return c, err
}

var versionLine = regexp.MustCompile(`clang version ((\d+)(?:\.\d+)*)`)

// probe asks the binary for its version.
func probe(ctx context.Context, path string) (*Clang, error) {
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Env = append(cmd.Environ(), "LC_ALL=C")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s (--version fails: %w)", path, err)
	}
	banner, _, _ := bytes.Cut(out, []byte("\n"))
	m := versionLine.FindSubmatch(banner)
	if m == nil {
		return nil, fmt.Errorf("%s (not a clang: --version says %q)", path, banner)
	}
	c := &Clang{Path: path, Version: string(m[1]), Banner: string(banner)}
	c.Major, _ = strconv.Atoi(string(m[2])) // the pattern admits digits only
	if c.Major < Oldest || c.Major > Newest {
		return nil, fmt.Errorf("%s (version %s, plumb needs %d to %d)", path, c.Version, Oldest, Newest)
	}
	return c, nil
}
