package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

var update = flag.Bool("update", false, "rewrite golden files")

// example is a report about testdata/conf.c, as if the tree stood in dir.
func example(dir string) *report.Report {
	at := func(line, col int) source.Position {
		return source.Position{File: filepath.Join(dir, "testdata/conf.c"), Line: line, Col: col}
	}
	return &report.Report{
		Findings: []report.Finding{
			{
				Kind: report.LeakForgotten, Alloc: at(4, 14), Loss: at(7, 3), Function: "load",
				Holder: "buf", Allocator: "get", Confidence: report.Certain,
				Steps: []report.Step{
					{Pos: at(4, 14), Text: "allocated by get"},
					{Pos: at(2, 1), Text: "get calls _Znwm", Depth: 1},
					{Pos: at(6, 6), Text: "branch taken"},
					{Pos: at(6, 6), Text: "branch taken"}, // shown once
					{Pos: at(7, 3), Text: "returns without freeing"},
				},
				Slice: &report.Slice{
					Functions: []report.SliceFunction{{File: "/~opt/x y/gone.h", Name: "get"}, {File: filepath.Join(dir, "testdata/conf.c"), Name: "load"}},
					Allocs:    []source.Position{at(4, 14)},
				},
			},
			{
				Kind: report.LeakLost, Alloc: at(5, 29), Loss: at(7, 3), Function: "_ZN3app4loadEPKc",
				Allocator: "_Znwm", Confidence: report.Possible,
				Why: []string{"not checked: no solver: z3 was not found"}, When: []string{"len = 17", "n = 2"},
				GaveUp: []report.GaveUp{{Reason: report.UnknownCallee, Function: "_ZN3app4loadEPKc", Pos: at(6, 6), Text: "_ZN3app3logEPKc has no body and no model"}},
			},
			{
				Kind: report.LeakLost, Alloc: source.Position{File: "/~opt/x y/gone.h", Line: 3, Col: 1},
				Loss: source.Position{File: "/~opt/x y/gone.h", Line: 9}, Function: "f", Holder: "p",
				Also:      []report.Step{{Pos: at(6, 6), Text: "also lost here"}},
				Slice:     &report.Slice{Functions: []report.SliceFunction{{File: "/~opt/x y/gone.h", Name: "get"}}, Allocs: []source.Position{{File: "/~opt/x y/gone.h", Line: 3, Col: 1}}},
				Allocator: "strdup", Confidence: report.Certain,
			},
		},
		LeftOut: 2,
		Stats: report.Stats{
			Objects: 1204, Candidates: 51, Groups: 40, Proved: 30, Possible: 3, Unknown: 1, Spent: 2, Latent: 2,
			Refuted: report.Refuted{Structure: 1, Linear: 2, Interval: 1, SMT: 1},
			Paths:   310, Cut: report.Refuted{Linear: 200, Interval: 60, SMT: 7},
			Solver: report.Solver{Command: "z3 -in", Note: "given up after 3 restarts", Queries: 17, Cached: 4, Timeouts: 2, Restarts: 3, Time: 42 * time.Millisecond},
			GaveUp: map[report.Reason]int{report.UnknownCallee: 12, report.TooManyPaths: 2},
			Phases: []report.Phase{
				{Name: "capture", Wall: 1500 * time.Millisecond, CPU: 20 * time.Millisecond, Children: 2 * time.Second, Peak: 20e6},
				{Name: "leak", Wall: 125 * time.Millisecond, CPU: 240 * time.Millisecond, Peak: 64e6},
			},
		},
		Coverage: report.Coverage{
			Units: 12, Functions: 340, Lines: 5120, Compiled: 10, Cached: 2,
			Skipped: []report.Skipped{{Unit: filepath.Join(dir, "a b.c"), Reason: "unknown type name 'foo'"}},
		},
	}
}

func write(t *testing.T, r *report.Report, cfg Config) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r, cfg); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		golden string
		cfg    Config
	}{
		{"text.golden", Config{Format: Text}},
		{"color.golden", Config{Format: Text, Color: true}},
		{"json.golden", Config{Format: JSON, Stats: true}},
		{"sarif.golden", Config{Format: SARIF}},
	} {
		t.Run(test.golden, func(t *testing.T) {
			cfg := test.cfg
			cfg.Dir, cfg.Version = dir, "v1.2.3"
			got := strings.ReplaceAll(write(t, example(dir), cfg), dir, "/some dir")
			golden(t, filepath.Join("testdata", test.golden), got)
		})
	}
}

// golden holds got against a file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("output differs from %s (go test -update rewrites it):\n%s", file, got)
	}
}

