// This file says where plumb keeps things.

package toolchain

import (
	"fmt"
	"os"
	"path/filepath"
)

// CacheRoot is the directory of everything plumb keeps for this user: dir, or the
// usual one if that is "".
func CacheRoot(dir string) (string, error) {
	if dir != "" {
		return filepath.Abs(dir)
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("%w; set XDG_CACHE_HOME or --cache-dir", err)
	}
	return filepath.Join(base, "plumb"), nil
}

// EnvKits is the environment variable that names another directory for kits: a
// shared one, or one that was filled when an image was made.
const EnvKits = "PLUMB_KITS"

// kitRoot is the directory of kits, below the cache unless EnvKits says otherwise.
func kitRoot(cacheDir string) (string, error) {
	if dir := os.Getenv(EnvKits); dir != "" {
		return filepath.Abs(dir)
	}
	root, err := CacheRoot(cacheDir)
	return filepath.Join(root, "run"), err
}
