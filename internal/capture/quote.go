package capture

// This file splits command lines: as a shell does for the "command" form of a
// compilation database, and as gcc does for response files.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// splitShell splits a command line into words as a POSIX shell quotes them.
// Nothing is expanded: a database has no variables left.
func splitShell(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
			continue
		case c == '\'':
			n := strings.IndexByte(s[i+1:], '\'')
			if n < 0 {
				return nil, errors.New("a ' is not closed")
			}
			word.WriteString(s[i+1 : i+1+n])
			i += n + 1
		case c == '"':
			n, err := doubleQuoted(s[i+1:], &word)
			if err != nil {
				return nil, err
			}
			i += n
		case c == '\\' && i+1 < len(s):
			i++
			if s[i] != '\n' { // a line continuation is nothing
				word.WriteByte(s[i])
			}
		default:
			word.WriteByte(c)
		}
		inWord = true
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// doubleQuoted writes what stands in s up to the closing quote to word and
// returns how many bytes it used, the quote included.
func doubleQuoted(s string, word *strings.Builder) (int, error) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return i + 1, nil
		case c == '\\' && i+1 < len(s) && strings.IndexByte("\\\"$`\n", s[i+1]) >= 0:
			i++
			if s[i] != '\n' {
				word.WriteByte(s[i])
			}
		default:
			word.WriteByte(c)
		}
	}
	return 0, errors.New(`a " is not closed`)
}

// splitResponse splits the text of a response file as gcc does: white space
// separates, either quote groups, and a backslash takes the next byte as it
// is, inside quotes too.
func splitResponse(s string) []string {
	var words []string
	var word strings.Builder
	var quote byte
	inWord := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		space := c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'
		switch {
		case c == '\\' && i+1 < len(s):
			i++
			word.WriteByte(s[i])
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote = c
		case space:
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
			continue
		default:
			word.WriteByte(c)
		}
		inWord = true
	}
	if inWord {
		words = append(words, word.String())
	}
	return words
}

// maxResponseDepth bounds response files that name each other.
const maxResponseDepth = 16

// expandResponse replaces every @file of args by the words in it. A file that
// cannot be read stays as the argument it is, as in gcc.
func expandResponse(dir string, args []string) ([]string, error) {
	return expandAt(dir, args, 0)
}

func expandAt(dir string, args []string, depth int) ([]string, error) {
	if depth > maxResponseDepth {
		return nil, fmt.Errorf("response files nest deeper than %d: is one in itself?", maxResponseDepth)
	}
	var out []string
	for _, a := range args {
		if len(a) < 2 || a[0] != '@' {
			out = append(out, a)
			continue
		}
		text, err := os.ReadFile(absolute(dir, a[1:]))
		if err != nil {
			out = append(out, a)
			continue
		}
		inner, err := expandAt(dir, splitResponse(string(text)), depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, inner...)
	}
	return out, nil
}

// absolute makes path absolute, relative to dir.
func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
