// This file holds what the parser does with single tokens.

package ir

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

func (r *reader) advance() { r.tok = r.next() }

func (r *reader) unexpected(want string) {
	r.fail(r.tok.line, "found %s, want %s", r.tok, want)
	r.tok = token{line: r.tok.line}
}

// is reports whether the token is this word or punctuation.
func (r *reader) is(s string) bool {
	return (r.tok.kind == tokWord || r.tok.kind == tokPunct) && r.tok.text == s
}

// accept passes over s if it is there.
func (r *reader) accept(s string) bool {
	if !r.is(s) {
		return false
	}
	r.advance()
	return true
}

func (r *reader) expect(s string) {
	if !r.accept(s) {
		r.unexpected(s)
	}
}

func (r *reader) endLine() {
	if r.tok.kind != tokNewline && r.tok.kind != tokEOF {
		r.unexpected("end of line")
	}
}

func (r *reader) word() string {
	if r.tok.kind != tokWord {
		r.unexpected("a word")
		return ""
	}
	s := r.tok.text
	r.advance()
	return s
}

func (r *reader) string() string {
	if r.tok.kind != tokString {
		r.unexpected("a string")
		return ""
	}
	s := r.tok.text
	r.advance()
	return s
}

// number reads an unsigned number of that many bits.
func (r *reader) number(bits int) uint64 {
	n, err := strconv.ParseUint(r.tok.text, 10, bits)
	if r.tok.kind != tokNumber || err != nil {
		r.unexpected("a number")
		return 0
	}
	r.advance()
	return n
}

// immediate reads a signed decimal or an unsigned hexadecimal number.
func (r *reader) immediate() int64 {
	n, err := strconv.ParseInt(r.tok.text, 10, 64)
	if hex, ok := strings.CutPrefix(r.tok.text, "0x"); ok {
		var bits uint64
		bits, err = strconv.ParseUint(hex, 16, 64)
		n = int64(bits)
	}
	if r.tok.kind != tokNumber || err != nil {
		r.unexpected("a number")
		return 0
	}
	r.advance()
	return n
}

// offset reads "+ n", "- n" or nothing.
func (r *reader) offset() int64 {
	switch {
	case r.accept("+"):
		return r.immediate()
	case r.accept("-"):
		return -int64(r.number(64))
	}
	return 0
}

// attr reads "=n".
func (r *reader) attr() uint32 {
	r.expect("=")
	return uint32(r.number(32))
}

// prefixed reads a word that is a letter and a number: f1, s2, b3.
func (r *reader) prefixed(letter string) uint32 {
	n, ok := numbered(r.tok, letter)
	if !ok {
		r.unexpected(letter + "N")
		return 0
	}
	r.advance()
	return n
}

// numbered reports whether t is a letter and a number.
func numbered(t token, letter string) (uint32, bool) {
	digits, ok := strings.CutPrefix(t.text, letter)
	if t.kind != tokWord || !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	return uint32(n), err == nil
}

// at reads "f1:12".
func (r *reader) at() (FileID, uint32) {
	file := r.prefixed("f")
	r.expect(":")
	return FileID(file), uint32(r.number(32))
}

// index returns where s is in names.
func (r *reader) index(names []string, s, what string) int {
	i := slices.Index(names, s)
	if i < 0 || s == "" {
		r.fail(r.tok.line, "unknown %s %q", what, s)
		return 0
	}
	return i
}

// flag returns the bit that the token names, or 0.
func (r *reader) flag(names []string) uint64 {
	if r.tok.kind != tokWord {
		return 0
	}
	i := slices.Index(names, r.tok.text)
	if i < 0 {
		return 0
	}
	r.advance()
	return 1 << i
}

func (r *reader) typ() Type { return r.typeOf(r.word()) }

func (r *reader) typeOf(word string) Type {
	t, ok := parseType(word, r.p.PtrBits)
	if !ok {
		r.fail(r.tok.line, "%q is not a type", word)
	}
	return t
}

// parseType reads what Type.String prints.
func parseType(s string, ptrBits uint32) (Type, bool) {
	switch s {
	case "void":
		return MakeType(Void, 0), true
	case "token":
		return MakeType(Token, 0), true
	case "ptr":
		return MakeType(Ptr, uint64(ptrBits)), true
	}
	for _, k := range []struct {
		prefix string
		kind   TypeKind
	}{{"i", Int}, {"f", Float}, {"vec", Vec}, {"agg", Agg}} {
		if digits, ok := strings.CutPrefix(s, k.prefix); ok {
			n, err := strconv.ParseUint(digits, 10, 64)
			if err == nil && n <= maxTypeSize {
				return MakeType(k.kind, n), true
			}
		}
	}
	return 0, false
}

// structRef reads "$3", if it is there.
func (r *reader) structRef() StructID {
	if r.tok.kind != tokStruct {
		return 0
	}
	n, err := strconv.ParseUint(r.tok.text, 10, 32)
	if err != nil {
		r.unexpected("$N")
		return 0
	}
	r.advance()
	return StructID(n)
}

// symbol reads the name of a function or global.
func (r *reader) symbol() symbol {
	if r.tok.kind != tokSymbol {
		r.unexpected("@name")
		return symbol{}
	}
	t := r.tok
	r.advance()
	found := r.symbols[t.text]
	if t.id == "" && len(found) > 1 {
		r.fail(t.line, "@%s is not unique; write @%s#f1 or @%s#g1 with its id", t.text, t.text, t.text)
		return symbol{}
	}
	for _, s := range found {
		if t.id == "" || t.id == "f"+strconv.Itoa(int(s.f)) || t.id == "g"+strconv.Itoa(int(s.g)) {
			return s
		}
	}
	r.fail(t.line, "%s %s is not defined", t, t.id)
	return symbol{}
}

// checkID checks the id of a symbol that is being defined.
func (r *reader) checkID(kind string, id uint64) {
	if want := kind + strconv.FormatUint(id, 10); r.tok.id != "" && r.tok.id != want {
		r.fail(r.tok.line, "%s#%s is %s by its position", r.tok, r.tok.id, want)
	}
}

// sigAttr reads ="..." or =0.
func (r *reader) sigAttr() SigID {
	r.expect("=")
	if r.tok.kind == tokString {
		return r.sigID(r.string())
	}
	if r.number(32) != 0 {
		r.unexpected("a signature")
	}
	return 0
}

// fits16 reads "=n" of 16 bits.
func (r *reader) fits16() uint16 {
	line := r.tok.line
	n := r.attr()
	if n > math.MaxUint16 {
		r.fail(line, "%d is too large", n)
	}
	return uint16(n)
}
