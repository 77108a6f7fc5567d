// This file runs fixtures under valgrind, which tells what their comments should say.

package plumbtest

import (
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/toolchain"
)

// vgError is one thing that valgrind found.
type vgError struct {
	Kind   string `xml:"kind"`
	What   string `xml:"what"`
	Frames []struct {
		File string `xml:"file"`
		Line int    `xml:"line"`
	} `xml:"stack>frame"`
}

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
	var errs []vgError
	for _, args := range runs {
		errs = append(errs, valgrind(t, tool, exe, args)...)
	}
	for _, problem := range r.judge(errs) {
		t.Error(problem)
	}
	leaky := slices.ContainsFunc(errs, func(e vgError) bool { return strings.HasPrefix(e.Kind, "Leak_") })
	if base := strings.TrimSuffix(f.Name, filepath.Ext(f.Name)); strings.HasSuffix(base, "_clean") && leaky || strings.HasSuffix(base, "_leaky") && !leaky {
		t.Errorf("%s is named wrongly", f.Name)
	}
}

// judge compares what was lost in the runs with the comments. A label is lost if
// its line is anywhere in the call trace of a lost block: an allocation may be
// marked where the program calls its own allocator.
func (r *remarks) judge(errs []vgError) []string {
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

// valgrind runs a program that is to end well and returns what was wrong in it.
// The answer for the same bytes is the same, and is kept: a run takes a third of a
// second, and there are hundreds of fixtures.
func valgrind(t testing.TB, tool, exe string, args []string) []vgError {
	t.Helper()
	kept := keptLog(t, tool, exe, args)
	data, err := os.ReadFile(kept)
	if err != nil {
		log := filepath.Join(t.TempDir(), "log.xml")
		// What is still reachable at the end is no leak.
		full := append([]string{"--leak-check=full", "--show-leak-kinds=definite,indirect,possible", "--undef-value-errors=no", "--read-inline-info=no",
			"--xml=yes", "--xml-file=" + log, exe}, args...)
		if msg, err := exec.CommandContext(t.Context(), tool, full...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, msg)
		}
		if data, err = os.ReadFile(log); err != nil {
			t.Fatal(err)
		}
		if kept != "" {
			keep(kept, data)
		}
	}
	var out struct {
		Errors []vgError `xml:"error"`
	}
	if err := xml.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out.Errors
}

// keptLog names the file in the user's cache that holds what valgrind says of a
// run, or nothing if there is no such place.
func keptLog(t testing.TB, tool, exe string, args []string) string {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	info, err := os.Stat(tool)
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d %s %q\n", info.Size(), info.ModTime().UTC(), args)
	h.Write(code)
	return filepath.Join(dir, "plumb-tests", "valgrind", fmt.Sprintf("%x.xml", h.Sum(nil)))
}

// keep writes a file in one step; if it cannot, the next test runs again.
func keep(name string, data []byte) {
	dir := filepath.Dir(name)
	if os.MkdirAll(dir, 0o777) != nil {
		return
	}
	f, err := os.CreateTemp(dir, "new")
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if f.Close() != nil || err != nil || os.Rename(f.Name(), name) != nil {
		os.Remove(f.Name())
	}
}
