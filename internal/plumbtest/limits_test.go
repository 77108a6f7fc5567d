// This file keeps docs/known-limits.md: what is marked as missed or false in the fixtures.

package plumbtest

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var limitLine = regexp.MustCompile(`(?m)^// limit(-missed|-false): (.+)$`)

// TestLimits compares the tables of docs/known-limits.md with the fixtures: each
// that marks something as missed or false says at its end what the reason is.
func TestLimits(t *testing.T) {
	rows := map[string]*strings.Builder{"-missed": {}, "-false": {}}
	for _, f := range Fixtures(t, "../leak/testdata") {
		files, err := f.read()
		if err != nil {
			t.Fatal(err)
		}
		r, err := readRemarks(files)
		if err != nil {
			t.Fatal(err)
		}
		marked, why := map[string]bool{}, map[string]string{}
		for _, e := range r.leaks {
			_, verdict := e.about()
			marked[verdict] = true
		}
		for _, file := range files {
			for _, m := range limitLine.FindAllStringSubmatch(string(file.src), -1) {
				why[m[1]] = m[2]
			}
		}
		for verdict, b := range rows {
			switch {
			case marked[verdict] && why[verdict] == "":
				t.Errorf("%s marks something as leak%s; say why at its end: // limit%s: reason", f.Name, verdict, verdict)
			case !marked[verdict] && why[verdict] != "":
				t.Errorf("%s marks nothing as leak%s any more; remove its line // limit%s", f.Name, verdict, verdict)
			case marked[verdict]:
				fmt.Fprintf(b, "| %s | `%s` |\n", why[verdict], f.Name)
			}
		}
	}
	const doc = "../../docs/known-limits.md"
	old, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	text := string(old)
	text = between(t, text, "| why | fixture |\n|---|---|\n", rows["-false"].String())
	text = between(t, text, "| where | fixture |\n|---|---|\n", rows["-missed"].String())
	if *update && !t.Failed() {
		if err := os.WriteFile(doc, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text != string(old) {
		t.Errorf("docs/known-limits.md is not what the fixtures say; run go test ./internal/plumbtest -run 'TestLimits|TestPapers' -update and read the difference")
	}
}

// between replaces the rows of the table that begins with head.
func between(t *testing.T, text, head, rows string) string {
	t.Helper()
	before, rest, ok := strings.Cut(text, head)
	_, after, more := strings.Cut(rest, "\n\n")
	if !ok || !more {
		t.Fatalf("there is no table %q", head)
	}
	return before + head + rows + "\n" + after
}
