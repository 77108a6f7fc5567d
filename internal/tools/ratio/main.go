// Ratio compares what plumb costs with what compiling the same files costs.
//
// usage: ratio [-clang clang-19] [-plumb bin/plumb] [-cache DIR] [-o FILE] DIR...
//
// Each DIR is one that scripts/corpus.sh made. All times are CPU time, user
// and system, of all processes and threads, and all are measured in this one
// run, round by round, so that a busy machine is busy for everyone. Compared
// are, for all units of a program,
//
//	compile    clang -c -O0 -g
//	lower      reading the bitcode, linking, lowering, SSA: lower.Lower in a
//	           fresh process with the bitcode in memory, garbage collection included
//	analysis   that, and the search for leaks: all that plumb does after clang
//	bitcode    making the bitcode, nothing cached
//	warm       plumb check, everything cached
//	cold       plumb check, nothing cached
//
// The bars are for lower / compile and analysis / compile; the exit status is 1 if
// one is not met. A second table has the programs by size, to show how the cost
// grows.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/capture"
	"github.com/plumb-project/plumb/internal/tools/cputime"
	"github.com/plumb-project/plumb/internal/tools/program"
)

// What lower and all of the analysis may cost, in compilations.
const (
	bar         = 0.15
	analysisBar = 1.0
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "ratio:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	clang := flag.String("clang", "clang-19", "compiler to compare with, and to make bitcode with")
	plumb := flag.String("plumb", "bin/plumb", "the plumb to run")
	cache := flag.String("cache", "", "directory of the bitcode cache (default: the user's)")
	output := flag.String("o", "", "also write the table to this file, as Markdown")
	child := flag.String("child", "", "internal: analyse the bitcode in this directory and print what it cost")
	flag.Parse()
	if *child != "" {
		return analyseChild(ctx, *child)
	}
	if flag.NArg() == 0 {
		return errors.New("name directories that scripts/corpus.sh made")
	}
	rep := results{cores: runtime.NumCPU()}
	for _, dir := range flag.Args() {
		p, err := program.Open(dir)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "ratio: measuring %s\n", p.Name)
		m, err := measure(ctx, p, *plumb, capture.Config{Clang: *clang, CacheDir: *cache})
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		rep.rows = append(rep.rows, m)
	}
	rep.benchmarks(os.Stdout)
	fmt.Println()
	met := rep.text(os.Stdout)
	if *output != "" {
		if err := os.WriteFile(*output, []byte(rep.markdown()), 0o644); err != nil {
			return err
		}
	}
	if !met {
		return errors.New("not every bar is met")
	}
	return nil
}

// Results are what is printed in the end.
type results struct {
	cores int
	rows  []*measurement
}

// benchmarks prints lines that benchstat reads.
func (r *results) benchmarks(w io.Writer) {
	line := func(name string, m *measurement, s cputime.Samples, extra string) {
		fmt.Fprintf(w, "Benchmark%s/%s-%d\t%d\t%d cpu-ns/op\t%.4f compilations/op%s\n",
			name, m.Program, r.cores, len(s), s.Median().Nanoseconds(), m.over(s), extra)
	}
	for _, m := range r.rows {
		line("Compile", m, m.compile, "")
		line("Analysis", m, m.analysis, fmt.Sprintf("\t%d peak-B\t%d findings", m.peakAll, m.findings))
		line("Lower", m, m.lower, fmt.Sprintf("\t%.1f cpu-ns/inst\t%d peak-B/100kinst", float64(m.lower.Median().Nanoseconds())/float64(m.Insts), m.per100k()))
		line("Bitcode", m, m.bitcode, "")
		line("CheckWarm", m, m.warm, "")
		line("CheckCold", m, m.cold, "")
	}
}

