package main

// This file has the programs that are measured: how each is built and run.

import (
	"context"
	"embed"
	"io/fs"
	"os"
	"path/filepath"
)

//go:embed workloads
var sources embed.FS

// A workload is one program and its work.
type workload struct {
	name, about string
	leaks       bool // one cold block is lost on purpose: every tool must say so
	builds      int  // how often it is built to measure that

	// prepare makes the sources ready, and the report of plumb check.
	prepare func(ctx context.Context) error
	// build makes the program.
	build func(ctx context.Context, m *mode, program string) error
	// work runs what start starts, and returns the output that is the same in
	// every mode.
	work func(ctx context.Context, start starter) ([]byte, error)
}

// workloads are all programs, the small ones first.
func workloads(b *bench) []workload {
	return []workload{
		b.small("alloc.c", "allocation-heavy C: a store of text records"),
		b.small("chase.c", "pointer-heavy C: a splay tree and a list"),
		b.small("compute.c", "compute-heavy C: matrices, a sieve, a hash"),
		b.small("stl.cpp", "C++: an index over the standard library"),
		b.sqlite(),
		b.redis(),
	}
}

// small is a program of one file of the folder workloads.
func (b *bench) small(file, about string) workload {
	name := file[:len(file)-len(filepath.Ext(file))]
	source := filepath.Join(b.work, file)
	return workload{
		name: name, about: about, leaks: true, builds: 3,
		prepare: func(ctx context.Context) error {
			if err := b.unpack(file); err != nil {
				return err
			}
			return b.check(ctx, name, b.work, source)
		},
		build: func(ctx context.Context, m *mode, program string) error {
			return b.command(ctx, b.work, b.compiler(m, name, filepath.Ext(file) != ".c"), "-o", program, source)
		},
		work: func(ctx context.Context, start starter) ([]byte, error) { return start(nil).Output() },
	}
}

// sqlite is the shell of sqlite with a script.
func (b *bench) sqlite() workload {
	dir := filepath.Join(b.corpus, "sqlite3", "src")
	files := []string{filepath.Join(dir, "shell.c"), filepath.Join(dir, "sqlite3.c")}
	return workload{
		name: "sqlite", about: "the shell of sqlite: a script of SQL in memory", builds: 1,
		prepare: func(ctx context.Context) error {
			if err := b.unpack("sqlite.sql"); err != nil {
				return err
			}
			return b.check(ctx, "sqlite", dir, files...)
		},
		build: func(ctx context.Context, m *mode, program string) error {
			return b.command(ctx, dir, b.compiler(m, "sqlite", false), append(files, "-lm", "-o", program)...)
		},
		work: func(ctx context.Context, start starter) ([]byte, error) {
			script, err := os.Open(filepath.Join(b.work, "sqlite.sql"))
			if err != nil {
				return nil, err
			}
			defer script.Close()
			return start(script, ":memory:").Output()
		},
	}
}

// unpack writes one of the embedded files to the work directory.
func (b *bench) unpack(name string) error {
	data, err := fs.ReadFile(sources, "workloads/"+name)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.work, name), data, 0o644)
}
