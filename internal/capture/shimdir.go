package capture

// This file makes the directories of shims.
//
// They stay in the cache directory when plumb is done: CMake writes the path
// of the compiler it found into its build directory, and that build must
// still work tomorrow, without plumb. A directory is named by what is in it
// and never changes, so that plumb processes do not disturb each other.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/toolchain"
)

// A shimSet is where the shims of one build are.
type shimSet struct {
	root string // all directories of shims
	exe  string // the program they are
}

// newShimSet prepares shims below the cache root, or below fallback if that
// cannot be written; the user is told, because these do not stay.
func newShimSet(cacheDir, fallback string, note func(string, ...any)) (*shimSet, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot find plumb's own program: %w", err)
	}
	root, err := toolchain.CacheRoot(cacheDir)
	if err == nil {
		root = filepath.Join(root, "shims")
		err = os.MkdirAll(root, 0o777)
	}
	if err == nil {
		var probe string
		if probe, err = os.MkdirTemp(root, tempPattern); err == nil {
			err = os.Remove(probe)
		}
	}
	if err != nil {
		note("the build's compilers are temporary, a build directory configured now will not find them again: %v", err)
		root = fallback
	}
	return &shimSet{root, exe}, nil
}

// names makes a directory with a shim for each name and returns it.
func (s *shimSet) names(names []string) (string, error) {
	id := digestOf([]byte(s.exe + "\n" + strings.Join(names, "\n")))
	return s.make(id, names, "")
}

// standIn makes a shim for the compiler of one path and returns its path.
func (s *shimSet) standIn(real string) (string, error) {
	base := filepath.Base(real)
	dir, err := s.make(digestOf([]byte(s.exe+"\n"+real+"\nreal")), []string{base}, real)
	return filepath.Join(dir, base), err
}

// make fills a directory aside and renames it into place.
func (s *shimSet) make(id digest, names []string, real string) (string, error) {
	dir := filepath.Join(s.root, string(id[:16]))
	if isShimDir(dir) {
		return dir, nil
	}
	tmp, err := os.MkdirTemp(s.root, tempPattern)
	if err != nil {
		return "", fmt.Errorf("cannot make the directory of shim compilers: %w", err)
	}
	defer os.RemoveAll(tmp) // gone already if all went well
	for _, n := range names {
		if err := os.Symlink(s.exe, filepath.Join(tmp, n)); err != nil {
			return "", fmt.Errorf("cannot make a shim compiler: %w", err)
		}
	}
	if real != "" {
		if err := os.WriteFile(filepath.Join(tmp, shimReal), []byte(real), 0o666); err != nil {
			return "", fmt.Errorf("cannot make a shim compiler: %w", err)
		}
	}
	if err := os.Symlink("shims", filepath.Join(tmp, shimMarker)); err != nil {
		return "", fmt.Errorf("cannot make a shim compiler: %w", err)
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return "", fmt.Errorf("cannot make a shim compiler: %w", err)
	}
	if err := os.Rename(tmp, dir); err != nil && !isShimDir(dir) {
		return "", fmt.Errorf("cannot make the directory of shim compilers: %w", err)
	}
	return dir, nil
}

// compilersOn returns the names of all compilers and launchers on a PATH.
// Only those that exist get a shim: configure scripts look what there is.
func compilersOn(path string) []string {
	var names []string
	for _, dir := range filepath.SplitList(path) {
		if isShimDir(dir) {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			continue // a directory that nobody can list has nothing to offer
		}
		for _, e := range entries {
			if n := e.Name(); (isDriver(n) || isLauncher(n)) && findOnPath(n, dir) != "" {
				names = append(names, n)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
