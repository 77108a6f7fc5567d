package driver

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumb-project/plumb/internal/report"
)

// program returns the sources of one large program: fixtures in which all but
// main() is static.
func program(t *testing.T) []string {
	t.Helper()
	var files []string
	dirs := []string{"precision", "papers", "structures"}
	if testing.Short() {
		dirs = dirs[:1]
	}
	for _, dir := range dirs {
		names, err := filepath.Glob("../leak/testdata/" + dir + "/*.c")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			abs, err := filepath.Abs(name)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, abs)
		}
	}
	if len(files) < 10*len(dirs) {
		t.Fatalf("%d files", len(files))
	}
	return files
}

// check runs all phases and returns the report.
func check(t *testing.T, cfg Config) *report.Report {
	t.Helper()
	if cfg.CacheDir == "" {
		cfg.NoCache = true
	}
	var err error
	if cfg.Dir, err = filepath.Abs("."); err != nil {
		t.Fatal(err)
	}
	cfg.Verify = true
	r, err := Check(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// places prints where findings are, and what they say if asked.
func places(fs []report.Finding, steps bool) string {
	var b strings.Builder
	for _, f := range fs {
		fmt.Fprintf(&b, "%s:%d %s:%d %s %s\n", filepath.Base(f.Alloc.File), f.Alloc.Line, filepath.Base(f.Loss.File), f.Loss.Line, f.Message(), f.Function)
		for _, s := range f.Steps {
			if steps {
				fmt.Fprintf(&b, "\t%s: %s\n", s.Pos, s.Text)
			}
		}
		for _, g := range f.GaveUp {
			if steps {
				fmt.Fprintf(&b, "\tgave up %s: %s\n", g.Pos, g.Text)
			}
		}
	}
	return b.String()
}

// counts are the statistics without what depends on the clock.
func counts(r *report.Report) report.Stats {
	s := r.Stats
	s.Phases, s.Solver = nil, report.Solver{}
	return s
}

func needClang(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19 is not installed: scripts/setup.sh test")
	}
}

// Nothing that a user can vary without changing the program changes a finding or
// a word in its story.
func TestSameFindings(t *testing.T) {
	needClang(t)
	files := program(t)
	cache := t.TempDir()
	want := check(t, Config{Files: files, Clang: "clang-19", CacheDir: cache, Jobs: 1})
	if len(want.Findings) < len(files)/2 || want.Coverage.Compiled != len(files) {
		t.Fatalf("%d findings, %d compiled", len(want.Findings), want.Coverage.Compiled)
	}
	text := places(want.Findings, true)
	same := func(what string, cfg Config, cached int) {
		t.Helper()
		got := check(t, cfg)
		if got.Coverage.Cached != cached {
			t.Errorf("%s: %d units from the cache, want %d", what, got.Coverage.Cached, cached)
		}
		if d := cmp.Diff(text, places(got.Findings, true)); d != "" {
			t.Errorf("%s:\n%s", what, d)
		}
		if d := cmp.Diff(counts(want), counts(got)); d != "" {
			t.Errorf("%s: statistics differ:\n%s", what, d)
		}
	}
	n := len(files)
	same("warm cache, 8 jobs", Config{Files: files, Clang: "clang-19", CacheDir: cache, Jobs: 8}, n)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 4 {
		shuffled := slices.Clone(files)
		rng.Shuffle(n, func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		same("shuffled units", Config{Files: shuffled, Clang: "clang-19", CacheDir: cache, Jobs: 8}, n)
	}
	if !testing.Short() {
		same("no cache, 8 jobs", Config{Files: files, Clang: "clang-19", Jobs: 8}, 0)
	}
}

// Every clang gives the same findings at the same lines; what led there may be
// told in other words, as debug information differs.
func TestSameFindingsWithEveryClang(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles everything with each clang")
	}
	needClang(t)
	files := program(t)
	want := places(check(t, Config{Files: files, Clang: "clang-19"}).Findings, false)
	for _, v := range []string{"14", "16", "22"} {
		t.Run(v, func(t *testing.T) {
			if _, err := exec.LookPath("clang-" + v); err != nil {
				t.Skipf("clang-%s is not installed: scripts/setup.sh test", v)
			}
			got := places(check(t, Config{Files: files, Clang: "clang-" + v}).Findings, false)
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}
