package rt_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestWraps keeps csrc/wraps.txt, which a static link needs, at the functions of
// libc that the runtime stands in front of.
func TestWraps(t *testing.T) {
	files, err := filepath.Glob("csrc/*.c")
	if err != nil {
		t.Fatal(err)
	}
	hook := regexp.MustCompile(`(?m)^EXPORT [^=;(]*PLUMB_HOOK\((\w+)\)\(|^(?:LONGJMP|ENTRY)\((\w+)\)`)
	var want []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range hook.FindAllStringSubmatch(string(text), -1) {
			want = append(want, "--wrap="+m[1]+m[2])
		}
	}
	slices.Sort(want)
	text, err := os.ReadFile("csrc/wraps.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(string(text)); !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("csrc/wraps.txt should be\n%s\n", strings.Join(want, "\n"))
	}
}
