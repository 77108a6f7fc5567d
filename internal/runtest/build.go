// This file builds programs.

package runtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Tools are the compilers to build with, each the first words of a command line.
type Tools struct {
	C, CXX []string // of the program
	Plain  []string // of what plumb does not build, in C
	Flags  []string // for all of it
	Link   []string // for the program itself
	Env    []string // added to the environment
}

// Build makes the program in a directory and returns its path.
func (p *Program) Build(ctx context.Context, tools Tools, dir string) (string, error) {
	cc, std := tools.C, "-std=gnu11"
	if p.CXX {
		cc, std = tools.CXX, "-std=gnu++17"
	}
	common := append([]string{"-w", "-pthread", std}, tools.Flags...)
	common = append(common, p.Flags...)
	env := tools.Env
	if len(p.Models) > 0 {
		env = append(env[:len(env):len(env)], "PLUMB_MODELS="+strings.Join(p.Models, ":"))
	}
	run := func(cc, args []string) error { return run(ctx, env, cc, args) }
	var libs []string
	shared := func(cc []string, src, name string, more ...string) error {
		words := append(common[:len(common):len(common)], "-fPIC", "-shared", "-o", filepath.Join(dir, name), src)
		return run(cc, append(words, more...))
	}
	for _, src := range p.Libs {
		name := base(src)
		if err := shared(cc, src, name+".so"); err != nil {
			return "", err
		}
		libs = append(libs, "-l"+strings.TrimPrefix(name, "lib"))
	}
	for _, src := range p.Outside {
		if err := shared(tools.Plain, src, "lib"+base(src)+".so", "-O0"); err != nil {
			return "", err
		}
		libs = append(libs, "-l"+base(src))
	}
	for _, src := range p.Plugins {
		if err := shared(cc, src, base(src)+".so"); err != nil {
			return "", err
		}
	}
	exe := filepath.Join(dir, base(p.Name))
	words := append(common[:len(common):len(common)], "-o", exe)
	words = append(words, p.Units...)
	words = append(words, tools.Link...)
	if len(libs) > 0 || len(p.Plugins) > 0 {
		words = append(words, "-L"+dir, "-Wl,-rpath,$ORIGIN")
		words = append(words, libs...)
	}
	return exe, run(cc, words)
}

// base is the file's name without its ending.
func base(file string) string {
	return strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
}

func run(ctx context.Context, env, cc, args []string) error {
	cmd := exec.CommandContext(ctx, cc[0], append(cc[1:len(cc):len(cc)], args...)...)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return nil
}
