package capture

// This file makes bitcode of one job: from the cache, or by clang.

import (
	"context"
	"fmt"
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
			it.unit = c.newUnit(j, hit.dropped, hit.load)
			return
		}
	}
	out, err := c.compile(ctx, j)
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
	it.unit = c.newUnit(j, out.dropped, load)
}

func (c *compiler) newUnit(j *job, dropped []string, load func() ([]byte, error)) *Unit {
	flags := []string{} // not nil: it was compiled
	if j.driver.cxx {
		flags = append(flags, "--driver-mode=g++")
	}
	if j.lang != "" {
		flags = append(flags, "-x", j.lang)
	}
	flags = append(flags, words(replay(j.flags, dropped))...)
	return &Unit{Name: j.name, Dir: j.dir, Flags: flags, load: load}
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

// compile runs clang, and again without the flags it refuses. An error means
// that clang did not run.
func (c *compiler) compile(ctx context.Context, j *job) (*outcome, error) {
	flags, dropped := c.refused.apply(j.flags)
	attrs := &attributes{flags: c.clang.AttributeFlags()}
	defer attrs.close()
	for round := 1; ; round++ {
		res, err := runClang(ctx, c.clang.Path, c.args(j, flags, attrs.flags), j.dir, j.env)
		if err != nil {
			return nil, err
		}
		if res.ok() {
			deps := res.deps(j)
			again, err := attrs.complete(c, deps)
			if err != nil {
				return nil, err
			}
			if again && round < maxRounds {
				continue
			}
			return &outcome{bitcode: res.bitcode, deps: deps, dropped: dropped}, nil
		}
		if round < maxRounds {
			again, err := attrs.amend(c, j, res.stderr)
			if err != nil {
				return nil, err
			}
			if again {
				continue
			}
		}
		more := refusedBy(res.stderr, flags)
		if len(more) == 0 || round == maxRounds {
			return &outcome{reason: res.reason(), dropped: dropped}, nil
		}
		c.refused.add(more)
		flags, dropped = c.refused.apply(j.flags)
	}
}

// args is clang's command line for the job.
func (c *compiler) args(j *job, flags []flag, attrs []string) []string {
	var args []string
	if j.driver.cxx {
		args = append(args, "--driver-mode=g++")
	}
	args = append(args, attrs...) // first: a program may define these names itself
	args = append(args, words(flags)...)
	args = append(args, bitcodeFlags...)
	args = append(args, quietFlags...)
	args = append(args, "-MD", "-MT", "unit", "-MF", "/dev/fd/3", "-o", "-")
	if j.lang != "" {
		args = append(args, "-x", j.lang)
	}
	source := j.source
	if strings.HasPrefix(source, "-") {
		source = "./" + source
	}
	return append(args, source)
}

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
