// This file reads JSON token by token.

package ast

import (
	"errors"
	"io"
	"strconv"
	"unicode/utf8"
)

// Kinds of tokens; punctuation stands for itself.
const (
	tokEOF    = 0
	tokString = '"'
	tokWord   = 'w' // number, true, false, null
)

var errJSON = errors.New("clang's dump is not the JSON it should be")

// A lexer splits a stream of JSON into tokens. Commas and colons are left out:
// clang writes well-formed JSON, and whoever reads it asks for what comes next.
type lexer struct {
	r        io.Reader
	buf      []byte
	pos, end int
	err      error
	val      []byte // text of a string or word; good until next
	hold     []byte // behind val when it spans two buffers or has escapes
	back     bool   // the last token is to be handed out again
	last     byte
}

func newLexer(r io.Reader) *lexer { return &lexer{r: r, buf: make([]byte, 1<<17)} }

// fill reads more; it reports whether there is any.
func (l *lexer) fill() bool {
	if l.err != nil {
		return false
	}
	n, err := 0, error(nil)
	for n == 0 && err == nil {
		n, err = l.r.Read(l.buf)
	}
	l.pos, l.end = 0, n
	l.err = err
	return n > 0
}

// unread makes next return the same token once more.
func (l *lexer) unread() { l.back = true }

// next returns the next token's kind.
func (l *lexer) next() byte {
	if l.back {
		l.back = false
		return l.last
	}
	l.last = l.scan()
	return l.last
}

func (l *lexer) scan() byte {
	for {
		for l.pos < l.end {
			c := l.buf[l.pos]
			l.pos++
			switch c {
			case ' ', '\n', '\r', '\t', ',', ':':
			case '{', '}', '[', ']':
				return c
			case '"':
				return l.text()
			default:
				return l.word()
			}
		}
		if !l.fill() {
			return tokEOF
		}
	}
}

// word reads the rest of a number or name, whose first byte is behind pos.
func (l *lexer) word() byte {
	l.hold = append(l.hold[:0], l.buf[l.pos-1])
	for {
		for l.pos < l.end {
			switch c := l.buf[l.pos]; c {
			case ' ', '\n', '\r', '\t', ',', ':', '{', '}', '[', ']', '"':
				l.val = l.hold
				return tokWord
			default:
				l.hold = append(l.hold, c)
				l.pos++
			}
		}
		if !l.fill() {
			l.val = l.hold
			return tokWord
		}
	}
}

// text reads the rest of a string.
func (l *lexer) text() byte {
	// Nearly all strings lie in the buffer and have no escapes.
	for i := l.pos; i < l.end; i++ {
		if c := l.buf[i]; c == '"' {
			l.val = l.buf[l.pos:i]
			l.pos = i + 1
			return tokString
		} else if c == '\\' {
			break
		}
	}
	l.hold = l.hold[:0]
	for {
		c, ok := l.byte()
		switch {
		case !ok:
			return tokEOF
		case c == '"':
			l.val = l.hold
			return tokString
		case c == '\\':
			if !l.escape() {
				return tokEOF
			}
		default:
			l.hold = append(l.hold, c)
		}
	}
}

func (l *lexer) byte() (byte, bool) {
	if l.pos == l.end && !l.fill() {
		return 0, false
	}
	l.pos++
	return l.buf[l.pos-1], true
}

// escape reads what follows a backslash. Surrogates are not put together: no
// name or operator that matters here has any.
func (l *lexer) escape() bool {
	c, ok := l.byte()
	switch c {
	case 'n':
		c = '\n'
	case 't':
		c = '\t'
	case 'r':
		c = '\r'
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'u':
		var hex [4]byte
		for i := range hex {
			if hex[i], ok = l.byte(); !ok {
				return false
			}
		}
		r, err := strconv.ParseUint(string(hex[:]), 16, 32)
		if err != nil {
			return false
		}
		l.hold = utf8.AppendRune(l.hold, rune(r))
		return true
	}
	l.hold = append(l.hold, c)
	return ok
}
