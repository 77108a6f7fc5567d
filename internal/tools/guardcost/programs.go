package main

// This file has the programs: how each is built, and what it does.

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/plumb-project/plumb/internal/driver"
)

//go:embed workloads
var sources embed.FS

// A program is one that is measured.
type program struct {
	name, about string
	worst       bool // the guards are where they hurt most: no bar
	// tree makes a copy of the sources in a directory and says how plumb reads them.
	tree func(dir string) (driver.Config, error)
	// build builds what is in a directory.
	build func(ctx context.Context, dir string, flags []string) (exe string, err error)
	// work runs the program, below a tool if there is one, and returns its output. With
	// a tool there is less to do.
	work func(ctx context.Context, exe string, tool []string) (*exec.Cmd, []byte, error)
}

func (b *bench) programs() []program {
	return []program{
		b.small("words", "allocation-heavy: an index of words, with a guarded buffer in its inner loop", "300000", "20000", false),
		b.sqlite(),
		b.redis(),
		b.small("hot", "worst case: a loop that does nothing but allocate and release under a guard", "5000000", "200000", true),
		b.small("held", "worst case: two thousand guarded objects are alive at once", "60", "2", true),
	}
}

// small is a program of one file of the folder workloads; it is given how often to do
// its work. Without -fno-builtin clang leaves out allocations that nobody sees.
func (b *bench) small(name, about, often, less string, worst bool) program {
	return program{
		name: name, about: about, worst: worst,
		tree: func(dir string) (driver.Config, error) {
			text, err := fs.ReadFile(sources, "workloads/"+name+".c")
			if err != nil {
				return driver.Config{}, err
			}
			file := filepath.Join(dir, name+".c")
			return driver.Config{Files: []string{file}, Dir: dir}, os.WriteFile(file, text, 0o644)
		},
		build: func(ctx context.Context, dir string, flags []string) (string, error) {
			return filepath.Join(dir, name), b.command(ctx, dir, slices.Concat([]string{b.clang, "-O2", "-w", "-fno-builtin"}, flags, []string{name + ".c", "-o", name})...)
		},
		work: func(ctx context.Context, exe string, tool []string) (*exec.Cmd, []byte, error) {
			n := often
			if tool != nil {
				n = less
			}
			return output(ctx, nil, append(tool, exe, n))
		},
	}
}

// sqlite is the shell of sqlite with a script.
func (b *bench) sqlite() program {
	return program{
		name: "sqlite", about: "the shell of sqlite: a script of SQL in memory",
		tree: func(dir string) (driver.Config, error) {
			for _, name := range []string{"shell.c", "sqlite3.c", "sqlite3.h", "sqlite3ext.h"} {
				text, err := os.ReadFile(filepath.Join(b.corpus, "sqlite3", "src", name))
				if err != nil {
					return driver.Config{}, err
				}
				if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
					return driver.Config{}, err
				}
			}
			return driver.Config{Files: []string{filepath.Join(dir, "shell.c"), filepath.Join(dir, "sqlite3.c")}, Dir: dir}, nil
		},
		build: func(ctx context.Context, dir string, flags []string) (string, error) {
			return filepath.Join(dir, "shell"), b.command(ctx, dir, slices.Concat([]string{b.clang, "-O2", "-w"}, flags, []string{"shell.c", "sqlite3.c", "-lm", "-o", "shell"})...)
		},
		work: func(ctx context.Context, exe string, tool []string) (*exec.Cmd, []byte, error) {
			script, err := os.ReadFile(b.script)
			if err != nil {
				return nil, nil, err
			}
			return output(ctx, script, append(tool, exe, ":memory:"))
		},
	}
}

// redisLoad is what redis-benchmark sends: every kind of value, some commands at a
// time.
var redisLoad = []string{"-q", "-c", "8", "-P", "16", "-r", "50000", "-d", "64",
	"-t", "set,get,incr,lpush,rpush,lpop,rpop,sadd,hset,spop,zadd,zpopmin,lrange_100,mset"}

