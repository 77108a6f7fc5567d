package patch

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// files is a tree in memory.
type files map[string]string

func (fs_ files) read(name string) ([]byte, error) {
	s, ok := fs_[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(s), nil
}

func mustNew(t *testing.T, tree files, edits ...Edit) *Patch {
	t.Helper()
	p, err := New(edits, tree.read)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func mustContents(t *testing.T, p *Patch, tree files) files {
	t.Helper()
	m, err := p.Contents(tree.read)
	if err != nil {
		t.Fatal(err)
	}
	out := files{}
	for k, v := range m {
		out[k] = string(v)
	}
	return out
}

func TestNew(t *testing.T) {
	tree := files{"/a.c": "abcdef"}
	tests := []struct {
		name  string
		edits []Edit
		want  string
	}{
		{"insertions keep their order", []Edit{{"/a.c", 3, 3, "1"}, {"/a.c", 3, 3, "2"}}, "abc12def"},
		{"equal ones become one", []Edit{{"/a.c", 3, 3, "1"}, {"/a.c", 3, 3, "2"}, {"/a.c", 3, 3, "1"}}, "abc12def"},
		{"whatever the order of offsets", []Edit{{"/a.c", 5, 6, "F"}, {"/a.c", 0, 1, "A"}}, "AbcdeF"},
		{"insertion before a replacement", []Edit{{"/a.c", 3, 4, "D"}, {"/a.c", 3, 3, "-"}}, "abc-Def"},
		{"insertion after a replacement", []Edit{{"/a.c", 4, 4, "-"}, {"/a.c", 3, 4, "D"}}, "abcD-ef"},
		{"deletion", []Edit{{"/a.c", 1, 5, ""}}, "af"},
		{"other spelling of the file", []Edit{{"/x/../a.c", 0, 0, "-"}}, "-abcdef"},
	}
	for _, tt := range tests {
		if got := mustContents(t, mustNew(t, tree, tt.edits...), tree)["/a.c"]; got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	for _, bad := range []Edit{{"a.c", 0, 0, "x"}, {"/a.c", -1, 0, "x"}, {"/a.c", 3, 2, "x"}, {"/a.c", 0, 7, "x"}} {
		if _, err := New([]Edit{bad}, tree.read); err == nil {
			t.Errorf("no error for %+v", bad)
		}
	}
	if p := mustNew(t, tree, Edit{"/a.c", 2, 2, ""}); !p.Empty() {
		t.Errorf("an edit that does nothing is %v", p.Edits())
	}
	denied := func(string) ([]byte, error) { return nil, fs.ErrPermission }
	if _, err := New([]Edit{{"/a.c", 0, 0, "x"}}, denied); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("unreadable file: %v", err)
	}
}

func TestConflict(t *testing.T) {
	tree := files{"/a.c": "one\ntwo\nthree\n"}
	for _, es := range [][]Edit{
		{{"/a.c", 4, 7, "x"}, {"/a.c", 5, 6, "y"}},
		{{"/a.c", 4, 7, "x"}, {"/a.c", 4, 7, "y"}},
		{{"/a.c", 4, 7, "x"}, {"/a.c", 6, 6, "y"}},
		{{"/a.c", 5, 6, "x"}, {"/a.c", 4, 9, "y"}},
	} {
		_, err := New(es, tree.read)
		var c *Conflict
		if !errors.As(err, &c) || c.Line != 2 || !strings.Contains(err.Error(), "/a.c:2") {
			t.Errorf("%v: %v", es, err)
		}
		if _, err := Merge(mustNew(t, tree, es[0]), mustNew(t, tree, es[1])); !errors.As(err, &c) {
			t.Errorf("merged %v: %v", es, err)
		}
	}
}

// TestMerge: two fixes that put braces around the same statement share them.
func TestMerge(t *testing.T) {
	tree := files{"/a.c": "if (x) return;\n", "/b.c": "b\n"}
	one := mustNew(t, tree, Edit{"/a.c", 7, 7, "{ "}, Edit{"/a.c", 7, 7, "free(a); "}, Edit{"/a.c", 14, 14, " }"})
	two := mustNew(t, tree, Edit{"/a.c", 7, 7, "{ "}, Edit{"/a.c", 7, 7, "free(b); "}, Edit{"/a.c", 14, 14, " }"}, Edit{"/b.c", 0, 1, "c"})
	p, err := Merge(one, two)
	if err != nil {
		t.Fatal(err)
	}
	want := files{"/a.c": "if (x) { free(a); free(b); return; }\n", "/b.c": "c\n"}
	if got := mustContents(t, p, tree); !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	if got := p.Files(); !reflect.DeepEqual(got, []string{"/a.c", "/b.c"}) {
		t.Errorf("files %v", got)
	}
	if p, err := Merge(); err != nil || !p.Empty() {
		t.Errorf("nothing merged: %v, %v", p, err)
	}
}

func TestStale(t *testing.T) {
	tree := files{"/a.c": "a", "/b.c": "b"}
	p := mustNew(t, tree, Edit{"/a.c", 0, 0, "x"}, Edit{"/new.h", 0, 0, "h"})
	var stale *Stale
	for _, now := range []files{{"/a.c": "A"}, {}, {"/a.c": "a", "/new.h": "other"}} {
		if _, err := p.Contents(now.read); !errors.As(err, &stale) {
			t.Errorf("%v: %v", now, err)
		}
	}
	q := mustNew(t, files{"/a.c": "other"}, Edit{"/a.c", 0, 0, "x"})
	if _, err := Merge(p, q); !errors.As(err, &stale) || stale.File != "/a.c" {
		t.Errorf("made for different contents: %v", err)
	}
	if got := string(p.Overlay()["/a.c"]); got != "xa" {
		t.Errorf("overlay %q", got)
	}
	if _, ok := p.Hash("/new.h"); ok {
		t.Error("a file that was not there has a hash")
	}
	if h, ok := p.Hash("/a.c"); !ok || h[0] != 0xca { // of sha256("a")
		t.Errorf("hash %x, %v", h, ok)
	}
}

func TestPositions(t *testing.T) {
	old := "one\ntwo;\nthree\n"
	tree := files{"/a.c": old}
	p := mustNew(t, tree, Edit{"/a.c", 8, 8, "\n\tfree(p);"}, Edit{"/a.c", 9, 14, "3"})
	now := mustContents(t, p, tree)["/a.c"] // one / two; / \tfree(p); / 3
	if now != "one\ntwo;\n\tfree(p);\n3\n" {
		t.Fatalf("%q", now)
	}
	tests := []struct {
		line, col, oldLine, oldCol int
		added                      bool
	}{
		{1, 2, 1, 2, false},
		{2, 4, 2, 4, false},
		{3, 2, 2, 5, true},  // free
		{3, 0, 2, 0, true},  // its line
		{4, 1, 3, 1, true},  // 3
		{4, 2, 3, 6, false}, // the end of that line
		{9, 9, 4, 1, false}, // beyond the end
	}
	for _, tt := range tests {
		l, c := p.Old("/a.c", tt.line, tt.col)
		if l != tt.oldLine || c != tt.oldCol || p.Added("/a.c", tt.line, tt.col) != tt.added {
			t.Errorf("%d:%d was %d:%d added %v, want %d:%d %v", tt.line, tt.col, l, c, !tt.added, tt.oldLine, tt.oldCol, tt.added)
		}
	}
	for at := range len(old) + 1 {
		l, c := p.Position("/a.c", at)
		if l != 1+strings.Count(old[:at], "\n") || c != at-strings.LastIndex(old[:at], "\n") {
			t.Errorf("offset %d is %d:%d", at, l, c)
		}
		nl, nc := p.New("/a.c", l, c)
		if at > 9 && at < 14 {
			if nl != 4 || nc != 1 {
				t.Errorf("replaced %d:%d is now %d:%d", l, c, nl, nc)
			}
			continue
		}
		if ol, oc := p.Old("/a.c", nl, nc); ol != l || oc != c {
			t.Errorf("%d:%d is now %d:%d, which was %d:%d", l, c, nl, nc, ol, oc)
		}
	}
	if l, c := p.Old("/other.c", 7, 8); l != 7 || c != 8 {
		t.Errorf("a file that stays: %d:%d", l, c)
	}
}

func TestDiff(t *testing.T) {
	tree := files{"/p/a.c": "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "/p/sub/x y.c": "a\r\nb"}
	p := mustNew(t, tree,
		Edit{"/p/a.c", 8, 8, "free(p);\n"},
		Edit{"/p/sub/x y.c", 4, 4, "\r\nc"},
		Edit{"/p/new.h", 0, 0, "h\n"})
	var b bytes.Buffer
	if err := p.Diff(&b, "/p"); err != nil {
		t.Fatal(err)
	}
	want := `--- a/a.c
+++ b/a.c
@@ -2,6 +2,7 @@
 2
 3
 4
+free(p);
 5
 6
 7
--- /dev/null
+++ b/new.h
@@ -0,0 +1 @@
+h
--- a/sub/x y.c	
+++ b/sub/x y.c	
@@ -1,2 +1,3 @@
 a` + "\r" + `
-b
\ No newline at end of file
+b` + "\r" + `
+c
\ No newline at end of file
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	if err := p.Diff(&b, "/p/sub"); err == nil || !strings.Contains(err.Error(), "/p/a.c") {
		t.Errorf("a file outside the directory: %v", err)
	}
}

// TestDiffIsMinimal: lines that stay are not shown as changed, however the edits
// are cut.
func TestDiffIsMinimal(t *testing.T) {
	tree := files{"/p/a.c": "\tif (x)\n\t\treturn -3;\n\tend();\n"}
	p := mustNew(t, tree, Edit{"/p/a.c", 7, 7, " {"}, Edit{"/p/a.c", 7, 7, "\n\t\tfree(copy);"}, Edit{"/p/a.c", 20, 20, "\n\t}"})
	var b bytes.Buffer
	must(t, p.Diff(&b, "/p"))
	want := "--- a/a.c\n+++ b/a.c\n@@ -1,3 +1,5 @@\n-\tif (x)\n+\tif (x) {\n+\t\tfree(copy);\n \t\treturn -3;\n+\t}\n \tend();\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// TestDiffGroups: changes side by side are one, what goes before what comes.
func TestDiffGroups(t *testing.T) {
	tree := files{"/p/a.c": "a\nb\nc\n"}
	p := mustNew(t, tree, Edit{"/p/a.c", 2, 2, "new\n"}, Edit{"/p/a.c", 2, 3, "B"}, Edit{"/p/a.c", 4, 4, "more\n"})
	var b bytes.Buffer
	must(t, p.Diff(&b, "/p"))
	want := "--- a/a.c\n+++ b/a.c\n@@ -1,3 +1,5 @@\n a\n-b\n+new\n+B\n+more\n c\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// TestDiffThroughLinks: names are those of the files, which git insists on.
func TestDiffThroughLinks(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real")
	must(t, os.Mkdir(real, 0o777))
	must(t, os.WriteFile(filepath.Join(real, "a.c"), []byte("a\n"), 0o666))
	must(t, os.Symlink("a.c", filepath.Join(real, "link.c")))
	must(t, os.Symlink("real", filepath.Join(dir, "alias")))
	p, err := New([]Edit{{filepath.Join(dir, "alias", "link.c"), 0, 0, "x"}}, nil)
	must(t, err)
	for _, d := range []string{"real", "alias"} {
		var b bytes.Buffer
		must(t, p.Diff(&b, filepath.Join(dir, d)))
		if !strings.HasPrefix(b.String(), "--- a/a.c\n+++ b/a.c\n") {
			t.Errorf("in %s:\n%s", d, b.String())
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
