// This file reads source text by line, for excerpts.

package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
)

// maxText is the size above which a file is not shown: no excerpt is worth
// reading more.
const maxText = 64 << 20

// A Text reads source files once each and hands out their lines. It is not
// safe for use by several goroutines.
type Text struct {
	files map[string]text
}

// A text is what was read of a file; its zero value is a file that cannot be read.
type text struct {
	lines [][]byte // without their ends
	hash  string
}

// Line returns line n of a file, 1-based, without its end. It reports false
// when the file cannot be read or has no such line: sources may be gone by the
// time a report is written, and that is no reason to lose the report.
func (t *Text) Line(file string, n int) (string, bool) {
	lines := t.read(file).lines
	if n < 1 || n > len(lines) {
		return "", false
	}
	return string(lines[n-1]), true
}

// Hash returns the SHA-256 of a file as it was read, in hexadecimal digits; "" for a
// file that cannot be read.
func (t *Text) Hash(file string) string { return t.read(file).hash }

func (t *Text) read(file string) text {
	out, ok := t.files[file]
	if !ok {
		out = readText(file)
		if t.files == nil {
			t.files = map[string]text{}
		}
		t.files[file] = out
	}
	return out
}

// readText reads a regular file. Anything else is refused, because a position
// may name whatever a #line directive says.
func readText(file string) text {
	st, err := os.Stat(file)
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxText {
		return text{}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return text{}
	}
	sum := sha256.Sum256(data)
	lines := bytes.Split(data, []byte("\n"))
	if n := len(lines); len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	for i, l := range lines {
		lines[i] = bytes.TrimSuffix(l, []byte("\r"))
	}
	return text{lines, hex.EncodeToString(sum[:])}
}
