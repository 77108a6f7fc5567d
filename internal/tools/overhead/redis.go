package main

// This file has the server of redis, under the load of its own benchmark.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// redisLoad is what redis-benchmark sends: every kind of value, some commands
// at a time.
var redisLoad = []string{"-q", "-n", "40000", "-c", "8", "-P", "16", "-r", "50000", "-d", "64",
	"-t", "set,get,incr,lpush,rpush,lpop,rpop,sadd,hset,spop,zadd,zpopmin,lrange_100,mset"}

// redis builds in one copy of the sources, mode by mode: reports name files, and
// those are to be the same.
func (b *bench) redis() workload {
	root := filepath.Join(b.work, "redis")
	src := filepath.Join(root, "src")
	client := func(name string) string { return filepath.Join(b.work, "redis-"+name) }
	build := func(cc []string, targets ...string) []string {
		return append([]string{"make", "MALLOC=libc", "USE_SYSTEMD=no", "OPTIMIZATION=-O2", "CC=" + strings.Join(cc, " ")}, targets...)
	}
	clean := func(ctx context.Context) error { return b.command(ctx, src, []string{"make", "distclean"}) }
	return workload{
		name: "redis", about: "the server of redis, under redis-benchmark", builds: 1,
		prepare: func(ctx context.Context) error {
			if err := os.RemoveAll(root); err != nil {
				return err
			}
			if err := os.CopyFS(root, os.DirFS(filepath.Join(b.corpus, "redis", "src"))); err != nil {
				return err
			}
			if err := clean(ctx); err != nil {
				return err
			}
			all := build(b.compiler(&b.modes[0], "redis", false), "redis-server", "redis-benchmark", "redis-cli")
			if err := b.check(ctx, "redis", src, append([]string{"--"}, all...)...); err != nil {
				return err
			}
			return errors.Join(os.Rename(filepath.Join(src, "redis-benchmark"), client("benchmark")),
				os.Rename(filepath.Join(src, "redis-cli"), client("cli")))
		},
		build: func(ctx context.Context, m *mode, program string) error {
			if err := clean(ctx); err != nil {
				return err
			}
			if err := b.command(ctx, src, build(b.compiler(m, "redis", false), "redis-server")); err != nil {
				return err
			}
			return os.Rename(filepath.Join(src, "redis-server"), program)
		},
		work: func(ctx context.Context, start starter) ([]byte, error) {
			return serve(ctx, start, client, filepath.Join(b.work, "redis.sock"))
		},
	}
}

// serve starts the server, puts load on it, asks how many commands of each kind
// it has seen, and stops it.
func serve(ctx context.Context, start starter, client func(string) string, socket string) ([]byte, error) {
	server := start(nil, "--port", "0", "--unixsocket", socket, "--save", "", "--loglevel", "warning")
	if err := server.Start(); err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	go func() { done <- server.Wait() }()
	ask := func(args ...string) ([]byte, error) {
		return exec.CommandContext(ctx, client("cli"), append([]string{"-s", socket}, args...)...).Output()
	}
	for { // until it listens
		if answer, err := ask("ping"); err == nil && bytes.HasPrefix(answer, []byte("PONG")) {
			break
		}
		select {
		case err := <-done:
			return nil, fmt.Errorf("the server ended before it answered: %w", errors.Join(err, os.ErrClosed))
		case <-time.After(50 * time.Millisecond):
		}
	}
	load := exec.CommandContext(ctx, client("benchmark"), append([]string{"-s", socket}, redisLoad...)...)
	loadErr := load.Run()
	stats, err := ask("info", "commandstats")
	if err = errors.Join(loadErr, err); err != nil {
		err = fmt.Errorf("load: %w", err)
	}
	// It answers by closing the connection.
	_, _ = ask("shutdown", "nosave")
	return calls(stats), errors.Join(err, <-done)
}

// calls keeps of the server's statistics which command was called how often,
// without those that asked whether it is there.
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
