package capture

// This file is the cache of bitcode on disk; see the package comment.
//
//	DIR/bitcode/3f/3f…e1.unit   manifest of one job, named by its key
//	DIR/bitcode/a0/a0…77.bc     bitcode, named by its own digest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/plumb-project/plumb/internal/toolchain"
)

// cacheFormat is part of every key: raise it when flags or layout change.
const cacheFormat = "plumb bitcode cache 1"

// A digest is the SHA-256 of a file's content, in hexadecimal.
type digest string

func digestOf(b []byte) digest {
	sum := sha256.Sum256(b)
	return digest(hex.EncodeToString(sum[:]))
}

// A cache is a directory of manifests and bitcode.
type cache struct{ dir string }

// openCache makes the directory if need be and checks that it can be written.
func openCache(dir string) (*cache, error) {
	root, err := toolchain.CacheRoot(dir)
	if err != nil {
		return nil, err
	}
	c := &cache{filepath.Join(root, "bitcode")}
	if err := os.MkdirAll(c.dir, 0o777); err != nil {
		return nil, fmt.Errorf("cannot make the cache directory: %w", err)
	}
	f, err := os.CreateTemp(c.dir, tempPattern)
	if err != nil {
		return nil, fmt.Errorf("cannot write to the cache directory: %w", err)
	}
	f.Close()
	if err := os.Remove(f.Name()); err != nil {
		return nil, fmt.Errorf("cannot write to the cache directory: %w", err)
	}
	c.trim(time.Now())
	return c, nil
}

const tempPattern = "tmp-*"

func (c *cache) path(name, ext string) string { return filepath.Join(c.dir, name[:2], name+ext) }

// key digests everything that decides a compilation but file contents.
func (c *compiler) key(j *job) digest {
	h := sha256.New()
	put := func(parts ...string) {
		for _, p := range parts {
			fmt.Fprintf(h, "%d:%s,", len(p), p)
		}
		fmt.Fprint(h, ";")
	}
	put(cacheFormat, c.clang.Banner, c.identity)
	put(c.args(j, j.flags, c.clang.AttributeFlags())...)
	put(j.dir)
	put(j.env...)
	return digest(hex.EncodeToString(h.Sum(nil)))
}

// A hit is bitcode found in the cache.
type hit struct {
	dropped []string
	deps    []string
	load    func() ([]byte, error)
}

// lookup returns the bitcode of the job with this key if every file it was
// made from still has the content it had.
func (c *cache) lookup(key digest, d *digests) *hit {
	m, err := readManifest(c.path(string(key), ".unit"))
	if err != nil {
		return nil
	}
	for _, e := range m {
		if !e.holds(d) {
			continue
		}
		load := c.loader(e.bitcode)
		if _, err := load(); err != nil {
			return nil // broken or gone: compile again
		}
		now := time.Now()
		used(c.path(string(key), ".unit"), now)
		used(c.path(string(e.bitcode), ".bc"), now)
		return &hit{e.dropped, e.paths(), load}
	}
	return nil
}

// loader reads bitcode of this digest, and checks that it is.
func (c *cache) loader(want digest) func() ([]byte, error) {
	path := c.path(string(want), ".bc")
	return func() ([]byte, error) {
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("cached bitcode vanished, run again: %w", err)
		}
		if digestOf(b) != want {
			return nil, fmt.Errorf("%s: cached bitcode is damaged; run again to rebuild it", path)
		}
		return b, nil
	}
}

// store puts a compilation into the cache.
func (c *compiler) store(key digest, j *job, out *outcome) (func() ([]byte, error), error) {
	e := entry{bitcode: digestOf(out.bitcode), dropped: out.dropped}
	for _, path := range out.deps {
		sum, err := c.digests.of(path)
		if err != nil {
			return nil, err
		}
		if c.changedMeanwhile(path) {
			return nil, fmt.Errorf("%s changed during the compilation", path)
		}
		e.deps = append(e.deps, dep{path, sum})
	}
	if err := c.cache.write(c.cache.path(string(e.bitcode), ".bc"), out.bitcode); err != nil {
		return nil, err
	}
	path := c.cache.path(string(key), ".unit")
	old, _ := readManifest(path) // a broken one is replaced
	if err := c.cache.write(path, old.with(e).encode()); err != nil {
		return nil, err
	}
	return c.cache.loader(e.bitcode), nil
}

// changedMeanwhile reports whether the file was written after the run began,
// so that its digest may not be that of what clang read. A time in the future
// says nothing.
func (c *compiler) changedMeanwhile(path string) bool {
	st, err := os.Stat(path)
	return err != nil || st.ModTime().After(c.start) && !st.ModTime().After(time.Now())
}

// write replaces a file of the cache as a whole.
func (c *cache) write(path string, b []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return plain(err)
	}
	f, err := os.CreateTemp(c.dir, tempPattern)
	if err != nil {
		return plain(err)
	}
	_, err = f.Write(b)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return plain(err)
}

// plain strips the name of a temporary file off an error, so that the same
// trouble reads the same for every unit.
func plain(err error) error {
	var pe *os.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return fmt.Errorf("cache directory: %w", pe.Err)
	case errors.As(err, &le):
		return fmt.Errorf("cache directory: %w", le.Err)
	}
	return err
}

// digests computes the digest of each file once per run; the units of a
// project mostly read the same headers.
type digests struct{ files sync.Map } // path to *fileDigest

type fileDigest struct {
	once sync.Once
	sum  digest
	err  error
}

func newDigests() *digests { return &digests{} }

func (d *digests) of(path string) (digest, error) {
	v, ok := d.files.Load(path)
	if !ok {
		v, _ = d.files.LoadOrStore(path, &fileDigest{})
	}
	fd := v.(*fileDigest)
	fd.once.Do(func() { fd.sum, fd.err = digestFile(path) })
	return fd.sum, fd.err
}

func digestFile(path string) (digest, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/") {
		return "", fmt.Errorf("%s is not a plain file", path)
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return digest(hex.EncodeToString(h.Sum(nil))), nil
}
