// This file reads source text by line, for excerpts.

package source

import (
	"bytes"
	"os"
)

// maxText is the size above which a file is not shown: no excerpt is worth
// reading more.
const maxText = 64 << 20

// A Text reads source files once each and hands out their lines. It is not
// safe for use by several goroutines.
type Text struct {
	files map[string][][]byte // lines without their ends; nil for a file that cannot be read
}

// Line returns line n of a file, 1-based, without its end. It reports false
// when the file cannot be read or has no such line: sources may be gone by the
// time a report is written, and that is no reason to lose the report.
func (t *Text) Line(file string, n int) (string, bool) {
	lines, ok := t.files[file]
	if !ok {
		lines = readLines(file)
		if t.files == nil {
			t.files = map[string][][]byte{}
		}
		t.files[file] = lines
	}
	if n < 1 || n > len(lines) {
		return "", false
	}
	return string(lines[n-1]), true
}

// readLines reads a regular file. Anything else is refused, because a position
// may name whatever a #line directive says.
func readLines(file string) [][]byte {
	st, err := os.Stat(file)
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxText {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	lines := bytes.Split(data, []byte("\n"))
	if n := len(lines); len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	for i, l := range lines {
		lines[i] = bytes.TrimSuffix(l, []byte("\r"))
	}
	return lines
}
