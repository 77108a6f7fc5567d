package render

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/report"
)

// mended is the example, with fixes.
func mended(dir string) *report.Report {
	r := example(dir)
	conf := filepath.Join(dir, "testdata/conf.c")
	r.Findings[0].Fix = &report.Fix{Outcome: report.Fixed, Text: "free(buf) before the return", Changes: []report.Change{
		{File: conf, Start: 147, End: 147, StartLine: 6, StartCol: 18, EndLine: 6, EndCol: 18, New: " {"},
		{File: conf, Start: 147, End: 147, StartLine: 6, StartCol: 18, EndLine: 6, EndCol: 18, New: "\n\t\tfree(buf);"},
		{File: conf, Start: 160, End: 160, StartLine: 7, StartCol: 13, EndLine: 7, EndCol: 13, New: "\n\t}"},
	}}
	// The end of line 5, behind é and 𝄞: columns of SARIF are not bytes.
	r.Findings[1].Fix = &report.Fix{Outcome: report.Guarded, Text: "two, with a check at run time", Changes: []report.Change{
		{File: conf, Start: 121, End: 129, StartLine: 5, StartCol: 30, EndLine: 5, EndCol: 38, New: ""},
		{File: filepath.Join(dir, "a b.h"), Start: 0, End: 0, StartLine: 1, StartCol: 1, EndLine: 1, EndCol: 1, New: "/* new */\n"},
	}}
	r.Findings[2].Fix = &report.Fix{Outcome: report.NotFixed, Reason: "f is inside a macro"}
	return r
}

func TestFixGolden(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for name, cfg := range map[string]Config{
		"fix.text.golden":  {Format: Text},
		"fix.json.golden":  {Format: JSON},
		"fix.sarif.golden": {Format: SARIF},
	} {
		t.Run(name, func(t *testing.T) {
			cfg.Dir, cfg.Version = dir, "v1.2.3"
			golden(t, filepath.Join("testdata", name), strings.ReplaceAll(write(t, mended(dir), cfg), dir, "/some dir"))
		})
	}
	var b bytes.Buffer
	if err := Fixes(&b, mended(dir), Config{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/fix.summary.golden", b.String()+FixSummary(mended(dir))+"\n")
}

// What the schema of SARIF demands of fixes, and that columns count UTF-16 units.
func TestSARIFFixes(t *testing.T) {
	dir, _ := os.Getwd()
	var log sarifLog
	if err := json.Unmarshal([]byte(write(t, mended(dir), Config{Format: SARIF, Dir: dir})), &log); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, res := range log.Runs[0].Results {
		for _, fix := range res.Fixes {
			n++
			if len(fix.Changes) == 0 || fix.Description.Text == "" {
				t.Errorf("%s: a fix without changes or description", res.Message.Text)
			}
			for _, c := range fix.Changes {
				if c.Artifact.URI == "" || len(c.Replacements) == 0 {
					t.Errorf("%s: a change of no file, or without replacements", res.Message.Text)
				}
				for _, r := range c.Replacements {
					s := r.Deleted
					if s.Line < 1 || s.Col < 1 || s.EndLine < s.Line || s.EndLine == s.Line && s.EndCol < s.Col {
						t.Errorf("%s: bad region %+v", res.Message.Text, s)
					}
				}
			}
		}
	}
	if n != 2 {
		t.Errorf("%d fixes, want 2", n)
	}
	// é is one UTF-16 unit and two bytes, 𝄞 two and four: three fewer.
	if got, want := log.Runs[0].Results[1].Fixes[0].Changes[0].Replacements[0].Deleted, (sarifSpan{5, 27, 5, 35}); got != want {
		t.Errorf("region %+v, want %+v", got, want)
	}
	if files := log.Runs[0].Results[1].Fixes[0].Changes; len(files) != 2 || files[1].Artifact.URI != "a%20b.h" {
		t.Errorf("changes of files: %+v", files)
	}
}

// Fixes survive being written and read.
func TestFixRestored(t *testing.T) {
	dir, _ := os.Getwd()
	saved, err := Read(strings.NewReader(write(t, mended(dir), Config{Format: JSON, Dir: dir})))
	if err != nil {
		t.Fatal(err)
	}
	want := mended(dir)
	want.Findings[1].Fix.Changes[1].File = "a b.h" // there is no such file here
	for i, f := range saved.Report(dir).Findings {
		if !reflect.DeepEqual(f.Fix, want.Findings[i].Fix) {
			t.Errorf("fix %d is %+v, was %+v", i, f.Fix, want.Findings[i].Fix)
		}
	}
}

// A report knows which of its sources were changed since.
func TestChanged(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "testdata"), 0o777); err != nil {
		t.Fatal(err)
	}
	conf := filepath.Join(dir, "testdata/conf.c")
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("int x;\n")
	saved, err := Read(strings.NewReader(write(t, example(dir), Config{Format: JSON, Dir: dir})))
	if err != nil {
		t.Fatal(err)
	}
	if got := saved.Changed(dir); len(got) != 0 {
		t.Errorf("changed: %v", got)
	}
	put("int y;\n")
	if got := saved.Changed(dir); !slices.Equal(got, []string{"testdata/conf.c"}) {
		t.Errorf("changed: %v", got)
	}
	if err := os.Remove(conf); err != nil {
		t.Fatal(err)
	}
	if got := saved.Changed(dir); !slices.Equal(got, []string{"testdata/conf.c"}) {
		t.Errorf("gone: %v", got)
	}
}

