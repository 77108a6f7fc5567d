package capture

// This file compiles units again with other contents of the files they read. The
// files stay as they are, and so does the cache.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// An Overlaid is what comes of other contents.
type Overlaid struct {
	Units   []Unit    // all of the Result's, with other bitcode where it changed
	Changed []int     // indexes of the units that were compiled again
	Failed  []Skipped // those of them that do not compile; their bitcode is the old
}

// overlays is what is remembered between calls of Overlay.
type overlays struct {
	mu    sync.Mutex
	real  map[string]string   // by name: without links
	made  map[digest]*outcome // by unit and contents
	warns map[digest][]Warning
	texts map[string][]byte // by file: what Read returned
}

// Overlay gives the units as they would be if files had these contents, by absolute
// path; they need not exist. Only units that read one of them are compiled. That one
// does not compile is no error.
func (r *Result) Overlay(ctx context.Context, files map[string][]byte) (*Overlaid, error) {
	out := &Overlaid{Units: slices.Clone(r.Units)}
	failed := make([]*Skipped, len(r.Units))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, r.jobs))
	for i := range out.Units {
		u := &out.Units[i]
		over := r.seen(u, files)
		if over == nil {
			continue
		}
		out.Changed = append(out.Changed, i)
		g.Go(func() error {
			o, err := r.remade(ctx, i, over, files)
			if err != nil {
				return err
			}
			if o.reason != "" {
				failed[i] = &Skipped{Unit: u.Name, Reason: absoluteReason(u.Dir, o.reason)}
				return nil
			}
			u.load = func() ([]byte, error) { return o.bitcode, nil }
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, f := range failed {
		if f != nil {
			out.Failed = append(out.Failed, *f)
		}
	}
	return out, nil
}

// absoluteReason names the file of a message in full.
func absoluteReason(dir, reason string) string {
	if m := message.FindStringSubmatch(reason); m != nil {
		return absolute(dir, m[1]) + strings.TrimPrefix(reason, m[1])
	}
	return reason
}

// seen gives the contents that a unit would see, under the names by which it reads
// the files; nil if it reads none of them.
func (r *Result) seen(u *Unit, files map[string][]byte) map[string][]byte {
	if u.job == nil || len(files) == 0 {
		return nil
	}
	real := map[string][]byte{}
	for name, text := range files {
		real[r.real(name)] = text
	}
	var over map[string][]byte
	for _, name := range u.Reads {
		if text, ok := real[r.real(name)]; ok {
			if over == nil {
				over = maps.Clone(files)
			}
			over[name] = text
		}
	}
	return over
}

// real follows the links of a name.
func (r *Result) real(name string) string {
	o := &r.overlays
	o.mu.Lock()
	defer o.mu.Unlock()
	if real, ok := o.real[name]; ok {
		return real
	}
	if o.real == nil {
		o.real = map[string]string{}
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		real = name // a file that is yet to be
	}
	o.real[name] = real
	return real
}

// remade compiles a unit, unless it has seen these contents before. Of files that the
// unit did not read, only sources of other units are sure not to matter: it may read
// the others now.
func (r *Result) remade(ctx context.Context, i int, over, files map[string][]byte) (*outcome, error) {
	return remember(&r.overlays.mu, &r.overlays.made, r.contents(i, over, files), func() (*outcome, error) {
		return r.compiler.compile(ctx, r.Units[i].job, over)
	})
}

// contents names a unit and what it may see.
func (r *Result) contents(i int, over, files map[string][]byte) digest {
	id := fmt.Appendf(nil, "%d\n", i)
	for _, name := range slices.Sorted(maps.Keys(over)) {
		if _, given := files[name]; given && r.isSource(name) && !slices.Contains(r.Units[i].Reads, name) {
			continue
		}
		id = fmt.Appendf(id, "%q %s\n", name, digestOf(over[name]))
	}
	return digestOf(id)
}

// remember calls make unless it was called for the key before.
func remember[T any](mu *sync.Mutex, known *map[digest]T, key digest, make func() (T, error)) (T, error) {
	mu.Lock()
	v, ok := (*known)[key]
	mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := make()
	if err != nil {
		return v, err
	}
	mu.Lock()
	defer mu.Unlock()
	if *known == nil {
		*known = map[digest]T{}
	}
	(*known)[key] = v
	return v, nil
}

// isSource reports whether a file is the source of a unit.
func (r *Result) isSource(name string) bool {
	return slices.ContainsFunc(r.Units, func(u Unit) bool { return u.Name == name })
}

// ErrChanged says that a file is no longer what was compiled.
var ErrChanged = errors.New("was changed while plumb was at work; run it again")

// Read gives the contents that a file had when it was compiled: always the same. If
// that cannot be known, because the file was written since, the error is ErrChanged.
func (r *Result) Read(name string) ([]byte, error) {
	o := &r.overlays
	o.mu.Lock()
	defer o.mu.Unlock()
	if text, ok := o.texts[name]; ok {
		return text, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if c := r.compiler; c != nil {
		if v, ok := c.digests.files.Load(name); ok {
			if sum, err := v.(*fileDigest).sum, v.(*fileDigest).err; err != nil || sum != digestOf(text) {
				return nil, ErrChanged
			}
		} else if c.changedMeanwhile(name) {
			return nil, ErrChanged
		}
	}
	if o.texts == nil {
		o.texts = map[string][]byte{}
	}
	o.texts[name] = text
	return text, nil
}
