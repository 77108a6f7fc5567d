// This file compiles programs.

package fixtest

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/toolchain"
)

//go:embed testdata/watch.c
var watch []byte

// wrapped are the functions that watch.c stands before.
var wrapped = []string{"main", "exit", "malloc", "calloc", "realloc", "strdup", "strndup", "fopen", "opendir"}

// Tools are the programs to judge with.
type Tools struct {
	Clang, ClangXX string
	GCC, GXX       string
	Valgrind       string // "" when it is not to be asked
	Failures       int    // how many calls of each run are let fail, one in each further run
}

// FindTools finds them all, or says what is missing.
func FindTools() (*Tools, error) {
	t := &Tools{Failures: 8}
	for _, p := range []struct {
		path *string
		name string
	}{{&t.Clang, "clang-19"}, {&t.ClangXX, "clang++-19"}, {&t.GCC, "gcc"}, {&t.GXX, "g++"}, {&t.Valgrind, "valgrind"}} {
		path, err := exec.LookPath(p.name)
		if err != nil {
			return nil, fmt.Errorf("%s is not installed: scripts/setup.sh test", p.name)
		}
		*p.path = path
	}
	return t, nil
}

// A build is a program made in one way.
type build struct {
	cc, cxx string
	flags   []string
}

// asan is not optimised, or clang leaves out what is lost at once.
func (t *Tools) asan() build {
	return build{t.Clang, t.ClangXX, []string{"-g", "-O0", "-fno-omit-frame-pointer", "-fsanitize=address"}}
}

// plain is for valgrind, which stumbles over version 5 of DWARF.
func (t *Tools) plain() build {
	flags := []string{"-g", "-gdwarf-4", "-O0"}
	if t.GCC == "" {
		return build{t.Clang, t.ClangXX, flags}
	}
	return build{t.GCC, t.GXX, flags}
}

// make builds the program that is in dir.
func (b build) make(ctx context.Context, p *Program, dir, exe string) error {
	src, object := exe+".watch.c", exe+".watch.o"
	if err := os.WriteFile(src, watch, 0o666); err != nil {
		return err
	}
	if _, err := compile(ctx, dir, b.cc, "-c", "-O1", "-fno-builtin", "-o", object, src); err != nil {
		return err
	}
	cc := b.cc
	if p.CXX {
		cc = b.cxx
	}
	words := slices.Concat([]string{"-w", p.standard(), "-o", exe}, b.flags, b.own(p), p.Units, p.Other, []string{object})
	for _, name := range wrapped {
		words = append(words, "-Wl,--wrap="+name)
	}
	_, err := compile(ctx, dir, cc, words...)
	return err
}

// own are the program's flags, as this compiler knows them. An attribute that
// names the release of an allocation is clang's alone since version 21.
func (b build) own(p *Program) []string {
	flags := slices.Clone(p.Flags)
	if strings.Contains(filepath.Base(b.cc), "clang") {
		flags = append(flags, (&toolchain.Clang{Major: 19}).PlainAttributeFlags()...)
	}
	return flags
}

// compile runs a compiler and returns what it said.
func compile(ctx context.Context, dir, cc string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, cc, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", filepath.Base(cc), strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

var warning = regexp.MustCompile(`(?m)^([^\s:]+):\d+:(?:\d+:)? (warning: .*)$`)

// warnings are what the compilers say of the program in dir, without lines, as
// these move.
func (t *Tools) warnings(ctx context.Context, p *Program, dir string) (map[string]int, error) {
	out := map[string]int{}
	for _, b := range []build{
		{t.Clang, t.ClangXX, []string{"-fsyntax-only"}},
		{t.GCC, t.GXX, []string{"-O2", "-c", "-o", os.DevNull}},
	} {
		if b.cc == "" {
			continue
		}
		cc := b.cc
		if p.CXX {
			cc = b.cxx
		}
		for _, unit := range slices.Concat(p.Units, p.Other) {
			text, err := compile(ctx, dir, cc, slices.Concat([]string{"-Wall", "-Wextra", p.standard()}, b.flags, b.own(p), []string{unit})...)
			if err != nil {
				return nil, err
			}
			for _, m := range warning.FindAllStringSubmatch(text, -1) {
				out[filepath.Base(cc)+": "+m[1]+": "+m[2]]++
			}
		}
	}
	return out, nil
}

// withoutGCC is for programs that gcc does not take.
func (t *Tools) withoutGCC() *Tools {
	out := *t
	out.GCC, out.GXX = "", ""
	return &out
}
