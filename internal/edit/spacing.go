// This file writes inserted text with the blanks of the text around.

package edit

import "github.com/plumb-project/plumb/internal/ast"

// A spacing is where a file has blanks that others do without.
type spacing struct {
	call    bool // f (x)
	keyword bool // if (x)
	star    bool // char* p
	brace   bool // if (x) {
}

// spacingOf counts what a file does most, in the function first; where it does
// neither, the text stays as it is.
func spacingOf(f *ast.Func) spacing {
	t := f.Text
	s := spacing{keyword: true, brace: true}
	for _, end := range []int{len(t.Src), f.Node.End} { // the function has the last word
		begin := 0
		if end == f.Node.End {
			begin = f.Node.Begin
		}
		v := count(t, t.Between(begin, end))
		decide(&s.call, v.call)
		decide(&s.keyword, v.keyword)
		decide(&s.star, v.star)
		decide(&s.brace, v.brace)
	}
	return s
}

// decide takes over what has more votes.
func decide(is *bool, votes [2]int) {
	if votes[0] != votes[1] {
		*is = votes[1] > votes[0]
	}
}

// A tally counts how often something is written without and with a blank.
type tally struct{ call, keyword, star, brace [2]int }

// count counts the blanks of tokens.
func count(t *ast.Text, toks []ast.Token) (v tally) {
	for i := 1; i+1 < len(toks); i++ {
		prev, tok, next := toks[i-1], toks[i], toks[i+1]
		switch {
		case tok.Kind == ast.Punct && t.Src[tok.Begin] == '(' && prev.Kind == ast.Word:
			b := 0
			if tok.Begin > prev.End {
				b = 1
			}
			switch w := t.String(prev); {
			case isControl(w):
				v.keyword[b]++
			case w != "sizeof" && w != "return" && w != "defined":
				v.call[b]++
			}
		case tok.Kind == ast.Punct && t.Src[tok.Begin] == '{' && t.Is(prev, ")") && t.Line(prev.Begin) == t.Line(tok.Begin):
			b := 0
			if tok.Begin > prev.End {
				b = 1
			}
			v.brace[b]++
		case tok.Kind == ast.Punct && t.Src[tok.Begin] == '*' && prev.Kind == ast.Word && next.Kind == ast.Word:
			// Only one side has a blank: a declaration, not a product.
			left, right := tok.Begin > prev.End, next.Begin > tok.End
			if left != right {
				b := 0
				if right {
					b = 1
				}
				v.star[b]++
			}
		}
	}
	return v
}

// lead returns a brace as it follows something on its line.
func (s spacing) lead() string {
	if s.brace {
		return " {"
	}
	return "{"
}

func isControl(w string) bool {
	switch w {
	case "if", "while", "for", "switch":
		return true
	}
	return false
}

// spaced lays out text that was written as most people write it: f(x), if (x).
func (s spacing) spaced(text string) string {
	if !s.call && s.keyword {
		return text
	}
	t := ast.NewText([]byte(text))
	var out []byte
	at := 0
	toks := t.Tokens()
	for i := 1; i < len(toks); i++ {
		prev, tok := toks[i-1], toks[i]
		if prev.Kind != ast.Word || !t.Is(tok, "(") {
			continue
		}
		blank := s.call
		switch w := t.String(prev); {
		case isControl(w):
			blank = s.keyword
		case w == "sizeof" || w == "return":
			continue
		}
		out = append(out, text[at:prev.End]...)
		if blank {
			out = append(out, ' ')
		}
		at = tok.Begin
	}
	return string(append(out, text[at:]...))
}
