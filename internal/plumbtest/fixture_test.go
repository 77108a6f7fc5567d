package plumbtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

func TestCompare(t *testing.T) {
	const src = `p = malloc(1); // alloc: p
q = strdup(p); // alloc: q; leak: p "held by 'p'"
return; // leak: q
x(); // leak-missed: q
y(); // leak-false: p
free(q); // double-free: q
`
	finding := func(alloc, loss int, holder string) report.Finding {
		return report.Finding{Kind: report.LeakLost, Holder: holder, Alloc: source.Position{File: "/a/x.c", Line: alloc},
			Loss: source.Position{File: "/a/x.c", Line: loss}, Confidence: report.Certain}
	}
	files := []text{{"dir/x.c", []byte(src)}}
	again := finding(2, 6, "q")
	again.Kind = report.DoubleFree
	right := []report.Finding{finding(1, 2, "p"), finding(2, 3, "q"), finding(1, 5, "p"), again}
	for _, c := range []struct {
		name     string
		findings []report.Finding
		want     string
	}{
		{"right", right, ""},
		{"missing", right[1:], "x.c:2: 0 findings for leak: p"},
		{"twice", append(slices.Clone(right), right[0]), "x.c:2: 2 findings for leak: p"},
		{"unexpected", append(slices.Clone(right), finding(2, 2, "q")), "x.c:2: unexpected: memory held by 'q' is lost here (allocated at x.c:2)"},
		{"message", append(slices.Clone(right[1:]), finding(1, 2, "q")), "x.c:2: message"},
		{"found", append(slices.Clone(right), finding(2, 4, "q")), "x.c:4: leak-missed: q is found"},
		{"gone", slices.Delete(slices.Clone(right), 2, 3), "x.c:5: leak-false: p is not reported any more"},
		{"kind", append(slices.Clone(right[:3]), finding(2, 6, "q")), "x.c:6: 0 findings for double-free: q"},
	} {
		got := strings.Join(compare(t, files, c.findings), "\n")
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestExpectationErrors(t *testing.T) {
	for src, want := range map[string]string{
		"x // leak: a":                 "x.c:1: there is no alloc: a",
		"x // alloc: a\ny // alloc: a": "x.c:2: alloc: a is there twice, first at x.c:1",
		"x // not-run: a":              "not-run: there is no alloc: a",
		`x // alloc: a; leak: a "("`:   "x.c:1: error parsing regexp",
	} {
		if _, err := readRemarks([]text{{"x.c", []byte(src)}}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", src, err, want)
		}
	}
}

// A fixture of two files: the allocation is in one, the leak in the other.
func TestTwoFiles(t *testing.T) {
	files := []text{{"d/main.c", []byte("x\n// leak: p\n")}, {"d/part.c", []byte("// alloc: p\n")}}
	finding := report.Finding{Kind: report.LeakLost, Alloc: source.Position{File: "/t/d/part.c", Line: 1}, Loss: source.Position{File: "/t/d/main.c", Line: 2}}
	if got := compare(t, files, []report.Finding{finding}); len(got) > 0 {
		t.Error(got)
	}
	finding.Alloc.File = "/t/d/main.c"
	if got := compare(t, files, []report.Finding{finding}); len(got) != 2 {
		t.Errorf("allocated in the wrong file: %q", got)
	}
}

func TestFixtures(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.c", "a.cpp", "x.txtar", "sub/one.c", "sub/two/main.c", "sub/two/part.c", "sub/two/outside.c"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, f := range Fixtures(t, dir) {
		got = append(got, fmt.Sprintf("%s %d+%d", f.Name, len(f.Files), len(f.Other)))
	}
	if want := []string{"a.cpp 1+0", "b.c 1+0", "sub/one.c 1+0", "sub/two 2+1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
