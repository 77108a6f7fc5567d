package patch

// This file writes a patch as a unified diff.

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// context is how many unchanged lines stand around a change.
const context = 3

// A change replaces the lines from..to of the original, counted from 0.
type change struct {
	from, to int
	new      [][]byte
}

// Diff writes the patch as a unified diff with names relative to dir, behind a/
// and b/: what `git apply` and `patch -p1` take in that directory. A file outside
// dir is an error, because neither of them would touch it.
func (p *Patch) Diff(w io.Writer, dir string) error {
	out := bufio.NewWriter(w)
	for i := range p.files {
		f := &p.files[i]
		name, err := relative(f.name, dir)
		if err != nil {
			return err
		}
		f.diff(out, name)
	}
	return out.Flush()
}

// relative gives the name of a file below dir. Links on the way are followed:
// git does not write through them.
func relative(name, dir string) (string, error) {
	for _, try := range [][2]string{{resolve(name), resolve(dir)}, {name, dir}} {
		if rel, err := filepath.Rel(try[1], try[0]); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), nil
		}
	}
	return "", fmt.Errorf("%s: is not below %s, where the patch would be applied", name, dir)
}

// resolve follows links as far as the path exists.
func resolve(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	dir := filepath.Dir(name)
	if dir == name {
		return name
	}
	return filepath.Join(resolve(dir), filepath.Base(name))
}

// diff writes what happens to one file.
func (f *file) diff(w *bufio.Writer, name string) {
	old := lines(f.old)
	changes := f.changes(old)
	if len(changes) == 0 {
		return
	}
	if f.added {
		fmt.Fprintf(w, "--- /dev/null\n")
	} else {
		fmt.Fprintf(w, "--- %s\n", quote("a/"+name))
	}
	fmt.Fprintf(w, "+++ %s\n", quote("b/"+name))
	shift := 0 // how many lines longer the patched file is so far
	for len(changes) > 0 {
		n := 1
		for n < len(changes) && changes[n].from-changes[n-1].to <= 2*context {
			n++
		}
		shift += hunk(w, old, changes[:n], shift)
		changes = changes[n:]
	}
}

// hunk writes changes that are near each other.
func hunk(w *bufio.Writer, old [][]byte, changes []change, shift int) int {
	from := max(0, changes[0].from-context)
	to := min(len(old), changes[len(changes)-1].to+context)
	grown := 0
	for _, c := range changes {
		grown += len(c.new) - (c.to - c.from)
	}
	fmt.Fprintf(w, "@@ -%s +%s @@\n", span(from, to-from), span(from+shift, to-from+grown))
	at := from
	for _, c := range changes {
		write(w, ' ', old[at:c.from])
		write(w, '-', old[c.from:c.to])
		write(w, '+', c.new)
		at = c.to
	}
	write(w, ' ', old[at:to])
	return grown
}

// span writes a range of lines; an empty one names the line before it.
func span(from, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return strconv.Itoa(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, n)
}

func write(w *bufio.Writer, mark byte, lines [][]byte) {
	for _, l := range lines {
		w.WriteByte(mark)
		w.Write(l)
		if !bytes.HasSuffix(l, []byte("\n")) {
			w.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// changes turns the edits of a file into changes of whole lines.
func (f *file) changes(old [][]byte) []change {
	starts := make([]int, len(old)+1) // offset of each line
	for i, l := range old {
		starts[i+1] = starts[i] + len(l)
	}
	line := func(at int) int { // the line that an offset is in
		i, ok := slices.BinarySearch(starts, at)
		if !ok {
			i--
		}
		return min(i, max(0, len(old)-1))
	}
	var out []change
	for i := 0; i < len(f.edits); {
		from, to := line(f.edits[i].Start), line(f.edits[i].End)
		j := i + 1
		for ; j < len(f.edits) && line(f.edits[j].Start) <= to; j++ {
			to = line(f.edits[j].End)
		}
		to = min(to+1, len(old))
		var text []byte
		at := starts[from]
		for _, e := range f.edits[i:j] {
			text = append(text, f.old[at:e.Start]...)
			text = append(text, e.New...)
			at = e.End
		}
		text = append(text, f.old[at:starts[to]]...)
		for _, c := range split(old, trim(old, change{from, to, lines(text)})) {
			if n := len(out); n > 0 && out[n-1].to == c.from { // side by side: one change
				out[n-1] = change{out[n-1].from, c.to, slices.Concat(out[n-1].new, c.new)}
				continue
			}
			out = append(out, c)
		}
		i = j
	}
	return out
}

// trim leaves out the lines at both ends that stay as they are. What stays at the
// end goes first: of equal lines, the new ones then stand where they were put.
func trim(old [][]byte, c change) change {
	for c.from < c.to && len(c.new) > 0 && bytes.Equal(old[c.to-1], c.new[len(c.new)-1]) {
		c.to--
		c.new = c.new[:len(c.new)-1]
	}
	for c.from < c.to && len(c.new) > 0 && bytes.Equal(old[c.from], c.new[0]) {
		c.from++
		c.new = c.new[1:]
	}
	return c
}

// maxSplit bounds the work for one change; what is larger is shown as it is.
const maxSplit = 1 << 20

// split leaves out the lines within a change that stay as they are: the longest
// common subsequence of its old and new lines.
func split(old [][]byte, c change) []change {
	was := old[c.from:c.to]
	n, m := len(was), len(c.new)
	if n == 0 && m == 0 {
		return nil
	}
	if n == 0 || m == 0 || n*m > maxSplit {
		return []change{c}
	}
	best := make([][]int, n+1) // length for the lines from i and from j on
	for i := range best {
		best[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if bytes.Equal(was[i], c.new[j]) {
				best[i][j] = best[i+1][j+1] + 1
			} else {
				best[i][j] = max(best[i+1][j], best[i][j+1])
			}
		}
	}
	var out []change
	i, j := 0, 0 // up to here all is told
	for p, q := 0, 0; ; {
		same := p < n && q < m && bytes.Equal(was[p], c.new[q])
		if same || p == n && q == m {
			if i < p || j < q {
				out = append(out, change{c.from + i, c.from + p, c.new[j:q]})
			}
			if p == n && q == m {
				return out
			}
			p, q = p+1, q+1
			i, j = p, q
		} else if q == m || p < n && best[p+1][q] >= best[p][q+1] {
			p++
		} else {
			q++
		}
	}
}

// lines splits text after each newline; the last line may have none.
func lines(text []byte) [][]byte {
	if len(text) == 0 {
		return nil
	}
	ls := bytes.SplitAfter(text, []byte("\n"))
	if len(ls[len(ls)-1]) == 0 {
		ls = ls[:len(ls)-1]
	}
	return ls
}

// quote writes a file name as git does: in quotes with escapes if it has
// characters that would end it, with a tab behind it if it has blanks.
func quote(name string) string {
	special := func(r byte) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7f }
	if !slices.ContainsFunc([]byte(name), special) {
		if strings.Contains(name, " ") {
			return name + "\t"
		}
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case special(c):
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
