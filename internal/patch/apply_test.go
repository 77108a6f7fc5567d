package patch

// The diffs hold against the two programs that people will give them to.

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// text makes the contents of a file: few different lines, so that diffs are
// ambiguous where they can be.
func text(r *rand.Rand) string {
	end := "\n"
	if r.IntN(4) == 0 {
		end = "\r\n"
	}
	var b strings.Builder
	for range r.IntN(30) {
		b.WriteString([]string{"a", "b", "}", "", "\tfree(p);", "--- x", "+++ y", "@@ -1 +1 @@", " \\"}[r.IntN(9)])
		b.WriteString(end)
	}
	if r.IntN(3) == 0 {
		b.WriteString("no newline")
	}
	return b.String()
}

// edits makes some that do not overlap.
func edits(r *rand.Rand, name, old string) []Edit {
	var es []Edit
	at := 0
	for range 1 + r.IntN(4) {
		start := at + r.IntN(len(old)-at+1)
		end := start
		if r.IntN(2) == 0 {
			end += r.IntN(min(20, len(old)-start) + 1)
		}
		es = append(es, Edit{name, start, end, []string{"", "x", "free(q);\n", "\n\tgo\n", "\r\n", "last"}[r.IntN(6)]})
		at = end
	}
	return es
}

func TestApply(t *testing.T) {
	for _, tool := range []string{"git", "patch"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs " + tool)
		}
	}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		base := t.TempDir()
		var es []Edit
		var names []string
		tree := files{}
		for i := range 1 + r.IntN(3) {
			name := fmt.Sprintf("d%d/%s", i, []string{"f.c", "with blank.c", `qu"o\te.c`, "ünï.c"}[r.IntN(4)])
			names = append(names, name)
			tree["/src/"+name] = text(r)
			es = append(es, edits(r, "/src/"+name, tree["/src/"+name])...)
		}
		es = append(es, Edit{"/src/new/plumb.h", 0, 0, "#pragma once\n" + text(r)})
		p := mustNew(t, tree, es...)
		want := mustContents(t, p, tree)
		var diff bytes.Buffer
		must(t, p.Diff(&diff, "/src"))
		for _, argv := range [][]string{
			{"git", "apply", "--whitespace=nowarn", "-"},
			{"patch", "-p1", "--no-backup-if-mismatch", "--fuzz=0"},
		} {
			dir := filepath.Join(base, argv[0])
			for _, n := range names {
				must(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(n)), 0o777))
				must(t, os.WriteFile(filepath.Join(dir, n), []byte(tree["/src/"+n]), 0o666))
			}
			cmd := exec.Command(argv[0], argv[1:]...)
			cmd.Dir, cmd.Stdin = dir, bytes.NewReader(diff.Bytes())
			// Outside of any repository, so that nothing is ignored.
			cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+base)
			out, err := cmd.CombinedOutput()
			if err != nil || bytes.Contains(out, []byte("offset")) {
				t.Fatalf("seed %d: %s: %v\n%s\n%s", seed, argv[0], err, out, diff.Bytes())
			}
			for _, n := range append(names, "new/plumb.h") {
				got, _ := os.ReadFile(filepath.Join(dir, n))
				expect, changed := want["/src/"+n]
				if !changed {
					expect = tree["/src/"+n]
				}
				if string(got) != expect {
					t.Fatalf("seed %d: %s made of %s\n%q, want\n%q\n%s", seed, argv[0], n, got, expect, diff.Bytes())
				}
			}
		}
	}
}
