package plumbtest

import (
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
`
	finding := func(alloc, loss int, holder string) report.Finding {
		return report.Finding{Kind: report.LeakLost, Holder: holder, Alloc: source.Position{File: "/a/x.c", Line: alloc},
			Loss: source.Position{File: "/a/x.c", Line: loss}, Confidence: report.Certain}
	}
	right := []report.Finding{finding(1, 2, "p"), finding(2, 3, "q"), finding(1, 5, "p")}
	for _, c := range []struct {
		name     string
		findings []report.Finding
		want     string
	}{
		{"right", right, ""},
		{"missing", right[1:], "x.c:2: 0 findings for leak: p"},
		{"twice", append(slices.Clone(right), right[0]), "x.c:2: 2 findings for leak: p"},
		{"unexpected", append(slices.Clone(right), finding(2, 2, "q")), "x.c:2: unexpected: memory held by 'q' is lost here (allocated in line 2)"},
		{"message", append(slices.Clone(right[1:]), finding(1, 2, "q")), "x.c:2: message"},
		{"found", append(slices.Clone(right), finding(2, 4, "q")), "x.c:4: leak-missed: q is found"},
		{"gone", right[:2], "x.c:5: leak-false: p is not reported any more"},
	} {
		got := strings.Join(compare(t, "x.c", []byte(src), c.findings), "\n")
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestExpectationErrors(t *testing.T) {
	for src, want := range map[string]string{
		"x // leak: a":                 "x.c:1: there is no alloc: a",
		"x // alloc: a\ny // alloc: a": "x.c:2: alloc: a is there twice",
		`x // alloc: a; leak: a "("`:   "x.c:1: error parsing regexp",
	} {
		if _, err := expectations("x.c", []byte(src)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", src, err, want)
		}
	}
}
