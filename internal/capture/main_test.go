package capture

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/plumb-project/plumb/internal/toolchain"
)

// TestMain lets the test binary be the shim, as cmd/plumb is.
func TestMain(m *testing.M) {
	if handled, code := ShimMain(os.Args, os.Environ()); handled {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// needClang skips a test where there is no clang.
func needClang(t *testing.T) {
	t.Helper()
	if _, err := toolchain.FindClang(context.Background(), ""); err != nil {
		t.Skip("needs clang:", err)
	}
}

// A project is a directory with files, a cache of its own and a log of notes.
type project struct {
	t     *testing.T
	dir   string
	cache string
	mu    sync.Mutex
	notes []string
}

// newProject writes files given as name, content pairs.
func newProject(t *testing.T, files ...string) *project {
	t.Helper()
	p := &project{t: t, dir: t.TempDir(), cache: t.TempDir()}
	for i := 0; i < len(files); i += 2 {
		p.write(files[i], files[i+1])
	}
	return p
}

func (p *project) path(name string) string { return filepath.Join(p.dir, name) }

func (p *project) write(name, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(p.path(name)), 0o777); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.path(name), []byte(text), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// run runs capture in the project with the project's cache.
func (p *project) run(cfg Config) (*Result, error) {
	p.notes = nil
	cfg.Dir = p.dir
	if cfg.CacheDir == "" {
		cfg.CacheDir = p.cache
	}
	cfg.Note = func(s string) {
		if !p.mu.TryLock() {
			p.t.Error("Note called concurrently")
			return
		}
		defer p.mu.Unlock()
		p.notes = append(p.notes, s)
	}
	return Run(context.Background(), cfg)
}

// mustRun fails the test on an error and returns the units' names, relative
// to the project.
func (p *project) mustRun(cfg Config) (*Result, []string) {
	p.t.Helper()
	res, err := p.run(cfg)
	if err != nil {
		p.t.Fatal(err)
	}
	var names []string
	for i := range res.Units {
		u := &res.Units[i]
		b, err := u.Bitcode()
		if err != nil || !isBitcode(b) {
			p.t.Errorf("%s: no bitcode: %v", u.Name, err)
		}
		names = append(names, strings.TrimPrefix(u.Name, p.dir+"/"))
	}
	return res, names
}

func (p *project) wantNote(part string) {
	p.t.Helper()
	if !slices.ContainsFunc(p.notes, func(n string) bool { return strings.Contains(n, part) }) {
		p.t.Errorf("no note with %q in %q", part, p.notes)
	}
}

// leftovers fails if temporary files are in the cache.
func (p *project) leftovers() {
	p.t.Helper()
	_ = filepath.WalkDir(p.cache, func(path string, _ os.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(path), "tmp-") {
			p.t.Errorf("left behind: %s", path)
		}
		return err
	})
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

func counts(t *testing.T, res *Result, compiled, cached int) {
	t.Helper()
	if res.Compiled != compiled || res.Cached != cached {
		t.Errorf("compiled %d, cached %d; want %d, %d", res.Compiled, res.Cached, compiled, cached)
	}
}

func wantError(t *testing.T, err error, nothing bool, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	if errors.Is(err, ErrNothing) != nothing {
		t.Errorf("%v: ErrNothing is %v", err, !nothing)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q lacks %q", err, p)
		}
	}
}
