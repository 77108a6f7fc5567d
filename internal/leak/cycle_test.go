package leak_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/plumbtest"
	"github.com/plumb-project/plumb/internal/report"
)

// What is known goes round a circle of calls one call a round: a long circle is
// cut, and that is counted; a short one is not.
func TestCycleIsCut(t *testing.T) {
	for n, cut := range map[int]bool{2: false, 40: true} {
		var src strings.Builder
		src.WriteString("#include <stdlib.h>\n")
		for i := range n {
			fmt.Fprintf(&src, "void f%d(char *p, int n);\n", i)
		}
		for i := range n {
			fmt.Fprintf(&src, "void f%d(char *p, int n) { if (n == %d) free(p); else f%d(p, n); }\n", i, i, (i+1)%n)
		}
		var stats leak.Stats
		find(t, program(t, src.String()), leak.Config{Stats: &stats})
		if (stats.GaveUp[report.Recursion] > 0) != cut {
			t.Errorf("circle of %d: %d functions were cut, want some: %t", n, stats.GaveUp[report.Recursion], cut)
		}
	}
}

// program compiles C text.
func program(t *testing.T, src string) *ir.Program {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(name, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	data := plumbtest.Compile(t, name)
	res, err := lower.Lower(t.Context(), []lower.Unit{{Name: name, Data: func() ([]byte, error) { return data, nil }}}, lower.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return res.Program
}
