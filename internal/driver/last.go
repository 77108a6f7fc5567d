// This file keeps the report of the last check of a directory.

package driver

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/plumb-project/plumb/internal/toolchain"
)

// LastReport is the file with the report of the last check that was run in dir.
func LastReport(cacheDir, dir string) (string, error) {
	root, err := toolchain.CacheRoot(cacheDir)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(dir))
	return filepath.Join(root, "reports", hex.EncodeToString(sum[:8])+".json"), nil
}

// KeepReport lets write fill that file, which appears whole or not at all.
func (cfg *Config) KeepReport(write func(io.Writer) error) error {
	if cfg.NoCache {
		return nil
	}
	name, err := LastReport(cfg.CacheDir, cfg.Dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return fmt.Errorf("cannot keep the report: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(name), "tmp-*")
	if err != nil {
		return fmt.Errorf("cannot keep the report: %w", err)
	}
	defer os.Remove(f.Name()) // once it is at its place, there is nothing left to remove
	err = write(f)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("cannot keep the report: %w", err)
	}
	return nil
}
