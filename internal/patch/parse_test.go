package patch

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
)

// What Diff writes, Parse reads.
func TestParseDiff(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 11))
		tree := files{}
		var es []Edit
		for i := range 1 + r.IntN(3) {
			name := fmt.Sprintf("/src/d%d/%s", i, []string{"f.c", "with blank.c", `qu"o\te.c`, "ünï.c"}[r.IntN(4)])
			tree[name] = text(r)
			es = append(es, edits(r, name, tree[name])...)
		}
		if r.IntN(3) == 0 {
			es = append(es, Edit{"/src/new.h", 0, 0, "#pragma once\n" + text(r)})
		}
		p := mustNew(t, tree, es...)
		var diff bytes.Buffer
		must(t, p.Diff(&diff, "/src"))
		q, err := Parse(diff.Bytes(), "/src", tree.read)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, &diff)
		}
		// A diff has no files that stay as they are.
		got, want := mustContents(t, q, tree), mustContents(t, p, tree)
		maps.DeleteFunc(want, func(name, text string) bool { return text == tree[name] })
		if !maps.Equal(got, want) {
			t.Fatalf("seed %d: got %q\nwant %q\n%s", seed, got, want, &diff)
		}
	}
}

// Diffs that people have edited, and what is wrong with some of them.
func TestParseEdited(t *testing.T) {
	tree := files{"/src/a.c": "one\ntwo\n\nthree\nfour\n"}
	const head = "# a comment\n--- a/a.c\n+++ b/a.c\n"
	for name, test := range map[string]struct{ diff, want, fail string }{
		"counts that are wrong": {diff: head + "@@ -1,2 +1,2 @@\n one\n-two\n+2\n+zwei\n", want: "one\n2\nzwei\n\nthree\nfour\n"},
		"a blank gone":          {diff: head + "@@ -2,3 +2,3 @@\n two\n\n-three\n+3\n", want: "one\ntwo\n\n3\nfour\n"},
		"a hunk gone":           {diff: head + "@@ -4,2 +9,2 @@\n three\n-four\n+4\n", want: "one\ntwo\n\nthree\n4\n"},
		"nothing left":          {diff: "# a comment\n"},
		"another line":          {diff: head + "@@ -1,2 +1,2 @@\n one\n-zwei\n", fail: "line 6 of the patch: line 2 of a.c is another"},
		"behind the end":        {diff: head + "@@ -5,2 +5,2 @@\n four\n five\n", fail: "line 6 of the patch: line 6 of a.c is another"},
		"twice":                 {diff: head + "@@ -1,2 +1,2 @@\n one\n-two\n@@ -2 +2 @@\n-two\n", fail: "in the hunk before"},
		"no mark":               {diff: head + "@@ -1,2 +1,2 @@\none\n", fail: "line 5 of the patch: starts with none"},
		"no hunk":               {diff: head + "@@ x @@\n one\n", fail: "no hunk"},
		"outside":               {diff: "--- a/../b.c\n+++ b/../b.c\n@@ -1 +1 @@\n one\n", fail: "../b.c: is not below /src"},
		"no such file":          {diff: "--- a/b.c\n+++ b/b.c\n@@ -1 +1 @@\n one\n", fail: "cannot read"},
	} {
		p, err := Parse([]byte(test.diff), "/src", tree.read)
		switch {
		case test.fail != "":
			if err == nil || !strings.Contains(err.Error(), test.fail) {
				t.Errorf("%s: error %v, want %s", name, err, test.fail)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case mustContents(t, p, tree)["/src/a.c"] != test.want:
			t.Errorf("%s: %q", name, mustContents(t, p, tree))
		}
	}
}
