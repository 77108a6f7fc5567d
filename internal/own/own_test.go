package own

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/plumbtest"
)

// load reads a C program; its units are the files.
func load(t testing.TB, files ...string) *Index {
	t.Helper()
	var units []lower.Unit
	for _, f := range files {
		data := plumbtest.Compile(t, f)
		units = append(units, lower.Unit{Name: f, Data: func() ([]byte, error) { return data, nil }})
	}
	res, err := lower.Lower(t.Context(), units, lower.Config{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := leak.Search(t.Context(), res.Program, leak.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return New(res.Program, found, nil)
}

// Each file says at calls that make something how that is released together with what it
// holds.
func TestWhole(t *testing.T) {
	x := load(t, "testdata/whole.c")
	src, err := os.ReadFile("testdata/whole.c")
	if err != nil {
		t.Fatal(err)
	}
	got := map[int]string{}
	for _, o := range x.objects {
		if list := x.Whole(o); o.Place == nil && len(list) > 0 {
			lines, _ := list[0].Lines("p")
			got[x.position(value{o.Func, o.Site}).Line] = strings.Join(lines, "; ")
		}
	}
	n := 0
	for i, text := range strings.Split(string(src), "\n") {
		if _, want, ok := strings.Cut(text, "// whole: "); ok {
			n++
			if got[i+1] != want {
				t.Errorf("whole.c:%d: released by %q, want %q", i+1, got[i+1], want)
			}
		}
	}
	if n == 0 {
		t.Error("nothing is said")
	}
	if t.Failed() {
		x.Print(testWriter{t}, nil)
	}
}

var remark = regexp.MustCompile(`// by: (.*)$`)

// Each file says at calls that make something how that is released, the likeliest
// first.
func TestReleasers(t *testing.T) {
	names, err := filepath.Glob("testdata/releasers/*.c*")
	if err != nil || len(names) == 0 {
		t.Fatal("no programs", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			x := load(t, name)
			got := map[int]string{}
			for _, o := range x.objects {
				var list []string
				for _, r := range x.Releasers(o) {
					text, ok := r.Text("p")
					if !ok {
						text, _ = r.Text("p->" + r.Field)
					}
					list = append(list, text)
				}
				line := x.position(value{o.Func, o.Site}).Line
				if o.Place != nil {
					got[line] += "; "
				}
				got[line] += strings.Join(list, ", ")
			}
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for i, text := range strings.Split(string(src), "\n") {
				if m := remark.FindStringSubmatch(text); m != nil && got[i+1] != m[1] {
					t.Errorf("%s:%d: released by %q, want %q", name, i+1, got[i+1], m[1])
				}
			}
			if t.Failed() {
				x.Print(testWriter{t}, nil)
			}
		})
	}
}

type testWriter struct{ t testing.TB }

func (w testWriter) Write(b []byte) (int, error) {
	w.t.Log(strings.TrimSuffix(string(b), "\n"))
	return len(b), nil
}

func TestText(t *testing.T) {
	one := []string{""}
	for _, c := range []struct {
		r      Release
		holder string
		want   string
	}{
		{Release{Name: "free", Form: OfPointer, Args: one}, "s->name", "free(s->name)"},
		{Release{Name: "freep", Form: OfAddress, Args: one}, "s->name", "freep(&s->name)"},
		{Release{Name: "freep", Form: OfAddress, Args: one}, "*out", "freep(out)"},
		{Release{Name: "buf_free", Form: OfOwner, Field: "data", Args: one}, "b.data", "buf_free(&b)"},
		{Release{Name: "buf_free", Form: OfOwner, Field: "data", Args: one}, "b->data", "buf_free(b)"},
		{Release{Name: "buf_free", Form: OfOwner, Field: "data", Args: one}, "data", ""},
		{Release{Name: "put", Form: OfPointer, Arg: 1, Args: []string{"ctx", ""}}, "p", "put(ctx, p)"},
		{Release{Name: "close", Form: Method}, "p", "p->close()"},
		{Release{Name: "delete", Form: Delete}, "*p", "delete (*p)"},
		{Release{Name: "delete[]", Form: DeleteArray}, "p", "delete[] p"},
	} {
		got, ok := c.r.Text(c.holder)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%+v of %s: %q, %v", c.r, c.holder, got, ok)
		}
	}
	if fmt.Sprint(SameType) != "type" {
		t.Error(SameType)
	}
}
