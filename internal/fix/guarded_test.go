package fix_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/fix"
	"github.com/plumb-project/plumb/internal/guard"
	"github.com/plumb-project/plumb/internal/report"
)

// TestGuarded mends the programs in testdata/guard, and one of those of TestShapes, as that
// does, but with guards, also where a plain release would do.
func TestGuarded(t *testing.T) {
	files, err := filepath.Glob("testdata/guard/*.c*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "testdata/correlated.c") {
		if ext := filepath.Ext(file); ext != ".c" && ext != ".cpp" {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			rep, res := mend(t, file, fix.Config{Always: true})
			before, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			after := before
			if res.Patch != nil {
				for name, text := range res.Patch.Overlay() {
					if filepath.Base(name) != guard.HeaderName {
						after = text
					} else if !bytes.Equal(text, guard.Header) {
						t.Error("the header is not the one that is meant for programs")
					}
				}
			}
			var got bytes.Buffer
			got.Write(after)
			left := false
			for _, m := range res.Mends {
				text := m.Outcome.String() + ": " + m.Text + m.Reason
				left = left || m.Outcome == report.NotFixed
				got.WriteString("// " + rep.Findings[m.Findings[0]].Function + ": " + text + "\n")
			}
			golden(t, filepath.Join("testdata/guard", filepath.Base(file)+".golden"), got.Bytes())
			runs(t, file, before, bytes.ReplaceAll(after, []byte(guard.HeaderName), []byte(headerPath(t))), left)
		})
	}
}

// golden holds a text against a file.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// headerPath is where the header is in this repository.
func headerPath(t *testing.T) string {
	path, err := filepath.Abs("../guard/" + guard.HeaderName)
	if err != nil || strings.ContainsAny(path, "\"\\\n") {
		t.Skip("the checkout has a name that #include cannot have")
	}
	return path
}
