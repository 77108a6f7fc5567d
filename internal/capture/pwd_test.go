package capture

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestDirectoryIsOurs: clang believes $PWD where it names the directory it runs
// in. What a shell called that directory must not get into the bitcode, or one
// cache entry would serve under another name.
func TestDirectoryIsOurs(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int f(void) { return 1; }\n")
	link := filepath.Join(t.TempDir(), "called-otherwise")
	if err := os.Symlink(p.dir, link); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PWD", link)
	res, _ := p.mustRun(Config{Files: []string{"a.c"}})
	b, err := res.Units[0].Bitcode()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(b, []byte("called-otherwise")) || !bytes.Contains(b, []byte(p.dir)) {
		t.Errorf("the bitcode does not name %s", p.dir)
	}
}
