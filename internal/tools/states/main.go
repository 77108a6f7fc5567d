// States counts how many states the leak check keeps apart on real programs.
//
// usage: states [-clang clang-19] [-cache DIR] [-o FILE] DIR...
//
// Each DIR is one that scripts/corpus.sh made. The check stays fast only while the
// paths to a point of a program are few after what they have in common is joined.
// The exit status is 1 if a program is past one of the gates below.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/plumb-project/plumb/internal/capture"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/tools/program"
)

// The gates.
const (
	bound    = 1000 // states of one object, before what is known is joined
	maxMean  = 2.0  // pairs at a point, in the mean
	maxPairs = 8    // pairs at a point, of 99 points in 100: what a small set has
	maxGiven = 0.01 // share of the objects given up
	maxFound = 999  // findings
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "states:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	clang := flag.String("clang", "clang-19", "compiler to make bitcode with")
	cache := flag.String("cache", "", "directory of the bitcode cache (default: the user's)")
	output := flag.String("o", "", "also write the table to this file, as Markdown")
	flag.Parse()
	if flag.NArg() == 0 {
		return errors.New("name directories that scripts/corpus.sh made")
	}
	var rows []*row
	for _, dir := range flag.Args() {
		p, err := program.Open(dir)
		if err != nil {
			return err
		}
		r, err := count(ctx, p, capture.Config{Clang: *clang, CacheDir: *cache})
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		rows = append(rows, r)
	}
	text := markdown(rows)
	fmt.Print(text)
	if *output != "" {
		if err := os.WriteFile(*output, []byte(text), 0o644); err != nil {
			return err
		}
	}
	var late []string
	for _, r := range rows {
		for _, g := range r.past() {
			late = append(late, r.program.Name+": "+g)
		}
	}
	if len(late) > 0 {
		return errors.New(strings.Join(late, "; "))
	}
	return nil
}

// A row is one program.
type row struct {
	program *program.Program
	stats   leak.Stats
	found   int
}

// count runs the check on a program.
func count(ctx context.Context, p *program.Program, cfg capture.Config) (*row, error) {
	res, err := p.Capture(ctx, cfg)
	if err != nil {
		return nil, err
	}
	units := make([]lower.Unit, len(res.Units))
	for i := range res.Units {
		units[i] = lower.Unit{Name: res.Units[i].Name, Data: res.Units[i].Bitcode}
	}
	low, err := lower.Lower(ctx, units, lower.Config{})
	if err != nil {
		return nil, err
	}
	if len(low.Skipped) > 0 {
		return nil, fmt.Errorf("%s: %s", low.Skipped[0].Unit, low.Skipped[0].Reason)
	}
	r := &row{program: p, stats: leak.Stats{Counts: &leak.Counts{}}}
	found, err := leak.Find(ctx, low.Program, leak.Config{Stats: &r.stats, States: bound})
	r.found = len(report.Merge(found, report.EachLoss))
	return r, err
}

func (r *row) givenUp() float64 { return float64(r.stats.GivenUp) / float64(max(r.stats.Objects, 1)) }

// past lists the gates that are not met.
func (r *row) past() []string {
	var out []string
	c := r.stats.Counts
	if m := c.Pairs.Mean(); m >= maxMean {
		out = append(out, fmt.Sprintf("%.2f pairs at a point, not below %.0f", m, maxMean))
	}
	if n := c.Pairs.Quantile(0.99); n >= maxPairs {
		out = append(out, fmt.Sprintf("99%% of the points have up to %d pairs, not below %d", n, maxPairs))
	}
	if g := r.givenUp(); g >= maxGiven {
		out = append(out, fmt.Sprintf("%.2f%% of the objects given up, not below %.0f%%", 100*g, 100*maxGiven))
	}
	if r.found > maxFound {
		out = append(out, fmt.Sprintf("%d findings, more than %d", r.found, maxFound))
	}
	return out
}

// markdown is the table as docs/measurements has it.
func markdown(rows []*row) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# States

Written by `+"`make bench-states`"+`; do not edit. The check follows each object along all paths, and joins paths that agree. Two notions of what they
have to agree on are counted here, at each point of the program where there is anything to count, for each object on its own:

- A **pair** is what became of the object and what holds it. This is what finding leaks takes, if paths that no input takes may be reported.
- A **state** is a pair with what is known of other values on the path: intervals, relations, what memory has. The check keeps states apart, not
  pairs, because it decides in the same walk which paths can be taken; so the states are what it costs, and they multiply where pairs do not.
  The one bound it has is on the states of a walk; that on the pairs at a point is of this table alone.

| column | of | gate |
| --- | --- | --- |
| pairs, states | new objects, at one point | pairs: mean below %.0f, 99 of 100 points below %d |
| walk | new objects, states at all points together: at %d it is walked once more, with what is known joined | |
| given up | new objects that this does not show to be safe | below %.0f%% |
| given: pairs, states | objects that a function is given by its caller, at one point | |
| findings | what plumb check reports | at most %d |

| program | version | objects | pairs: mean | p50 | p99 | max | states: mean | p50 | p99 | max | walk: mean | p50 | p99 | given up | given: pairs: mean | p99 | states: mean | p99 | findings | gates |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
`, maxMean, maxPairs, bound, 100*maxGiven, maxFound)
	for _, r := range rows {
		c := r.stats.Counts
		gates := "met"
		if past := r.past(); len(past) > 0 {
			gates = "**not met**: " + strings.Join(past, "; ")
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %d | %s | %d | %.1f | %d | %d | %d (%.2f%%) | %s | %s | %d | %s |\n",
			r.program.Name, r.program.Version, r.stats.Objects, middle(c.Pairs), c.Pairs.Max(), middle(c.States), c.States.Max(),
			c.Walks.Mean(), c.Walks.Quantile(.5), c.Walks.Quantile(.99),
			r.stats.GivenUp, 100*r.givenUp(), ends(c.GivenPairs), ends(c.GivenStates), r.found, gates)
	}
	return b.String()
}

// middle is three columns: mean, median and the 99th percentile.
func middle(h leak.Histogram) string {
	return fmt.Sprintf("%.2f | %d | %d", h.Mean(), h.Quantile(.5), h.Quantile(.99))
}

// ends is two: without the median.
func ends(h leak.Histogram) string {
	return fmt.Sprintf("%.2f | %d", h.Mean(), h.Quantile(.99))
}
