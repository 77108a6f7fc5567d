package patch

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// disk writes files into a directory and gives a patch that puts "new " before
// each, and adds one more.
func disk(t *testing.T, dir string, names ...string) *Patch {
	t.Helper()
	var es []Edit
	for _, n := range names {
		must(t, os.WriteFile(filepath.Join(dir, n), []byte(n), 0o640))
		es = append(es, Edit{filepath.Join(dir, n), 0, 0, "new "})
	}
	p, err := New(append(es, Edit{filepath.Join(dir, "z.h"), 0, 0, "added"}), nil)
	must(t, err)
	return p
}

// holds fails unless the directory has these files and no other.
func holds(t *testing.T, dir string, want files) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		got, err := os.ReadFile(filepath.Join(dir, e.Name()))
		must(t, err)
		if w, ok := want[e.Name()]; !ok || string(got) != w {
			t.Errorf("%s holds %q, want %q", e.Name(), got, w)
		}
	}
	if len(entries) != len(want) {
		t.Errorf("%d files, want %d", len(entries), len(want))
	}
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("%v: does not say %q", err, p)
		}
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	p := disk(t, dir, "a.c", "b.c")
	must(t, os.Chmod(filepath.Join(dir, "b.c"), 0o751))
	must(t, p.Write())
	holds(t, dir, files{"a.c": "new a.c", "b.c": "new b.c", "z.h": "added"})
	for name, mode := range map[string]os.FileMode{"a.c": 0o640, "b.c": 0o751} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != mode {
			t.Errorf("%s: mode %v, %v", name, info.Mode(), err)
		}
	}
	wantError(t, p.Write(), "a.c", "changed", "run it again") // now it is another file
}

func TestWriteFollowsLinks(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	p := disk(t, dir, "a.c")
	must(t, os.Rename(filepath.Join(dir, "a.c"), filepath.Join(other, "real.c")))
	must(t, os.Symlink(filepath.Join(other, "real.c"), filepath.Join(dir, "a.c")))
	must(t, p.Write())
	if to, err := os.Readlink(filepath.Join(dir, "a.c")); err != nil || to != filepath.Join(other, "real.c") {
		t.Errorf("the link is gone: %v", err)
	}
	holds(t, other, files{"real.c": "new a.c"})

	// Under two names it would be changed twice.
	dir = t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte("x"), 0o666))
	must(t, os.Symlink("a.c", filepath.Join(dir, "b.c")))
	p, err := New([]Edit{{filepath.Join(dir, "a.c"), 0, 0, "1"}, {filepath.Join(dir, "b.c"), 1, 1, "2"}}, nil)
	must(t, err)
	wantError(t, p.Write(), "same file")
	holds(t, dir, files{"a.c": "x", "b.c": "x"})
}

// TestWriteNothing: whatever stands in the way of one file, no other is changed.
func TestWriteNothing(t *testing.T) {
	before := files{"a.c": "a.c", "b.c": "b.c"}
	t.Run("read-only file", func(t *testing.T) {
		dir := t.TempDir()
		p := disk(t, dir, "a.c", "b.c")
		must(t, os.Chmod(filepath.Join(dir, "b.c"), 0o444))
		wantError(t, p.Write(), "b.c", "read-only", "chmod u+w", "nothing was changed")
		holds(t, dir, before)
	})
	t.Run("changed file", func(t *testing.T) {
		dir := t.TempDir()
		p := disk(t, dir, "a.c", "b.c")
		must(t, os.WriteFile(filepath.Join(dir, "b.c"), []byte("edited"), 0o640))
		wantError(t, p.Write(), "b.c", "changed while plumb was at work")
		holds(t, dir, files{"a.c": "a.c", "b.c": "edited"})
	})
	t.Run("removed file", func(t *testing.T) {
		dir := t.TempDir()
		p := disk(t, dir, "a.c", "b.c")
		must(t, os.Remove(filepath.Join(dir, "b.c")))
		wantError(t, p.Write(), "b.c", "removed while plumb was at work")
		holds(t, dir, files{"a.c": "a.c"})
	})
	t.Run("directory in the way", func(t *testing.T) {
		dir := t.TempDir()
		p := disk(t, dir, "a.c", "b.c")
		must(t, os.Mkdir(filepath.Join(dir, "z.h"), 0o777))
		wantError(t, p.Write(), "z.h", "nothing was changed")
		must(t, os.Remove(filepath.Join(dir, "z.h")))
		holds(t, dir, before)
	})
	t.Run("full disk", func(t *testing.T) {
		dir := smallDisk(t)
		p := disk(t, dir, "a.c", "b.c")
		for i := range 100 {
			if os.WriteFile(filepath.Join(dir, "fill"+string(rune('A'+i))), make([]byte, 4096), 0o666) != nil {
				break
			}
		}
		wantError(t, p.Write(), "a.c", "the disk is full", "nothing was changed")
		for n, want := range before {
			if got, err := os.ReadFile(filepath.Join(dir, n)); err != nil || string(got) != want {
				t.Errorf("%s: %q, %v", n, got, err)
			}
		}
		if left, _ := filepath.Glob(filepath.Join(dir, ".*plumb*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	t.Run("read-only disk", func(t *testing.T) {
		dir := smallDisk(t)
		p := disk(t, dir, "a.c", "b.c")
		must(t, syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
		wantError(t, p.Write(), "a.c", "directory cannot be written", "nothing was changed")
		holds(t, dir, before)
	})
	t.Run("unwritable directory", func(t *testing.T) {
		if os.Geteuid() == 0 {
			t.Skip("everything is writable for root")
		}
		dir := t.TempDir()
		p := disk(t, dir, "a.c", "b.c")
		must(t, os.Chmod(dir, 0o555))
		wantError(t, p.Write(), "a.c", "directory cannot be written", "nothing was changed")
		must(t, os.Chmod(dir, 0o777))
		holds(t, dir, before)
	})
}

// TestWriteUndone: a file that cannot be moved into its place after others were.
func TestWriteUndone(t *testing.T) {
	dir := t.TempDir()
	p := disk(t, dir, "a.c", "b.c")
	point := filepath.Join(dir, "b.c")
	if err := syscall.Mount(point, point, "", syscall.MS_BIND, ""); err != nil {
		t.Skip("needs the right to mount:", err)
	}
	err := p.Write()
	must(t, syscall.Unmount(point, 0))
	wantError(t, err, "b.c", "nothing was changed")
	holds(t, dir, files{"a.c": "a.c", "b.c": "b.c"})
}

// smallDisk mounts a file system of a few pages, or skips the test.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=16k"); err != nil {
		t.Skip("needs the right to mount a small file system:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}
