// Corpus holds plumb's reader against llvm-dis on real programs.
//
// usage: corpus [-clangs 14,16,19,22] [-cache DIR] [-o FILE] DIR...
//
// Each DIR is one that scripts/corpus.sh made. Per program and version of clang
// it compiles all units, counts the instructions of each function by opcode,
// and compares with the text that llvm-dis of that version prints; then it
// lowers the whole program, verifies it, and prints, parses and prints it
// again. It prints one row each; the exit status is 1 if anything differs or
// a unit does not compile.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"github.com/plumb-project/plumb/internal/capture"
	"github.com/plumb-project/plumb/internal/tools/program"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	clangs := flag.String("clangs", "14,16,19,22", "versions of clang; those not installed are left out")
	cache := flag.String("cache", "", "directory of the bitcode cache (default: the user's)")
	output := flag.String("o", "", "also write the table to this file, as Markdown")
	flag.Parse()
	if flag.NArg() == 0 {
		return errors.New("name directories that scripts/corpus.sh made")
	}
	table := newTable(os.Stdout)
	failed := 0
	for _, dir := range flag.Args() {
		p, err := program.Open(dir)
		if err != nil {
			return err
		}
		for v := range strings.SplitSeq(*clangs, ",") {
			if !installed("clang-"+v) || !installed("llvm-dis-"+v) {
				table.leaveOut(v)
				continue
			}
			r := measure(ctx, p, v, capture.Config{Clang: "clang-" + v, CacheDir: *cache})
			if ctx.Err() != nil {
				return ctx.Err()
			}
			table.add(r)
			for _, msg := range r.Problems {
				fmt.Fprintf(os.Stderr, "corpus: %s, clang %s: %s\n", p.Name, v, msg)
			}
			failed += min(1, len(r.Problems))
		}
	}
	if *output != "" {
		if err := os.WriteFile(*output, []byte(table.markdown()), 0o644); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d rows have problems", failed, len(table.rows))
	}
	if len(table.rows) == 0 {
		return errors.New("nothing compared: no clang with its llvm-dis is installed; run scripts/setup.sh test")
	}
	return nil
}

func installed(tool string) bool {
	_, err := exec.LookPath(tool)
	return err == nil
}

// A row is what was found for one program and one clang.
type row struct {
	Program, Version string
	Clang            string // full version
	Units, Funcs     int
	Insts            int      // as bitcode has them
	Differences      int      // (unit, function, opcode) whose counts differ
	Lowered          int      // functions with a body after linking
	Values           int      // instructions of plumb's form
	RoundTrip        bool     // print, parse, print gives the same bytes
	Problems         []string // everything that is wrong, the first few of a kind
}

// maxProblems is how many problems of a row are told one by one.
const maxProblems = 5

func (r *row) problem(format string, args ...any) {
	switch {
	case len(r.Problems) < maxProblems:
		r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
	case len(r.Problems) == maxProblems:
		r.Problems = append(r.Problems, "and more")
	}
}

// A table collects rows and shows each as soon as it is there.
type table struct {
	w       io.Writer
	rows    []row
	missing []string // versions that are not installed
}

const rowFormat = "%-8s  %-20s  %-7s  %5s  %6s  %9s  %6s  %8s  %9s  %s\n"

var columns = []any{"program", "version", "clang", "units", "funcs", "insts", "differ", "lowered", "ir insts", "round trip"}

func newTable(w io.Writer) *table {
	fmt.Fprintf(w, rowFormat, columns...)
	return &table{w: w}
}

func (t *table) leaveOut(version string) {
	for _, m := range t.missing {
		if m == version {
			return
		}
	}
	t.missing = append(t.missing, version)
	fmt.Fprintf(os.Stderr, "corpus: clang %s or its llvm-dis is not installed; left out\n", version)
}

func (t *table) add(r row) {
	t.rows = append(t.rows, r)
	fmt.Fprintf(t.w, rowFormat, r.cells()...)
}

func (r *row) cells() []any {
	trip := "same"
	if !r.RoundTrip {
		trip = "FAILED"
	}
	n := func(n int) string { return fmt.Sprint(n) }
	return []any{r.Program, r.Version, r.Clang, n(r.Units), n(r.Funcs), n(r.Insts), n(r.Differences), n(r.Lowered), n(r.Values), trip}
}

// markdown is the table as docs/measurements has it.
func (t *table) markdown() string {
	var b strings.Builder
	b.WriteString(`# Instruction counts against llvm-dis

Written by ` + "`make corpus`" + `; do not edit. Sources are Debian's packages, all units of each build.

- **functions**, **instructions**: bodies in all units and instructions in them, as plumb's reader counts them.
- **differences**: functions and opcodes, unit by unit, where the count is not that of the text ` + "`llvm-dis`" + ` of the same version prints.
- **lowered**, **ir instructions**: functions with a body in the linked program, and instructions in plumb's own form. The program is
  verified; then it is printed, parsed and printed again: **round trip** says whether the bytes are the same.

`)
	b.WriteString("| program | version | clang | units | functions | instructions | differences | lowered | ir instructions | round trip |\n")
	b.WriteString("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n")
	for _, r := range t.rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", r.cells()...)
	}
	if len(t.missing) > 0 {
		fmt.Fprintf(&b, "\nNot installed where this was measured: clang %s.\n", strings.Join(t.missing, ", "))
	}
	for _, r := range t.rows {
		for _, msg := range r.Problems {
			fmt.Fprintf(&b, "\n- %s, clang %s: %s", r.Program, r.Clang, msg)
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
