// Package run runs a program under plumb's runtime and brings home what the
// runtime wrote.
//
// The program's standard streams and exit status are its own. The runtime is
// told by one environment variable where to put its reports, a directory of files
// that is read when the program has ended; so it does not matter whether the
// program closes its streams, changes its directory or forks. The runtime is
// preloaded, too: programs that are not instrumented get to know what is lost,
// if not where.
//
// Processes that outlive the program become children of plumb, as far as there is
// a plumb: it is told of them, and can wait.
package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/plumb-project/plumb/internal/cc"
	"github.com/plumb-project/plumb/internal/event"
	"github.com/plumb-project/plumb/internal/pinpoint"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/suppress"
	"github.com/plumb-project/plumb/internal/toolchain"
)

// Config says what to run and how. Either Build or Program is given.
type Config struct {
	Build   []string // words of a compiler's command line: sources, flags, libraries
	Program []string // program and its arguments; with Build only the arguments
	CC      cc.Config
	Options Options

	Whose   Whose     // reports count
	Known   []string  // files that list leaks which are only counted
	Reports string    // directory for the runtime's files, which stay there; "" for one that goes
	Keep    bool      // the scratch directory stays
	Wait    bool      // for all processes that the program leaves behind
	Stderr  io.Writer // for what the compiler says
	Verbose func(format string, args ...any)
}

// A Result is how it went.
type Result struct {
	Status  Status
	Report  *report.Report
	Silent  string    // why no process reported; "" if one did, or if that is not known
	Others  []string  // programs that lost memory, too, but do not count
	Unread  error     // of report files that could not be read
	Running []Process // that the program left behind and that still run
	Dir     string    // of report files, if it is still there
	Scratch string    // directory of the built program, if it is still there
}

// Program builds, if there is something to build, and runs.
func Program(ctx context.Context, cfg Config) (*Result, error) {
	if cfg.Verbose == nil {
		cfg.Verbose = func(string, ...any) {}
	}
	known, err := suppress.Read(cfg.Known) // first: a mistake in it should not cost a run
	if err != nil {
		return nil, err
	}
	kit, err := toolchain.FindKit(ctx, toolchain.KitConfig{Clang: cfg.CC.Clang, CacheDir: cfg.CC.CacheDir, Runtime: len(cfg.Build) == 0, Say: cfg.CC.Say})
	if err != nil {
		return nil, err
	}
	res := &Result{}
	env, err := cfg.CC.Env(os.Environ())
	if err != nil {
		return nil, err
	}
	argv := cfg.Program
	if len(cfg.Build) > 0 {
		scratch, err := os.MkdirTemp("", "plumb-run-")
		if err != nil {
			return nil, fmt.Errorf("scratch directory: %w", err)
		}
		if cfg.Keep {
			res.Scratch = scratch
		} else {
			defer os.RemoveAll(scratch)
		}
		program, err := build(ctx, &cfg, scratch, env)
		if err != nil {
			return nil, err
		}
		argv = append([]string{program}, argv...)
	}
	if res.Dir, err = reportDir(cfg.Reports); err != nil {
		return nil, err
	}
	keep := cfg.Reports != ""
	defer func() {
		if !keep {
			os.RemoveAll(res.Dir)
			res.Dir = ""
		}
	}()
	env = setEnv(env, "PLUMB_OPTIONS", cfg.Options.String(res.Dir))
	env = setEnv(env, "LD_PRELOAD", preload(kit.Shared(), env))
	cfg.Verbose("running %s with %s", strings.Join(argv, " "), kit.Shared())
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	pid := 0
	if pid, res.Status, res.Running, err = start(argv, env, cfg.Wait); err != nil {
		if len(cfg.Build) > 0 && errors.Is(err, os.ErrPermission) {
			err = fmt.Errorf("%w; set TMPDIR to a directory in which programs may be run", err)
		}
		return nil, err
	}
	keep = keep || len(res.Running) > 0
	cfg.collect(res, pid, known)
	if len(res.Report.Processes) == 0 {
		res.Silent = silence(argv, res.Status)
		if n := cfg.Options.AfterBytes; n > 0 && res.Status.Signal == 0 {
			res.Silent = fmt.Sprintf("it has lost less than %d bytes, if any", n)
		}
	}
	return res, nil
}

// Read makes the report of a run that was left behind: of the files in cfg.Reports.
func Read(cfg Config) (*Result, error) {
	known, err := suppress.Read(cfg.Known)
	if err != nil {
		return nil, err
	}
	if _, err := os.ReadDir(cfg.Reports); err != nil {
		return nil, err
	}
	res := &Result{Dir: cfg.Reports}
	cfg.collect(res, 0, known)
	return res, nil
}

// collect reads what the processes wrote.
func (cfg *Config) collect(res *Result, pid int, known *suppress.List) {
	rs, err := event.ReadDir(res.Dir)
	res.Unread = err
	rs, res.Others = choose(rs, pid, cfg.Whose)
	res.Report = pinpoint.Findings(rs, pinpoint.Config{Suppress: known})
}

// reportDir makes the directory for the runtime's files. Whoever the program
// becomes must be able to write there: root's servers become somebody else.
func reportDir(dir string) (string, error) {
	var err error
	if dir != "" {
		if dir, err = filepath.Abs(dir); err == nil {
			err = os.MkdirAll(dir, 0o777)
		}
		if old, _ := filepath.Glob(filepath.Join(dir, "*.plumb")); len(old) > 0 {
			return "", fmt.Errorf("%s has reports of an earlier run; name another directory, or remove them", dir)
		}
	} else {
		dir, err = os.MkdirTemp("", "plumb-reports-")
	}
	if err == nil && os.Geteuid() == 0 {
		err = os.Chmod(dir, 0o777|os.ModeSticky)
	}
	if err == nil && strings.Contains(dir, ":") {
		err = fmt.Errorf("%s: the name must not contain a colon; set TMPDIR or --reports", dir)
	}
	if err != nil {
		return "", fmt.Errorf("directory for reports: %w", err)
	}
	return dir, nil
}

// preload puts the runtime before what the user preloads.
func preload(rt string, env []string) string {
	if old := getEnv(env, "LD_PRELOAD"); old != "" {
		return rt + ":" + old
	}
	return rt
}

func getEnv(env []string, name string) string {
	value := ""
	for _, kv := range env {
		if n, v, _ := strings.Cut(kv, "="); n == name {
			value = v
		}
	}
	return value
}

func setEnv(env []string, name, value string) []string {
	var out []string
	for _, kv := range env {
		if n, _, _ := strings.Cut(kv, "="); n != name {
			out = append(out, kv)
		}
	}
	return append(out, name+"="+value)
}
