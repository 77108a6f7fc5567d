// Guardcost measures what guards cost: programs with the guards that plumb fix puts
// into them, against the same programs without, in one run on one machine.
//
// usage: guardcost [-clang clang-19] [-corpus DIR] [-work DIR] [-runs N] [-o FILE] [NAME...]
//
// All leaks that plumb finds are guarded, also those that a plain release would mend.
// Each program is built once without and once for each number of slots, with -O2;
// its output must be the same. Runs are taken in turn, so that a busy machine is busy
// for everyone; what counts is the number of instructions, which is not noisy. The
// exit status is 1 if a bar is not met.
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

	"github.com/plumb-project/plumb/internal/tools/cputime"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "guardcost:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	clang := flag.String("clang", "clang-19", "compiler of everything")
	work := flag.String("work", "", "directory for what is built (default: a scratch one)")
	corpus := flag.String("corpus", ".corpus", "where scripts/corpus.sh put sqlite and redis")
	script := flag.String("sql", "internal/tools/overhead/workloads/sqlite.sql", "the script that sqlite runs")
	runs := flag.Int("runs", 7, "how often each program runs in each mode")
	output := flag.String("o", "", "also write the table to this file, as Markdown")
	flag.Parse()
	b := &bench{clang: *clang, runs: *runs}
	var err error
	for _, p := range []struct {
		to   *string
		from string
	}{{&b.corpus, *corpus}, {&b.script, *script}, {&b.work, *work}} {
		if *p.to, err = filepath.Abs(p.from); err != nil {
			return err
		}
	}
	if *work == "" {
		if b.work, err = os.MkdirTemp("", "plumb-guardcost-"); err != nil {
			return err
		}
		defer os.RemoveAll(b.work)
	}
	var rows []*row
	var left []string
	var failed error // the others are still worth knowing
	for _, p := range b.programs() {
		if flag.NArg() > 0 && !slices.Contains(flag.Args(), p.name) {
			continue
		}
		r, err := b.measure(ctx, p)
		if errors.Is(err, errNothing) {
			left = append(left, p.name)
			continue
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", p.name, err))
			continue
		}
		rows = append(rows, r)
	}
	t := &table{rows: rows, left: left, machine: cputime.Machine(ctx, *clang), runs: *runs}
	fmt.Print(t.markdown())
	if *output != "" && failed == nil {
		if err := os.WriteFile(*output, []byte(t.markdown()), 0o644); err != nil {
			return err
		}
	}
	if !t.met() {
		failed = errors.Join(failed, errors.New("the bar is not met"))
	}
	return failed
}
