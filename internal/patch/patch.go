// Package patch holds changes to source files: makes them from edits, joins
// them, shows them as a unified diff, writes them.
//
// A patch is made against contents that it remembers. It is never applied to
// anything else: a file that has changed since then is an error (*Stale), and
// two patches that want different things of the same text are one (*Conflict).
//
// Edits are byte ranges of the original. Several insertions at one offset stand
// in the order in which they were given, before what replaces the text that
// starts there. That makes joining simple: where two patches put braces around
// the same statement, the braces are the same edits and appear once, and what
// each puts between them appears in turn. So an edit that adds braces and a
// call is best given as two.
package patch

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An Edit replaces the bytes from Start up to End of a file by New.
type Edit struct {
	File       string // absolute
	Start, End int    // byte offsets in the original
	New        string
}

// A Patch is a set of edits that fit together, for the contents that the files
// had when it was made.
type Patch struct {
	files []file // sorted by name
}

// A file is what a patch does to one file.
type file struct {
	name  string
	old   []byte
	added bool   // it was not there: the patch makes it
	edits []Edit // sorted; none overlap
	now   []byte // what it becomes

	oldLines, nowLines []int // offsets at which lines start
}

// A Conflict is two edits of which only one can be made.
type Conflict struct {
	A, B Edit
	Line int // of the original, where B starts
}

func (e *Conflict) Error() string {
	return fmt.Sprintf("%s:%d: two changes of the same text", e.B.File, e.Line)
}

// Stale is the error for a file that is no longer what the patch was made for.
type Stale struct {
	File string
	Gone bool // it is not there any more
}

func (e *Stale) Error() string {
	if e.Gone {
		return e.File + ": was removed while plumb was at work; run it again"
	}
	return e.File + ": was changed while plumb was at work; run it again"
}

// New makes a patch of edits. read gives the contents of a file, nil for that on
// disk; if it says fs.ErrNotExist, the patch adds the file.
func New(edits []Edit, read func(string) ([]byte, error)) (*Patch, error) {
	if read == nil {
		read = os.ReadFile
	}
	byFile := map[string][]Edit{}
	for _, e := range edits {
		if !filepath.IsAbs(e.File) {
			return nil, fmt.Errorf("patch: %q is no absolute path", e.File)
		}
		e.File = filepath.Clean(e.File)
		if e.Start < e.End || e.New != "" || e.Start > e.End {
			byFile[e.File] = append(byFile[e.File], e)
		}
	}
	p := new(Patch)
	for name, es := range byFile {
		f := file{name: name}
		var err error
		f.old, err = read(name)
		if errors.Is(err, fs.ErrNotExist) {
			f.added = true
		} else if err != nil {
			return nil, fmt.Errorf("cannot read the file to change: %w", err)
		}
		if f.edits, err = arrange(f.old, es); err != nil {
			return nil, err
		}
		f.now = f.patched()
		f.oldLines, f.nowLines = starts(f.old), starts(f.now)
		p.files = append(p.files, f)
	}
	slices.SortFunc(p.files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return p, nil
}

// arrange sorts the edits of one file, drops those that are there already, and
// fails if two overlap.
func arrange(old []byte, edits []Edit) ([]Edit, error) {
	var out []Edit
	for _, e := range edits {
		if e.Start < 0 || e.End < e.Start || e.End > len(old) {
			return nil, fmt.Errorf("patch: edit of bytes %d to %d of %s, which has %d", e.Start, e.End, e.File, len(old))
		}
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(bool2int(a.End > a.Start), bool2int(b.End > b.Start)))
	})
	for i := 1; i < len(out); i++ {
		if a, b := out[i-1], out[i]; b.Start < a.End {
			return nil, &Conflict{A: a, B: b, Line: 1 + bytes.Count(old[:b.Start], []byte("\n"))}
		}
	}
	return out, nil
}

func bool2int(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Merge joins patches into one. Equal edits become one. The error is a *Conflict
// if two patches want different things of the same text, and *Stale if they were
// made for different contents of a file.
func Merge(ps ...*Patch) (*Patch, error) {
	var edits []Edit
	was := map[string]*file{}
	for _, p := range ps {
		for i := range p.files {
			f := &p.files[i]
			if g := was[f.name]; g != nil && (g.added != f.added || !bytes.Equal(g.old, f.old)) {
				return nil, &Stale{File: f.name}
			}
			was[f.name] = f
			edits = append(edits, f.edits...)
		}
	}
	return New(edits, func(name string) ([]byte, error) {
		if was[name].added {
			return nil, fs.ErrNotExist
		}
		return was[name].old, nil
	})
}

// Files are the files that the patch changes, in order.
func (p *Patch) Files() []string {
	var names []string
	for i := range p.files {
		names = append(names, p.files[i].name)
	}
	return names
}

// Edits are those of all files, in order.
func (p *Patch) Edits() []Edit {
	var es []Edit
	for i := range p.files {
		es = append(es, p.files[i].edits...)
	}
	return es
}

// Empty reports whether the patch changes nothing.
func (p *Patch) Empty() bool { return p == nil || len(p.files) == 0 }

// Hash is the SHA-256 of what a file was when the patch was made; ok is false if
// the patch does not change it, or makes it.
func (p *Patch) Hash(name string) (sum [sha256.Size]byte, ok bool) {
	f := p.file(name)
	if f == nil || f.added {
		return sum, false
	}
	return sha256.Sum256(f.old), true
}

// file finds what the patch does to a file; nil for nothing.
func (p *Patch) file(name string) *file {
	i, ok := slices.BinarySearchFunc(p.files, filepath.Clean(name), func(f file, name string) int { return strings.Compare(f.name, name) })
	if !ok {
		return nil
	}
	return &p.files[i]
}

// patched is what the file becomes.
func (f *file) patched() []byte {
	var out []byte
	at := 0
	for _, e := range f.edits {
		out = append(out, f.old[at:e.Start]...)
		out = append(out, e.New...)
		at = e.End
	}
	return append(out, f.old[at:]...)
}

// check fails with *Stale if read gives anything but what the file was.
func (f *file) check(read func(string) ([]byte, error)) error {
	now, err := read(f.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if !f.added {
			return &Stale{File: f.name, Gone: true}
		}
	case err != nil:
		return err
	case f.added || !bytes.Equal(now, f.old):
		return &Stale{File: f.name}
	}
	return nil
}

// Contents gives what each file becomes. read gives what it is now, nil for what
// is on disk; the error is *Stale when that is not what the patch was made for.
func (p *Patch) Contents(read func(string) ([]byte, error)) (map[string][]byte, error) {
	if read == nil {
		read = os.ReadFile
	}
	out := map[string][]byte{}
	for i := range p.files {
		f := &p.files[i]
		if err := f.check(read); err != nil {
			return nil, err
		}
		out[f.name] = bytes.Clone(f.now)
	}
	return out, nil
}

// Overlay gives what each file becomes, whatever is on disk by now.
func (p *Patch) Overlay() map[string][]byte {
	out := map[string][]byte{}
	for i := range p.files {
		out[p.files[i].name] = bytes.Clone(p.files[i].now)
	}
	return out
}