// text prints the table for people and returns whether the bar is met.
func (r *results) text(w io.Writer) bool {
	met := true
	for _, m := range r.rows {
		fmt.Fprintf(w, "%s %s: %d units, %d instructions, clang %s, %d cores\n", m.Program, m.Version, m.Units, m.Insts, m.Clang, r.cores)
		line := func(name string, s cputime.Samples, note string) {
			fmt.Fprintf(w, "  %-42s %8.3f s CPU (%.3f to %.3f)  %6.3f of compile%s\n", name,
				s.Median().Seconds(), slices.Min(s).Seconds(), slices.Max(s).Seconds(), m.over(s), note)
		}
		note := fmt.Sprintf("   bar %.2f: met", bar)
		if m.over(m.lower) > bar {
			note = fmt.Sprintf("   bar %.2f: NOT MET", bar)
		}
		whole := fmt.Sprintf("   bar %.2f: met, %d findings", analysisBar, m.findings)
		if m.over(m.analysis) > analysisBar {
			whole = fmt.Sprintf("   bar %.2f: NOT MET, %d findings", analysisBar, m.findings)
		}
		met = met && m.met()
		line("compile: clang -c -O0 -g", m.compile, "")
		line("lower: read bitcode, link, lower, SSA", m.lower, note)
		line("analysis: lower, and search for leaks", m.analysis, whole)
		line("bitcode: made by clang, nothing cached", m.bitcode, "")
		line("warm: plumb check, everything cached", m.warm, "")
		line("cold: plumb check, nothing cached", m.cold, "")
		fmt.Fprintf(w, "  %-42s %8.1f MB, %.2f MB per 100k instructions (and %.1f MB of bitcode)\n",
			"peak memory of lower", mb(m.peak), mb(m.per100k()), mb(m.Bytes))
		fmt.Fprintf(w, "  %-42s %8.1f MB\n", "peak memory of the analysis", mb(m.peakAll))
		fmt.Fprintf(w, "  %-42s %8.1f ms per 1000 lines, %.1f ms per 1000 functions\n", "analysis, by size", m.per1000(m.lines), m.per1000(m.functions))
	}
	return met
}

// markdown is the table as docs/measurements has it.
func (r *results) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Cost against compiling

Written by `+"`make bench`"+`; do not edit. CPU time (user and system, all threads and processes) in seconds, and in brackets as a
part of **compile**. Machine: %d cores, %s, %s. Medians: lower and analysis of %d runs, the others of %d, all in one run.

- **compile**: `+"`clang -c -O0 -g`"+` of all units.
- **lower**: reading the bitcode, linking, lowering and SSA, in a fresh process with the bitcode in memory, garbage collection included.
  The bar is %.2f.
- **analysis**: the same, and the search for leaks: all that plumb does after clang. The bar is %.2f.
- **bitcode**: making the bitcode, nothing cached.
- **warm**, **cold**: all of `+"`plumb check`"+`, with everything cached and with nothing cached.
- **memory**: peak growth of the process during the analysis, and during lower per 100,000 LLVM instructions.

| program | version | clang | units | lines | instructions | compile | lower | analysis | bars | bitcode | warm | cold | memory | of lower | findings |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |
`, r.cores, runtime.GOARCH, runtime.Version(), lowerRuns, otherRuns, bar, analysisBar)
	for _, m := range r.rows {
		cell := func(s cputime.Samples) string { return fmt.Sprintf("%.2f (%.3f)", s.Median().Seconds(), m.over(s)) }
		verdict := "met"
		if !m.met() {
			verdict = "not met"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %d | %d | %.2f | %s | %s | %s | %s | %s | %s | %.0f MB | %.2f MB | %d |\n", m.Program, m.Version, m.Clang, m.Units, m.lines, m.Insts,
			m.compile.Median().Seconds(), cell(m.lower), cell(m.analysis), verdict, cell(m.bitcode), cell(m.warm), cell(m.cold), mb(m.peakAll), mb(m.per100k()), m.findings)
	}
	fmt.Fprintf(&b, `
## Growth

The same programs by size. Lines and functions are those with code, objects those that are followed: one for each place that makes one.

| program | lines | functions | objects | analysis | per 1000 lines | per 1000 functions |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
`)
	for _, m := range slices.SortedFunc(slices.Values(r.rows), func(m, n *measurement) int { return m.lines - n.lines }) {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %.2f | %.1f ms | %.1f ms |\n", m.Program, m.lines, m.functions, m.objects,
			m.analysis.Median().Seconds(), m.per1000(m.lines), m.per1000(m.functions))
	}
	return b.String()
}

func mb(n int64) float64 { return float64(n) / 1e6 }
