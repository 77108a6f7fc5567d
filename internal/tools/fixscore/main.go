// Fixscore lets plumb fix mend programs and judges the patches by running what
// comes out: make score-fix.
//
// usage: fixscore [flags] SUITE...
//
// A SUITE is a directory of cases with a case.json, of programs of package runtest,
// or of fixtures. It prints a table and below it each program that is not as it
// should be, and writes the same to a file.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/plumb-project/plumb/internal/fixtest"
)

func main() {
	var cfg config
	plumb := flag.String("plumb", "bin/plumb", "the plumb to score")
	only := flag.String("only", ".", "programs whose names match")
	quick := flag.Bool("quick", false, "without valgrind")
	out := flag.String("o", "", "write the result to this file too")
	flag.StringVar(&cfg.diffs, "diffs", "", "write the patches into this directory")
	flag.BoolVar(&cfg.hand, "hand", false, "judge the patches of case.json, not plumb's")
	flag.BoolVar(&cfg.noGuard, "no-guard", false, "without --guard")
	flag.IntVar(&cfg.workers, "j", 2, "programs at a time")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	broken, err := func() (bool, error) {
		path, err := filepath.Abs(*plumb)
		if err != nil {
			return false, err
		}
		cfg.plumb = []string{path}
		if cfg.only, err = regexp.Compile(*only); err != nil {
			return false, err
		}
		if cfg.tools, err = fixtest.FindTools(); err != nil {
			return false, err
		}
		if *quick {
			cfg.tools.Valgrind = ""
		}
		return cfg.all(context.Background(), flag.Args(), *out)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "fixscore:", err)
		os.Exit(2)
	}
	if broken {
		os.Exit(1)
	}
}

type config struct {
	plumb         []string
	tools         *fixtest.Tools
	only          *regexp.Regexp
	workers       int
	hand, noGuard bool
	diffs         string
}

// all scores the suites, and reports whether anything is broken.
func (cfg *config) all(ctx context.Context, dirs []string, out string) (bool, error) {
	var t table
	for _, dir := range dirs {
		programs, err := fixtest.Suite(dir)
		if err != nil {
			return false, err
		}
		var chosen []*fixtest.Program
		for _, p := range programs {
			if cfg.only.MatchString(p.Name) {
				chosen = append(chosen, p)
			}
		}
		scores := cfg.suite(ctx, chosen)
		t.add(suiteName(dir), scores)
		if err := cfg.write(suiteName(dir), scores); err != nil {
			return false, err
		}
	}
	text := t.String()
	fmt.Print(text)
	if out != "" {
		return t.broken, os.WriteFile(out, []byte(text), 0o666)
	}
	return t.broken, nil
}

// suiteName says which suite it is, wherever it is.
func suiteName(dir string) string {
	if base := filepath.Base(dir); base == "testdata" {
		return filepath.Base(filepath.Dir(dir))
	} else {
		return base
	}
}

// suite scores the programs, each worker one at a time.
func (cfg *config) suite(ctx context.Context, programs []*fixtest.Program) []fixtest.Score {
	out := make([]fixtest.Score, len(programs)) // slot i belongs to programs[i]
	next := make(chan int)
	var wg sync.WaitGroup
	for range cfg.workers {
		wg.Go(func() {
			for i := range next {
				out[i] = cfg.program(ctx, programs[i])
				fmt.Fprintf(os.Stderr, "%s: %v\n", programs[i].Name, out[i].Outcome)
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

func (cfg *config) program(ctx context.Context, p *fixtest.Program) fixtest.Score {
	plain, guard := fixtest.Plumb(cfg.plumb), fixtest.Plumb(cfg.plumb, "--guard")
	if cfg.hand {
		plain = fixtest.ByHand(p.Fix)
	}
	if cfg.hand || cfg.noGuard {
		guard = nil
	}
	return cfg.tools.Score(ctx, p, plain, guard)
}

// write leaves the patches to be read.
func (cfg *config) write(suite string, scores []fixtest.Score) error {
	if cfg.diffs == "" {
		return nil
	}
	for _, s := range scores {
		if len(s.Diff) == 0 {
			continue
		}
		name := filepath.Join(cfg.diffs, suite, filepath.FromSlash(s.Program.Name)+".diff")
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, s.Diff, 0o666); err != nil {
			return err
		}
	}
	return nil
}
