package capture

// This file makes bitcode of one job: from the cache, or by clang.

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/plumb-project/plumb/internal/toolchain"
)

// bitcodeFlags make clang emit the program as it was written, with all variables'
// names and places. The level is -O1, because then clang describes the functions
// that are called and not defined, too, which tells what they take as const; but
// no pass runs, as these delete mallocs that leak, and no macro shows the level.
var bitcodeFlags = []string{
	"-O1", "-U__OPTIMIZE__", "-fno-inline", "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-lifetime-markers", "-fno-strict-aliasing",
	"-g", "-fno-discard-value-names", "-emit-llvm", "-c",
}

// quietFlags make clang as lenient as gcc is (-Wno-everything also covers the
// warnings that are errors by default) and its messages fit for a program.
var quietFlags = []string{
	"-Wno-everything", "-Qunused-arguments", "-ferror-limit=1", "-fno-caret-diagnostics", "-fno-color-diagnostics",
	"-fno-crash-diagnostics",
}

// A compiler compiles the jobs of one run. Its methods may be called
// concurrently.
type compiler struct {
	clang    *toolchain.Clang
	identity string // of the clang binary, for the cache
	cache    *cache // nil without
	digests  *digests
	refused  *refusals
	scanned  sync.Map  // by file: whether it has an attribute that clang forgets
	start    time.Time // files changed later than this are not cached
	note     func(format string, args ...any)
}

func newCompiler(r *runner) *compiler {
	c := &compiler{
		clang: r.clang, identity: resolvedClang(r.clang),
		digests: newDigests(), refused: &r.refused, start: time.Now(), note: r.note,
	}
	if !r.cfg.NoCache {
		cache, err := openCache(r.cfg.CacheDir)
		if err != nil {
			r.note("working without a cache: %v", err)
		}
		c.cache = cache
	}
	return c
}

// unit fills the item of a job: bitcode or the reason why there is none.
func (c *compiler) unit(ctx context.Context, it *item) {
	j := it.job
	if err := readable(j.name); err != nil {
		_, reason, _ := strings.Cut(err.Error(), ": ")
		if !exists(j.name) {
			reason += "; if the build generates it, build first"
		}
		it.skip = &Skipped{Unit: j.name, Reason: reason}
		return
	}
	key := c.key(j)
	if c.cache != nil {
		if hit := c.cache.lookup(key, c.digests); hit != nil {
			it.cached = true
			it.notes = dropNotes(hit.dropped)
			it.unit = c.newUnit(j, hit.dropped, hit.deps, hit.load)
			return
		}
	}
	out, err := c.compile(ctx, j, nil)
	switch {
	case err != nil:
		it.skip = &Skipped{Unit: j.name, Reason: err.Error()}
		return
	case out.reason != "":
		it.skip = &Skipped{Unit: j.name, Reason: out.reason}
		it.notes = dropNotes(out.dropped)
		return
	}
	it.notes = dropNotes(out.dropped)
	load := func() ([]byte, error) { return out.bitcode, nil }
	if c.cache != nil {
		stored, err := c.store(key, j, out)
		if err != nil {
			it.notes = append(it.notes, fmt.Sprintf("not cached: %v", err))
		} else {
			load = stored
		}
	}
	it.unit = c.newUnit(j, out.dropped, out.deps, load)
}

func (c *compiler) newUnit(j *job, dropped, deps []string, load func() ([]byte, error)) *Unit {
	flags := []string{} // not nil: it was compiled
	if j.driver.cxx {
		flags = append(flags, "--driver-mode=g++")
	}
	if j.lang != "" {
		flags = append(flags, "-x", j.lang)
	}
	flags = append(flags, words(replay(j.flags, dropped))...)
	return &Unit{Name: j.name, Dir: j.dir, Flags: flags, Reads: deps, load: load, job: j}
}

// An outcome is what clang made of a job.
type outcome struct {
	bitcode []byte
	deps    []string // absolute paths of all files it read
	dropped []string // flags refused, as refusal prints them
	reason  string   // why there is no bitcode
}

// maxRounds bounds how often a unit is tried with fewer flags: clang names
// all it does not know at once, then those with bad values, then the target's.
const maxRounds = 8

// compile makes bitcode. over has contents that stand in for those of files, by
// absolute path. An error means that clang did not run.
func (c *compiler) compile(ctx context.Context, j *job, over map[string][]byte) (*outcome, error) {
	res, dropped, err := c.attempt(ctx, j, over, func(flags []flag, attrs []string) []string { return c.args(j, flags, attrs) })
	switch {
	case err != nil:
		return nil, err
	case !res.ok():
		return &outcome{reason: res.reason(), dropped: dropped}, nil
	}
	return &outcome{bitcode: res.bitcode, deps: res.deps(j), dropped: dropped}, nil
}

