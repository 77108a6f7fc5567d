package leak_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
)

// mark is what a source says of the release in a line.
var mark = regexp.MustCompile(`// (safe|unsafe: (.*)|not local: (.*))$`)

// Each source has releases with comments that say whether they are safe, and what is
// said against them if not.
func TestCheckRelease(t *testing.T) {
	names, err := filepath.Glob("testdata/release/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal("no sources", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			ext := ".c"
			if strings.Contains(name, "cxx") {
				ext = ".cpp"
			}
			p, res := searched(t, "in"+ext, string(src))
			for i, line := range strings.Split(string(src), "\n") {
				if m := mark.FindStringSubmatch(line); m != nil {
					checkLine(t, p, res, i+1, m)
				}
			}
		})
	}
}

// checkLine holds the release in a line against its comment.
func checkLine(t *testing.T, p *ir.Program, res *leak.Result, line int, m []string) {
	f, call := releaseIn(p, res, line)
	if call == 0 {
		t.Errorf("line %d: there is no release", line)
		return
	}
	name := p.Funcs[f].Name
	err := res.CheckRelease(f, call)
	var far *leak.NotLocal
	switch {
	case m[1] == "safe":
		if err != nil {
			t.Errorf("line %d: %s: refused: %v", line, name, err)
		}
	case err == nil:
		t.Errorf("line %d: %s: not refused", line, name)
	case m[3] != "":
		if !errors.As(err, &far) || far.Name != m[3] {
			t.Errorf("line %d: %s: %v", line, name, err)
		}
	default:
		if ok, bad := regexp.MatchString(m[2], err.Error()); !ok || bad != nil || errors.As(err, &far) {
			t.Errorf("line %d: %s: refused because %q", line, name, err)
		}
	}
}

// releaseIn finds the call in a line that releases something.
func releaseIn(p *ir.Program, res *leak.Result, line int) (ir.FuncID, ir.ValueID) {
	view := res.View()
	for id := ir.FuncID(1); int(id) < len(p.Funcs); id++ {
		f := &p.Funcs[id]
		if f.IsDecl() {
			continue
		}
		for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
			if f.Values[v].Op.IsCall() && res.Position(id, v).Line == line && len(view.Released(id, v)) > 0 {
				return id, v
			}
		}
	}
	return 0, 0
}
