package driver

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/toolchain"
)

const leaky = `#include <stdlib.h>
int use(char *p);
int f(int n) {
	char *p = malloc(n);
	if (!p)
		return -1;
	return use(p);
}
`

// A tree is a directory with sources, and a session over them.
type tree struct {
	t   *testing.T
	dir string
	*Session
}

// open writes files given as name, content pairs and checks what cfg names.
func open(t *testing.T, cfg Config, files ...string) (*tree, *report.Report) {
	t.Helper()
	if _, err := toolchain.FindClang(context.Background(), ""); err != nil {
		t.Skip("needs clang:", err)
	}
	tr := &tree{t: t, dir: t.TempDir()}
	for i := 0; i < len(files); i += 2 {
		tr.write(files[i], strings.ReplaceAll(files[i+1], "DIR", tr.dir))
	}
	cfg.Dir, cfg.CacheDir = tr.dir, t.TempDir()
	s, rep, err := Open(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	tr.Session = s
	return tr, rep
}

func (tr *tree) path(name string) string { return filepath.Join(tr.dir, name) }

func (tr *tree) write(name, text string) {
	tr.t.Helper()
	if err := os.MkdirAll(filepath.Dir(tr.path(name)), 0o777); err != nil {
		tr.t.Fatal(err)
	}
	if err := os.WriteFile(tr.path(name), []byte(text), 0o666); err != nil {
		tr.t.Fatal(err)
	}
}

// replace makes a patch of name, old, new triples.
func (tr *tree) replace(words ...string) *patch.Patch {
	tr.t.Helper()
	var edits []patch.Edit
	for i := 0; i < len(words); i += 3 {
		file := tr.path(words[i])
		text, err := tr.Read(file)
		if err != nil {
			tr.t.Fatal(err)
		}
		at := strings.Index(string(text), words[i+1])
		if at < 0 {
			tr.t.Fatalf("%s has no %q", file, words[i+1])
		}
		edits = append(edits, patch.Edit{File: file, Start: at, End: at + len(words[i+1]), New: words[i+2]})
	}
	p, err := patch.New(edits, tr.Read)
	if err != nil {
		tr.t.Fatal(err)
	}
	return p
}

// kinds looks at the program with a patch and lists what is found, or what the
// compiler says.
func (tr *tree) kinds(p *patch.Patch) string {
	tr.t.Helper()
	v, err := tr.Look(context.Background(), p)
	if err != nil {
		tr.t.Fatal(err)
	}
	var out []string
	for _, f := range v.Findings {
		out = append(out, f.Kind.String())
	}
	for _, e := range v.Errors {
		out = append(out, "error: "+strings.ReplaceAll(e, tr.dir+"/", ""))
	}
	for _, w := range v.Warnings {
		out = append(out, "warning: "+strings.ReplaceAll(w, tr.dir+"/", ""))
	}
	if len(v.Errors) == 0 && (v.Program == nil || v.Leak == nil) {
		tr.t.Error("a view without a program")
	}
	return strings.Join(out, "; ")
}

func wantText(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// TestLook: what a patch makes of a program, whatever was asked for.
func TestLook(t *testing.T) {
	checks, err := report.ParseKinds([]string{"leak"})
	if err != nil {
		t.Fatal(err)
	}
	tr, rep := open(t, Config{Files: []string{"a.c", "b.c"}, Checks: checks}, "a.c", leaky, "b.c",
		"#include <stdlib.h>\nint use(char *p) { return p[0]; }\nvoid twice(char *p) { free(p); free(p); }\n")
	if len(rep.Findings) != 1 || rep.Findings[0].Kind.String() != "leak-forgotten" && rep.Findings[0].Kind.String() != "leak-lost" {
		t.Errorf("reported: %v", rep.Findings)
	}
	if n := len(tr.Base().Findings); n != 2 {
		t.Errorf("%d findings of all kinds", n)
	}
	wantText(t, "mended", tr.kinds(tr.replace("a.c", "return use(p);", "int r = use(p);\n\tfree(p);\n\treturn r;")), "double-free")
	wantText(t, "too often", tr.kinds(tr.replace("a.c", "return use(p);", "int r = use(p);\n\tfree(p);\n\tfree(p);\n\treturn r;",
		"b.c", "free(p); free(p);", "free(p);")), "double-free")
	wantText(t, "too early", tr.kinds(tr.replace("a.c", "return use(p);", "free(p);\n\treturn use(p);",
		"b.c", "free(p); free(p);", "free(p);")), "use-after-free")
	wantText(t, "wrong", tr.kinds(tr.replace("a.c", "return use(p);", "return use(q);")),
		"error: a.c:7:13: error: use of undeclared identifier 'q'")
	if n := len(tr.Base().Findings); n != 2 {
		t.Errorf("the program itself has %d findings now", n)
	}
	for _, name := range []string{"a.c", "b.c"} {
		if got, _ := os.ReadFile(tr.path(name)); strings.Contains(string(got), "int r") {
			t.Errorf("%s was written", name)
		}
	}
}

// TestLookAtHeader: one edit of a header changes each unit that reads it.
func TestLookAtHeader(t *testing.T) {
	tr, _ := open(t, Config{Files: []string{"a.c", "b.c"}},
		"drop.h", "#include <stdlib.h>\nstatic inline void drop(char *p) { (void)p; }\n",
		"a.c", "#include \"drop.h\"\nvoid a(void) { drop(malloc(1)); }\n",
		"b.c", "#include \"drop.h\"\nvoid b(void) { drop(malloc(1)); }\n")
	if n := len(tr.Base().Findings); n != 2 {
		t.Fatalf("%d findings", n)
	}
	wantText(t, "mended", tr.kinds(tr.replace("drop.h", "(void)p", "free(p)")), "")
}

// TestLookTwice: a source that is compiled with different options is right only if it
// is right with each.
func TestLookTwice(t *testing.T) {
	tr, _ := open(t, Config{BuildDir: "."}, "a.c",
		"#include <stdlib.h>\n#ifdef TWO\n#define NAME two\n#define DROP(p) free(p)\n#else\n#define NAME one\n#define DROP(p) (void)(p)\n#endif\n"+
			"void NAME(void) {\n\tchar *p = malloc(1);\n\tDROP(p);\n}\n",
		"compile_commands.json", `[{"directory": "DIR", "command": "cc -c a.c", "file": "a.c"},
			{"directory": "DIR", "command": "cc -DTWO -c a.c", "file": "a.c"}]`)
	if n := len(tr.Base().Findings); n != 1 {
		t.Fatalf("%d findings", n)
	}
	wantText(t, "right for one", tr.kinds(tr.replace("a.c", "DROP(p);\n", "DROP(p);\n\tfree(p);\n")), "double-free")
	wantText(t, "right for both", tr.kinds(tr.replace("a.c", "(void)(p)", "free(p)")), "")
}

func TestNewWarnings(t *testing.T) {
	tr, _ := open(t, Config{Files: []string{"a.c"}}, "a.c", "void g(void);\nvoid f(void) {\n\tint old;\n\tg();\n}\n")
	wantText(t, "moved", tr.kinds(tr.replace("a.c", "\tint old;\n", "", "a.c", "g();", "int old;\n\tg();")), "")
	wantText(t, "new", tr.kinds(tr.replace("a.c", "g();", "int fresh;\n\tg();")), "warning: a.c:4:2: unused variable 'fresh' [-Wunused-variable]")
	wantText(t, "one more of the same", tr.kinds(tr.replace("a.c", "g();", "g();\n\t{ int old; }")),
		"warning: a.c:4:2: unused variable 'old' [-Wunused-variable]")
}

// TestChanged: a file that is another by now.
func TestChanged(t *testing.T) {
	tr, _ := open(t, Config{Files: []string{"a.c"}}, "a.c", leaky)
	tr.write("a.c", leaky+"\n")
	var stale *patch.Stale
	if _, err := tr.Read(tr.path("a.c")); !errors.As(err, &stale) {
		t.Errorf("%v", err)
	}
	if err := tr.Editable(tr.path("a.c")); !errors.As(err, &stale) {
		t.Errorf("%v", err)
	}
}

func TestCommand(t *testing.T) {
	tr, _ := open(t, Config{Files: []string{"a.c", "b.c"}, Flags: []string{"-DX=1"}},
		"a.c", "static int s(void) { return X; }\nint a(void) { return s(); }\n",
		"b.c", "static int s(void) { return X; }\nint b(void) { return s(); }\n")
	p := tr.Base().Program
	seen := 0
	for i := 1; i < len(p.Funcs); i++ {
		cmd, err := tr.Command(ir.FuncID(i))
		if err != nil {
			t.Error(err)
			continue
		}
		seen++
		want := []string{"-DX=1", filepath.Base(p.Files[p.Funcs[i].File])}
		if !slices.Equal(cmd.Args, want) || cmd.Dir != tr.dir || !slices.Contains(cmd.Env, "PWD="+tr.dir) || cmd.Clang == "" {
			t.Errorf("%s is compiled by %+v", p.Funcs[i].Name, cmd)
		}
	}
	if seen != 4 {
		t.Errorf("%d functions", seen)
	}
}

// TestCommandOfBitcode: there is no source to change.
func TestCommandOfBitcode(t *testing.T) {
	tr, _ := open(t, Config{Files: []string{"a.c"}}, "a.c", leaky)
	code, err := tr.base.captured.Units[0].Bitcode()
	if err != nil {
		t.Fatal(err)
	}
	tr, rep := open(t, Config{Files: []string{"a.bc"}}, "a.bc", string(code), "a.c", leaky)
	if err := tr.Editable(tr.path("a.c")); err == nil || !strings.Contains(err.Error(), "a.bc was given as bitcode") {
		t.Errorf("its source: %v", err)
	}
	if rep.Coverage.Functions != 1 {
		t.Fatalf("%d functions", rep.Coverage.Functions)
	}
	p := tr.Base().Program
	for i := 1; i < len(p.Funcs); i++ {
		if p.Funcs[i].IsDecl() {
			continue
		}
		if _, err := tr.Command(ir.FuncID(i)); err == nil || !strings.Contains(err.Error(), "given as bitcode") {
			t.Errorf("%s: %v", p.Funcs[i].Name, err)
		}
	}
}

func TestEditable(t *testing.T) {
	outside := t.TempDir()
	for name, text := range map[string]string{"out.h": "#define OUT 1\n"} {
		if err := os.WriteFile(filepath.Join(outside, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tr, _ := open(t, Config{BuildDir: "build"}, "src/a.c",
		"#include <stdlib.h>\n#include <out.h>\n#include \"gen.h\"\n#include \"made.h\"\n#include \"h.h\"\n#include \"locked.h\"\n#line 1 \"a.y\"\nint a(void) { return H; }\n",
		"src/a.y", "int a(void) { return H; }\n",
		"src/h.h", "#define H 1\n",
		"src/locked.h", "int l;\n",
		"src/gen.h", "/* Generated by tool, DO NOT EDIT. */\n",
		"build/made.h", "int m;\n",
		"build/compile_commands.json", `[{"directory": "DIR/build", "command": "cc -I. -I`+outside+` -c ../src/a.c", "file": "../src/a.c"}]`)
	for name, want := range map[string]string{
		"src/a.c":                         "",
		"src/h.h":                         "",
		"src/new.h":                       "",
		"src/a.y":                         "another program makes sources of it",
		"src/gen.h":                       "generated",
		"build/made.h":                    "made by the build",
		"build/new.h":                     "made by the build",
		filepath.Join(outside, "out.h"):   "not part of the project",
		"/usr/include/stdlib.h":           "not part of the project",
		filepath.Join(outside, "fresh.h"): "not part of the project",
		tr.path("src/../../elsewhere.c"):  "not part of the project",
		filepath.Join(tr.dir, "build/../src/h.h"): "",
	} {
		if !filepath.IsAbs(name) {
			name = tr.path(name)
		}
		err := tr.Editable(name)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if err := os.Remove(tr.path("src/locked.h")); err != nil {
		t.Fatal(err)
	}
	if err := tr.Editable(tr.path("src/locked.h")); err == nil || !strings.Contains(err.Error(), "not there any more") {
		t.Errorf("removed: %v", err)
	}
}

func TestProjectRoot(t *testing.T) {
	dir := realPath(t.TempDir())
	if err := os.MkdirAll(filepath.Join(dir, "repo/.git"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ sources, dir, want string }{
		{dir + "/repo/src/x", dir + "/repo/build", dir + "/repo"},
		{dir + "/repo", dir, dir + "/repo"},
		{dir + "/plain/src", dir + "/plain", dir + "/plain"},
		{dir + "/plain/src", dir + "/plain/build", dir + "/plain/src"},
		{dir + "/plain/src", "/", dir + "/plain/src"},
		{"/", dir, dir},
		{"", dir, dir},
	} {
		if got := projectRoot(tt.sources, tt.dir); got != tt.want {
			t.Errorf("sources in %s seen from %s: %s, want %s", tt.sources, tt.dir, got, tt.want)
		}
	}
	for _, tt := range []struct{ root, built, want string }{
		{"/home/u/p/src", "/home/u/p/build", "/home/u/p"},
		{"/home/u/p", "/home/u/p/build", "/home/u/p"},
		{"/home/u/p/src", "/home/u/p", "/home/u/p"},
		{"/srv/p/src", "/tmp/build", "/srv/p/src"},
		{"/tmp/p", "/tmp/build", "/tmp/p"},
	} {
		if got := withBuild(tt.root, []string{tt.built}); got != tt.want {
			t.Errorf("sources in %s, built in %s: %s, want %s", tt.root, tt.built, got, tt.want)
		}
	}
	if got := common([]string{"/a/b/c", "/a/bd", "/a/b"}); got != "/a" {
		t.Errorf("common directory %s", got)
	}
}
