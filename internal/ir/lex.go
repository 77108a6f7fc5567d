// This file cuts the text form into words.

package ir

import (
	"fmt"
	"strconv"
)

// isWordByte reports whether c may stand in a bare word.
func isWordByte(c byte) bool {
	return c == '_' || c == '.' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// isWord reports whether s can be written without quotes: letters, digits, _ and
// dots, no digit first.
func isWord(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	return isSymbol(s)
}

// isSymbol reports whether s can follow @ without quotes.
func isSymbol(s string) bool {
	for i := range len(s) {
		if !isWordByte(s[i]) && s[i] != '$' {
			return false
		}
	}
	return s != ""
}

// A tokenKind is what a token is.
type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokNewline
	tokWord   // buf, i64, parse.c
	tokNumber // 12, -3, 0x1f
	tokString // "...": text is its content
	tokValue  // %4: text is 4
	tokSymbol // @name, @"name", @name#f3: text is the name, id the rest
	tokStruct // $3 or $3.1: text is what follows the dollar
	tokVar    // #3 or buf#3: text is 3, id the name
	tokPunct  // anything else, one byte, and <-
)

// A token is a word of the text form.
type token struct {
	kind tokenKind
	text string
	id   string // of a symbol: f3 or g3, or nothing; of a variable: its name, or nothing
	line int
}

// A lexer cuts text into tokens. After an error it returns only tokEOF.
type lexer struct {
	name string
	src  []byte
	pos  int
	line int
	err  error
}

func (l *lexer) fail(line int, format string, args ...any) {
	if l.err == nil {
		l.err = fmt.Errorf("%s:%d: %w", l.name, line, fmt.Errorf(format, args...))
	}
}

// next returns the next token.
func (l *lexer) next() token {
	l.skip()
	t := token{line: l.line}
	if l.err != nil || l.pos >= len(l.src) {
		return t
	}
	c := l.src[l.pos]
	switch {
	case c == '\n':
		l.pos++
		l.line++
		t.kind = tokNewline
	case c == '"':
		t.kind, t.text = tokString, l.quoted()
	case c == '%':
		l.pos++
		t.kind, t.text = tokValue, l.run(isWordByte)
	case c == '#':
		l.pos++
		t.kind, t.text = tokVar, l.run(isWordByte)
	case c == '$':
		l.pos++
		t.kind, t.text = tokStruct, l.run(isWordByte)
	case c == '@':
		l.pos++
		t.kind = tokSymbol
		l.symbol(&t)
	case isDigit(c), c == '-' && l.pos+1 < len(l.src) && isDigit(l.src[l.pos+1]):
		l.pos++
		t.kind, t.text = tokNumber, string(c)+l.run(isWordByte)
	case isWordByte(c):
		t.kind, t.text = tokWord, l.run(isWordByte)
		if l.pos < len(l.src) && l.src[l.pos] == '#' {
			l.pos++
			t.kind, t.id, t.text = tokVar, t.text, l.run(isWordByte)
		}
	case c == '<' && l.pos+1 < len(l.src) && l.src[l.pos+1] == '-':
		l.pos += 2
		t.kind, t.text = tokPunct, "<-"
	default:
		l.pos++
		t.kind, t.text = tokPunct, string(rune(c))
	}
	if l.err != nil {
		return token{line: t.line}
	}
	return t
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// skip passes over blanks and comments.
func (l *lexer) skip() {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			l.pos++
		case c == '/' && l.pos+1 < len(l.src) && l.src[l.pos+1] == '/':
			for l.pos < len(l.src) && l.src[l.pos] != '\n' {
				l.pos++
			}
		default:
			return
		}
	}
}

// run returns the longest prefix of what is left of which every byte is ok.
func (l *lexer) run(ok func(byte) bool) string {
	start := l.pos
	for l.pos < len(l.src) && ok(l.src[l.pos]) {
		l.pos++
	}
	return string(l.src[start:l.pos])
}

// quoted reads a string literal as Go writes it.
func (l *lexer) quoted() string {
	start := l.pos
	for l.pos++; l.pos < len(l.src) && l.src[l.pos] != '"' && l.src[l.pos] != '\n'; l.pos++ {
		if l.src[l.pos] == '\\' {
			l.pos++
		}
	}
	l.pos = min(l.pos+1, len(l.src))
	s, err := strconv.Unquote(string(l.src[start:l.pos]))
	if err != nil {
		l.fail(l.line, "bad string %.40s", l.src[start:l.pos])
	}
	return s
}

// symbol reads what follows @.
func (l *lexer) symbol(t *token) {
	if l.pos < len(l.src) && l.src[l.pos] == '"' {
		t.text = l.quoted()
	} else {
		t.text = l.run(func(c byte) bool { return isWordByte(c) || c == '$' })
	}
	if l.pos < len(l.src) && l.src[l.pos] == '#' {
		l.pos++
		t.id = l.run(isWordByte)
	}
}

// String describes t for error messages.
func (t token) String() string {
	switch t.kind {
	case tokEOF:
		return "end of text"
	case tokNewline:
		return "end of line"
	case tokString:
		return strconv.Quote(t.text)
	case tokValue:
		return "%" + t.text
	case tokSymbol:
		return "@" + t.text
	case tokStruct:
		return "$" + t.text
	case tokVar:
		return "#" + t.text
	}
	return t.text
}