// attempt runs clang, and again without the flags it refuses. It returns the last
// run, and the flags that were left out.
func (c *compiler) attempt(ctx context.Context, j *job, over map[string][]byte, args func([]flag, []string) []string) (*clangRun, []string, error) {
	flags, dropped := c.refused.apply(j.flags)
	attrs := &attributes{flags: c.clang.AttributeFlags()}
	defer attrs.copies.close()
	for _, file := range slices.Sorted(maps.Keys(over)) {
		if err := attrs.copies.put(file, over[file]); err != nil {
			return nil, nil, fmt.Errorf("cannot show changed sources to clang: %w", err)
		}
	}
	for round := 1; ; round++ {
		res, err := runClang(ctx, c.clang.Path, args(flags, attrs.args()), j)
		if err != nil || round == maxRounds {
			return res, dropped, err
		}
		var again bool
		if res.ok() {
			if again, err = attrs.complete(c, res.deps(j)); !again {
				return res, dropped, err
			}
			continue
		}
		if again, err = attrs.amend(c, j, res.stderr); err != nil {
			return nil, nil, err
		} else if again {
			continue
		}
		more := refusedBy(res.stderr, flags)
		if len(more) == 0 {
			return res, dropped, nil
		}
		c.refused.add(more)
		flags, dropped = c.refused.apply(j.flags)
	}
}

// args is clang's command line for the job.
func (c *compiler) args(j *job, flags []flag, attrs []string) []string {
	return slices.Concat(j.start(), attrs, // first: a program may define these names itself
		words(flags), bitcodeFlags, quietFlags,
		[]string{"-MD", "-MT", "unit", "-MF", "/dev/fd/3", "-o", "-"}, j.end())
}

// start is the beginning of each command line for the job.
func (j *job) start() []string {
	if j.driver.cxx {
		return []string{"--driver-mode=g++"}
	}
	return nil
}

// end is the source, and its language.
func (j *job) end() []string {
	var args []string
	if j.lang != "" {
		args = append(args, "-x", j.lang)
	}
	if strings.HasPrefix(j.source, "-") {
		return append(args, "./"+j.source)
	}
	return append(args, j.source)
}

// environ is the environment for clang, which believes PWD, and writes it into the
// bitcode.
func (j *job) environ() []string { return setEnv(clangEnv(j.env), "PWD", j.dir) }

// words is the flat form of flags.
func words(flags []flag) []string { return slices.Concat(flags...) }

// notes hands on what was said about the units, each remark once, in order,
// with the number of units it holds for.
func (c *compiler) notes(items []*item) {
	count := make(map[string]int)
	var order []string
	for _, it := range items {
		for _, n := range it.notes {
			if count[n]++; count[n] == 1 {
				order = append(order, n)
			}
		}
	}
	sort.Strings(order)
	for _, n := range order {
		c.note("%s (%s)", n, plural(count[n], "unit"))
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// tracked are the environment variables that change what clang reads.
var tracked = []string{"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH", "SOURCE_DATE_EPOCH"}

// trackedEnv returns the tracked variables of an environment.
func trackedEnv(environ []string) []string {
	var out []string
	for _, kv := range environ {
		if name, _, _ := strings.Cut(kv, "="); slices.Contains(tracked, name) {
			out = append(out, kv)
		}
	}
	slices.Sort(out)
	return out
}

// clangEnv is the environment clang runs in: plumb's own, with the tracked
// variables as the recorded command had them, without those that make clang
// write or print more than it is asked to.
func clangEnv(env []string) []string {
	hidden := append([]string{"LC_ALL", "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "CCC_OVERRIDE_OPTIONS",
		"CC_PRINT_OPTIONS", "CC_PRINT_HEADERS", "CC_LOG_DIAGNOSTICS"}, tracked...)
	var out []string
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); !slices.Contains(hidden, name) {
			out = append(out, kv)
		}
	}
	return append(append(out, env...), "LC_ALL=C")
}

// resolvedClang names the binary behind the path, so that a replaced
// compiler of the same version does not meet old bitcode.
func resolvedClang(c *toolchain.Clang) string {
	path, err := filepath.EvalSymlinks(c.Path)
	if err != nil {
		path = c.Path
	}
	if st, err := os.Stat(path); err == nil {
		return fmt.Sprintf("%s %d %d", path, st.Size(), st.ModTime().UnixNano())
	}
	return path
}
