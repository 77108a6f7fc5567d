package bitcode_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/oracle"
	"github.com/plumb-project/plumb/internal/plumbtest"
)

// versions are the clangs the reader is held against; those that are not
// installed are skipped.
var versions = []int{14, 15, 16, 19, 22}

// count counts the instructions of a module.
func count(name string, data []byte) (oracle.Counts, error) {
	mods, err := bitcode.Open(name, data)
	if err != nil {
		return nil, err
	}
	c := oracle.Counts{}
	for _, m := range mods {
		if err := m.Bodies(func(b *bitcode.Body) {
			for i := range b.Insts {
				c.Add(b.Func.Name, b.Insts[i].Op.String())
			}
		}); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// TestCountsAgainstDis holds the instruction counts of every function against
// those of llvm-dis, for each version and each source in testdata.
func TestCountsAgainstDis(t *testing.T) {
	sources, err := filepath.Glob("testdata/*.c*")
	if err != nil || len(sources) == 0 {
		t.Fatal("no sources in testdata", err)
	}
	versions, opts := versions, []string{"-O0", "-O2"}
	if testing.Short() {
		versions, opts = []int{14, 22}, opts[:1]
	}
	for _, v := range versions {
		for _, src := range sources {
			for _, opt := range opts {
				t.Run(fmt.Sprintf("clang-%d/%s%s", v, filepath.Base(src), opt), func(t *testing.T) {
					t.Parallel()
					data := plumbtest.CompileWith(t, v, src, opt)
					got, err := count(src, data)
					if err != nil {
						t.Fatal(err)
					}
					dis := exec.Command(fmt.Sprintf("llvm-dis-%d", v), "-o", "-", "-")
					dis.Stdin = bytes.NewReader(data)
					text, err := dis.Output()
					if err != nil {
						t.Skipf("llvm-dis-%d: %v", v, err)
					}
					want, err := oracle.CountDis(bytes.NewReader(text))
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("counts differ (-llvm-dis +plumb):\n%s", diff)
					}
				})
			}
		}
	}
}
