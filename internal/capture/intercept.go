package capture

// This file runs a build with shims in front of its compilers and turns what
// they recorded into jobs.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// addBuild runs the build command and adds the units it compiled.
func (r *runner) addBuild(ctx context.Context) error {
	tmp, err := os.MkdirTemp("", "plumb-capture-")
	if err != nil {
		return fmt.Errorf("cannot make a temporary directory for the build's records: %w; free some space or set TMPDIR", err)
	}
	defer os.RemoveAll(tmp)
	state := filepath.Join(tmp, recordState)
	if err := os.WriteFile(state, nil, recordsOK); err != nil {
		return fmt.Errorf("cannot write the build's records: %w; free some space or set TMPDIR", err)
	}
	env, err := r.buildEnv(tmp)
	if err != nil {
		return err
	}
	if err := r.runBuild(ctx, env); err != nil {
		return err
	}
	if st, err := os.Stat(state); err != nil || st.Mode().Perm() == recordsLost {
		return fmt.Errorf("some compilations could not be recorded in %s, the build's output says why; free some space or set TMPDIR", tmp)
	}
	records, err := readRecords(tmp)
	if err != nil {
		return err
	}
	jobs, err := r.recordedJobs(records)
	if err != nil {
		return err
	}
	r.addJobs(jobs)
	if len(jobs) == 0 && r.hint == "" {
		r.hint = noCompiler
	}
	return nil
}

const noCompiler = "the build called no compiler that plumb could see; " +
	"if all was up to date, clean first (make clean); " +
	"if it names its compiler by an absolute path, as a configured CMake project does, use -p with a compile_commands.json"

// buildEnv is the environment of the build: shims in front of PATH, and CC
// and CXX, where they name a program by its path, naming its stand-in.
func (r *runner) buildEnv(records string) ([]string, error) {
	shims, err := newShimSet(r.cfg.CacheDir, records, r.note)
	if err != nil {
		return nil, err
	}
	env := os.Environ()
	path := lookupEnv(env, "PATH")
	dir, err := shims.names(compilersOn(path))
	if err != nil {
		return nil, err
	}
	env = setEnv(env, "PATH", dir+string(filepath.ListSeparator)+path)
	env = setEnv(env, EnvDir, records)
	for _, name := range []string{"CC", "CXX"} {
		compiler, rest, _ := strings.Cut(lookupEnv(env, name), " ")
		if !filepath.IsAbs(compiler) || isShimDir(filepath.Dir(compiler)) {
			continue
		}
		shim, err := shims.standIn(compiler)
		if err != nil {
			return nil, err
		}
		env = setEnv(env, name, strings.TrimSuffix(shim+" "+rest, " "))
	}
	return env, nil
}

func setEnv(env []string, name, value string) []string {
	env = slices.DeleteFunc(env, func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
	return append(env, name+"="+value)
}

// stopDelay is how long a build may take to stop when it is told to.
const stopDelay = 5 * time.Second

// runBuild runs the build in its own process group. That it fails is no error:
// what it compiled before can be analysed.
func (r *runner) runBuild(ctx context.Context, env []string) error {
	// The build's own PATH decides which program a plain name is, as it does
	// in the user's shell, but a compiler called directly is the shim.
	name := r.cfg.Build[0]
	if !strings.Contains(name, "/") {
		if shim := filepath.Join(firstDir(env), name); exists(shim) {
			name = shim
		}
	}
	cmd := exec.CommandContext(ctx, name, r.cfg.Build[1:]...)
	cmd.Dir, cmd.Env = r.dir, env
	cmd.Stdout, cmd.Stderr = r.cfg.Stdout, r.cfg.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = stopDelay
	err := cmd.Run()
	if ctx.Err() != nil {
		if cmd.Process != nil {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what did not stop by itself
		}
		return ctx.Err()
	}
	var exit *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrWaitDelay):
		// A daemon that the build left behind still holds its output.
	case errors.As(err, &exit):
		r.note("the build ended with %s; analysing what it compiled", exit)
		r.hint = fmt.Sprintf("the build ended with %s before it compiled anything", exit)
	case err != nil:
		return fmt.Errorf("cannot run the build command: %w", err)
	}
	return nil
}

// firstDir is the first directory on PATH.
func firstDir(env []string) string { return filepath.SplitList(lookupEnv(env, "PATH"))[0] }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func readRecords(dir string) ([]record, error) {
	names, err := filepath.Glob(filepath.Join(dir, "cmd-*"))
	if err != nil {
		return nil, err
	}
	var out []record
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			return nil, fmt.Errorf("cannot read the build's records: %w", err)
		}
		var rec record
		if err := json.Unmarshal(b, &rec); err != nil {
			return nil, fmt.Errorf("%s: the build's record is damaged: %w", n, err)
		}
		out = append(out, rec)
	}
	return out, nil
}

// recordedJobs parses the records into jobs, in an order that does not depend
// on how the build was scheduled, without what only tried the compiler.
func (r *runner) recordedJobs(records []record) ([]job, error) {
	var jobs []job
	gone := make(map[string]bool)
	notes := make(map[string]bool)
	for _, rec := range records {
		p, err := command{rec.Dir, rec.Argv, rec.Env}.parse()
		if err != nil {
			return nil, fmt.Errorf("recorded command in %s: %w", rec.Dir, err)
		}
		for _, n := range p.notes {
			notes[n] = true
		}
		for _, j := range p.jobs {
			switch {
			case isProbe(j.name) || isProbe(j.dir+"/"):
			case !exists(j.name):
				gone[j.name] = true
			default:
				jobs = append(jobs, j)
			}
		}
	}
	slices.SortFunc(jobs, compareJobs)
	for _, n := range sortedKeys(notes) {
		r.note("%s", n)
	}
	if len(gone) > 0 {
		r.note("compiled by the build and no longer there, not analysed: %s", some(sortedKeys(gone)))
	}
	return jobs, nil
}

func compareJobs(a, b job) int {
	return cmp.Or(
		cmp.Compare(a.dir, b.dir),
		cmp.Compare(a.name, b.name),
		slices.Compare(words(a.flags), words(b.flags)),
		slices.Compare(a.argv, b.argv),
	)
}

func sortedKeys(m map[string]bool) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// probe matches sources that configure scripts, CMake, Meson, waf and
// setuptools write to try the compiler.
var probe = regexp.MustCompile(`(^|/)(conftest\.[^/]*|_configtest\.[^/]*|\.conf_check_[^/]*/.*|CMakeFiles/CMakeScratch/.*|CMakeFiles/CMakeTmp/.*|` +
	`CMakeFiles/[0-9][^/]*/CompilerId[^/]*/.*|meson-private/.*)$`)

func isProbe(path string) bool { return probe.MatchString(path) }
