package patch

// This file reads a unified diff back: one that Diff wrote and someone edited.

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Parse makes a patch of a unified diff whose names are relative to dir, behind a/
// and b/. read gives what the files hold, nil for what is on disk.
//
// The diff may have been edited by hand: what stands before a file is skipped, and
// of a hunk's header only the line counts at which it starts. Its unchanged and its
// removed lines must be those of the file, to the byte.
func Parse(diff []byte, dir string, read func(string) ([]byte, error)) (*Patch, error) {
	if read == nil {
		read = os.ReadFile
	}
	r := &diffReader{lines: lines(diff)}
	var edits []Edit
	added := map[string]bool{}
	for r.next() {
		name, isNew, err := r.header()
		if err != nil {
			return nil, err
		}
		if !filepath.IsLocal(name) {
			return nil, r.fail("%s: is not below %s", name, dir)
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		var old []byte
		if isNew {
			added[file] = true
		} else if old, err = read(file); err != nil {
			return nil, fmt.Errorf("cannot read the file to change: %w", err)
		}
		es, err := r.hunks(file, lines(old))
		if err != nil {
			return nil, err
		}
		edits = append(edits, es...)
	}
	return New(edits, func(name string) ([]byte, error) {
		if added[name] {
			return nil, fs.ErrNotExist
		}
		return read(name)
	})
}

// A diffReader goes through the lines of a diff.
type diffReader struct {
	lines [][]byte
	at    int
}

func (r *diffReader) fail(format string, args ...any) error {
	return fmt.Errorf("line %d of the patch: %s", r.at+1, fmt.Sprintf(format, args...))
}

// line is the line n behind the current one, without its end; "" behind the last.
func (r *diffReader) line(n int) string {
	if r.at+n >= len(r.lines) {
		return ""
	}
	return strings.TrimRight(string(r.lines[r.at+n]), "\r\n")
}

// atFile reports whether the diff of a file starts at the current line.
func (r *diffReader) atFile() bool {
	return strings.HasPrefix(r.line(0), "--- ") && strings.HasPrefix(r.line(1), "+++ ") && strings.HasPrefix(r.line(2), "@@")
}

// next goes on to the diff of a file.
func (r *diffReader) next() bool {
	for r.at < len(r.lines) && !r.atFile() {
		r.at++
	}
	return r.at < len(r.lines)
}

// header reads the two lines that name a file.
func (r *diffReader) header() (name string, isNew bool, err error) {
	isNew = fileName(r.line(0)[4:]) == "/dev/null"
	name, ok := strings.CutPrefix(fileName(r.line(1)[4:]), "b/")
	if !ok {
		r.at++
		return "", false, r.fail("the name of the file does not start with b/")
	}
	r.at += 2
	return name, isNew, nil
}

// fileName undoes quote.
func fileName(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	if name, err := strconv.Unquote(s); err == nil && strings.HasPrefix(s, `"`) {
		return name
	}
	return s
}

// hunks reads what happens to one file.
func (r *diffReader) hunks(file string, old [][]byte) ([]Edit, error) {
	starts := make([]int, len(old)+1) // offset of each line
	for i, l := range old {
		starts[i+1] = starts[i] + len(l)
	}
	var edits []Edit
	behind := 0 // line of the file up to which hunks have gone
	for strings.HasPrefix(r.line(0), "@@") {
		at, err := r.start()
		if err != nil {
			return nil, err
		}
		if at < behind || at > len(old) {
			return nil, r.fail("a hunk at line %d of %s, which is in the hunk before or behind the end", at+1, filepath.Base(file))
		}
		r.at++
		e := Edit{File: file, Start: starts[at], End: starts[at]}
		flush := func() {
			if e.End > e.Start || e.New != "" {
				edits = append(edits, e)
			}
			e = Edit{File: file, Start: starts[at], End: starts[at]}
		}
		for ; r.at < len(r.lines) && !r.atFile() && !strings.HasPrefix(r.line(0), "@@"); r.at++ {
			mark, text := r.body()
			switch {
			case mark == '\\':
				continue
			case mark == '+':
				e.New += string(text)
				continue
			case mark != ' ' && mark != '-':
				return nil, r.fail("starts with none of ' ', '-', '+' and '@@'")
			case at == len(old) || !bytes.Equal(text, old[at]):
				return nil, r.fail("line %d of %s is another", at+1, filepath.Base(file))
			}
			at++
			if mark == '-' {
				e.End = starts[at]
			} else {
				flush()
			}
		}
		flush()
		behind = at
	}
	return edits, nil
}

// start is the line of the file at which a hunk starts, counted from 0.
//
//	@@ -12,7 +12,8 @@
func (r *diffReader) start() (int, error) {
	_, rest, _ := strings.Cut(r.line(0), "-")
	span, _, ok := strings.Cut(rest, " ")
	from, count, counted := strings.Cut(span, ",")
	n, err := strconv.Atoi(from)
	if !ok || err != nil || n < 0 {
		return 0, r.fail("no hunk: %s", r.line(0))
	}
	if n == 0 || counted && count == "0" {
		return n, nil // an empty range names the line before it
	}
	return n - 1, nil
}

// body is a line of a hunk: its mark and its text with its end, if it has one. Some
// editors take the blank away that marks an empty line as unchanged.
func (r *diffReader) body() (mark byte, text []byte) {
	l := r.lines[r.at]
	if s := string(l); s == "\n" || s == "\r\n" {
		return ' ', l
	}
	text = l[1:]
	if strings.HasPrefix(r.line(1), `\`) {
		text = bytes.TrimSuffix(text, []byte("\n"))
	}
	return l[0], text
}
