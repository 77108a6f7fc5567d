// This file splits source text into tokens, as it stands: with comments,
// directives, and what the preprocessor leaves out.

package ast

import (
	"bytes"
	"sort"
)

// A TokenKind says what a token is.
type TokenKind uint8

// Kinds of tokens.
const (
	Word TokenKind = iota
	Number
	Quoted // string or character
	Punct  // one byte
	Comment
	Directive // the whole of it, with all its lines
)

// A Token is a piece of source text.
type Token struct {
	Kind       TokenKind
	Begin, End int
}

// A Text is the contents of a file.
type Text struct {
	Src []byte

	lines  []int   // where lines begin
	tokens []Token // nil until asked
}

// NewText makes a Text of a file's contents.
func NewText(src []byte) *Text {
	t := &Text{Src: src, lines: []int{0}}
	for i, c := range src {
		if c == '\n' {
			t.lines = append(t.lines, i+1)
		}
	}
	return t
}

// Offset returns where in the file a line and column are, both 1-based; a column
// of 0 is the first that is not blank.
func (t *Text) Offset(line, col int) (int, bool) {
	if line < 1 || line > len(t.lines) {
		return 0, false
	}
	off, end := t.lines[line-1], t.LineEnd(t.lines[line-1])
	if col > 0 {
		off += col - 1
		if line == 1 && bytes.HasPrefix(t.Src, bom) {
			off += len(bom) // clang does not count it
		}
		return off, off <= end
	}
	return t.skipBlank(off), true
}

var bom = []byte("\ufeff")

// Line returns the line that an offset is in, 1-based.
func (t *Text) Line(off int) int {
	return sort.SearchInts(t.lines, off+1)
}

// LineBegin returns where the line of an offset begins.
func (t *Text) LineBegin(off int) int { return t.lines[t.Line(off)-1] }

// LineEnd returns where the line of an offset ends, before its line break.
func (t *Text) LineEnd(off int) int {
	n := t.Line(off)
	if n == len(t.lines) {
		return len(t.Src)
	}
	end := t.lines[n] - 1
	if end > t.lines[n-1] && t.Src[end-1] == '\r' {
		end--
	}
	return end
}

// EOL returns the line break of the line that an offset is in; of the last line,
// that of the one before.
func (t *Text) EOL(off int) string {
	n := t.Line(off)
	if n == len(t.lines) {
		n--
	}
	if n > 0 && t.lines[n] >= 2 && t.Src[t.lines[n]-2] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// Indent returns the blanks that the line of an offset begins with.
func (t *Text) Indent(off int) string {
	b := t.LineBegin(off)
	if b == 0 && bytes.HasPrefix(t.Src, bom) {
		b = len(bom)
	}
	return string(t.Src[b:t.skipBlank(b)])
}

// FirstOnLine reports whether only blanks stand before an offset in its line.
func (t *Text) FirstOnLine(off int) bool {
	b := t.LineBegin(off)
	if b == 0 && bytes.HasPrefix(t.Src, bom) {
		b = len(bom)
	}
	return t.skipBlank(b) >= off
}

// skipBlank goes over blanks, not over line breaks.
func (t *Text) skipBlank(off int) int {
	for off < len(t.Src) && (t.Src[off] == ' ' || t.Src[off] == '\t' || t.Src[off] == '\f' || t.Src[off] == '\v') {
		off++
	}
	return off
}

// Tokens returns all tokens in order. Code that is not compiled is split like any
// other; quotes that are never closed there end with their line.
func (t *Text) Tokens() []Token {
	if t.tokens == nil {
		s := &splitter{src: t.Src}
		if bytes.HasPrefix(t.Src, bom) {
			s.pos = len(bom)
		}
		t.tokens = s.run()
	}
	return t.tokens
}

// Between returns the tokens that begin in a range.
func (t *Text) Between(begin, end int) []Token {
	all := t.Tokens()
	i := sort.Search(len(all), func(i int) bool { return all[i].Begin >= begin })
	j := sort.Search(len(all), func(i int) bool { return all[i].Begin >= end })
	if i >= j {
		return nil
	}
	return all[i:j]
}

// Next returns the first token at or behind an offset that is neither comment nor
// directive, and whether a directive came before it.
func (t *Text) Next(off int) (tok Token, directive, ok bool) {
	all := t.Tokens()
	for i := sort.Search(len(all), func(i int) bool { return all[i].Begin >= off }); i < len(all); i++ {
		switch all[i].Kind {
		case Directive:
			directive = true
		case Comment:
		default:
			return all[i], directive, true
		}
	}
	return Token{}, directive, false
}

// Prev returns the last token that ends at or before an offset and is neither
// comment nor directive, and whether a directive stands between.
func (t *Text) Prev(off int) (tok Token, directive, ok bool) {
	all := t.Tokens()
	for i := sort.Search(len(all), func(i int) bool { return all[i].End > off }) - 1; i >= 0; i-- {
		switch all[i].Kind {
		case Directive:
			directive = true
		case Comment:
		default:
			return all[i], directive, true
		}
	}
	return Token{}, directive, false
}

// String returns the text of a token.
func (t *Text) String(tok Token) string { return string(t.Src[tok.Begin:tok.End]) }

// Is reports whether a token's text is s.
func (t *Text) Is(tok Token, s string) bool { return string(t.Src[tok.Begin:tok.End]) == s }

// HasDirective reports whether a directive begins in a range.
func (t *Text) HasDirective(begin, end int) bool {
	for _, tok := range t.Between(begin, end) {
		if tok.Kind == Directive {
			return true
		}
	}
	return false
}

// Match returns the token that closes the bracket which begins at off. Directives
// between may hold other alternatives, so brackets count only without any.
func (t *Text) Match(off int) (Token, bool) {
	depth := 0
	for _, tok := range t.Between(off, len(t.Src)) {
		if tok.Kind == Directive {
			return Token{}, false
		}
		if tok.Kind != Punct {
			continue
		}
		switch t.Src[tok.Begin] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return tok, true
			}
		}
	}
	return Token{}, false
}
