package own

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/ir"
)

var verdict = regexp.MustCompile(`// (sole|not sole: (.*))$`)

// Each file says at releases whether the slot is the only owner of what goes, and
// otherwise why not.
func TestSole(t *testing.T) {
	names, err := filepath.Glob("testdata/sole/*.c*")
	if err != nil || len(names) == 0 {
		t.Fatal("no programs", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			x := load(t, name)
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for i, text := range strings.Split(string(src), "\n") {
				m := verdict.FindStringSubmatch(text)
				if m == nil {
					continue
				}
				n++
				at := releaseIn(x, i+1)
				if at == (value{}) {
					t.Errorf("%s:%d: no release", name, i+1)
					continue
				}
				switch err := x.Sole(at.fn, at.id); {
				case err == nil && m[1] != "sole":
					t.Errorf("%s:%d: sole, but %s", name, i+1, m[2])
				case err != nil && m[1] == "sole":
					t.Errorf("%s:%d: not sole: %v", name, i+1, err)
				case err != nil && !strings.Contains(err.Error(), m[2]):
					t.Errorf("%s:%d: not sole: %v, want %s", name, i+1, err, m[2])
				}
			}
			if n == 0 {
				t.Error("nothing is said")
			}
		})
	}
}

// releaseIn returns the release in a line.
func releaseIn(x *Index, line int) value {
	for id := range x.p.Funcs {
		f := &x.p.Funcs[id]
		if f.IsDecl() || id == 0 {
			continue
		}
		for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
			at := value{ir.FuncID(id), v}
			if f.Values[v].Op.IsCall() && len(x.released(at.fn, v)) > 0 && x.position(at).Line == line {
				return at
			}
		}
	}
	return value{}
}
