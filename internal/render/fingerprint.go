// This file names findings so that they keep their names while the program
// around them changes.

package render

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
)

// fingerprint gives every finding its id: a hash of what the finding is about,
// and of no line number. An id survives edits elsewhere in the file, and
// re-indentation; it changes when the file, the function, the allocating or the
// losing line itself changes. Findings that agree in all of that are numbered in
// their order.
func (d *document) fingerprint() {
	seen := map[string]int{}
	d.shorts = map[string]int{}
	for i := range d.findings {
		f := &d.findings[i]
		alloc, _ := d.line(f.Alloc)
		loss, _ := d.line(f.Loss)
		key := strings.Join([]string{
			f.Kind.Rule(),
			filepath.ToSlash(d.path(f.Loss.File)),
			f.Function,
			f.Holder,
			f.Allocator,
			squeeze(alloc),
			squeeze(loss),
		}, "\x00")
		n := seen[key]
		seen[key]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, n))
		f.id = hex.EncodeToString(sum[:8])
		d.shorts[f.id[:shortID]]++
	}
}

// shortID is how much of an id is enough for people.
const shortID = 8

// short is the beginning of an id, long enough that no other finding's id begins
// like it.
func (d *document) short(id string) string {
	if d.shorts[id[:shortID]] > 1 {
		return id
	}
	return id[:shortID]
}

// squeeze makes white space count for nothing.
func squeeze(line string) string { return strings.Join(strings.Fields(line), " ") }
