package run

// This file builds the program of plumb run a.c b.cpp.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/plumb-project/plumb/internal/capture"
	"github.com/plumb-project/plumb/internal/cc"
)

// ErrBuild is wrapped by the error of a program that does not compile; the
// compiler has said why.
var ErrBuild = errors.New("the program was not built")

// A plan is what the words of a command line ask to build.
type plan struct {
	dir     string
	sources []string
	compile []string // flags that say how
	link    []string // all else, in order: objects, libraries, flags
	cxx     bool     // some source is C++
}

// readPlan sorts the words of a command line; objects will be in dir.
func readPlan(words []string, dir string) plan {
	p := plan{dir: dir}
	for _, o := range capture.Options(".", words) {
		switch {
		case o.Input && IsSource(o.Words[0]):
			p.sources = append(p.sources, o.Words[0])
			p.link = append(p.link, p.object(len(p.sources)-1))
			p.cxx = p.cxx || isCXX(o.Words[0])
		case o.Input || o.Link:
			p.link = append(p.link, o.Words...)
		default:
			p.compile = append(p.compile, o.Words...)
		}
	}
	return p
}

// object is the object file of a source.
func (p *plan) object(i int) string { return filepath.Join(p.dir, fmt.Sprintf("%d.o", i)) }

var (
	cExts   = []string{".c", ".i", ".m", ".s", ".S"}
	cxxExts = []string{".C", ".cc", ".cp", ".cpp", ".cxx", ".CPP", ".c++", ".ii", ".mm"}
)

// IsSource reports whether a file is one to compile, by its name.
func IsSource(name string) bool {
	return slices.Contains(cExts, filepath.Ext(name)) || isCXX(name)
}

func isCXX(name string) bool { return slices.Contains(cxxExts, filepath.Ext(name)) }

// flagsFor leaves out a -std that is for the other language: clang would refuse
// it, and a program may have both.
func (p *plan) flagsFor(source string) []string {
	return slices.DeleteFunc(slices.Clone(p.compile), func(f string) bool {
		std, ok := strings.CutPrefix(f, "-std=")
		return ok && strings.Contains(std, "++") != isCXX(source)
	})
}

// build makes the program in dir and returns its path. It is called like the
// first source, so that its own messages and ps show a familiar name.
func build(ctx context.Context, cfg *Config, dir string, env []string) (string, error) {
	p := readPlan(cfg.Build, dir)
	texts, errs := make([][]byte, len(p.sources)), make([]error, len(p.sources))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, src := range p.sources {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			words := slices.Concat([]string{"-Qunused-arguments"}, p.flagsFor(src), []string{"-c", "-o", p.object(i), src})
			texts[i], errs[i] = compile(ctx, cfg, isCXX(src), words, env)
		})
	}
	wg.Wait()
	for i := range p.sources {
		cfg.Stderr.Write(texts[i])
	}
	for _, err := range errs {
		if err != nil {
			return "", err
		}
	}
	name := "program" // of objects alone
	if len(p.sources) > 0 {
		name = strings.TrimSuffix(filepath.Base(p.sources[0]), filepath.Ext(p.sources[0]))
	}
	program := filepath.Join(dir, name)
	// The flags of the compiler matter to the linker, too: -flto, -pthread, -fopenmp.
	text, err := compile(ctx, cfg, p.cxx, slices.Concat([]string{"-Qunused-arguments"}, p.compile, p.link, []string{"-o", program}), env)
	cfg.Stderr.Write(text)
	return program, err
}

// compile runs one of the drivers and returns what it said.
func compile(ctx context.Context, cfg *Config, cxx bool, words, env []string) ([]byte, error) {
	argv, err := cc.Command(ctx, cfg.CC, cxx, words)
	if err != nil {
		return nil, err
	}
	cfg.Verbose("%s", strings.Join(argv, " "))
	var text bytes.Buffer
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr = env, &text, &text
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return text.Bytes(), fmt.Errorf("%w: %w", ErrBuild, err)
	}
	return text.Bytes(), nil
}
