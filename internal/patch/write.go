package patch

// This file writes a patch into the files.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// A staged file has its new contents beside it, to be moved into its place.
type staged struct {
	*file
	target string // the file itself, links followed
	temp   string // "" once it is moved
}

// Write writes the patch into the files: all of them, or none if there is an
// error. Each appears whole; modes and owners stay, links are followed.
func (p *Patch) Write() error {
	var all []*staged
	defer func() {
		for _, s := range all {
			if s.temp != "" {
				os.Remove(s.temp)
			}
		}
	}()
	seen := map[string]string{}
	for i := range p.files {
		s := &staged{file: &p.files[i]}
		all = append(all, s)
		if err := s.stage(); err != nil {
			return err
		}
		if other, ok := seen[s.target]; ok {
			return fmt.Errorf("%s and %s are the same file, and would be changed twice; nothing was changed", other, s.name)
		}
		seen[s.target] = s.name
	}
	for i, s := range all {
		err := os.Rename(s.temp, s.target)
		if err == nil {
			s.temp = ""
			continue
		}
		err = problem(s.name, err)
		for _, done := range all[:i] {
			err = errors.Join(err, done.undo())
		}
		return err
	}
	return nil
}

// stage writes the new contents beside the file.
func (s *staged) stage() error {
	if err := s.check(os.ReadFile); err != nil {
		return problem(s.name, err)
	}
	s.target = resolve(s.name)
	mode, owner := fs.FileMode(0o666), (*syscall.Stat_t)(nil)
	if !s.added {
		info, err := os.Stat(s.target)
		if err != nil {
			return problem(s.name, err)
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s: is no regular file; nothing was changed", s.name)
		}
		if info.Mode().Perm()&0o222 == 0 {
			return fmt.Errorf("%s: is read-only; make it writable (chmod u+w) and run plumb again; nothing was changed", s.name)
		}
		mode = info.Mode()
		owner, _ = info.Sys().(*syscall.Stat_t)
	}
	var err error
	s.temp, err = place(s.target, s.now, mode, owner)
	return problem(s.name, err)
}

// undo puts back what was in the file.
func (s *staged) undo() error {
	if s.added {
		return os.Remove(s.target)
	}
	info, err := os.Stat(s.target)
	if err != nil {
		return err
	}
	owner, _ := info.Sys().(*syscall.Stat_t)
	temp, err := place(s.target, s.old, info.Mode(), owner)
	if err == nil {
		err = os.Rename(temp, s.target)
	}
	if err != nil {
		return fmt.Errorf("%s: was changed and could not be put back: %w", s.name, err)
	}
	return nil
}

// place writes a file beside target that can be moved into its place. With no
// owner it is a new file, and the process's mask counts.
func place(target string, text []byte, mode fs.FileMode, owner *syscall.Stat_t) (name string, err error) {
	var f *os.File
	for i := range 1000 {
		name = filepath.Join(filepath.Dir(target), fmt.Sprintf(".%s.plumb%d-%d", filepath.Base(target), os.Getpid(), i))
		f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.Perm())
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync() // a full disk may say so only now
	}
	if owner != nil && err == nil {
		if int(owner.Uid) != os.Geteuid() || int(owner.Gid) != os.Getegid() {
			f.Chown(int(owner.Uid), int(owner.Gid)) // as far as it is allowed: git would not even try
		}
		err = f.Chmod(mode)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		os.Remove(name)
		return "", err
	}
	return name, nil
}

// problem says which file could not be written, why, and what to do.
func problem(name string, err error) error {
	var stale *Stale
	if err == nil || errors.As(err, &stale) {
		return err
	}
	what := ""
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		what = "the disk is full; make room and run plumb again"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		what = "its directory cannot be written; allow that, or apply the diff elsewhere"
	default:
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		what = err.Error()
	}
	return fmt.Errorf("cannot write %s: %s; nothing was changed", name, what)
}
