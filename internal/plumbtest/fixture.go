// Package plumbtest is what the tests of other packages share: C fixtures that say
// in comments what is to be found in them, and damage for files.
//
// A fixture is a C or C++ file, or a folder with a main.c or main.cpp: its files
// are then the units of one program, but for outside.c, which is linked when the
// program is run and stands for a library that plumb does not see. The comments are
//
//	// alloc: L          the allocation called L is on this line
//	// leak: L "re"      exactly one finding: L, lost on this line, message matching re if given
//	// leak-missed: L    a leak that is known not to be found; the day it is, this comment goes
//	// leak-false: L     a finding that is known to be wrong; likewise
//	// run: args         what main() is run with, once for each such line; once without, if there is none
//	// no-run: why       there is a main(), but it cannot be run
//	// not-run: L        no run shows the leak of L, since nothing fails in it that has to
//	// limit-missed: why    at the end: the reason for a leak-missed, for docs/known-limits.md; limit-false likewise
//
// the same as leak with double-free, use-after-free and mismatched-free,
// and any finding without a comment is an error. A line may have several, set
// apart by semicolons. A label stands for one allocation in the whole fixture.
// What the comments say of leaks is held against valgrind where there is a main().
//
// A word after an @, as in "leak@strict: L", limits a comment to checks that name
// the word; "leak@default: L" to those that name none.
package plumbtest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// A Fixture is a program that says what is to be found in it.
type Fixture struct {
	Name  string   // path below the directory given to Fixtures
	Files []string // its units, in order of name
	Other []string // what is linked with them, not shown to plumb
}

