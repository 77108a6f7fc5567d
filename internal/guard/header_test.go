package guard

// This file tests plumb_guard.h: that every compiler takes it without a word, and
// that its record is right in programs of all kinds.

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// compile builds a program, or one of the other things a compiler makes, in dir.
func compile(t *testing.T, dir string, line ...string) {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for i, word := range line {
		if strings.HasPrefix(word, "testdata/") {
			line[i] = filepath.Join(here, word)
		}
	}
	cmd := exec.Command(line[0], append(line[1:], "-I"+here)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
}

// execute runs what was built, which has to succeed.
func execute(t *testing.T, program string, args ...string) {
	t.Helper()
	if out, err := output(program, args...); err != nil {
		t.Fatalf("%s %v: %v\n%s", filepath.Base(program), args, err, out)
	}
}

func output(program string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute) // for what hangs
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	var out bytes.Buffer // stdout and stderr of sanitizers
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1", "TSAN_OPTIONS=halt_on_error=1")
	err := cmd.Run()
	return out.Bytes(), err
}

// need skips the test when a compiler is not installed.
func need(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skip(err)
	}
}

var pedantic = []string{"-Wall", "-Wextra", "-pedantic", "-Werror", "-Wshadow", "-Wconversion", "-Wcast-qual", "-Wundef", "-Wwrite-strings"}

func TestHeaderCompiles(t *testing.T) {
	for _, c := range []struct {
		compiler  string
		standards []string
		flags     []string
	}{
		{"gcc", []string{"c89", "c11", "gnu17"}, []string{"-Wstrict-prototypes", "-Wmissing-prototypes"}},
		{"clang-14", []string{"c89"}, []string{"-Wstrict-prototypes", "-Wmissing-variable-declarations"}},
		{"clang-19", []string{"c89", "c11", "c23"}, []string{"-Wstrict-prototypes", "-Wmissing-variable-declarations"}},
		{"g++", []string{"c++98", "c++17"}, []string{"-x", "c++"}},
		{"clang++-19", []string{"c++98", "c++20"}, []string{"-x", "c++", "-Wmissing-variable-declarations"}},
	} {
		t.Run(c.compiler, func(t *testing.T) {
			need(t, c.compiler)
			t.Parallel()
			dir := t.TempDir()
			for _, std := range c.standards {
				for _, option := range []string{"-DPLUMB_GUARD_BITS=8", "-DPLUMB_GUARD_BITS=0", "-DPLUMB_GUARD_MUTEX", "-DPLUMB_GUARD_OFF"} {
					line := append([]string{c.compiler, "-std=" + std, option}, c.flags...)
					line = append(append(line, pedantic...), "testdata/usage.c")
					if std != c.standards[0] || option == "-DPLUMB_GUARD_OFF" {
						compile(t, dir, append(line, "-fsyntax-only")...)
						continue
					}
					compile(t, dir, append(line, "-O1", "-o", "usage", "-lpthread")...)
					execute(t, filepath.Join(dir, "usage"))
				}
			}
		})
	}
}

// The program that plumb_guard.h is compiled out of is the program as it was: it leaks.
func TestHeaderOff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		option string
		leaks  bool
	}{{"-UPLUMB_GUARD_OFF", false}, {"-DPLUMB_GUARD_OFF", true}} {
		dir := t.TempDir()
		compile(t, dir, "clang-19", "-fsanitize=address", "-g", c.option, "testdata/usage.c", "-o", "usage")
		out, err := output(filepath.Join(dir, "usage"))
		if leaks := bytes.Contains(out, []byte("detected memory leaks")); leaks != c.leaks || (err != nil) != c.leaks {
			t.Errorf("%s: leaks: %v, want %v; %v\n%s", c.option, leaks, c.leaks, err, out)
		}
	}
}

