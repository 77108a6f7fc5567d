// Overhead measures what tracking costs a program: plumb run, LeakSanitizer and
// memcheck against the plain program, all in one run on one machine.
//
// usage: overhead [-clang clang-19] [-plumb bin/plumb] [-work DIR] [-corpus DIR] [-runs N] [-modes NAME,...] [-o FILE] [NAME...]
//
// The programs are those of the folder workloads, and sqlite and redis from the
// sources in DIR that scripts/corpus.sh made. Each is built once for each mode
// with the same compiler and the same flags, -g -O2, and its output is the same
// in every mode. User time is of the program alone, median of several runs,
// taken in turn so that a busy machine is busy for everyone. The exit status is 1
// if a bar is not met.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/tools/cputime"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "overhead:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	clang := flag.String("clang", "clang-19", "compiler of every mode")
	plumb := flag.String("plumb", "bin/plumb", "the plumb to measure")
	work := flag.String("work", "", "directory for what is built (default: a scratch one)")
	corpus := flag.String("corpus", ".corpus", "where scripts/corpus.sh put sqlite and redis")
	runs := flag.Int("runs", 5, "how often each program runs in each mode; under memcheck once")
	only := flag.String("modes", "", "measure only these modes besides plain, with a comma between them")
	output := flag.String("o", "", "also write the table to this file, as Markdown")
	child := flag.String("child", "", "internal: run the arguments and write to this file what that cost")
	flag.Parse()
	if *child != "" {
		return runChild(*child, flag.Args())
	}
	b := &bench{runs: *runs}
	var err error
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	if b.plumb, err = filepath.Abs(*plumb); err != nil {
		return err
	}
	if b.corpus, err = filepath.Abs(*corpus); err != nil {
		return err
	}
	if b.work, err = filepath.Abs(*work); err != nil {
		return err
	}
	if *work == "" {
		if b.work, err = os.MkdirTemp("", "plumb-overhead-"); err != nil {
			return err
		}
		defer os.RemoveAll(b.work)
	}
	b.modes = modes(*clang, b.plumb)
	if *only != "" {
		names := append(strings.Split(*only, ","), b.modes[0].name)
		b.modes = slices.DeleteFunc(b.modes, func(m mode) bool { return !slices.Contains(names, m.name) })
	}
	var rows []*row
	var failed error // the others are still worth knowing
	for _, w := range workloads(b) {
		if flag.NArg() > 0 && !slices.Contains(flag.Args(), w.name) {
			continue
		}
		r, err := b.measure(ctx, w)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", w.name, err))
			continue
		}
		rows = append(rows, r)
	}
	t := &table{modes: b.modes, rows: rows, machine: cputime.Machine(ctx, *clang), runs: *runs}
	fmt.Print(t.text())
	if *output != "" {
		if err := os.WriteFile(*output, []byte(t.markdown()), 0o644); err != nil {
			return err
		}
	}
	if !t.met() {
		failed = errors.Join(failed, errors.New("not every bar is met"))
	}
	return failed
}
