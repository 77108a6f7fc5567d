package render

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/docs/findings"
	"github.com/plumb-project/plumb/internal/report"
)

// saved is the example, written and read back.
func saved(t *testing.T) (s *Saved, dir string) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	text := write(t, example(dir), Config{Format: JSON, Dir: dir, Version: "v1.2.3", Input: []string{"-p", "the build's"}})
	if s, err = Read(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return s, dir
}

func TestExplain(t *testing.T) {
	s, dir := saved(t)
	var b bytes.Buffer
	for i := range s.Len() {
		advice, err := Advice(findings.Pages, s.Kind(i))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(strings.Repeat("=", 20) + "\n" + s.Line(i) + "\n")
		if err := s.Explain(&b, i, advice, Config{Dir: dir}); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "testdata/explain.golden", b.String())
}

// Lines of a file that changed since do not fit any more.
func TestExplainChanged(t *testing.T) {
	s, dir := saved(t)
	for hash, want := range map[string]int{s.doc.Files[0].Hash: 0, "other": 1} {
		var b bytes.Buffer
		s.doc.Files[0].Hash = hash
		if err := s.Explain(&b, 0, "", Config{Dir: dir}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(b.String(), "testdata/conf.c was changed after the check"); got != want {
			t.Errorf("hash %s: %d warnings, want %d", hash, got, want)
		}
	}
}

// A finding is named by the beginning of its id, or by its place.
func TestFind(t *testing.T) {
	s, _ := saved(t)
	for _, test := range []struct {
		word string
		want int // -1 for none, -2 for several
	}{
		{s.doc.Findings[1].ID, 1},
		{s.doc.Findings[1].ID[:5], 1},
		{strings.ToUpper(s.doc.Findings[1].ID[:8]), 1},
		{"", -2},
		{"zz", -1},
		{"testdata/conf.c:7", -2},
		{"testdata/conf.c:7:3", -2},
		{"/~opt/x y/gone.h:9", 2},
		{"conf.c:7", -1},
	} {
		got := s.Find(test.word)
		if want := test.want; want >= 0 && (len(got) != 1 || got[0] != want) || want == -1 && len(got) != 0 || want == -2 && len(got) < 2 {
			t.Errorf("%q names %v, want %d", test.word, got, want)
		}
	}
	if near := s.Near(s.doc.Findings[2].ID[:4] + "zzzz"); len(near) != 1 || near[0] != 2 {
		t.Errorf("near the third is %v", near)
	}
	if near := s.Near("zzzzzzzz"); len(near) != 0 {
		t.Errorf("near nothing is %v", near)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "not a report of plumb",
		`{"version": "2.1.0", "runs": []}`: "not a report of plumb",
		`{"schema": 7, "tool": {"name": "plumb"}}`:                                                                                        "schema 7",
		`{"schema": 1, "tool": {"name": "plumb"}, "findings": [{"rule": "x", "id": "12345678"}]}`:                                         `rule "x"`,
		`{"schema": 1, "tool": {"name": "plumb"}, "findings": [{"rule": "plumb-leak-lost", "id": "1"}]}`:                                  `id "1"`,
		`{"schema": 1, "tool": {"name": "plumb"}, "findings": [{"rule": "plumb-leak-lost", "id": "12345678", "confidence": "sure"}]}`:     `"sure"`,
		`{"schema": 1, "tool": {"name": "plumb"}, "findings": [{"rule": "plumb-leak-lost", "id": "12345678", "steps": [{"depth": -1}]}]}`: `no depth`,
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
	if _, err := Read(strings.NewReader("{")); !errors.Is(err, ErrNotReport) {
		t.Errorf("half a report: %v", err)
	}
}

// There is a page for every kind, it says what to do, and what is printed of it has
// no marks and no long lines.
func TestPages(t *testing.T) {
	files, err := filepath.Glob("../../docs/findings/*.md")
	if err != nil || len(files) != len(report.Kinds) {
		t.Errorf("%d pages for %d kinds, %v", len(files), len(report.Kinds), err)
	}
	for _, k := range report.Kinds {
		text, err := Page(findings.Pages, k)
		if err != nil {
			t.Fatal(err)
		}
		advice, err := Advice(findings.Pages, k)
		if err != nil || len(advice) < 40 {
			t.Errorf("%s: advice %q, %v", k, advice, err)
		}
		if !strings.HasPrefix(text, k.Rule()+"\n\n") || strings.Contains(text, "**") || strings.Contains(text, "](") || strings.Contains(text, "```") {
			t.Errorf("%s:\n%s", k, text)
		}
		for line := range strings.Lines(text) {
			if len(line) > 80 && !strings.HasPrefix(line, "    ") {
				t.Errorf("%s: a long line: %s", k, line)
			}
		}
	}
}

// Whatever is read as a report can be explained.
func FuzzRead(f *testing.F) {
	data, err := os.ReadFile("testdata/json.golden")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for i := range s.Len() {
			s.Line(i)
			if err := s.Explain(&bytes.Buffer{}, i, "", Config{Dir: t.TempDir()}); err != nil {
				t.Error(err)
			}
		}
	})
}
