// This file reads model files.

package model

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Parse reads a model file. Errors give its name and the line.
func Parse(name string, src []byte) (*Set, error) {
	s := &Set{funcs: map[string]*Func{}}
	line := 0
	for text := range strings.Lines(string(src)) {
		line++
		words, err := split(text)
		if err == nil && len(words) == 0 {
			continue
		}
		var f *Func
		if err == nil {
			f, err = parseLine(words)
		}
		if err == nil && s.funcs[f.Name] != nil {
			err = fmt.Errorf("%s is there twice", f.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		s.funcs[f.Name] = f
	}
	return s, nil
}

var wordRE = regexp.MustCompile(`^(?:->|(?:>=|<)?-?[0-9]+|\.\.\.|[A-Za-z_$][A-Za-z0-9_.$]*|"(?:[^"\\]|\\.)*"|[(),|])`)

// split cuts a line into words.
func split(text string) ([]string, error) {
	var words []string
	for {
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			return words, nil
		}
		w := wordRE.FindString(text)
		if w == "" {
			return nil, fmt.Errorf("cannot read %q", text)
		}
		words = append(words, w)
		text = text[len(w):]
	}
}

// A parser reads the words of one line.
type parser struct {
	words []string
	f     *Func
}

func (p *parser) next() string {
	if len(p.words) == 0 {
		return ""
	}
	w := p.words[0]
	p.words = p.words[1:]
	return w
}

func (p *parser) accept(w string) bool {
	if len(p.words) > 0 && p.words[0] == w {
		p.words = p.words[1:]
		return true
	}
	return false
}

func parseLine(words []string) (*Func, error) {
	p := &parser{words: words, f: &Func{}}
	p.f.Name = p.next()
	if err := p.params(); err != nil {
		return nil, err
	}
	if p.accept("as") {
		s, err := strconv.Unquote(p.next())
		if err != nil {
			return nil, fmt.Errorf("as wants a string")
		}
		p.f.Display = s
	}
	o := Outcome{Result: ResultAny}
	var err error
	if p.accept("->") {
		o, err = p.result()
	}
	for err == nil {
		switch w := p.next(); w {
		case "":
			p.f.Outcomes = append(p.f.Outcomes, o)
			return p.f, nil
		case "|":
			p.f.Outcomes = append(p.f.Outcomes, o)
			o, err = p.result()
		case "consumes", "keeps", "borrows", "makes", "remakes":
			err = p.effect(w, &o)
		case "noreturn":
			p.f.NoReturn = true
		case "throws":
			p.f.Throws = true
		default:
			err = fmt.Errorf("unknown word %q", w)
		}
	}
	return nil, err
}

func (p *parser) params() error {
	if !p.accept("(") {
		return fmt.Errorf("%s: want ( after the name", p.f.Name)
	}
	for first := true; !p.accept(")"); first = false {
		if !first && !p.accept(",") {
			return fmt.Errorf("want a comma or ) among the parameters")
		}
		w := p.next()
		switch {
		case w == "...":
			p.f.Variadic = true
			if !p.accept(")") {
				return fmt.Errorf("... must be the last parameter")
			}
			return nil
		case !isName(w):
			return fmt.Errorf("%q is no name of a parameter", w)
		case slices.Contains(p.f.Params, w):
			return fmt.Errorf("parameter %s is there twice", w)
		}
		p.f.Params = append(p.f.Params, w)
	}
	return nil
}

// reserved words cannot name parameters.
var reserved = []string{"as", "consumes", "keeps", "borrows", "makes", "remakes", "noreturn", "throws", "fresh", "null", "any", "nonzero", "if"}

func isName(w string) bool {
	return w != "" && (w[0] == '_' || w[0] >= 'a' && w[0] <= 'z' || w[0] >= 'A' && w[0] <= 'Z') && !slices.Contains(reserved, w)
}

func (p *parser) result() (Outcome, error) {
	switch w := p.next(); w {
	case "fresh":
		o := Outcome{Result: ResultFresh}
		if len(p.words) > 0 && strings.HasPrefix(p.words[0], `"`) {
			var err error
			if o.Object, err = strconv.Unquote(p.next()); err != nil {
				return o, err
			}
		}
		if !p.accept("if") {
			return o, nil
		}
		i, err := p.param(p.next())
		o.IfNull = i + 1
		if err == nil && !p.accept("null") {
			err = fmt.Errorf("want null after if and a parameter")
		}
		return o, err
	case "null":
		return Outcome{Result: ResultNull}, nil
	case "any":
		return Outcome{Result: ResultAny}, nil
	default:
		if n, ok := number(w); ok {
			return Outcome{Result: ResultNum, Num: n}, nil
		}
		i, err := p.param(w)
		return Outcome{Result: ResultArg, Arg: i}, err
	}
}

// number reads 0, -1, >=0, <0 or nonzero.
func number(w string) (Number, bool) {
	all := Number{Lo: math.MinInt64, Hi: math.MaxInt64}
	if w == "nonzero" {
		all.NonZero = true
		return all, true
	}
	digits := strings.TrimLeft(w, "><=")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return Number{}, false
	}
	switch strings.TrimSuffix(w, digits) {
	case ">=":
		all.Lo = n
	case "<":
		all.Hi = n - 1
	default:
		all.Lo, all.Hi = n, n
	}
	return all, true
}

// effect reads the parameter of consumes, keeps or borrows.
func (p *parser) effect(verb string, o *Outcome) error {
	w := p.next()
	i, err := p.param(w)
	if w == "..." && p.f.Variadic && verb != "consumes" {
		i, err = len(p.f.Params), nil
	}
	if err != nil {
		return err
	}
	switch verb {
	case "consumes":
		o.Consumes = append(o.Consumes, i)
	case "makes":
		o.Makes = append(o.Makes, i)
	case "remakes":
		p.f.Remakes = append(p.f.Remakes, i)
	case "keeps":
		p.f.Keeps = append(p.f.Keeps, i)
	}
	return nil
}

func (p *parser) param(w string) (int, error) {
	i := slices.Index(p.f.Params, w)
	if i < 0 {
		return 0, fmt.Errorf("%s has no parameter %q", p.f.Name, w)
	}
	return i, nil
}
