package driver

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/fix"
	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/report"
)

// TestTest: mends with which the tests fail are given up, and the others stay.
func TestTest(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	source := "#include <stdlib.h>\n" +
		"int one(int n) { char *p = malloc(n); return !p; }\n" +
		"int two(int n) { char *q = malloc(n); return !q; }\n"
	mended := func() (*tree, *Fixes) {
		tr, rep := open(t, Config{Files: []string{"a.c"}}, "a.c", source)
		if len(rep.Findings) != 2 {
			t.Fatalf("%d findings", len(rep.Findings))
		}
		f := &Fixes{Report: rep, session: tr.Session, Result: &fix.Result{}}
		for i, v := range []string{"p", "q"} {
			p := tr.replace("a.c", "return !"+v+";", "int r = !"+v+"; free("+v+"); return r;")
			f.Mends = append(f.Mends, fix.Mend{Findings: []int{i}, Outcome: report.Fixed, Text: "free", Patch: p})
			rep.Findings[i].Fix = &report.Fix{Outcome: report.Fixed, Text: "free", Changes: make([]report.Change, 1)}
		}
		var err error
		if f.Patch, err = patch.Merge(f.Mends[0].Patch, f.Mends[1].Patch); err != nil {
			t.Fatal(err)
		}
		return tr, f
	}
	outcomes := func(f *Fixes) string {
		s := ""
		for _, x := range f.Report.Findings {
			s += x.Fix.Outcome.String() + " " + x.Fix.Reason + "; "
		}
		return s
	}
	ctx := context.Background()

	_, f := mended()
	if err := f.Test(ctx, "grep -q 'free(p)' a.c && grep -q 'free(q)' a.c", nil); err != nil {
		t.Fatal(err)
	}
	if outcomes(f) != "fixed ; fixed ; " || f.Patch == nil {
		t.Errorf("all pass: %s", outcomes(f))
	}

	tr, f := mended()
	if err := f.Test(ctx, "! grep 'free(p)' a.c", nil); err != nil {
		t.Fatal(err)
	}
	got := outcomes(f)
	if !strings.HasPrefix(got, "not fixed the test fails with it: exit status 1; see "+os.Getenv("TMPDIR")) || !strings.HasSuffix(got, "; fixed ; ") {
		t.Errorf("one fails: %s", got)
	}
	if f.Patch == nil || len(f.Patch.Edits()) != 1 || f.Mends[0].Patch != nil {
		t.Errorf("the patch is %v", f.Patch)
	}
	if now, _ := os.ReadFile(tr.path("a.c")); string(now) != source {
		t.Error("the source was written")
	}

	_, f = mended()
	if err := f.Test(ctx, "! grep 'free' a.c", nil); err != nil || f.Patch != nil {
		t.Errorf("all fail: %v, %v", err, f.Patch)
	}
	_, f = mended()
	if err := f.Test(ctx, "false", nil); err == nil || !strings.Contains(err.Error(), "fails without any change") || outcomes(f) != "fixed ; fixed ; " {
		t.Errorf("a broken test: %v; %s", err, outcomes(f))
	}
}
