package render

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// exampleRun is a report of a run of testdata/conf.c, as if the tree stood in dir. Findings are
// ordered by file, so the files elsewhere are in a directory that comes after any dir.
func exampleRun(dir string) *report.Report {
	at := func(line, col int) source.Position {
		return source.Position{File: filepath.Join(dir, "testdata/conf.c"), Line: line, Col: col}
	}
	frame := func(function string, line, col int) report.Frame {
		return report.Frame{Pos: at(line, col), Function: function}
	}
	trace := func(text string, fs ...report.Frame) report.Trace {
		return report.Trace{Step: report.Step{Pos: fs[0].Pos, Text: text}, Frames: fs}
	}
	alloc := trace("allocated by malloc", frame("load", 4, 14), report.Frame{Function: "_ZN3app3runEi", Module: "/~opt/lib/libapp.so", Offset: 0x1a2b})
	loss := trace("returns without releasing 'buf'", frame("load", 7, 3), report.Frame{Pos: at(3, 1), Function: "_ZN3app4callEv", Inlined: true})
	use := trace("last read here", frame("load", 6, 6))
	return &report.Report{
		Findings: []report.Finding{
			{
				Kind: report.LeakForgotten, Alloc: at(4, 14), Loss: at(7, 3), Function: "load", Holder: "buf", Allocator: "malloc", Confidence: report.Certain,
				Steps: []report.Step{alloc.Step, use.Step, loss.Step},
				Run: &report.Run{Blocks: 3, Bytes: 48, Alloc: alloc, Use: use, Loss: loss, Processes: []int{0, 1}, Owned: []report.Owned{
					{Blocks: 1204, Bytes: 4816, Alloc: at(5, 29), Allocator: "_Znwm"},
				}},
			},
			{
				Kind: report.LeakLost, Alloc: source.Position{File: "/~opt/bin/tool"}, Loss: source.Position{File: "/~opt/bin/tool"}, Function: "main", Allocator: "strdup", Confidence: report.Certain,
				Steps: []report.Step{{Pos: source.Position{File: "/~opt/bin/tool"}, Text: "allocated by strdup"}},
				Run: &report.Run{Blocks: 1, Bytes: 7, Processes: []int{1}, Alloc: report.Trace{
					Step: report.Step{Pos: source.Position{File: "/~opt/bin/tool"}, Text: "allocated by strdup"},
					Frames: []report.Frame{
						{Function: "strdup", Module: "/lib/libc.so.6", Offset: 0x20, System: true}, {Function: "main", Module: "/~opt/bin/tool", Offset: 0x30}, {Offset: 0x7f00},
					}}},
			},
			{
				Kind: report.StillHeld, Alloc: at(5, 29), Loss: at(6, 6), Function: "load", Allocator: "malloc", Confidence: report.Certain,
				Steps: []report.Step{{Pos: at(5, 29), Text: "allocated by malloc"}, use.Step},
				Run:   &report.Run{Blocks: 1, Bytes: 32, Alloc: trace("allocated by malloc", frame("load", 5, 29)), Use: use, Loss: loss, Processes: []int{0}},
			},
		},
		Processes: []report.Process{
			{PID: 71, Parent: 70, Program: filepath.Join(dir, "conf"), End: "exit 0"},
			{PID: 72, Parent: 71, Program: "/~opt/bin/tool", End: "crash 11"},
		},
		Suppressed: report.Suppressed{Findings: 1, Blocks: 2, Bytes: 16},
		Notes:      []string{"/~opt/bin/tool: a thread did not stop"},
	}
}

func TestGoldenRun(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		golden string
		cfg    Config
	}{
		{"joined.text.golden", Config{Format: Text}},
		{"joined.json.golden", Config{Format: JSON}},
		{"joined.sarif.golden", Config{Format: SARIF}},
		{"run.text.golden", Config{Format: Text}},
		{"run.all.golden", Config{Format: Text, AllFrames: true}},
		{"run.color.golden", Config{Format: Text, Color: true}},
		{"run.json.golden", Config{Format: JSON}},
		{"run.sarif.golden", Config{Format: SARIF}},
	} {
		t.Run(test.golden, func(t *testing.T) {
			cfg := test.cfg
			cfg.Dir, cfg.Version = dir, "v1.2.3"
			r := exampleRun(dir)
			if strings.HasPrefix(test.golden, "joined") {
				r = exampleJoined(dir)
			}
			got := strings.ReplaceAll(write(t, r, cfg), dir, "/some dir")
			golden(t, filepath.Join("testdata", test.golden), got)
		})
	}
}

