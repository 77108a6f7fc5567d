package capture

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
)

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

// TestFullDisk: no room in the cache costs the cache, not the analysis.
func TestFullDisk(t *testing.T) {
	needClang(t)
	var big strings.Builder
	for i := range 400 {
		fmt.Fprintf(&big, "int function_%d(int x) { return x + %d; }\n", i, i)
	}
	p := newProject(t, "big.c", big.String())
	p.cache = smallDisk(t)
	for range 2 {
		res, _ := p.mustRun(Config{Files: []string{"big.c"}})
		counts(t, res, 1, 0)
		p.wantNote("no space left on device")
		p.leftovers()
	}
}

func TestFullDiskForRecords(t *testing.T) {
	p := newProject(t, "a.c", "int a;\n")
	fakeCC(t, p, "bin", "cc")
	disk := smallDisk(t)
	t.Setenv("TMPDIR", disk)
	must(t, fill(disk))
	_, err := p.build("cc -c a.c", Config{})
	wantError(t, err, false, "could not be recorded", "TMPDIR")
}

// fill writes until the disk is full, inodes included.
func fill(dir string) error {
	for i := range 10_000 {
		if os.WriteFile(fmt.Sprintf("%s/f%d", dir, i), make([]byte, 4096), 0o666) != nil {
			return nil
		}
	}
	return fmt.Errorf("%s does not fill", dir)
}

// TestReadOnlyCache: what is there could be read, but nothing is kept.
func TestReadOnlyCache(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int a;\n")
	p.cache = smallDisk(t)
	must(t, syscall.Mount("", p.cache, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	res, _ := p.mustRun(Config{Files: []string{"a.c"}})
	counts(t, res, 1, 0)
	p.wantNote("read-only file system")
}

func TestSharedCache(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int a;\n", "b.c", "int b;\n", "c.c", "int c;\n")
	cfg := Config{Files: []string{"a.c", "b.c", "c.c"}, Dir: p.dir, CacheDir: p.cache, Jobs: 2}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			res, err := Run(context.Background(), cfg)
			if err != nil || len(res.Units) != 3 {
				t.Errorf("%+v, %v", res, err)
				return
			}
			for i := range res.Units {
				if _, err := res.Units[i].Bitcode(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	res, _ := p.mustRun(cfg)
	counts(t, res, 0, 3)
	p.leftovers()
}