func TestDiff(t *testing.T) {
	const diff = "--- a/x.c\n+++ b/x.c\n@@ -1,2 +1,2 @@\n \tint a;\n-\tint \x1b[2Jb;\r\n+\tint c;"
	var plainly, colored bytes.Buffer
	if err := Diff(&plainly, []byte(diff), false); err != nil || plainly.String() != diff {
		t.Errorf("%v: %q", err, plainly.String())
	}
	if err := Diff(&colored, []byte(diff), true); err != nil {
		t.Fatal(err)
	}
	want := bold + "--- a/x.c" + plain + "\n" + bold + "+++ b/x.c" + plain + "\n" + cyan + "@@ -1,2 +1,2 @@" + plain + "\n \tint a;\n" +
		red + "-\tint  [2Jb;" + plain + "\n" + green + "+\tint c;" + plain
	if colored.String() != want {
		t.Errorf("got  %q\nwant %q", colored.String(), want)
	}
}

// Explain shows the patch, as long as the source is what it was.
func TestExplainFix(t *testing.T) {
	dir, _ := os.Getwd()
	s, err := Save(mended(dir), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	explain := func(i int) string {
		var b bytes.Buffer
		if err := s.Explain(&b, i, "Release it.", Config{Dir: dir}); err != nil {
			t.Fatal(err)
		}
		_, out, _ := strings.Cut(b.String(), "tells more.\n\n")
		out, _, _ = strings.Cut(out, "Release it.")
		return out
	}
	const want = `The fix
  free(buf) before the return

--- a/testdata/conf.c
+++ b/testdata/conf.c
@@ -3,8 +3,10 @@
 int load(const char *s) {
 	char *buf = malloc(16); /* bytes before: */
 	/* é𝄞 */ char *two = malloc(32);
-	if (s[0] == 'b')
+	if (s[0] == 'b') {
+		free(buf);
 		return -1;
+	}
 	free(buf);
 	free(two);
 	return 0;

What to do
  plumb fix --apply writes the change into the sources, plumb fix --only
  6bc320d7 this one alone.
  `
	if got := explain(0); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := explain(1); !strings.Contains(got, "  adds a b.h\n\n--- a/testdata/conf.c\n") {
		t.Errorf("an added file:\n%s", got)
	}
	if got := explain(2); !strings.HasPrefix(got, "Why it is not fixed\n  f is inside a macro\n\nWhat to do\n") {
		t.Errorf("a reason:\n%s", got)
	}
	s.doc.Files[0].Hash = "other"
	if got := explain(0); strings.Contains(got, "+++") || !strings.Contains(got, "testdata/conf.c was changed after the patch was made") {
		t.Errorf("after a change:\n%s", got)
	}
}
