// This file remembers what the sources of a report were, so that a reader can tell
// whether they still are.

package render

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/plumb-project/plumb/internal/source"
)

type jsonFile struct {
	File string `json:"file"`
	Hash string `json:"sha256"`
}

// hashes lists the files that the findings name, with what they hold now; files that
// cannot be read are left out.
func (d *document) hashes() []jsonFile {
	names := map[string]bool{}
	name := func(p source.Position) {
		if p.File != "" {
			names[p.File] = true
		}
	}
	for i := range d.findings {
		f := &d.findings[i]
		name(f.Loss)
		name(f.Alloc)
		for _, s := range f.Steps {
			name(s.Pos)
		}
		if f.Fix != nil {
			for _, c := range f.Fix.Changes {
				names[c.File] = true
			}
		}
	}
	var out []jsonFile
	for file := range names {
		if h := d.sources.Hash(d.absolute(file)); h != "" {
			out = append(out, jsonFile{filepath.ToSlash(d.path(file)), h})
		}
	}
	slices.SortFunc(out, func(a, b jsonFile) int { return cmp.Compare(a.File, b.File) })
	return out
}

// Changed returns the files of the report that are not what they were when it was
// written: changed, or gone. Paths are those of the report, taken to be relative to
// dir. A report that does not say what its files were has none.
func (s *Saved) Changed(dir string) []string {
	var text source.Text
	var out []string
	for _, f := range s.doc.Files {
		name := filepath.FromSlash(f.File)
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if text.Hash(name) != f.Hash {
			out = append(out, f.File)
		}
	}
	return out
}

// Names reports whether finding i is about a place in a file, by its path in the report.
func (s *Saved) Names(i int, file string) bool {
	f := &s.doc.Findings[i]
	return file == f.Location.File || file == f.Allocation.File || slices.ContainsFunc(f.Steps, func(s jsonStep) bool { return s.File == file })
}
