package capture

// This file is the compiler that an intercepted build sees. It runs inside
// the build, once per compiler call: it must be quick, and must never be the
// reason why a build fails.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// EnvDir is the environment variable that names the directory where shims put
// their records. A shim that does not find it only runs the compiler.
const EnvDir = "PLUMB_CAPTURE_DIR"

// Files of a directory of shims.
const (
	shimMarker = ".plumb-shims" // it is one
	shimReal   = ".plumb-real"  // path of the compiler that its only shim stands for
)

// recordState is a file in the directory of records whose mode says whether
// all could be written: changing it needs no space on a full disk.
const (
	recordState = "state"
	recordsOK   = 0o600
	recordsLost = 0o400
)

// A record is one compiler call, as a shim writes it.
type record struct {
	Dir  string   `json:"dir"`
	Argv []string `json:"argv"` // response files expanded
	Env  []string `json:"env,omitempty"`
}

// ShimMain makes this process act as a compiler if it was called by a
// compiler's name. cmd/plumb calls it first thing. If handled, the process
// ends with exitCode; with success it does not return at all, because it has
// become the real compiler.
func ShimMain(args, env []string) (handled bool, exitCode int) {
	if len(args) == 0 {
		return false, 0
	}
	base := filepath.Base(args[0])
	own := shimDirOf(args[0])
	if own == "" && (!isDriver(base) && !isLauncher(base) || !isShim(base, env)) {
		return false, 0
	}
	real, err := realCompiler(args[0], own, env)
	if err != nil {
		fmt.Fprintf(os.Stderr, "plumb: %v\n", err)
		return true, 127
	}
	argv := slices.Clone(args)
	if strings.Contains(args[0], "/") {
		argv[0] = real // gcc looks for its parts beside the path it was called by
	}
	Record(argv, env)
	err = syscall.Exec(real, argv, realEnv(env))
	fmt.Fprintf(os.Stderr, "plumb: cannot run %s: %v\n", real, err)
	return true, 126
}

// Record writes down a compiler call if the build around it is recorded.
func Record(argv, env []string) {
	dir := lookupEnv(env, EnvDir)
	if dir == "" {
		return
	}
	if err := writeRecord(dir, argv, env); err != nil {
		fmt.Fprintf(os.Stderr, "plumb: this compilation is not recorded: %v\n", err)
		_ = os.Chmod(filepath.Join(dir, recordState), recordsLost)
	}
}

// isShim reports whether a program that was called by a compiler's name alone is
// one of ours: in a build that is recorded, or found in a directory of shims. A
// link to plumb elsewhere is the user's.
func isShim(base string, env []string) bool {
	if lookupEnv(env, EnvDir) != "" {
		return true
	}
	for _, dir := range filepath.SplitList(lookupEnv(env, "PATH")) {
		if _, err := os.Stat(filepath.Join(dir, base)); err == nil {
			return isShimDir(dir)
		}
	}
	return false
}

// shimDirOf returns the directory of shims that the program was called from
// by a path, or "".
func shimDirOf(argv0 string) string {
	if !strings.Contains(argv0, "/") {
		return ""
	}
	if dir := filepath.Dir(argv0); isShimDir(dir) {
		return dir
	}
	return ""
}

func isShimDir(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, shimMarker))
	return err == nil
}

// realCompiler finds the compiler that a shim stands for: the one that its
// directory names, or the first of its name on PATH that is not a shim.
func realCompiler(argv0, own string, env []string) (string, error) {
	if own != "" {
		if b, err := os.ReadFile(filepath.Join(own, shimReal)); err == nil {
			return string(b), nil
		}
	}
	base := filepath.Base(argv0)
	if path := findOnPath(base, lookupEnv(env, "PATH")); path != "" {
		return path, nil
	}
	return "", fmt.Errorf("%s: not found on PATH", base)
}

// findOnPath returns the first executable of this name on a PATH, directories
// of shims left out, and anything else that is this very program: it would
// call itself for ever.
func findOnPath(name, path string) string {
	self, _ := os.Executable()
	selfInfo, _ := os.Stat(self)
	for _, dir := range filepath.SplitList(path) {
		if dir == "" {
			dir = "."
		}
		full := filepath.Join(dir, name)
		st, err := os.Stat(full)
		if err != nil || st.IsDir() || st.Mode()&0o111 == 0 || isShimDir(dir) || os.SameFile(st, selfInfo) {
			continue
		}
		return full
	}
	return ""
}

// realEnv is the environment of the real compiler: the build's, but without
// shims on PATH and without EnvDir. ccache called as gcc looks for the gcc
// behind it on PATH: it must not find the shim again, or record twice.
func realEnv(env []string) []string {
	var out []string
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		switch name {
		case EnvDir:
			continue
		case "PATH":
			dirs := slices.DeleteFunc(filepath.SplitList(value), isShimDir)
			kv = "PATH=" + strings.Join(dirs, string(filepath.ListSeparator))
		}
		out = append(out, kv)
	}
	return out
}

// lookupEnv returns the value of a variable, the last one as libc's exec
// leaves it to most programs.
func lookupEnv(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if n, v, _ := strings.Cut(kv, "="); n == name {
			return v
		}
	}
	return ""
}

// writeRecord writes the call into dir if it may compile something. The file
// appears under its final name only when it is whole.
func writeRecord(dir string, argv, env []string) error {
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	// A response file is often gone when the compiler ends.
	argv, err = expandResponse(cwd, argv)
	if err != nil {
		return err
	}
	p, err := command{dir: cwd, argv: argv}.parse()
	if err != nil || len(p.jobs)+len(p.notes) == 0 {
		return err
	}
	b, err := json.Marshal(record{cwd, argv, trackedEnv(env)})
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, tempPattern)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), strings.Replace(f.Name(), "tmp-", "cmd-", 1))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
