package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/fix"
	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/render"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// asked is a dialog about three lines of a file of which each change adds one below.
func asked(t *testing.T, answers string) (*dialog, *fix.Result, string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "a.c")
	if err := os.WriteFile(file, []byte("one\ntwo\nthree\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	res, rep := &fix.Result{}, &report.Report{}
	var ps []*patch.Patch
	for i, offset := range []int{4, 8, 14} {
		p, err := patch.New([]patch.Edit{{File: file, Start: offset, End: offset, New: "free\n"}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		ps = append(ps, p)
		rep.Findings = append(rep.Findings, report.Finding{
			Kind: report.LeakLost, Loss: source.Position{File: file, Line: i + 1, Col: 1}, Function: "f", Confidence: report.Certain,
			Fix: &report.Fix{Outcome: report.Fixed, Text: "free", Changes: fix.Changes(p)},
		})
		res.Mends = append(res.Mends, fix.Mend{Findings: []int{i}, Outcome: report.Fixed, Text: "free", Patch: p})
	}
	var err error
	if res.Patch, err = patch.Merge(ps...); err != nil {
		t.Fatal(err)
	}
	d := &dialog{
		in: newLines(strings.NewReader(answers)), out: new(bytes.Buffer), rep: rep, form: render.Config{Dir: dir}, dir: dir, read: os.ReadFile,
		prove: func(_ context.Context, p *patch.Patch, _ []int) error {
			if strings.Contains(string(p.Overlay()[file]), "wrong") {
				return errors.New("it is wrong")
			}
			return nil
		},
		edit: func(context.Context, []byte) ([]byte, error) { return nil, errors.New("no editor") },
	}
	return d, res, file
}

func TestAsk(t *testing.T) {
	const diff = "--- a/a.c\n+++ b/a.c\n@@ -1,3 +1,4 @@\n one\n"
	for name, test := range map[string]struct {
		answers string
		edits   []string // what the editor makes of the patch, time by time
		want    string
		says    string
	}{
		"all of them":          {answers: "a\n", want: "one\nfree\ntwo\nfree\nthree\nfree\n"},
		"enter is yes":         {answers: "\nn\nYES\n", want: "one\nfree\ntwo\nthree\nfree\n"},
		"quit keeps the first": {answers: "y\nq\n", want: "one\nfree\ntwo\nthree\n"},
		"the end of input":     {answers: "y\n", want: "one\nfree\ntwo\nthree\n"},
		"nothing":              {answers: "n\nn\nn\n", want: ""},
		"help":                 {answers: "what\nq\n", want: "", says: "y  yes, take this change"},
		"edited":               {answers: "e\nq\n", edits: []string{diff + "+delete\n two\n three\n"}, want: "one\ndelete\ntwo\nthree\n", says: "It holds"},
		"edited, not proved":   {answers: "e\ny\nq\n", edits: []string{diff + "+wrong\n two\n"}, want: "one\nwrong\ntwo\nthree\n", says: "It is not proved: it is wrong"},
		"not proved, not used": {answers: "e\nn\ny\nq\n", edits: []string{diff + "+wrong\n two\n"}, want: "one\nfree\ntwo\nthree\n"},
		"edited badly":         {answers: "e\ny\nq\n", edits: []string{diff + "+x\n zwei\n", diff + "+x\n two\n"}, want: "one\nx\ntwo\nthree\n", says: "The patch does not apply: line 6 of the patch: line 2 of a.c is another"},
		"emptied":              {answers: "e\nq\n", edits: []string{"# nothing\n"}, want: "", says: "Nothing is left of the patch"},
		"not edited":           {answers: "e\nq\n", edits: []string{"same"}, want: "one\nfree\ntwo\nthree\n"},
		"no editor":            {answers: "e\nq\n", want: "", says: "The editor failed: no editor"},
		// Edited so that it wants the same text as one that is taken already.
		"two of one text": {answers: "y\ne\nn\nq\n", edits: []string{"--- a/a.c\n+++ b/a.c\n@@ -1,3 +1,3 @@\n-one\n-two\n+x\n"}, want: "one\nfree\ntwo\nthree\n", says: "a.c:2: two changes of the same text"},
	} {
		t.Run(name, func(t *testing.T) {
			d, res, file := asked(t, test.answers)
			if test.edits != nil {
				d.edit = func(_ context.Context, was []byte) ([]byte, error) {
					text := test.edits[0]
					test.edits = test.edits[1:]
					if text == "same" {
						return was, nil
					}
					return []byte(text), nil
				}
			}
			p, err := d.run(t.Context(), res)
			if err != nil {
				t.Fatal(err)
			}
			got := string(p.Overlay()[file])
			out := d.out.(*bytes.Buffer).String()
			if got != test.want || !strings.Contains(out, test.says) {
				t.Errorf("got %q, want %q\n%s", got, test.want, out)
			}
			declined := 0
			for _, f := range d.rep.Findings {
				if unfixed(f) {
					declined++
				}
			}
			if taken := len(d.taken); declined != 3-taken {
				t.Errorf("%d changes taken, but %d findings unfixed", taken, declined)
			}
		})
	}
}

// Two changes may be the same, and an edited one may have lines in common with others.
func TestAskShared(t *testing.T) {
	for answers, want := range map[string]string{
		"y\ny\n": "one\nfree\ntwo\nthree\nfree\n", // the second is not asked about
		"n\nn\n": "",
		"e\nn\n": "one\nfree /* edited */\ntwo\nthree\n",
	} {
		d, res, file := asked(t, answers)
		res.Mends[1].Patch = res.Mends[0].Patch
		var err error
		if res.Patch, err = patch.Merge(res.Mends[0].Patch, res.Mends[2].Patch); err != nil {
			t.Fatal(err)
		}
		d.edit = func(_ context.Context, text []byte) ([]byte, error) {
			return bytes.Replace(text, []byte("+free"), []byte("+free /* edited */"), 1), nil
		}
		p, err := d.run(t.Context(), res)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(p.Overlay()[file]); got != want {
			t.Errorf("%q: got %q, want %q\n%s", answers, got, want, d.out)
		}
	}
}

// A file that is added is neither shown nor edited, but stays with the change.
func TestAskAdded(t *testing.T) {
	d, res, file := asked(t, "e\nq\n")
	header := filepath.Join(filepath.Dir(file), "guard.h")
	p, err := patch.New(append(res.Mends[0].Patch.Edits(), patch.Edit{File: header, New: "/* guard */\nint guard;\n"}), nil)
	if err != nil {
		t.Fatal(err)
	}
	res.Mends[0].Patch = p
	d.edit = func(_ context.Context, text []byte) ([]byte, error) {
		if bytes.Contains(text, []byte("guard")) {
			t.Errorf("the editor sees\n%s", text)
		}
		return bytes.Replace(text, []byte("+free"), []byte("+delete"), 1), nil
	}
	if p, err = d.run(t.Context(), res); err != nil {
		t.Fatal(err)
	}
	got := p.Overlay()
	if string(got[file]) != "one\ndelete\ntwo\nthree\n" || string(got[header]) != "/* guard */\nint guard;\n" {
		t.Errorf("got %q", got)
	}
	if out := d.out.(*bytes.Buffer).String(); strings.Contains(out, "int guard") || !strings.Contains(out, "and guard.h is added: 2 lines\n") {
		t.Errorf("shown\n%s", out)
	}
}

// A subset of changes that hold together is proved by itself.
func TestAskSubset(t *testing.T) {
	for answers, taken := range map[string]bool{"y\nn\ny\ny\n": true, "y\nn\ny\nn\n": false} {
		d, res, _ := asked(t, answers)
		d.prove = func(context.Context, *patch.Patch, []int) error { return errors.New("the second is needed") }
		p, err := d.run(t.Context(), res)
		if err != nil {
			t.Fatal(err)
		}
		if out := d.out.(*bytes.Buffer).String(); !strings.Contains(out, "the second is needed") || p.Empty() == taken || unfixed(d.rep.Findings[0]) == taken {
			t.Errorf("%q: empty %v\n%s", answers, p.Empty(), out)
		}
	}
}

// Who waits for an answer can be stopped.
func TestAskStopped(t *testing.T) {
	d, res, _ := asked(t, "")
	r, w := io.Pipe()
	defer w.Close()
	d.in = newLines(r)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.run(ctx, res); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
