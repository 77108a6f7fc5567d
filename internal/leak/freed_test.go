package leak_test

import (
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/toolchain"
)

var findsIt = regexp.MustCompile("double-free|heap-use-after-free|alloc-dealloc-mismatch")

// TestFreed runs the functions of fixtures about released memory, one at a time,
// with AddressSanitizer: it must stop those before the gap in their table, and let
// the others run.
func TestFreed(t *testing.T) {
	clang, err := toolchain.FindClang(t.Context(), "")
	if err != nil {
		t.Skipf("needs clang: %v", err)
	}
	for name, cases := range map[string]struct{ bad, all int }{
		"double_free.c":    {9, 20},
		"use_after_free.c": {10, 22}, // the sanitizer does not know of streams
		"freed_cxx.cpp":    {5, 12},

		"mismatched_free.cpp": {7, 17}, // nor of what closes them
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bin := filepath.Join(t.TempDir(), "truth")
			args := []string{"-w", "-g", "-fsanitize=address", filepath.Join("testdata", name), "-o", bin}
			if strings.HasSuffix(name, ".cpp") {
				args = append(args, "-lstdc++")
			}
			if out, err := exec.CommandContext(t.Context(), clang.Path, args...).CombinedOutput(); err != nil {
				t.Skipf("needs the sanitizer's runtime: %s", out)
			}
			for i := range cases.all {
				cmd := exec.CommandContext(t.Context(), bin, strconv.Itoa(i))
				cmd.Env = append(cmd.Environ(), "ASAN_OPTIONS=detect_leaks=0")
				out, err := cmd.CombinedOutput()
				var exit *exec.ExitError
				stopped := errors.As(err, &exit) && findsIt.Match(out)
				if stopped != (i < cases.bad) {
					t.Errorf("function %d: stopped is %v\n%s", i, stopped, out)
				}
			}
		})
	}
}
