package trial

// This file copies a project.

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/plumb-project/plumb/internal/patch"
)

// A copier copies a directory with modes and times, so that a build in the copy goes
// on where it was.
//
// What names the original directory would lead a test back to it, and is not copied
// as it is: build directories of CMake are left out, and links into the original lead
// into the copy. Of a git repository the copy has all but the objects, which it
// borrows: they are never changed.
type copier struct {
	ctx      context.Context
	from, to string
	scratch  string // holds to; it may itself be in the original
	copied   func(files int)

	files   int
	skipped []string               // what was left out, and why
	times   map[string]fs.FileInfo // of directories, set at the end
}

func (c *copier) run() error {
	from, err := filepath.EvalSymlinks(c.from)
	if err != nil {
		return err
	}
	c.from = from
	if c.scratch, err = filepath.EvalSymlinks(filepath.Dir(c.to)); err != nil {
		return err
	}
	c.times = map[string]fs.FileInfo{}
	if err := filepath.WalkDir(c.from, c.entry); err != nil {
		return err
	}
	for dir, info := range c.times {
		if err := os.Chmod(dir, info.Mode().Perm()); err != nil {
			return err
		}
		if err := os.Chtimes(dir, info.ModTime(), info.ModTime()); err != nil {
			return err
		}
	}
	return nil
}

// place is where a path of the original is in the copy; the top for one elsewhere.
func (c *copier) place(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	rel, err := filepath.Rel(c.from, path)
	if err != nil || !filepath.IsLocal(rel) {
		return c.to
	}
	return filepath.Join(c.to, rel)
}

// skip leaves something out.
func (c *copier) skip(path, why string) {
	c.skipped = append(c.skipped, path+": "+why)
}

// entry copies one entry of the tree.
func (c *copier) entry(path string, d fs.DirEntry, err error) error {
	if c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	if err != nil {
		c.skip(path, "cannot be read")
		if d != nil && d.IsDir() {
			return fs.SkipDir
		}
		return nil
	}
	info, err := d.Info()
	if err != nil {
		return nil // gone meanwhile
	}
	rel, err := filepath.Rel(c.from, path)
	if err != nil {
		return err
	}
	to := filepath.Join(c.to, rel)
	switch mode := info.Mode(); {
	case mode.IsDir():
		if path == c.scratch {
			return fs.SkipDir
		}
		if rel != "." && exists(filepath.Join(path, "CMakeCache.txt")) {
			c.skip(path, "a build directory of CMake")
			return fs.SkipDir
		}
		if err := os.Mkdir(to, 0o700); err != nil {
			return err
		}
		c.times[to] = info
		if isObjects(path) {
			return borrow(path, to)
		}
		return nil
	case mode&fs.ModeSymlink != 0:
		return c.link(path, to)
	case !mode.IsRegular(), d.Name() == "CMakeCache.txt":
		return nil
	case d.Name() == ".git":
		return nil // a work tree of another repository, whose state must stay as it is
	}
	if c.files++; c.copied != nil && c.files%1000 == 0 {
		c.copied(c.files)
	}
	return c.file(path, to, info)
}

// isObjects reports whether a directory holds the objects of a git repository.
func isObjects(path string) bool {
	repo := filepath.Dir(path)
	return filepath.Base(path) == "objects" && exists(filepath.Join(repo, "HEAD")) && exists(filepath.Join(repo, "refs"))
}

// borrow lets a repository take the objects of another.
func borrow(from, to string) error {
	if err := os.Mkdir(filepath.Join(to, "info"), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(to, "info", "alternates"), []byte(from+"\n"), 0o666); err != nil {
		return err
	}
	return fs.SkipDir
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// link copies a link; one into the original leads into the copy.
func (c *copier) link(path, to string) error {
	target, err := os.Readlink(path)
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(c.from, target); err == nil && filepath.IsAbs(target) && filepath.IsLocal(rel) {
		target = filepath.Join(c.to, rel)
	}
	return os.Symlink(target, to)
}

// file copies a regular file.
func (c *copier) file(path, to string, info fs.FileInfo) error {
	in, err := os.Open(path)
	if err != nil {
		c.skip(path, "cannot be read")
		return nil
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in) // the file system shares the blocks if it can
	if e := out.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chmod(to, info.Mode())
	}
	if err == nil {
		err = os.Chtimes(to, time.Time{}, info.ModTime())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// apply changes the copy.
func (c *copier) apply(p *patch.Patch) error {
	now, err := p.Contents(nil)
	if err != nil {
		return err
	}
	for name, text := range now {
		real := name
		if r, err := filepath.EvalSymlinks(name); err == nil {
			real = r
		}
		to := c.place(real)
		if !strings.HasPrefix(to, c.to+string(filepath.Separator)) {
			return fmt.Errorf("%s is not in %s, which was copied for the test", name, c.from)
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