// exampleJoined is a check that a run confirmed in part.
func exampleJoined(dir string) *report.Report {
	r, run := example(dir), exampleRun(dir)
	r.Confirm(run, nil)
	return r
}

// TestMaxHeld: of what is still held, the largest are shown, and the rest is counted.
func TestMaxHeld(t *testing.T) {
	r := exampleRun("/")
	held := r.Findings[len(r.Findings)-1]
	for _, bytes := range []int64{9, 5} {
		f, run := held, *held.Run
		run.Bytes = bytes
		f.Run = &run
		r.Findings = append(r.Findings, f)
	}
	text := write(t, r, Config{Format: Text, Dir: "/", MaxHeld: 1})
	if n := strings.Count(text, "[plumb-still-held]"); n != 1 {
		t.Errorf("%d findings of what is held are shown, want 1", n)
	}
	if want := "note: 2 findings more of memory that is still held: 2 blocks, 14 bytes; -v shows all\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	if n := strings.Count(write(t, r, Config{Format: Text, Dir: "/"}), "[plumb-still-held]"); n != 3 {
		t.Errorf("%d findings of what is held are shown, want all 3", n)
	}
}

func TestRunSummary(t *testing.T) {
	r := exampleRun("/")
	if got, want := Summary(r), "2 leaks found: 1,208 blocks, 4,871 bytes lost; 1 block, 32 bytes still held; 1 finding suppressed (2 blocks, 16 bytes); 2 processes"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := Summary(exampleJoined("/")), "4 leaks found, 1 confirmed by a run, 1 seen only in a run (2 less sure left out: --confidence=latent shows all); 12 units,"; !strings.HasPrefix(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	r = &report.Report{Processes: r.Processes[:1]}
	if got, want := Summary(r), "no leaks found; 1 process"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// What is written as JSON is the same report when it is read back, with names as
// they are shown.
func TestRestore(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*report.Report{"check": example(dir), "run": exampleRun(dir)} {
		cfg := Config{Format: JSON, Dir: dir}
		text := write(t, r, cfg)
		saved, err := Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var again bytes.Buffer
		if err := Write(&again, saved.Report(dir), cfg); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(text, again.String()); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	saved, err := Read(strings.NewReader(write(t, exampleRun(dir), Config{Format: JSON, Dir: dir})))
	if err != nil {
		t.Fatal(err)
	}
	if got := saved.Report("/nowhere").Findings[0].Alloc.File; got != "testdata/conf.c" {
		t.Errorf("a file that is not there is called %s", got)
	}
}

// A run that is read back is explained with the calls it saw.
func TestExplainRun(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, r := range []*report.Report{exampleRun(dir), exampleJoined(dir)} {
		s, err := Read(strings.NewReader(write(t, r, Config{Format: JSON, Dir: dir})))
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Len() {
			b.WriteString(strings.Repeat("=", 20) + "\n" + s.Line(i) + "\n")
			if err := s.Explain(&b, i, "advice", Config{Dir: dir}); err != nil {
				t.Fatal(err)
			}
		}
	}
	golden(t, "testdata/run.explain.golden", b.String())
}

func TestWriteOnly(t *testing.T) {
	var b bytes.Buffer
	n, err := WriteOnly(&b, example("/src"))
	if err != nil || n != 2 {
		t.Errorf("%d allocations, %v", n, err)
	}
	want := "alloc /src/testdata/conf.c 4\nalloc /~opt/x y/gone.h 3\nfunction /src/testdata/conf.c load\nfunction /~opt/x y/gone.h get\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	if n, err := WriteOnly(&b, exampleRun("/src")); err != nil || n != 0 {
		t.Errorf("a report without slices: %d, %v", n, err)
	}
}
