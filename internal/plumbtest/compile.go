// This file makes bitcode of fixtures.

package plumbtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/toolchain"
)

// Compile returns the bitcode of a C or C++ file, as plumb itself would make it.
// It skips the test when there is no clang.
func Compile(t testing.TB, src string, flags ...string) []byte {
	t.Helper()
	clang, err := toolchain.FindClang(t.Context(), "")
	if err != nil {
		t.Skipf("needs clang: %v", err)
	}
	return compile(t, clang, src, flags)
}

// CompileWith is Compile with one version of clang. Flags in the first line of
// the source, after "// clang:", are added; a version that does not know them is
// skipped, as is one that is not installed.
func CompileWith(t testing.TB, version int, src string, flags ...string) []byte {
	t.Helper()
	clang := &toolchain.Clang{Path: fmt.Sprintf("clang-%d", version), Major: version}
	if _, err := exec.LookPath(clang.Path); err != nil {
		t.Skipf("%s is not installed: scripts/setup.sh test", clang.Path)
	}
	return compile(t, clang, src, flags)
}

func compile(t testing.TB, clang *toolchain.Clang, src string, flags []string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.bc")
	own := ownFlags(t, src)
	args := []string{"-c", "-emit-llvm", "-O1", "-U__OPTIMIZE__", "-fno-inline", "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-lifetime-markers", "-fno-strict-aliasing", "-g", "-fno-discard-value-names", "-w"}
	args = append(append(append(args, clang.AttributeFlags()...), flags...), own...)
	cmd := exec.CommandContext(t.Context(), clang.Path, append(args, "-o", out, src)...)
	if msg, err := cmd.CombinedOutput(); err != nil {
		if len(own) > 0 {
			t.Skipf("%s does not know %v: %s", clang.Path, own, msg)
		}
		t.Fatalf("%s: %v\n%s", src, err, msg)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// ownFlags returns the flags in the first line of a source.
func ownFlags(t testing.TB, src string) []string {
	t.Helper()
	text, err := os.ReadFile(src)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	flags, _ := strings.CutPrefix(line, "// clang: ")
	if flags == line {
		return nil
	}
	return strings.Fields(flags)
}
