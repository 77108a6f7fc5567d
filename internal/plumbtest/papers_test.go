// This file keeps docs/papers.md: what the papers say of their figures, and what plumb does.

package plumbtest

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/papers.md")

// papers are in the order of the document.
var papers = []struct{ name, about string }{
	{"SMOKE", "G. Fan, R. Wu, Q. Shi, X. Xiao, J. Zhou, C. Zhang: SMOKE: Scalable Path-Sensitive Memory Leak Detection for Millions of Lines of Code. ICSE 2019.\n" +
		"Figure 4 is the machine of a heap object and figure 7 the system; they have no code."},
	{"Melton", "Z. Xu, J. Zhang, Z. Xu: Melton: a practical and precise memory leak detection tool for C programs. Frontiers of Computer Science, 2014.\n" +
		"Figure 1 has the 14 memory actions, one function each; here each goes through two calls and two files. Figures 9 to 11 are machines and have no code."},
	{"HeapCheck", "L. Dong, J. Wang, L. Chen: Modular Heap Abstraction-Based Memory Leak Detection for Heap-Manipulating Programs. APSEC 2012.\n" +
		"The figures are those of the slides and have no numbers."},
	{"LeakPoint", "J. Clause, A. Orso: LEAKPOINT: Pinpointing the Causes of Memory Leaks. ICSE 2010.\n" +
		"The table is about `plumb check`. `plumb run` puts all five where the paper does, at every level of optimisation: `internal/runtest/testdata/programs/leakpoint_*.c`."},
	{"AutoFix", "H. Yan, Y. Sui, S. Chen, J. Xue: AutoFix: An Automated Approach to Memory Leak Fixing on Value-Flow Slices for C Programs. SAC 2016.\n" +
		"Figures 2, 5 and 9 to 11 have no code. The table is about `plumb check`. `plumb fix` mends figures 1a, 1b, 3, 7 and 8 in the source, by releases that need " +
		"no check when the program runs: `internal/fixtest/testdata/figures/autofix_*.c`, with the places that the paper gives as marks."},
}

// A figure is a fixture that retells one.
type figure struct {
	fixture, paper, name, verdict string
	number                        int
	remarks                       *remarks
}

var (
	paperLine = regexp.MustCompile(`(?m)^// paper: (\w+), (.+?): (.+)$`)
	number    = regexp.MustCompile(`\d+`)
)

// figures returns the fixtures that say which figure they retell. Those in papers/
// and actions/ must.
func figures(t *testing.T) []figure {
	t.Helper()
	var out []figure
	for _, f := range Fixtures(t, "../leak/testdata") {
		files, err := f.read()
		if err != nil {
			t.Fatal(err)
		}
		r, err := readRemarks(files)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, file := range files {
			for _, m := range paperLine.FindAllStringSubmatch(string(file.src), -1) {
				found = true
				g := figure{fixture: f.Name, paper: m[1], name: m[2], verdict: m[3], remarks: r}
				g.number, _ = strconv.Atoi(number.FindString(g.name)) // HeapCheck's have none
				out = append(out, g)
			}
		}
		if dir, _, _ := strings.Cut(f.Name, "/"); !found && (dir == "papers" || dir == "actions") {
			t.Errorf("%s does not say which figure it retells: // paper: NAME, figure N: verdict", f.Name)
		}
	}
	slices.SortStableFunc(out, func(a, b figure) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.name, b.name))
	})
	return out
}

// does says what plumb does with a fixture, by its comments.
func (g *figure) does() string {
	n := map[string]int{}
	for _, e := range g.remarks.leaks {
		n[e.kind]++
	}
	var parts []string
	switch found, all := n["leak"], n["leak"]+n["leak-missed"]; {
	case all == 0:
	case found == all:
		parts = append(parts, "finds the leaky way")
	case found == 0:
		parts = append(parts, "**misses the leaky way**")
	default:
		parts = append(parts, fmt.Sprintf("**finds %d of %d leaks**", found, all))
	}
	if n["leak-false"] > 0 {
		parts = append(parts, fmt.Sprintf("**%d false**", n["leak-false"]))
	} else if !strings.HasSuffix(g.fixture, "_leaky") {
		parts = append(parts, "silent on the clean way")
	}
	return strings.Join(parts, "; ")
}

// TestPapers compares docs/papers.md with the fixtures.
func TestPapers(t *testing.T) {
	const doc = "../../docs/papers.md"
	var b strings.Builder
	b.WriteString(`# The papers and their figures

Every figure with code of the five papers that plumb is built on, as a fixture in our own words: other names, other code, a leaky and a clean
way. What a run of it under valgrind loses is what the comments in it mark; what plumb finds is what they say. Fixtures are in
` + "`internal/leak/testdata`" + `; this page is written by ` + "`go test ./internal/plumbtest -run TestPapers -update`" + `.
`)
	left := figures(t)
	for _, p := range papers {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| figure | fixture | the paper | plumb |\n|---|---|---|---|\n", p.name, p.about)
		n := len(left)
		left = slices.DeleteFunc(left, func(g figure) bool {
			if g.paper != p.name {
				return false
			}
			fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", g.name, g.fixture, g.verdict, g.does())
			return true
		})
		if len(left) == n {
			t.Errorf("no figure of %s", p.name)
		}
	}
	for _, g := range left {
		t.Errorf("%s: there is no paper called %s", g.fixture, g.paper)
	}
	if *update {
		if err := os.WriteFile(doc, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	old, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	if string(old) != b.String() {
		t.Errorf("docs/papers.md is not what the fixtures say; run go test ./internal/plumbtest -run TestPapers -update and read the difference")
	}
}

// TestActions makes sure that each memory action has a leaky and a clean fixture of
// two files or more.
func TestActions(t *testing.T) {
	files := map[string]int{}
	for _, f := range Fixtures(t, "../leak/testdata/actions") {
		files[f.Name] = len(f.Files)
	}
	for _, a := range strings.Fields(`alloc_to_arg alloc_to_global alloc_to_return alloc_to_alloc arg_to_arg arg_to_global arg_to_return arg_to_alloc
		global_to_arg global_to_global global_to_return global_to_alloc arg_to_free global_to_free`) {
		for _, kind := range []string{"_leaky", "_clean"} {
			if files[a+kind] < 2 {
				t.Errorf("actions/%s has %d files", a+kind, files[a+kind])
			}
		}
	}
}