func TestHeaderModel(t *testing.T) {
	for _, bits := range []string{"0", "6", "8", "16"} {
		t.Run(bits, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			compile(t, dir, "clang-19", "-fsanitize=address,undefined", "-fno-sanitize-recover", "-g", "-O1",
				"-DPLUMB_GUARD_BITS="+bits, "testdata/model.c", "-o", "model")
			for _, seed := range []string{"1", "22", "333"} {
				execute(t, filepath.Join(dir, "model"), seed)
			}
		})
	}
}

func TestHeaderThreads(t *testing.T) {
	type variant struct {
		name  string
		flags []string
		// release.c may be compiled apart.
		release []string
	}
	variants := []variant{
		{"address", []string{"clang-19", "-fsanitize=address", "-DROUNDS=200"}, nil},
		{"thread", []string{"clang-19", "-fsanitize=thread", "-DROUNDS=50"}, nil},
		{"mutex", []string{"clang-19", "-fsanitize=address", "-DROUNDS=100", "-DPLUMB_GUARD_MUTEX"}, nil},
		{"bits0", []string{"clang-19", "-fsanitize=address", "-DROUNDS=100", "-DPLUMB_GUARD_BITS=0"}, nil},
		{"bits6", []string{"clang-19", "-fsanitize=thread", "-DROUNDS=25", "-DPLUMB_GUARD_BITS=6"}, nil},
		{"bits16", []string{"clang-19", "-fsanitize=thread", "-DROUNDS=25", "-DPLUMB_GUARD_BITS=16"}, nil},
		{"gcc", []string{"gcc", "-fsanitize=address", "-DROUNDS=100"}, nil},
		// The files of a program need not agree on the number of slots.
		{"mixed", []string{"clang-19", "-fsanitize=address", "-DROUNDS=100"}, []string{"clang-19", "-fsanitize=address", "-DPLUMB_GUARD_BITS=3"}},
		{"cxx", []string{"clang-19", "-fsanitize=address", "-DROUNDS=100"}, []string{"clang++-19", "-fsanitize=address", "-x", "c++"}},
		{"shared", []string{"clang-19", "-fsanitize=address", "-DROUNDS=100", "-fvisibility=hidden"}, []string{"clang-19", "-fsanitize=address"}},
		{"lto", []string{"clang-19", "-flto", "-fuse-ld=lld", "-DROUNDS=300"}, nil},
	}
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			need(t, v.flags[0])
			if v.name == "lto" {
				need(t, "ld.lld-19")
			}
			t.Parallel()
			dir := t.TempDir()
			second := "testdata/release.c"
			if v.release != nil {
				second = "release.o"
				line := append(v.release, "-g", "-O2", "-fPIC", "-c", "testdata/release.c", "-o", second)
				compile(t, dir, line...)
			}
			if v.name == "shared" {
				compile(t, dir, "clang-19", "-fsanitize=address", "-shared", second, "-o", "librelease.so")
				second = "librelease.so"
			}
			line := append(v.flags, "-g", "-O2", "testdata/threads.c", second, "-Wl,-rpath,"+dir, "-lpthread", "-o", "threads")
			compile(t, dir, line...)
			execute(t, filepath.Join(dir, "threads"))
		})
	}
}

func TestHeaderFork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	compile(t, dir, "clang-19", "-g", "-O2", "-DFORKS=8", "testdata/fork.c", "-lpthread", "-o", "fork")
	execute(t, filepath.Join(dir, "fork"))
}

// Leak checkers see through the record.
func TestHeaderHonest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	compile(t, dir, "clang-19", "-fsanitize=address", "-g", "-O1", "testdata/honest.c", "-o", "honest")
	out, _ := output(filepath.Join(dir, "honest"))
	// The last one may be left in a register or on the stack.
	if !bytes.Contains(out, []byte("77 byte(s) each")) && !bytes.Contains(out, []byte("leak of 7700 byte(s) in 100")) && !bytes.Contains(out, []byte("leak of 7623 byte(s) in 99")) {
		t.Errorf("LeakSanitizer does not see that the objects are lost:\n%s", out)
	}
}
