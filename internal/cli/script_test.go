package cli

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite expected output in testdata/script")

func TestMain(m *testing.M) {
	// Interception makes compilers of this binary, as it does of plumb.
	if handled, code := compilerMain(os.Args); handled {
		os.Exit(code)
	}
	plumb := func() { os.Exit(Main()) }
	testscript.Main(m, map[string]func(){"plumb": plumb, "plumb-cc": plumb, "plumb-c++": plumb})
}

// TestScript runs the transcripts of testdata/script. Beyond testscript's own
// commands they have
//
//	status N command...         run a command that must end with exit status N
//	status N unpriv command...  the same, without root's right to ignore permissions
//
// and the conditions [clang], [cc], [make] and [devfull].
func TestScript(t *testing.T) {
	clang := findClang()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", env.WorkDir+"/.cache")
			env.Setenv("CLANG", clang)
			return nil
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "clang":
				return clang != "", nil
			case "cc", "make":
				_, err := exec.LookPath(cond)
				return err == nil, nil
			case "devfull":
				_, err := os.Stat("/dev/full")
				return err == nil, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}

// findClang returns a clang that plumb can use, for scripts that wrap it.
func findClang() string {
	for v := 22; v >= 14; v-- {
		if path, err := exec.LookPath("clang-" + strconv.Itoa(v)); err == nil {
			return path
		}
	}
	path, _ := exec.LookPath("clang")
	return path
}

// status runs a command and compares its exit status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N [unpriv] command...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	args = args[1:]
	if args[0] == "unpriv" {
		args = unprivileged(ts, args[1:])
	}
	got := 0
	if err := ts.Exec(args[0], args[1:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%s: %v", strings.Join(args, " "), err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// unprivileged drops from a command what lets root read and write everything.
func unprivileged(ts *testscript.TestScript, args []string) []string {
	if os.Geteuid() != 0 {
		return args
	}
	if _, err := exec.LookPath("setpriv"); err != nil {
		ts.Fatalf("run the tests as an ordinary user, or install setpriv (util-linux)")
	}
	return append([]string{"setpriv", "--bounding-set=-dac_override,-dac_read_search"}, args...)
}
