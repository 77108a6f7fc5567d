package fixtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// tools finds what to judge with, or skips the test.
func tools(t *testing.T) *Tools {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and runs programs; not with -short")
	}
	tools, err := FindTools()
	if err != nil {
		t.Skip(err)
	}
	return tools
}

func judged() *Program {
	return &Program{Name: "judge.c", Dir: "testdata", Units: []string{"judge.c"}, Runs: []Run{{}, {Args: []string{"ab"}}, {Args: []string{"xy"}}}}
}

// The judge is judged by patches that were written by hand.
func TestJudge(t *testing.T) {
	all := tools(t)
	withValgrind, err := all.Try(t.Context(), judged(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"judge.c:8 < judge.c:27"}; !slices.Equal(withValgrind.Lost, want) {
		t.Errorf("%q is lost, not %q", withValgrind.Lost, want)
	}
	without := *all
	without.Valgrind = ""
	trial, err := without.Try(t.Context(), judged(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(line int, stmt string) []Insertion { return []Insertion{{"judge.c", line, stmt}} }
	for _, c := range []struct {
		name  string
		trial *Trial
		by    []Insertion
		left  bool
		wrong string // in one of the problems; "" when there is to be none
	}{
		{"right", withValgrind, at(16, "free(copy);"), false, ""},
		{"elsewhere", trial, at(11, "(void)text;"), true, ""},
		{"on all ways", trial, at(14, "free(copy);"), false, "heap-use-after-free"},
		{"twice on one way", trial, at(19, "free(copy);"), true, `run ["ab"]: attempting double-free`},
		{"used afterwards", withValgrind, at(18, "free(copy);"), true, "under valgrind: InvalidRead"},
		{"no such variable", trial, at(16, "free(copy); free(argument);"), true, "undeclared"},
		{"in the middle", trial, at(16, "free(copy + 1);"), true, `run ["xy"]: attempting free`},
		{"says more", trial, at(16, `free(copy); puts("mended");`), false, `prints "mended\n", not ""`},
		{"ends otherwise", trial, at(16, `free(copy); return 0;`), false, "ends with exit status 0, not exit status 2"},
		{"loses more", trial, at(16, `copy = strdup(text);`), true, "loses 2 blocks, not 1"},
		{"unused", trial, at(16, "free(copy); int unused;"), false, "new warning: clang-19: judge.c: warning: unused variable"},
		{"only when malloc fails", trial, append(at(16, "free(copy);"), at(11, "free(copy);")...), false, "call 2 failing: attempting double-free"},
	} {
		r, err := c.trial.Make(t.Context(), ByHand(c.by))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		has := slices.ContainsFunc(r.Problems, func(s string) bool { return strings.Contains(s, c.wrong) })
		if c.wrong != "" && !has || c.wrong == "" && len(r.Problems) > 0 {
			t.Errorf("%s: %q, not %q", c.name, r.Problems, c.wrong)
		}
		if c.wrong == "" && (len(r.Left) > 0) != c.left {
			t.Errorf("%s: %q is left", c.name, r.Left)
		}
	}
}

func TestLines(t *testing.T) {
	p := Patch{Diff: []byte("--- a/d/x.c\n+++ b/d/x.c\n@@ -2,3 +2,5 @@\n two\n+new\n+new\n three\n four\n@@ -10,3 +12,3 @@\n ten\n-eleven\n+11\n twelve\n@@ -20,3 +22,2 @@\n 20\n-21\n 22\n")}
	var got []string
	for line := range 26 {
		got = append(got, fmt.Sprint(p.lines()["x.c"](line)))
	}
	if got, want := strings.Join(got, " "), "0 1 2 2 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 22 23 24"; got != want {
		t.Errorf("lines were\n%s, not\n%s", got, want)
	}
}
