// Package capture turns what a user has (source files, a compilation
// database, a build command, objects with bitcode in them) into LLVM bitcode.
//
// # How
//
// Every way in ends in the same list of jobs: one source file, the directory
// its compiler ran in, and the options that change the meaning of the
// program. Each job is compiled by the user's clang, without passes, with debugging
// information; the rest of the project's options stay (flags.go is the
// table). A build is intercepted by compilers' names in front of PATH which
// are this binary: each records its arguments and then becomes the real
// compiler (shim.go, intercept.go).
//
// clang writes bitcode and the list of files it read to pipes, so there are
// no temporary files to lose when it crashes or is killed.
//
// # The cache
//
// A job's key is everything but file contents: clang, directory, options,
// environment. Under the key stands a manifest: which files the unit read,
// with their digests, and which bitcode came of it. If all digests still
// hold, the bitcode is taken. Contents decide, not time stamps. Files are
// written aside and renamed, so processes may share a cache; a manifest or
// bitcode whose checksum is wrong is as good as absent.
//
// Known hole, as in every cache of this kind: a header that newly appears
// earlier on the include path than the one a unit read is not noticed, nor a
// file that __has_include did not find before. NoCache is the way around.
//
// # Other contents
//
// Result.Overlay compiles units as if files had other contents, which clang sees
// through a virtual file system (copies.go). Nothing is written beside the sources,
// and nothing of it goes into the cache.
//
// # Order
//
// Units come in the order of the input. An intercepted build has no order
// that could be relied on (make -j), so its units are sorted by directory,
// source and options.
package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/plumb-project/plumb/internal/toolchain"
)

// A Config says what to capture and how.
type Config struct {
	Files     []string // sources, .bc, objects with bitcode, archives of them
	Flags     []string // compiler flags for the sources among Files
	CompileDB string   // compile_commands.json or the directory that holds it
	Build     []string // build command to intercept
	WriteDB   string   // write the commands found as compile_commands.json here
	Clang     string   // clang to use, by path or name; "" = the newest found
	CacheDir  string   // "" = os.UserCacheDir()/plumb
	NoCache   bool     // compile everything, keep nothing
	Jobs      int      // compilations at a time; 0 = GOMAXPROCS
	Dir       string   // working directory; "" = the process's

	Progress Progress         // may be nil
	Note     func(msg string) // remarks for -v; may be nil; never called concurrently

	Stdout, Stderr io.Writer // of the intercepted build; nil = discarded
}

// A Progress shows how far the compilations are. Its methods are never called
// concurrently.
type Progress interface {
	Start(total int)  // so many units follow
	Unit(name string) // this one is being worked on
	Done(name string) // and is finished
	Finish()          // all are
}

// A Result is what was captured.
type Result struct {
	Units    []Unit    // those that have bitcode, in input order
	Skipped  []Skipped // those that have none, in input order
	Compiled int       // units of Units compiled in this run
	Cached   int       // units of Units taken from the cache

	Clang *toolchain.Clang // nil when only bitcode was given

	compiler *compiler // nil with Clang
	jobs     int
	overlays overlays
}

// A Unit is one module of bitcode.
type Unit struct {
	Name  string   // absolute path of the source, or the input: lib.a(member.o)
	Dir   string   // where its compiler ran; "" for bitcode that was given
	Flags []string // clang's arguments that made it; nil for bitcode that was given
	Reads []string // absolute paths of the files it was made of, the source first

	load func() ([]byte, error)
	job  *job // nil for bitcode that was given
}

// Bitcode returns the unit's raw bitcode, which may have a wrapper header.
func (u *Unit) Bitcode() ([]byte, error) { return u.load() }

// Args is clang's command line without what it is to make of the source; nil for
// bitcode that was given.
func (u *Unit) Args() []string {
	if u.job == nil {
		return nil
	}
	args := slices.Clone(u.Flags)
	if u.job.lang == "" { // or Flags names the language
		return append(args, u.job.end()...)
	}
	return append(args, u.job.end()[2:]...)
}

// Env is the environment that clang ran in; nil for bitcode that was given.
func (u *Unit) Env() []string {
	if u.job == nil {
		return nil
	}
	return u.job.environ()
}

// A Skipped unit has no bitcode.
type Skipped struct {
	Unit   string // as Unit.Name
	Reason string // one line, such as clang's first error
}

// ErrNothing is wrapped by the error of Run when no unit has bitcode. The
// Result is not nil then, and says what was skipped.
var ErrNothing = errors.New("nothing to analyse")