// redis is the server of redis under its own benchmark.
func (b *bench) redis() program {
	build := func(flags []string, targets ...string) []string {
		return append([]string{"make", "-j2", "MALLOC=libc", "USE_SYSTEMD=no", "OPTIMIZATION=-O2", "CC=" + strings.Join(append([]string{b.clang, "-w"}, flags...), " ")}, targets...)
	}
	from := filepath.Join(b.corpus, "redis", "src")
	return program{
		name: "redis", about: "the server of redis under redis-benchmark",
		tree: func(dir string) (driver.Config, error) {
			if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
				return driver.Config{}, err
			}
			// The commands name the directory that they were recorded in.
			db, err := os.ReadFile(filepath.Join(b.corpus, "redis", "compile_commands.json"))
			if err != nil {
				return driver.Config{}, err
			}
			was, err := recordedIn(db)
			if err != nil {
				return driver.Config{}, err
			}
			file := filepath.Join(dir, "compile_commands.json")
			return driver.Config{BuildDir: file, Dir: dir}, os.WriteFile(file, bytes.ReplaceAll(db, []byte(was), []byte(dir)), 0o644)
		},
		build: func(ctx context.Context, dir string, flags []string) (string, error) {
			if err := b.command(ctx, filepath.Join(dir, "src"), "make", "distclean"); err != nil {
				return "", err
			}
			if err := b.command(ctx, filepath.Join(dir, "src"), build(flags, "redis-server", "redis-benchmark", "redis-cli")...); err != nil {
				return "", err
			}
			// valgrind does not read the debugging information of every clang.
			exe := filepath.Join(dir, "src", "redis-server")
			return exe, b.command(ctx, dir, "strip", "-g", exe)
		},
		work: func(ctx context.Context, exe string, tool []string) (*exec.Cmd, []byte, error) {
			n := "20000"
			if tool != nil {
				n = "1500"
			}
			return serve(ctx, append(slices.Clone(tool), exe), filepath.Join(filepath.Dir(exe), "redis-"), filepath.Join(b.work, "redis.sock"), append([]string{"-n", n}, redisLoad...))
		},
	}
}

// recordedIn finds the directory of the sources that a compilation database is about.
func recordedIn(db []byte) (string, error) {
	_, rest, ok := bytes.Cut(db, []byte(`"directory": "`))
	if !ok {
		_, rest, ok = bytes.Cut(db, []byte(`"directory":"`))
	}
	dir, _, end := bytes.Cut(rest, []byte(`"`))
	if !ok || !end {
		return "", fmt.Errorf("no directory in the compilation database")
	}
	root, _, ok := strings.Cut(string(dir), "/.corpus/redis/src")
	if !ok {
		return "", fmt.Errorf("%s: not a directory of the corpus", dir)
	}
	return root + "/.corpus/redis/src", nil
}

// serve starts the server, puts load on it, asks how many commands of each kind it has
// seen, and stops it.
func serve(ctx context.Context, line []string, client, socket string, load []string) (*exec.Cmd, []byte, error) {
	server := exec.CommandContext(ctx, line[0], append(line[1:], "--port", "0", "--unixsocket", socket, "--save", "", "--loglevel", "warning")...)
	var messages bytes.Buffer
	server.Stderr = &messages
	if err := server.Start(); err != nil {
		return nil, nil, err
	}
	done := make(chan error, 1)
	go func() { done <- server.Wait() }()
	ask := func(args ...string) ([]byte, error) {
		return exec.CommandContext(ctx, client+"cli", append([]string{"-s", socket}, args...)...).Output()
	}
	for { // until it listens
		if answer, err := ask("ping"); err == nil && bytes.HasPrefix(answer, []byte("PONG")) {
			break
		}
		select {
		case err := <-done:
			return nil, nil, fmt.Errorf("the server ended before it answered: %v\n%s", err, messages.Bytes())
		case <-time.After(50 * time.Millisecond):
		}
	}
	loadErr := exec.CommandContext(ctx, client+"benchmark", append([]string{"-s", socket}, load...)...).Run()
	stats, err := ask("info", "commandstats")
	_, _ = ask("shutdown", "nosave") // it answers by closing the connection
	if err := <-done; err != nil {
		return nil, nil, fmt.Errorf("the server: %w\n%s", err, messages.Bytes())
	}
	if loadErr != nil || err != nil {
		return nil, nil, fmt.Errorf("the load: %v %v", loadErr, err)
	}
	return server, append(calls(stats), messages.Bytes()...), nil
}

// calls keeps of the server's statistics which command was called how often, without
// those that asked whether it is there.
func calls(stats []byte) []byte {
	var lines []string
	for line := range strings.Lines(string(stats)) {
		call, _, ok := strings.Cut(line, ",")
		if ok && !strings.HasPrefix(call, "cmdstat_ping") {
			lines = append(lines, call+"\n")
		}
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, ""))
}
