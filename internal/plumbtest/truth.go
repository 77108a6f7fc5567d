// This file runs fixtures under valgrind, which tells what their comments should say.

package plumbtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/oracle"
	"github.com/plumb-project/plumb/internal/toolchain"
)

var mainFunction = regexp.MustCompile(`(?m)^int main\(`)

// Truth builds a fixture and runs it under valgrind: it has to lose exactly what
// its comments mark as a leak, found by plumb or not, and do nothing else that is
// wrong. It is skipped if there is no main(), or no valgrind.
func (f *Fixture) Truth(t testing.TB) {
	t.Helper()
	files, err := f.read()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(files, func(t text) bool { return mainFunction.Match(t.src) }) {
		t.Skip("no main()")
	}
	tool, err := exec.LookPath("valgrind")
	if err != nil {
		t.Skip("valgrind is not installed: scripts/setup.sh test")
	}
	r, err := readRemarks(files)
	if err != nil {
		t.Fatal(err)
	}
	if r.noRun != "" {
		t.Skip(r.noRun)
	}
	exe := f.build(t)
	runs := r.runs
	if runs == nil {
		runs = [][]string{nil}
	}
	// What is still reachable at the end is no leak.
	v := oracle.Valgrind{Path: tool, Flags: []string{"--leak-check=full", "--show-leak-kinds=definite,indirect,possible", "--undef-value-errors=no", "--read-inline-info=no"}}
	code, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	var errs []oracle.Complaint
	for _, args := range runs {
		some, err := v.Run(t.Context(), code, func() (string, error) { return exe, nil }, args, "")
		if err != nil {
			t.Fatal(err)
		}
		errs = append(errs, some...)
	}
	for _, problem := range r.judge(errs) {
		t.Error(problem)
	}
	leaky := slices.ContainsFunc(errs, func(e oracle.Complaint) bool { return strings.HasPrefix(e.Kind, "Leak_") })
	if base := strings.TrimSuffix(f.Name, filepath.Ext(f.Name)); strings.HasSuffix(base, "_clean") && leaky || strings.HasSuffix(base, "_leaky") && !leaky {
		t.Errorf("%s is named wrongly", f.Name)
	}
}

// judge compares what was lost in the runs with the comments. A label is lost if
// its line is anywhere in the call trace of a lost block: an allocation may be
// marked where the program calls its own allocator.
func (r *remarks) judge(errs []oracle.Complaint) []string {
	lost := map[place]string{} // by line of allocation; the label
	for _, e := range r.leaks {
		if kind, verdict := e.about(); kind == "leak" && verdict != "-false" && !r.notRun[e.label] {
			lost[e.alloc] = e.label
		}
	}
	var out []string
	seen := map[string]bool{}
	for _, e := range errs {
		if !strings.HasPrefix(e.Kind, "Leak_") {
			out = append(out, fmt.Sprintf("%s: %s %v", e.Kind, e.What, e.Frames))
			continue
		}
		marked := false
		for _, fr := range e.Frames {
			if label, ok := lost[place{fr.File, fr.Line}]; ok {
				marked, seen[label] = true, true
			}
		}
		if !marked {
			out = append(out, fmt.Sprintf("lost in a run, but no leak is marked: %v", e.Frames))
		}
	}
	for _, e := range r.leaks {
		if label, ok := lost[e.alloc]; ok && !seen[label] {
			out = append(out, fmt.Sprintf("%s: %s: no run loses it", e.alloc, label))
			seen[label] = true
		}
	}
	return out
}

// build makes a program of a fixture.
func (f *Fixture) build(t testing.TB) string {
	t.Helper()
	cc := "clang"
	if slices.ContainsFunc(f.Files, func(name string) bool { return filepath.Ext(name) == ".cpp" }) {
		cc = "clang++"
	}
	path, err := exec.LookPath(cc + "-19")
	if err != nil {
		t.Skipf("%s-19 is not installed: scripts/setup.sh test", cc)
	}
	exe := filepath.Join(t.TempDir(), "fixture")
	// valgrind 3.19 stumbles over version 5 of DWARF. The directory is left out, so
	// that the same sources make the same bytes everywhere.
	args := append([]string{"-g", "-gdwarf-4", "-fdebug-compilation-dir=.", "-O0", "-w", "-o", exe}, (&toolchain.Clang{Major: 19}).PlainAttributeFlags()...)
	args = append(args, slices.Concat(f.Files, f.Other)...)
	if msg, err := exec.CommandContext(t.Context(), path, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	return exe
}
