package bitcode_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/plumb-project/plumb/internal/bitcode"
	"github.com/plumb-project/plumb/internal/oracle"
)

// versions are the clangs the reader is held against; those that are not
// installed are skipped.
var versions = []int{14, 15, 16, 19, 22}

// count decodes every body of a module.
func count(name string, data []byte) (oracle.Counts, error) {
	mods, err := bitcode.Open(name, data)
	if err != nil {
		return nil, err
	}
	c := oracle.Counts{}
	for _, m := range mods {
		fr := m.NewFuncReader()
		for i := range m.Funcs {
			if m.Funcs[i].Decl {
				continue
			}
			b, err := fr.Read(i)
			if err != nil {
				return nil, err
			}
			for k := range b.Insts {
				c.Add(m.Funcs[i].Name, b.Insts[k].Op.String())
			}
		}
	}
	return c, nil
}

// compile makes bitcode of src with clang of one version, or skips.
func compile(t testing.TB, version int, src string, flags ...string) []byte {
	t.Helper()
	clang := fmt.Sprintf("clang-%d", version)
	if _, err := exec.LookPath(clang); err != nil {
		t.Skipf("%s is not installed: scripts/setup.sh test", clang)
	}
	out := filepath.Join(t.TempDir(), "out.bc")
	own := ownFlags(t, src)
	args := append([]string{"-c", "-emit-llvm", "-g", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names", "-w", "-o", out, src}, flags...)
	if msg, err := exec.Command(clang, append(args, own...)...).CombinedOutput(); err != nil {
		if len(own) > 0 {
			t.Skipf("%s does not know %v: %s", clang, own, msg)
		}
		t.Fatalf("%s: %v\n%s", clang, err, msg)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// ownFlags returns the flags in the first line of a source, after "// clang:".
func ownFlags(t testing.TB, src string) []string {
	t.Helper()
	text, err := os.ReadFile(src)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	flags, ok := strings.CutPrefix(line, "// clang: ")
	if !ok {
		return nil
	}
	return strings.Fields(flags)
}

// TestCountsAgainstDis holds the instruction counts of every function against
// those of llvm-dis, for each version and each source in testdata.
func TestCountsAgainstDis(t *testing.T) {
	sources, err := filepath.Glob("testdata/*.c*")
	if err != nil || len(sources) == 0 {
		t.Fatal("no sources in testdata", err)
	}
	for _, v := range versions {
		for _, src := range sources {
			for _, opt := range []string{"-O0", "-O2"} {
				t.Run(fmt.Sprintf("clang-%d/%s%s", v, filepath.Base(src), opt), func(t *testing.T) {
					t.Parallel()
					data := compile(t, v, src, opt)
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
