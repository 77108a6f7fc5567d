package capture

// This file keeps the cache from growing for ever.

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	trimEvery = 24 * time.Hour      // how often a cache is looked through
	keepFor   = 30 * 24 * time.Hour // how long an entry stays that nobody uses
)

// trim removes what was not used for long, and temporary files of processes
// that were killed. now is the time it is. A mark file remembers the last
// time, so that most runs pay for one stat. What cannot be removed stays:
// another process may be trimming too.
func (c *cache) trim(now time.Time) {
	mark := filepath.Join(c.dir, "trimmed")
	if st, err := os.Stat(mark); err == nil && now.Sub(st.ModTime()) < trimEvery {
		return
	}
	if os.WriteFile(mark, nil, 0o666) != nil || os.Chtimes(mark, now, now) != nil {
		return
	}
	_ = filepath.WalkDir(c.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == mark {
			return nil
		}
		st, err := d.Info()
		if err != nil {
			return nil
		}
		age := now.Sub(st.ModTime())
		if age > keepFor || age > trimEvery && strings.HasPrefix(d.Name(), "tmp-") {
			_ = os.Remove(path)
		}
		return nil
	})
}

// used marks an entry's file as needed. Once a day is enough, and keeps a
// warm run from writing.
func used(path string, now time.Time) {
	if st, err := os.Stat(path); err == nil && now.Sub(st.ModTime()) > trimEvery {
		_ = os.Chtimes(path, now, now)
	}
}
