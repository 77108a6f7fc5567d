package patch

// This file maps positions between the original and the patched text. Lines and
// columns count from 1, columns in bytes, as clang does it; column 0 is none.

import (
	"bytes"
	"slices"
)

// Old gives the position in the original of one in the patched file. Text that
// the patch puts in has the position at which it is put in.
func (p *Patch) Old(name string, line, col int) (oldLine, oldCol int) {
	f := p.file(name)
	if f == nil {
		return line, col
	}
	was, _ := f.oldOffset(offset(f.now, f.nowLines, line, col))
	return position(f.oldLines, was, col)
}

// New gives the position in the patched file of one in the original. Text that
// the patch takes out has the position of what stands there instead.
func (p *Patch) New(name string, line, col int) (newLine, newCol int) {
	f := p.file(name)
	if f == nil {
		return line, col
	}
	at := offset(f.old, f.oldLines, line, col)
	shift := 0
	for _, e := range f.edits {
		if e.Start > at {
			break
		}
		if e.End > at { // in the middle of what is replaced
			shift += e.Start - at
			break
		}
		shift += len(e.New) - (e.End - e.Start)
	}
	return position(f.nowLines, at+shift, col)
}

// Added reports whether the patch put the text at this position of the patched
// file there.
func (p *Patch) Added(name string, line, col int) bool {
	f := p.file(name)
	if f == nil {
		return false
	}
	_, added := f.oldOffset(offset(f.now, f.nowLines, line, col))
	return added
}

// Position gives line and column of an offset in the original.
func (p *Patch) Position(name string, at int) (line, col int) {
	f := p.file(name)
	if f == nil {
		return 0, 0
	}
	return position(f.oldLines, at, 1)
}

// oldOffset maps an offset in the patched text; added is set when it is in text
// that the patch put in.
func (f *file) oldOffset(at int) (was int, added bool) {
	shift := 0 // what to add to an offset of the original to get that in the patched text
	for _, e := range f.edits {
		start := e.Start + shift
		if at < start {
			break
		}
		if at < start+len(e.New) {
			return e.Start, true
		}
		shift += len(e.New) - (e.End - e.Start)
	}
	return at - shift, false
}

// starts lists the offsets at which the lines of a text start.
func starts(text []byte) []int {
	list := []int{0}
	for i, c := range text {
		if c == '\n' {
			list = append(list, i+1)
		}
	}
	return list
}

// offset of a position; one beyond the text is the end of its line or of the text.
func offset(text []byte, lines []int, line, col int) int {
	if line > len(lines) {
		return len(text)
	}
	at := lines[max(line, 1)-1]
	end := len(text)
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		end = at + n
	}
	return min(at+max(col-1, 0), end)
}

// position of an offset, with a column only if col is one.
func position(lines []int, at, col int) (int, int) {
	i, ok := slices.BinarySearch(lines, at)
	if !ok {
		i--
	}
	if col == 0 {
		return i + 1, 0
	}
	return i + 1, at - lines[i] + 1
}
