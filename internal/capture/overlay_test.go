package capture

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/plumb-project/plumb/internal/toolchain"
)

// laid calls Overlay with files given as name, content pairs.
func (p *project) laid(res *Result, files ...string) *Overlaid {
	p.t.Helper()
	o, err := res.Overlay(context.Background(), p.texts(files...))
	if err != nil {
		p.t.Fatal(err)
	}
	if len(o.Units) != len(res.Units) {
		p.t.Fatalf("%d units of %d", len(o.Units), len(res.Units))
	}
	return o
}

func (p *project) texts(files ...string) map[string][]byte {
	m := map[string][]byte{}
	for i := 0; i < len(files); i += 2 {
		m[p.path(files[i])] = []byte(files[i+1])
	}
	return m
}

func code(t *testing.T, u *Unit) []byte {
	t.Helper()
	b, err := u.Bitcode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// eachClang runs a test with every clang there is.
func eachClang(t *testing.T, test func(t *testing.T, clang string)) {
	needClang(t)
	found := false
	for _, v := range []string{"14", "15", "16", "17", "18", "19", "20", "21", "22"} {
		path, err := exec.LookPath("clang-" + v)
		if err != nil {
			continue
		}
		if _, err := toolchain.FindClang(context.Background(), path); err != nil {
			continue
		}
		found = true
		t.Run("clang-"+v, func(t *testing.T) { test(t, path) })
	}
	if !found {
		test(t, "")
	}
}

// TestOverlay: a unit sees the contents it is given wherever it reads the file, and
// nothing else of it changes.
func TestOverlay(t *testing.T) {
	eachClang(t, func(t *testing.T, clang string) {
		p := newProject(t,
			"src/a.c", "#include \"near.h\"\n#include <far.h>\nint a(void) { return NEAR + FAR; }\n",
			"src/near.h", "#define NEAR 1\n",
			"inc/far.h", "#define FAR 1\n",
			"src/b.c", "#include \"../inc/far.h\"\nint b(void) { return FAR; }\n",
			"build/compile_commands.json", "")
		p.write("build/compile_commands.json", `[
			{"directory": "`+p.path("build")+`", "command": "cc -I../inc -Werror -c ../src/a.c", "file": "../src/a.c"},
			{"directory": "`+p.path("src")+`", "command": "cc -c b.c", "file": "b.c"}]`)
		res, _ := p.mustRun(Config{CompileDB: "build", Clang: clang})
		a, b := code(t, &res.Units[0]), code(t, &res.Units[1])
		tests := []struct {
			name    string
			files   []string
			changed string // units compiled again
			differs string // of them, those with other bitcode
		}{
			{"nothing", nil, "", ""},
			{"a file nobody reads", []string{"README", "x"}, "", ""},
			{"the same contents", []string{"src/a.c", "#include \"near.h\"\n#include <far.h>\nint a(void) { return NEAR + FAR; }\n"}, "a", ""},
			{"a source", []string{"src/a.c", "int a(void) { return 7; }\n"}, "a", "a"},
			{"a header beside the source", []string{"src/near.h", "#define NEAR 2\n"}, "a", "a"},
			{"a header of both", []string{"inc/far.h", "#define FAR 2\n"}, "ab", "ab"},
			{"a header that was not there", []string{"src/new.h", "#define NEW 3\n", "src/b.c", "#include \"new.h\"\nint b(void) { return NEW; }\n"}, "b", "b"},
			{"two sources", []string{"src/a.c", "int a;\n", "src/b.c", "int b;\n"}, "ab", "ab"},
		}
		for _, tt := range tests {
			o := p.laid(res, tt.files...)
			changed, differs := "", ""
			for _, i := range o.Changed {
				changed += string("ab"[i])
			}
			for i, old := range [][]byte{a, b} {
				if !bytes.Equal(code(t, &o.Units[i]), old) {
					differs += string("ab"[i])
				}
			}
			if changed != tt.changed || differs != tt.differs || len(o.Failed) > 0 {
				t.Errorf("%s: compiled %q, other bitcode in %q, failed %v; want %q, %q", tt.name, changed, differs, o.Failed, tt.changed, tt.differs)
			}
			if !bytes.Equal(code(t, &res.Units[0]), a) {
				t.Fatalf("%s: the unit itself is another now", tt.name)
			}
		}
		o := p.laid(res, "src/a.c", "int a(void) { return (; }\n")
		if len(o.Failed) != 1 || o.Failed[0].Reason != p.path("src/a.c")+":1:23: error: expected expression" || o.Failed[0].Unit != p.path("src/a.c") {
			t.Errorf("a source that does not compile: %+v", o.Failed)
		}

		// What was written stands in the cache, what was laid over it does not.
		res, _ = p.mustRun(Config{CompileDB: "build", Clang: clang})
		counts(t, res, 0, 2)
		o = p.laid(res, "inc/far.h", "#define FAR 2\n")
		if len(o.Changed) != 2 {
			t.Errorf("from the cache: compiled %v", o.Changed)
		}
	})
}

// TestOverlayThroughLinks: the name by which a unit reads a file is not that by
// which it is changed.
func TestOverlayThroughLinks(t *testing.T) {
	needClang(t)
	p := newProject(t, "real/h.h", "#define H 1\n", "a.c", "#include \"link/h.h\"\n#include \"real/h.h\"\nint f(void) { return H; }\n")
	if err := os.Symlink("real", p.path("link")); err != nil {
		t.Fatal(err)
	}
	res, _ := p.mustRun(Config{Files: []string{"a.c"}})
	for _, name := range []string{"real/h.h", "link/h.h"} {
		o := p.laid(res, name, "#pragma once\n#define H 2\n")
		if len(o.Changed) != 1 || len(o.Failed) > 0 || bytes.Equal(code(t, &o.Units[0]), code(t, &res.Units[0])) {
			t.Errorf("%s: compiled %v, failed %v", name, o.Changed, o.Failed)
		}
	}
}

// TestOverlayAttributes: the copies of headers with attributes that clang refuses
// are made of the contents that are laid over them.
func TestOverlayAttributes(t *testing.T) {
	eachClang(t, func(t *testing.T, clang string) {
		head := "void put(void *);\n__attribute__((malloc(put, 1))) void *get(int);\n"
		p := newProject(t, "h.h", head, "a.c", "#include \"h.h\"\nvoid f(void) { get(N); }\n")
		res, _ := p.mustRun(Config{Files: []string{"a.c"}, Flags: []string{"-DN=1"}})
		o := p.laid(res, "h.h", head+"#define M 1\n", "a.c", "#include \"h.h\"\nvoid f(void) { get(M); }\n")
		if len(o.Failed) > 0 || bytes.Contains(code(t, &o.Units[0]), []byte("malloc put, 1")) != bytes.Contains(code(t, &res.Units[0]), []byte("malloc put, 1")) {
			t.Errorf("failed %v", o.Failed)
		}
	})
}

func TestOverlayIsRemembered(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int a;\n", "b.c", "int b;\n")
	res, _ := p.mustRun(Config{Files: []string{"a.c", "b.c"}})
	step := func(want int, files ...string) {
		t.Helper()
		p.laid(res, files...)
		if got := len(res.overlays.made); got != want {
			t.Errorf("%d compilations, want %d", got, want)
		}
	}
	step(2, "a.c", "int a1;\n", "b.c", "int b1;\n")
	step(2, "a.c", "int a1;\n")
	step(2, "b.c", "int b1;\n")
	step(3, "b.c", "int b2;\n")
	step(4, "b.c", "int b2;\n", "h.h", "int h;\n") // which b.c may include
	step(5, "b.c", "int b2;\n", "h.h", "int h2;\n")
}

// TestOverlayGiven: bitcode has no sources that could be other ones.
func TestOverlayGiven(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int a;\n")
	res, _ := p.mustRun(Config{Files: []string{"a.c"}})
	if err := os.WriteFile(p.path("a.bc"), code(t, &res.Units[0]), 0o666); err != nil {
		t.Fatal(err)
	}
	res, _ = p.mustRun(Config{Files: []string{"a.bc"}})
	if o := p.laid(res, "a.c", "int b;\n"); len(o.Changed) > 0 {
		t.Errorf("compiled %v", o.Changed)
	}
	if ws, err := res.Warnings(context.Background(), 0, nil); err != nil || ws != nil {
		t.Errorf("warnings %v, %v", ws, err)
	}
	if res.Units[0].Env() != nil || res.Units[0].Reads != nil {
		t.Error("bitcode has a command")
	}
}

func TestOverlayInterrupted(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int a;\n")
	res, _ := p.mustRun(Config{Files: []string{"a.c"}})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	if _, err := res.Overlay(ctx, p.texts("a.c", "int b;\n")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRead(t *testing.T) {
	needClang(t)
	for _, noCache := range []bool{false, true} {
		p := newProject(t, "a.c", "int a;\n", "b.c", "int b;\n")
		res, _ := p.mustRun(Config{Files: []string{"a.c", "b.c"}, NoCache: noCache})
		read := func(name, want string, wantErr error) {
			t.Helper()
			got, err := res.Read(p.path(name))
			if string(got) != want || !errors.Is(err, wantErr) {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
		read("a.c", "int a;\n", nil)
		p.write("a.c", "int a2;\n")
		read("a.c", "int a;\n", nil) // as it was compiled
		p.write("b.c", "int b2;\n")
		read("b.c", "", ErrChanged)
		read("none.c", "", os.ErrNotExist)
	}
	// With the cache, contents count: an old time stamp helps nobody.
	p := newProject(t, "a.c", "int a;\n")
	res, _ := p.mustRun(Config{Files: []string{"a.c"}})
	p.write("a.c", "int c;\n")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(p.path("a.c"), old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := res.Read(p.path("a.c")); !errors.Is(err, ErrChanged) {
		t.Errorf("%v", err)
	}
}

func TestWarnings(t *testing.T) {
	eachClang(t, func(t *testing.T, clang string) {
		p := newProject(t, "a.c", "int f(int x) { int y; return 1; }\n", "compile_commands.json", "")
		p.write("compile_commands.json", `[{"directory": "`+p.dir+`", "file": "a.c", "arguments":
			["cc", "-w", "-Werror", "-Wno-unused-parameter", "-Wdeclaration-after-statement", "-std=c99", "-Werror=no-such-warning", "-c", "a.c"]}]`)
		res, _ := p.mustRun(Config{CompileDB: ".", Clang: clang})
		list := func(files ...string) string {
			ws, err := res.Warnings(context.Background(), 0, p.texts(files...))
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, w := range ws {
				if w.File != p.path("a.c") || w.Line == 0 || w.Col == 0 {
					t.Errorf("%+v", w)
				}
				b.WriteString(w.Text + "; ")
			}
			return b.String()
		}
		if got, want := list(), "unused variable 'y' [-Wunused-variable]; "; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		got := list("a.c", "int f(int x) { ; int y = 1; return y; }\n")
		if !strings.Contains(got, "[-Wdeclaration-after-statement]") || strings.Count(got, ";") != 1 {
			t.Errorf("the project's own: %s", got)
		}
		if got := list("a.c", "int f(int x) { return nothing; }\n"); !strings.Contains(got, "undeclared identifier 'nothing'") {
			t.Errorf("an error: %s", got)
		}
	})
}
