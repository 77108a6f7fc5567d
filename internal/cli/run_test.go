package cli

import (
	"context"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/plumb-project/plumb/internal/toolchain"
)

// TestRunScript runs the transcripts of testdata/run, which compile and run
// instrumented programs, with each clang that CI has. The kits come from the
// user's cache: building one takes longer than all of these.
func TestRunScript(t *testing.T) {
	root, err := toolchain.CacheRoot("")
	if err != nil {
		t.Fatal(err)
	}
	for _, clang := range []string{"clang-19", "clang-22"} {
		t.Run(clang, func(t *testing.T) {
			if testing.Short() && clang != "clang-19" {
				t.Skip("one clang will do in short mode")
			}
			kit, err := toolchain.FindKit(context.Background(), toolchain.KitConfig{Clang: clang})
			if err != nil {
				if _, herr := toolchain.FindHost(context.Background(), clang, true); herr != nil {
					t.Skip(herr)
				}
				t.Fatal(err)
			}
			testscript.Run(t, testscript.Params{
				Dir:                 "testdata/run",
				RequireExplicitExec: true,
				RequireUniqueNames:  true,
				UpdateScripts:       *update,
				Setup: func(env *testscript.Env) error {
					env.Setenv("XDG_CACHE_HOME", env.WorkDir+"/.cache")
					env.Setenv(toolchain.EnvKits, filepath.Join(root, "run"))
					env.Setenv(toolchain.EnvClang, clang)
					env.Setenv("CLANG", kit.Host.Path)
					return nil
				},
				Condition: func(cond string) (bool, error) {
					_, err := exec.LookPath(cond)
					return err == nil, nil
				},
				Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
			})
		})
	}
}
