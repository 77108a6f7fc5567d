// This file builds what instrumented programs need.

package toolchain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/rt"
)

// A Kit is the built parts of package rt for one clang.
//
//	KITS/rt-3f2a9c1b00d1e2f3-llvm19/libplumb_rt.so, libplumb_rt.a, include/plumb.h
//	KITS/pass-a07700aa55cc1234-llvm19/plumb_pass.so
//
// Each directory is named by all that it is made from, is put in place whole and
// never changes: programs name the one they were linked with.
type Kit struct {
	Host   *Host
	Plugin string // plumb_pass.so; "" if only the runtime was asked for
	Dir    string // directory of the runtime
}

// Shared is the runtime as a shared library.
func (k *Kit) Shared() string { return filepath.Join(k.Dir, "libplumb_rt.so") }

// Static is the runtime for programs that are linked with -static.
func (k *Kit) Static() string { return filepath.Join(k.Dir, "libplumb_rt.a") }

// Wraps is a file of linker options that a program linked with Static needs.
func (k *Kit) Wraps() string { return filepath.Join(k.Dir, "wraps.txt") }

// Include is the directory of plumb.h.
func (k *Kit) Include() string { return filepath.Join(k.Dir, "include") }

// KitConfig says which kit is wanted.
type KitConfig struct {
	Clang    string    // path or name; "" is the best there is
	CacheDir string    // "" is the user's
	Runtime  bool      // the runtime is enough
	Say      io.Writer // hears what is built; nil for nobody
}

// FindKit returns the kit, and builds it if it is not there.
func FindKit(ctx context.Context, cfg KitConfig) (*Kit, error) {
	host, err := FindHost(ctx, cfg.Clang, !cfg.Runtime)
	if err != nil {
		return nil, err
	}
	root, err := kitRoot(cfg.CacheDir)
	if err != nil {
		return nil, err
	}
	k := &Kit{Host: host}
	runtime := part{"rt", "libplumb_rt.so", host, slices.Concat(rt.RuntimeFlags, rt.StaticFlags, rt.RuntimeLinkFlags), "csrc"}
	if k.Dir, err = runtime.find(ctx, root, cfg.Say, buildRuntime); err != nil {
		return nil, err
	}
	if cfg.Runtime {
		return k, nil
	}
	pass := part{"pass", "plumb_pass.so", host, rt.PassFlags, "pass"}
	dir, err := pass.find(ctx, root, cfg.Say, buildPass)
	k.Plugin = filepath.Join(dir, pass.file)
	return k, err
}

// A part is one directory of a kit.
type part struct {
	name   string
	file   string // which is there when all is
	host   *Host
	flags  []string
	source string // directory of rt.Sources; pass includes csrc/abi.h, too
}

// key digests all that decides what is built.
func (p *part) key() (string, error) {
	h := sha256.New()
	put := func(s string) { fmt.Fprintf(h, "%d:%s,", len(s), s) }
	put(p.host.Real)
	put(p.host.Version)
	if st, err := os.Stat(p.host.Real); err == nil {
		put(fmt.Sprint(st.Size(), st.ModTime().UnixNano()))
	}
	for _, f := range p.flags {
		put(f)
	}
	for _, dir := range slices.Compact([]string{"csrc", p.source}) {
		err := fs.WalkDir(rt.Sources, dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || dir != p.source && path.Ext(name) != ".h" {
				return err
			}
			b, err := rt.Sources.ReadFile(name)
			put(name)
			put(string(b))
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}

// find returns the directory of the part, which build fills if it is not there.
// Of several processes one builds, the others wait for it.
func (p *part) find(ctx context.Context, root string, say io.Writer, build func(context.Context, *Host, string) error) (string, error) {
	key, err := p.key()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, fmt.Sprintf("%s-%s-llvm%d", p.name, key, p.host.Major))
	if p.ready(dir) {
		return dir, nil
	}
	fail := func(err error) (string, error) {
		return "", fmt.Errorf("cannot build plumb's %s for %s in %s: %w", words[p.name], p.host, root, reason(err))
	}
	if err := os.MkdirAll(root, 0o777); err != nil {
		return fail(err)
	}
	unlock := lock(filepath.Join(root, ".lock-"+p.name))
	defer unlock()
	if p.ready(dir) {
		return dir, nil
	}
	if say != nil {
		fmt.Fprintf(say, "plumb: building the %s for %s, once\n", words[p.name], p.host)
	}
	sweep(root)
	tmp, err := os.MkdirTemp(root, tempPrefix+"*")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(tmp) // gone already if all went well
	if err := unpack(filepath.Join(tmp, "src")); err != nil {
		return fail(err)
	}
	if err := build(ctx, p.host, tmp); err != nil {
		return fail(err)
	}
	if err := errors.Join(os.RemoveAll(filepath.Join(tmp, "src")), os.RemoveAll(filepath.Join(tmp, "obj")), os.Chmod(tmp, 0o755)); err != nil {
		return fail(err)
	}
	if err := os.Rename(tmp, dir); err != nil && !p.ready(dir) {
		return fail(err)
	}
	return dir, nil
}

var words = map[string]string{"rt": "runtime", "pass": "compiler plugin"}

func (p *part) ready(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, p.file))
	return err == nil
}

// reason drops the name of a temporary file from an error of the file system.
func reason(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return fmt.Errorf("%w; set XDG_CACHE_HOME or %s to a directory that can be written", pe.Err, EnvKits)
	}
	return err
}

// unpack writes the embedded sources below dir.
func unpack(dir string) error {
	return fs.WalkDir(rt.Sources, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if d.IsDir() {
			return os.MkdirAll(to, 0o777)
		}
		b, err := rt.Sources.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, b, 0o666)
	})
}

// sources lists the files of a directory by extension, in order.
func sources(dir, ext string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	var out []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ext) {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, err
}