// Fixtures returns the fixtures below a directory, in order of name.
func Fixtures(t testing.TB, dir string) []Fixture {
	t.Helper()
	var out []Fixture
	var walk func(string)
	walk = func(d string) {
		entries, err := os.ReadDir(d)
		if err != nil {
			t.Fatal(err)
		}
		var files, other []string
		for _, e := range entries {
			path := filepath.Join(d, e.Name())
			if e.IsDir() {
				walk(path)
			} else if e.Name() == "outside.c" {
				other = append(other, path)
			} else if ext := filepath.Ext(path); ext == ".c" || ext == ".cpp" {
				files = append(files, path)
			}
		}
		add := func(path string, files, other []string) {
			name, err := filepath.Rel(dir, path)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, Fixture{Name: filepath.ToSlash(name), Files: files, Other: other})
		}
		if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "main.c" || e.Name() == "main.cpp" }) {
			add(d, files, other)
			return
		}
		for _, f := range files {
			add(f, []string{f}, nil)
		}
	}
	walk(dir)
	if len(out) == 0 {
		t.Fatalf("no fixtures in %s", dir)
	}
	slices.SortFunc(out, func(a, b Fixture) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// A place is a line of a fixture.
type place struct {
	file string // without directories, as they differ between the tools that name it
	line int
}

func (p place) String() string { return fmt.Sprintf("%s:%d", p.file, p.line) }

func placeOf(p source.Position) place { return place{filepath.Base(p.File), p.Line} }

// An expectation is one comment about a finding.
type expectation struct {
	kind        string // leak, leak-missed or leak-false, or the same of another kind
	label       string
	alloc, loss place
	re          *regexp.Regexp
}

// Remarks are all comments of a fixture.
type remarks struct {
	leaks  []expectation
	notRun map[string]bool // labels
	runs   [][]string      // arguments
	noRun  string          // why there is no run, or ""
}

var (
	comment = regexp.MustCompile(`^(alloc|not-run|(?:leak|double-free|use-after-free|mismatched-free)(?:-missed|-false)?)(?:@(\w+))?:\s*(\w+)(?:\s+("(?:[^"\\]|\\.)*"))?$`)
	runLine = regexp.MustCompile(`(?m)^// run:(.*)$`)
	noRun   = regexp.MustCompile(`(?m)^// no-run: (.*)$`)
)

// A text is a file of a fixture.
type text struct {
	name string
	src  []byte
}

func (f *Fixture) read() ([]text, error) {
	var out []text
	for _, name := range f.Files {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		out = append(out, text{name, src})
	}
	return out, nil
}

// readRemarks reads the comments of a fixture that hold for these words.
func readRemarks(files []text, words ...string) (*remarks, error) {
	allocs := map[string]place{}
	out := &remarks{notRun: map[string]bool{}}
	for _, f := range files {
		if err := out.add(f, allocs, words); err != nil {
			return nil, err
		}
	}
	for i := range out.leaks {
		e := &out.leaks[i]
		var ok bool
		if e.alloc, ok = allocs[e.label]; !ok {
			return nil, fmt.Errorf("%s: there is no alloc: %s", e.loss, e.label)
		}
	}
	for label := range out.notRun {
		if _, ok := allocs[label]; !ok {
			return nil, fmt.Errorf("not-run: there is no alloc: %s", label)
		}
	}
	return out, nil
}

// add adds the comments of one file.
func (r *remarks) add(f text, allocs map[string]place, words []string) error {
	if len(words) == 0 {
		words = []string{"default"}
	}
	for _, m := range runLine.FindAllSubmatch(f.src, -1) {
		r.runs = append(r.runs, strings.Fields(string(m[1])))
	}
	if m := noRun.FindSubmatch(f.src); m != nil {
		r.noRun = string(m[1])
	}
	at := place{file: filepath.Base(f.name)}
	for text := range strings.Lines(string(f.src)) {
		at.line++
		_, remarks, _ := strings.Cut(text, "//")
		for s := range strings.SplitSeq(remarks, ";") {
			m := comment.FindStringSubmatch(strings.TrimSpace(s))
			switch {
			case m == nil || m[2] != "" && !slices.Contains(words, m[2]):
				continue
			case m[1] == "not-run":
				r.notRun[m[3]] = true
				continue
			case m[1] == "alloc":
				if first, ok := allocs[m[3]]; ok {
					return fmt.Errorf("%s: alloc: %s is there twice, first at %s", at, m[3], first)
				}
				allocs[m[3]] = at
				continue
			}
			e := expectation{kind: m[1], label: m[3], loss: at}
			if m[4] != "" {
				s, err := strconv.Unquote(m[4])
				if err != nil {
					return fmt.Errorf("%s: %w", at, err)
				}
				if e.re, err = regexp.Compile(s); err != nil {
					return fmt.Errorf("%s: %w", at, err)
				}
			}
			r.leaks = append(r.leaks, e)
		}
	}
	return nil
}

// Check compares findings with the comments of a fixture that hold for these words.
func (f *Fixture) Check(t testing.TB, findings []report.Finding, words ...string) {
	t.Helper()
	files, err := f.read()
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range compare(t, files, findings, words...) {
		t.Error(problem)
	}
}

// about returns the kind that the comment is about, and -missed, -false or "".
func (e *expectation) about() (kind, verdict string) {
	for _, verdict := range []string{"-missed", "-false"} {
		if kind, ok := strings.CutSuffix(e.kind, verdict); ok {
			return kind, verdict
		}
	}
	return e.kind, ""
}

func compare(t testing.TB, files []text, findings []report.Finding, words ...string) []string {
	t.Helper()
	want, err := readRemarks(files, words...)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	say := func(at place, format string, args ...any) {
		out = append(out, fmt.Sprintf("%s: %s", at, fmt.Sprintf(format, args...)))
	}
	rest := slices.DeleteFunc(slices.Clone(findings), func(f report.Finding) bool {
		return !slices.ContainsFunc(files, func(t text) bool { return filepath.Base(t.name) == placeOf(f.Loss).file })
	})
	for _, e := range want.leaks {
		kind, verdict := e.about()
		is := func(f report.Finding) bool {
			return placeOf(f.Alloc) == e.alloc && placeOf(f.Loss) == e.loss && (f.Kind.String() == kind || f.Kind.IsLeak() && kind == "leak")
		}
		n := len(rest)
		i := slices.IndexFunc(rest, is)
		if i >= 0 && e.re != nil && !e.re.MatchString(rest[i].Message()) {
			say(e.loss, "message %q does not match %q", rest[i].Message(), e.re)
		}
		rest = slices.DeleteFunc(rest, is)
		switch n -= len(rest); {
		case verdict == "" && n != 1:
			say(e.loss, "%d findings for %s: %s", n, kind, e.label)
		case verdict == "-missed" && n > 0:
			say(e.loss, "%s: %s is found; make it %s: %s", e.kind, e.label, kind, e.label)
		case verdict == "-false" && n == 0:
			say(e.loss, "%s: %s is not reported any more; remove the comment", e.kind, e.label)
		}
	}
	for _, f := range rest {
		say(placeOf(f.Loss), "unexpected: %s (allocated at %s)", f.Message(), placeOf(f.Alloc))
	}
	return out
}
