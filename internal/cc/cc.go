// Package cc is plumb's compiler drivers: a C and a C++ compiler that make
// instrumented programs.
//
// They are clang with a few more words on its command line: the pass plugin where
// code is made, the runtime where a program or shared library is linked. All
// else is the user's own words, and the process becomes clang, so that output,
// exit status and signals are clang's. What instrumentation cannot be in is left
// alone: code for other machines, code without a C library, programs with a
// sanitizer that has its own malloc, and every question that a configure script asks.
package cc

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/plumb-project/plumb/internal/capture"
	"github.com/plumb-project/plumb/internal/toolchain"
)

// Config says which compiler and kit to use.
type Config struct {
	Clang    string    // "" is the best there is
	CacheDir string    // "" is the user's
	LastUse  bool      // record where blocks are used
	Only     []byte    // what to instrument, in the pass's form; nil for all
	Models   []string  // model files, of the program's own allocators
	Say      io.Writer // hears of the first build of the kit; nil for nobody
}

// DriverName reports whether a program of this name is one of plumb's drivers,
// and whether it is the one for C++.
func DriverName(name string) (cxx, ok bool) {
	base := filepath.Base(name)
	return strings.HasSuffix(base, "++"), base == "plumb-cc" || base == "plumb-c++"
}

// CompilerName is the same for the names that compilers usually have, which
// may be links to plumb.
func CompilerName(name string) (cxx, ok bool) {
	base := filepath.Base(name)
	return strings.HasSuffix(base, "++"), slices.Contains([]string{"cc", "gcc", "clang", "c++", "g++", "clang++"}, base)
}

// Exec makes this process the compiler. It returns only if that fails. A build
// that plumb check listens to hears of it.
func Exec(ctx context.Context, cfg Config, cxx bool, args []string) error {
	name := "plumb-cc"
	if cxx {
		name = "plumb-c++"
	}
	capture.Record(append([]string{name}, args...), os.Environ())
	argv, err := Command(ctx, cfg, cxx, args)
	if err != nil {
		return err
	}
	env, err := cfg.Env(os.Environ())
	if err != nil {
		return err
	}
	return &os.PathError{Op: "cannot run", Path: argv[0], Err: syscall.Exec(argv[0], argv, env)}
}

// Command is the command line of clang for one of the driver's.
func Command(ctx context.Context, cfg Config, cxx bool, args []string) ([]string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	l := look(capture.Options(dir, args))
	if !l.instruments() {
		host, err := toolchain.FindHost(ctx, cfg.Clang, false)
		if err != nil {
			return nil, err
		}
		return slices.Concat([]string{host.Path}, mode(cxx), args), nil
	}
	kit, err := toolchain.FindKit(ctx, toolchain.KitConfig{Clang: cfg.Clang, CacheDir: cfg.CacheDir, Runtime: !l.compiles(), Say: cfg.Say})
	if err != nil {
		return nil, err
	}
	return slices.Concat([]string{kit.Host.Path}, mode(cxx), l.words(kit, args)), nil
}

// mode lets clang be clang++, which need not be installed under that name.
func mode(cxx bool) []string {
	if cxx {
		return []string{"--driver-mode=g++"}
	}
	return nil
}