// The id of a finding stays when lines are added above it, and changes when the
// losing line does.
func TestFingerprint(t *testing.T) {
	ids := func(src string, line int) string {
		dir := t.TempDir()
		file := filepath.Join(dir, "a.c")
		if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
		p := func(n int) source.Position { return source.Position{File: file, Line: n, Col: 1} }
		f := report.Finding{Kind: report.LeakLost, Alloc: p(line), Loss: p(line + 1), Function: "f"}
		d := newDocument(&report.Report{Findings: []report.Finding{f, f}}, Config{Dir: dir})
		if d.findings[0].id == d.findings[1].id {
			t.Error("two findings have one id")
		}
		return d.findings[0].id
	}
	first := ids("p = malloc(1);\nreturn;\n", 1)
	if got := ids("\n\n  p  = malloc(1);\n\treturn;\n", 3); got != first {
		t.Errorf("moved: id %s, was %s", got, first)
	}
	if got := ids("p = malloc(1);\nreturn 2;\n", 1); got == first {
		t.Errorf("another loss has the same id %s", got)
	}
}

// What readers of SARIF insist on, beyond the shape that the golden file shows.
func TestSARIF(t *testing.T) {
	dir, _ := os.Getwd()
	var log sarifLog
	if err := json.Unmarshal([]byte(write(t, example(dir), Config{Format: SARIF, Dir: dir})), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	for _, r := range run.Results {
		if got := run.Tool.Driver.Rules[r.RuleIndex].ID; got != r.RuleID {
			t.Errorf("ruleIndex names %s, ruleId %s", got, r.RuleID)
		}
		if len(r.Locations) != 1 || r.Fingerprints["plumb/v1"] == "" {
			t.Errorf("%s: %d locations, fingerprints %v", r.RuleID, len(r.Locations), r.Fingerprints)
		}
	}
	// "	/* é𝄞 */ char *two = ": é is one UTF-16 unit and two bytes, 𝄞 two and four.
	if got := run.Results[1].Related[0].Physical.Region.Col; got != 26 {
		t.Errorf("column %d, want 26", got)
	}
	if got := relativeURI("a:b/c d%.c"); got != "a%3Ab/c%20d%25.c" {
		t.Errorf("relative URI %s", got)
	}
}

func TestStats(t *testing.T) {
	var text, form bytes.Buffer
	s := &example("/").Stats
	if err := errors.Join(Stats(&text, s, Text), Stats(&form, s, JSON)); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/stats.golden", text.String())
	golden(t, "testdata/stats.json.golden", form.String())
}

// Two ids that begin alike are shown whole.
func TestShortID(t *testing.T) {
	d := &document{shorts: map[string]int{"0123abcd": 2, "aaaaaaaa": 1}}
	if got := d.short("0123abcd00000001") + " " + d.short("aaaaaaaa00000001"); got != "0123abcd00000001 aaaaaaaa" {
		t.Errorf("short ids: %s", got)
	}
}

func TestSummary(t *testing.T) {
	r := example("/")
	if got, want := Summary(r), "3 leaks found (2 less sure left out: --confidence=latent shows all); 12 units, 340 functions, 5,120 lines analysed (10 compiled, 2 from cache); 1 unit not analysed"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	r = &report.Report{Coverage: report.Coverage{Units: 1, Functions: 1, Lines: 1234567, Cached: 1}}
	if got, want := Summary(r), "no leaks found; 1 unit, 1 function, 1,234,567 lines analysed (nothing compiled, 1 from cache)"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	r.Findings = []report.Finding{{Kind: report.DoubleFree}, {Kind: report.LeakLost}}
	if got, want := found(r.Findings), "1 leak found, 1 other defect found"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestWindow(t *testing.T) {
	long := strings.Repeat("é", 1000) + "X" + strings.Repeat("y", 1000)
	line, col := window(long, 2001)
	if len(line) > maxWidth+8 || line[col-1] != 'X' {
		t.Errorf("column %d of %q is not X", col, line)
	}
	if line, col := window("short", 3); line != "short" || col != 3 {
		t.Errorf("a short line became %q, %d", line, col)
	}
	if got := printable("a\x1b[2Jb\tc"); got != "a [2Jb\tc" {
		t.Errorf("printable gives %q", got)
	}
}

// A build below a symbolic link names files by the real directory.
func TestPathBehindLink(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{filepath.Join(dir, "a/b.c"), filepath.Join(link, "a/b.c"), "a/b.c"} {
		if got := Path(link, file); got != "a/b.c" {
			t.Errorf("%s is shown as %s", file, got)
		}
	}
	if got := Path(link, dir+"x/b.c"); got != dir+"x/b.c" {
		t.Errorf("a file elsewhere is shown as %s", got)
	}
}

func TestParseFormat(t *testing.T) {
	if f, err := ParseFormat("sarif"); err != nil || f != SARIF {
		t.Errorf("sarif: %v, %v", f, err)
	}
	if _, err := ParseFormat("xml"); err == nil {
		t.Error("xml is a format")
	}
}