// Run captures what cfg names.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	r := &runner{cfg: cfg, dir: cfg.Dir}
	if r.cfg.Jobs <= 0 {
		r.cfg.Jobs = runtime.GOMAXPROCS(0)
	}
	var err error
	if r.dir, err = filepath.Abs(cfg.Dir); err != nil {
		return nil, fmt.Errorf("working directory: %w", err)
	}
	if len(cfg.Files) == 0 && cfg.CompileDB == "" && len(cfg.Build) == 0 {
		return nil, fmt.Errorf("%w: name source files, a compilation database (-p DIR) or a build command (-- make)", ErrNothing)
	}
	if err := r.gather(ctx); err != nil {
		return nil, err
	}
	r.dedupe()
	if cfg.WriteDB != "" {
		if err := writeDB(absolute(r.dir, cfg.WriteDB), r.items); err != nil {
			return nil, err
		}
	}
	if err := r.compileAll(ctx); err != nil {
		return nil, err
	}
	return r.result()
}

// A runner is the state of one Run.
type runner struct {
	cfg     Config
	dir     string // absolute
	items   []item
	clang   *toolchain.Clang
	hint    string // what to do if there is nothing to analyse
	refused refusals
	c       *compiler

	mu sync.Mutex // for progress
}

// An item is one input, in order: bitcode, a unit that has none, or a job.
type item struct {
	unit *Unit
	skip *Skipped
	job  *job

	cached bool     // job: its bitcode was in the cache
	notes  []string // for -v
}

func (r *runner) note(format string, args ...any) {
	if r.cfg.Note != nil {
		r.cfg.Note(fmt.Sprintf(format, args...))
	}
}

// gather fills items from every kind of input.
func (r *runner) gather(ctx context.Context) error {
	for _, f := range r.cfg.Files {
		if err := r.addFile(f); err != nil {
			return err
		}
	}
	if r.cfg.CompileDB != "" {
		if err := r.addDB(absolute(r.dir, r.cfg.CompileDB)); err != nil {
			return err
		}
	}
	if len(r.cfg.Build) > 0 {
		return r.addBuild(ctx)
	}
	return nil
}

// addJobs appends the jobs of a command line.
func (r *runner) addJobs(jobs []job) {
	for i := range jobs {
		r.items = append(r.items, item{job: &jobs[i]})
	}
}

// compileAll compiles the jobs, each into its own item.
func (r *runner) compileAll(ctx context.Context) error {
	var todo []*item
	for i := range r.items {
		if r.items[i].job != nil {
			todo = append(todo, &r.items[i])
		}
	}
	if len(todo) == 0 {
		return nil
	}
	var err error
	if r.clang, err = toolchain.FindClang(ctx, r.cfg.Clang); err != nil {
		return err
	}
	c := newCompiler(r)
	r.c = c
	r.progress(func(p Progress) { p.Start(len(todo)) })
	defer r.progress(func(p Progress) { p.Finish() })

	next := make(chan *item)
	var wg sync.WaitGroup
	for range min(r.cfg.Jobs, len(todo)) {
		wg.Go(func() {
			for it := range next {
				r.progress(func(p Progress) { p.Unit(it.job.name) })
				c.unit(ctx, it)
				r.progress(func(p Progress) { p.Done(it.job.name) })
			}
		})
	}
	for _, it := range todo {
		if ctx.Err() != nil {
			break
		}
		next <- it
	}
	close(next)
	wg.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.notes(todo)
	return nil
}

func (r *runner) progress(do func(Progress)) {
	if r.cfg.Progress == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	do(r.cfg.Progress)
}

// result collects the items in order.
func (r *runner) result() (*Result, error) {
	res := &Result{Clang: r.clang, compiler: r.c, jobs: r.cfg.Jobs}
	for i := range r.items {
		it := &r.items[i]
		switch {
		case it.unit != nil:
			res.Units = append(res.Units, *it.unit)
		case it.skip != nil:
			res.Skipped = append(res.Skipped, *it.skip)
		}
		switch {
		case it.job == nil || it.unit == nil:
		case it.cached:
			res.Cached++
		default:
			res.Compiled++
		}
	}
	if len(res.Units) > 0 {
		return res, nil
	}
	if len(res.Skipped) > 0 {
		s := res.Skipped[0]
		return res, fmt.Errorf("%w: none of %s has bitcode; the first, %s: %s", ErrNothing, plural(len(res.Skipped), "unit"), s.Unit, s.Reason)
	}
	return res, fmt.Errorf("%w: %s", ErrNothing, r.hint)
}

// readable says in plain words why a file that the user named cannot be read.
func readable(path string) error {
	f, err := os.Open(path)
	if err == nil {
		return f.Close()
	}
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s: no such file", path)
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("%s: permission denied; make it and the directories above it readable", path)
	}
	return fmt.Errorf("%s: %w", path, errors.Unwrap(err))
}
