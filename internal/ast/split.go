// This file finds the tokens of C and C++.

package ast

import "bytes"

// A splitter goes through source text once. It does not know which language it
// reads: what is a raw string or a digit separator in one is not well-formed in
// the other.
type splitter struct {
	src []byte
	pos int
	out []Token
}

func (s *splitter) run() []Token {
	s.out = []Token{}
	fresh := true // at the beginning of a line, where directives stand
	for s.pos < len(s.src) {
		begin, c := s.pos, s.src[s.pos]
		kind := Punct
		switch {
		case c == '\n':
			fresh = true
			s.pos++
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			s.pos++
			continue
		case s.splice(s.pos) > 0:
			s.pos += s.splice(s.pos)
			continue
		case c == '/' && s.at(1) == '*':
			kind = Comment
			if i := bytes.Index(s.src[s.pos+2:], []byte("*/")); i >= 0 {
				s.pos += i + 4
			} else {
				s.pos = len(s.src)
			}
		case c == '/' && s.at(1) == '/':
			kind = Comment
			s.toLineEnd()
		case c == '#' && fresh:
			kind = Directive
			s.directive()
		case isLetter(c):
			kind = Word
			s.word()
			if s.pos < len(s.src) && (s.src[s.pos] == '"' || s.src[s.pos] == '\'') && isPrefix(s.src[begin:s.pos]) {
				kind = Quoted
				if s.src[s.pos-1] == 'R' && s.src[s.pos] == '"' {
					s.raw()
				} else {
					s.quoted()
				}
			}
		case isDigit(c) || c == '.' && isDigit(s.at(1)):
			kind = Number
			s.number()
		case c == '"' || c == '\'':
			kind = Quoted
			s.quoted()
		default:
			s.pos++
		}
		fresh = fresh && kind == Comment
		s.out = append(s.out, Token{kind, begin, s.pos})
	}
	return s.out
}

// at returns the byte n behind the position, 0 past the end.
func (s *splitter) at(n int) byte {
	if s.pos+n < len(s.src) {
		return s.src[s.pos+n]
	}
	return 0
}

// splice returns the length of a backslash with its line break at i, else 0.
func (s *splitter) splice(i int) int {
	if i >= len(s.src) || s.src[i] != '\\' {
		return 0
	}
	j := i + 1
	if j < len(s.src) && s.src[j] == '\r' {
		j++
	}
	if j < len(s.src) && s.src[j] == '\n' {
		return j + 1 - i
	}
	return 0
}

// toLineEnd goes to the line break that no backslash precedes.
func (s *splitter) toLineEnd() {
	for s.pos < len(s.src) && s.src[s.pos] != '\n' {
		if n := s.splice(s.pos); n > 0 {
			s.pos += n
			continue
		}
		if s.src[s.pos] == '\r' && s.at(1) == '\n' {
			return
		}
		s.pos++
	}
}

// directive goes to the end of a directive, over comments that span lines.
func (s *splitter) directive() {
	for s.pos < len(s.src) && s.src[s.pos] != '\n' {
		switch c := s.src[s.pos]; {
		case s.splice(s.pos) > 0:
			s.pos += s.splice(s.pos)
		case c == '/' && s.at(1) == '*':
			i := bytes.Index(s.src[s.pos+2:], []byte("*/"))
			if i < 0 {
				s.pos = len(s.src)
				return
			}
			s.pos += i + 4
		case c == '/' && s.at(1) == '/':
			s.toLineEnd()
		case c == '"' || c == '\'':
			s.quoted()
		case c == '\r' && s.at(1) == '\n':
			return
		default:
			s.pos++
		}
	}
}

func (s *splitter) word() {
	for s.pos < len(s.src) {
		if c := s.src[s.pos]; isLetter(c) || isDigit(c) {
			s.pos++
		} else if n := s.splice(s.pos); n > 0 && s.pos+n < len(s.src) && (isLetter(s.src[s.pos+n]) || isDigit(s.src[s.pos+n])) {
			s.pos += n
		} else {
			return
		}
	}
}

func (s *splitter) number() {
	for s.pos++; s.pos < len(s.src); s.pos++ {
		c := s.src[s.pos]
		switch {
		case isLetter(c) || isDigit(c) || c == '.':
		case c == '\'' && (isLetter(s.at(1)) || isDigit(s.at(1))):
		case (c == '+' || c == '-') && bytes.IndexByte([]byte("eEpP"), s.src[s.pos-1]) >= 0:
		default:
			return
		}
	}
}

// quoted goes over a string or character, which ends with its line at the latest.
func (s *splitter) quoted() {
	quote := s.src[s.pos]
	for s.pos++; s.pos < len(s.src); s.pos++ {
		switch c := s.src[s.pos]; {
		case c == quote:
			s.pos++
			return
		case c == '\n':
			return
		case s.splice(s.pos) > 0:
			s.pos += s.splice(s.pos) - 1
		case c == '\\' && s.at(1) != '\n' && s.at(1) != '\r':
			s.pos++
		}
	}
	s.pos = min(s.pos, len(s.src))
}

// raw goes over R"x(...)x" from its quote.
func (s *splitter) raw() {
	open := bytes.IndexByte(s.src[s.pos:], '(')
	if open < 0 || open > 17 {
		s.quoted()
		return
	}
	closing := append(append([]byte{')'}, s.src[s.pos+1:s.pos+open]...), '"')
	if i := bytes.Index(s.src[s.pos+open:], closing); i >= 0 {
		s.pos += open + i + len(closing)
		return
	}
	s.quoted()
}

// isPrefix reports whether a word may stand before a quote and belong to it.
func isPrefix(w []byte) bool {
	switch string(w) {
	case "L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R":
		return true
	}
	return false
}

func isLetter(c byte) bool {
	return c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
