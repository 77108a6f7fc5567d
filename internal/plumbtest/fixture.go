// Package plumbtest is what the tests of other packages share: C fixtures that say
// in comments what is to be found in them, and damage for files.
//
// A fixture is a C or C++ file. Its comments are
//
//	// alloc: L          the allocation called L is on this line
//	// leak: L "re"      exactly one finding: L, lost on this line, message matching re if given
//	// leak-missed: L    a leak that is known not to be found; the day it is, this comment goes
//	// leak-false: L     a finding that is known to be wrong; likewise
//
// and any finding without a comment is an error. A line may have several, set
// apart by semicolons.
package plumbtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/report"
)

// An expectation is one leak comment.
type expectation struct {
	kind        string // leak, leak-missed or leak-false
	label       string
	alloc, loss int // lines
	re          *regexp.Regexp
}

var comment = regexp.MustCompile(`^(alloc|leak|leak-missed|leak-false):\s*(\w+)(?:\s+("(?:[^"\\]|\\.)*"))?$`)

// expectations reads the comments of a fixture.
func expectations(name string, src []byte) ([]expectation, error) {
	allocs := map[string]int{}
	var out []expectation
	line := 0
	for text := range strings.Lines(string(src)) {
		line++
		_, remarks, _ := strings.Cut(text, "//")
		for r := range strings.SplitSeq(remarks, ";") {
			m := comment.FindStringSubmatch(strings.TrimSpace(r))
			if m == nil {
				continue
			}
			if m[1] == "alloc" {
				if allocs[m[2]] != 0 {
					return nil, fmt.Errorf("%s:%d: alloc: %s is there twice", name, line, m[2])
				}
				allocs[m[2]] = line
				continue
			}
			e := expectation{kind: m[1], label: m[2], loss: line}
			if m[3] != "" {
				s, err := strconv.Unquote(m[3])
				if err != nil {
					return nil, fmt.Errorf("%s:%d: %w", name, line, err)
				}
				if e.re, err = regexp.Compile(s); err != nil {
					return nil, fmt.Errorf("%s:%d: %w", name, line, err)
				}
			}
			out = append(out, e)
		}
	}
	for i := range out {
		e := &out[i]
		if e.alloc = allocs[e.label]; e.alloc == 0 {
			return nil, fmt.Errorf("%s:%d: there is no alloc: %s", name, e.loss, e.label)
		}
	}
	return out, nil
}

// Check compares findings with the comments of a fixture.
func Check(t testing.TB, name string, findings []report.Finding) {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range compare(t, name, src, findings) {
		t.Error(problem)
	}
}

func compare(t testing.TB, name string, src []byte, findings []report.Finding) []string {
	t.Helper()
	want, err := expectations(name, src)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	say := func(line int, format string, args ...any) {
		out = append(out, fmt.Sprintf("%s:%d: %s", name, line, fmt.Sprintf(format, args...)))
	}
	rest := slices.DeleteFunc(slices.Clone(findings), func(f report.Finding) bool { return filepath.Base(f.Loss.File) != filepath.Base(name) })
	for _, e := range want {
		is := func(f report.Finding) bool { return f.Alloc.Line == e.alloc && f.Loss.Line == e.loss }
		n := len(rest)
		i := slices.IndexFunc(rest, is)
		if i >= 0 && e.re != nil && !e.re.MatchString(rest[i].Message()) {
			say(e.loss, "message %q does not match %q", rest[i].Message(), e.re)
		}
		rest = slices.DeleteFunc(rest, is)
		switch n -= len(rest); {
		case e.kind == "leak" && n != 1:
			say(e.loss, "%d findings for leak: %s", n, e.label)
		case e.kind == "leak-missed" && n > 0:
			say(e.loss, "leak-missed: %s is found; make it leak: %s", e.label, e.label)
		case e.kind == "leak-false" && n == 0:
			say(e.loss, "leak-false: %s is not reported any more; remove the comment", e.label)
		}
	}
	for _, f := range rest {
		say(f.Loss.Line, "unexpected: %s (allocated in line %d)", f.Message(), f.Alloc.Line)
	}
	return out
}
