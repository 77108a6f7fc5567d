package slice_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/driver"
	"github.com/plumb-project/plumb/internal/report"
)

// check finds the leaks of a file with their slices.
func check(t *testing.T, file string) []report.Finding {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	rep, err := driver.Check(context.Background(), driver.Config{Files: []string{file}, Dir: dir, NoCache: true, Solver: "none", Slices: true})
	if err != nil {
		t.Skip(err)
	}
	return rep.Findings
}

// A slice has the functions that references come from and go to, and no others; the
// line that allocates is the outermost that is sure to allocate the object first.
func TestSlices(t *testing.T) {
	const file = "testdata/flow.c"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]string{}
	mark := regexp.MustCompile(`// SLICE (.*)`)
	for i, line := range strings.Split(string(text), "\n") {
		if m := mark.FindStringSubmatch(line); m != nil {
			words, allocs, _ := strings.Cut(m[1], " ALLOC ")
			names := strings.Fields(words)
			slices.Sort(names)
			want[i+1] = strings.Join(names, " ") + ": " + allocs
		}
	}
	got := map[int]string{}
	for _, f := range check(t, file) {
		var names, allocs []string
		for _, x := range f.Slice.Functions {
			names = append(names, x.Name)
			if !strings.HasSuffix(x.File, file) {
				t.Errorf("%s is in %s", x.Name, x.File)
			}
		}
		for _, a := range f.Slice.Allocs {
			allocs = append(allocs, fmt.Sprint(a.Line))
		}
		got[f.Loss.Line] = strings.Join(names, " ") + ": " + strings.Join(allocs, " ")
	}
	for _, line := range slices.Sorted(maps.Keys(want)) {
		if got[line] != want[line] {
			t.Errorf("line %d: %s\nwant %s", line, got[line], want[line])
		}
	}
}
