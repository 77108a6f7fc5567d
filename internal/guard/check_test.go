package guard

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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

var update = flag.Bool("update", false, "write what the archives want")

// searched compiles C files and searches them.
func searched(t testing.TB, paths ...string) (*ir.Program, *leak.Result) {
	t.Helper()
	var units []lower.Unit
	for _, path := range paths {
		data := plumbtest.Compile(t, path)
		units = append(units, lower.Unit{Name: path, Data: func() ([]byte, error) { return data, nil }})
	}
	low, err := lower.Lower(context.Background(), units, lower.Config{})
	if err != nil || len(low.Skipped) > 0 {
		t.Fatal(err, low)
	}
	res, err := leak.Search(context.Background(), low.Program, leak.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return low.Program, res
}

// Each archive has a source with guards in it, in.c, and what Check says of each site.
func TestCheck(t *testing.T) {
	names, err := filepath.Glob("testdata/check/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			src := string(ar.Files[0].Data)
			dir := t.TempDir()
			path := filepath.Join(dir, ar.Files[0].Name)
			write(t, path, src)
			write(t, filepath.Join(dir, HeaderName), "#define __plumb__\n"+string(Header))
			p, res := searched(t, path)
			lines := strings.Split(src, "\n")
			c := &Changed{Program: p, Result: res, Added: func(pos source.Position) bool {
				return strings.HasSuffix(lines[pos.Line-1], "//+")
			}}
			var b strings.Builder
			for _, m := range regexp.MustCompile(`(?m)^PLUMB_GUARD_SITE\((\w+)\);`).FindAllStringSubmatch(src, -1) {
				lost, err := c.Check(m[1])
				switch {
				case err != nil:
					fmt.Fprintf(&b, "%s: refused: %v\n", m[1], err)
				case len(lost) > 0:
					fmt.Fprintf(&b, "%s: lost in", m[1])
					for _, pos := range lost {
						fmt.Fprintf(&b, " %d", pos.Line)
					}
					b.WriteString("\n")
				default:
					fmt.Fprintf(&b, "%s: right\n", m[1])
				}
			}
			compareArchive(t, name, ar, b.String())
		})
	}
}

// compareArchive holds a result against the last file of an archive, or writes it there.
func compareArchive(t *testing.T, name string, ar *txtar.Archive, got string) {
	t.Helper()
	want := ""
	last := len(ar.Files) - 1
	if ar.Files[last].Name == "want" {
		want = string(ar.Files[last].Data)
		ar.Files = ar.Files[:last]
	}
	if *update {
		ar.Files = append(ar.Files, txtar.File{Name: "want", Data: []byte(got)})
		if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
