package leak_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/lower"
	"github.com/plumb-project/plumb/internal/plumbtest"
	"github.com/plumb-project/plumb/internal/source"
)

// searched compiles a C source and searches it.
func searched(t testing.TB, name, src string) (*ir.Program, *leak.Result) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	data := plumbtest.Compile(t, path)
	low, err := lower.Lower(context.Background(), []lower.Unit{{Name: path, Data: func() ([]byte, error) { return data, nil }}}, lower.Config{})
	if err != nil || len(low.Skipped) > 0 {
		t.Fatal(err, low)
	}
	res, err := leak.Search(context.Background(), low.Program, leak.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return low.Program, res
}

// Each archive has a source, in.c, and the lives of its objects, want.
func TestLife(t *testing.T) {
	names, err := filepath.Glob("testdata/life/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			p, res := searched(t, ar.Files[0].Name, string(ar.Files[0].Data))
			got := lives(t, p, res)
			if *update {
				ar.Files = append(ar.Files[:1], txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(string(ar.Files[1].Data), got); d != "" {
				t.Error(d)
			}
			found(t, p, res)
		})
	}
}

// lives prints the lives of all objects.
func lives(t *testing.T, p *ir.Program, res *leak.Result) string {
	var b strings.Builder
	eachLife(p, res, func(l *leak.Life) {
		f := &p.Funcs[l.Func]
		pos := func(v ir.ValueID) source.Position { return res.Position(l.Func, v) }
		fmt.Fprintf(&b, "%s, made in line %d\n", f.Name, pos(l.Site).Line)
		var text strings.Builder
		if err := l.Print(&text, pos); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(text.String()) {
			b.WriteString("\t" + line)
		}
		for _, x := range l.Losses() {
			fmt.Fprintf(&b, "\tloss %d:%d: %s from", x.Pos.Line, x.Pos.Col, x.Kind)
			for _, i := range x.Points {
				fmt.Fprintf(&b, " %d:%d", pos(l.Points[i].At).Line, pos(l.Points[i].At).Col)
			}
			b.WriteString("\n")
		}
		for _, v := range l.LastUses() {
			fmt.Fprintf(&b, "\tlast use %d:%d\n", pos(v).Line, pos(v).Col)
		}
	})
	return b.String()
}

func eachLife(p *ir.Program, res *leak.Result, do func(*leak.Life)) {
	for id := ir.FuncID(1); int(id) < len(p.Funcs); id++ {
		f := &p.Funcs[id]
		if f.IsDecl() {
			continue
		}
		for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
			if f.Values[v].Op.IsCall() {
				for _, place := range res.Made(id, v) {
					do(res.Life(id, v, place))
				}
			}
		}
	}
}

// found makes sure that each leak that is found is an end of a life.
func found(t *testing.T, p *ir.Program, res *leak.Result) {
	for _, c := range res.Candidates {
		in := false
		eachLife(p, res, func(l *leak.Life) {
			for i := range l.Points {
				in = in || l.Points[i].End.Is(c.Finding)
			}
		})
		if c.Kind.IsLeak() && !in {
			t.Errorf("%s: %s is in no life", c.Loss, c.Message())
		}
	}
}
