// Runscore builds programs that say what they lose with plumb's compilers, runs
// them under plumb run, and counts how often the report is right: make score-run.
//
// usage: runscore [flags] SUITE...
//
// A SUITE is a directory of programs (package runtest) or of cases with a
// case.json. For each, and each optimisation level, it prints a line of counts
// and below it each thing that is not as it should be.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/plumb-project/plumb/internal/runtest"
)

func main() {
	var cfg config
	plumb := flag.String("plumb", "bin/plumb", "the plumb to score")
	levels := flag.String("levels", "O0,O1,O2,O3", "optimisation levels, and plain for programs that plumb did not build")
	only := flag.String("only", ".", "programs whose names match")
	flag.IntVar(&cfg.workers, "j", 2, "programs at a time")
	flag.StringVar(&cfg.clang, "clang", "clang-19", "the clang behind it")
	flag.BoolVar(&cfg.lastUse, "last-use", false, "build with last uses recorded")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	var err error
	if cfg.plumb, err = filepath.Abs(*plumb); err == nil {
		cfg.only, err = regexp.Compile(*only)
	}
	for _, dir := range flag.Args() {
		if err == nil {
			err = cfg.suite(context.Background(), dir, strings.Split(*levels, ","))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "runscore:", err)
		os.Exit(2)
	}
}

type config struct {
	plumb   string
	clang   string
	only    *regexp.Regexp
	workers int
	lastUse bool
}

// A result is what became of one program.
type result struct {
	score   runtest.Score
	remarks []string
}

func (cfg *config) suite(ctx context.Context, dir string, levels []string) error {
	read := runtest.Programs
	if cases, _ := filepath.Glob(filepath.Join(dir, "*", "case.json")); len(cases) > 0 {
		read = runtest.Suite
	}
	all, err := read(dir)
	if err != nil {
		return err
	}
	var programs []*runtest.Program
	for _, p := range all {
		if cfg.only.MatchString(p.Name) {
			programs = append(programs, p)
		}
	}
	fmt.Printf("%s: %d programs\n", filepath.Base(dir), len(programs))
	fmt.Println("| level | runs | leaks | found | exact | wrong line | wrong number | missed | false | held | found | last use exact | unmarked |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	var below []string
	for _, level := range levels {
		var sum runtest.Score
		for i, r := range cfg.level(ctx, programs, level) {
			sum.Add(r.score)
			for _, text := range r.remarks {
				below = append(below, fmt.Sprintf("%s %s: %s", level, programs[i].Name, text))
			}
		}
		fmt.Printf("| -%s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", level, sum.Runs, sum.Leaks, sum.Found, sum.Exact,
			sum.Wrong, sum.Count, sum.Miss, sum.False, sum.Held, sum.HeldFound, sum.HeldExact, sum.Noise)
	}
	for _, text := range below {
		fmt.Println(text)
	}
	return nil
}

// level scores the programs, each worker one at a time.
func (cfg *config) level(ctx context.Context, programs []*runtest.Program, level string) []result {
	out := make([]result, len(programs)) // slot i belongs to programs[i]
	next := make(chan int)
	var wg sync.WaitGroup
	for range cfg.workers {
		wg.Go(func() {
			for i := range next {
				out[i] = cfg.program(ctx, programs[i], level)
			}
		})
	}
	for i := range programs {
		next <- i
	}
	close(next)
	wg.Wait()
	return out
}

// program builds and runs one. What cannot be built or run is missed.
func (cfg *config) program(ctx context.Context, p *runtest.Program, level string) (out result) {
	fail := func(r runtest.Run, err error) {
		score, _ := p.Judge(r, nil)
		out.score.Add(score)
		out.remarks = append(out.remarks, "failed: "+strings.TrimSpace(err.Error()))
	}
	dir, err := os.MkdirTemp("", "runscore")
	if err != nil {
		fail(runtest.Run{}, err)
		return out
	}
	defer os.RemoveAll(dir)
	plumb := []string{cfg.plumb}
	exe, err := p.Build(ctx, runtest.PlumbTools(plumb, cfg.clang, level, cfg.lastUse), dir)
	for _, r := range p.Runs {
		if err != nil {
			fail(r, err)
			continue
		}
		seen, err := p.Watch(ctx, plumb, exe, r)
		if err != nil {
			fail(r, err)
			continue
		}
		score, remarks := p.Judge(r, seen)
		out.score.Add(score)
		for _, m := range remarks {
			if cfg.lastUse || !m.LastUse {
				out.remarks = append(out.remarks, m.Text)
			}
		}
	}
	return out
}
