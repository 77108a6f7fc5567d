// This file reads model files.

package model

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// An Error is a mistake in a model file.
type Error struct {
	File string
	Line int
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// Parse reads a model file. The error joins one *Error for each line that cannot
// be read; the set has the others.
func Parse(name string, src []byte) (*Set, error) {
	s := &Set{funcs: map[string]*entry{}}
	var errs []error
	line := 0
	for text := range strings.Lines(string(src)) {
		line++
		f, err := parseLine(text)
		if err == nil && f == nil {
			continue
		}
		if err == nil && s.funcs[f.Name] != nil {
			err = fmt.Errorf("%s is there twice, first in line %d; write all outcomes in one line, set apart by |", f.Name, s.funcs[f.Name].f.Line)
		}
		if err != nil {
			errs = append(errs, &Error{name, line, err})
			continue
		}
		f.File, f.Line = name, line
		s.funcs[f.Name] = &entry{f: f}
	}
	return s, errors.Join(errs...)
}

var wordRE = regexp.MustCompile(`^(?:->|(?:>=|<)?-?[0-9]+|\.\.\.|[A-Za-z_$][A-Za-z0-9_.$]*|"(?:[^"\\]|\\.)*"|[(),|*])`)

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
			return nil, fmt.Errorf("cannot read %q; a line is NAME(PARAMETERS) -> RESULT EFFECTS | RESULT EFFECTS", text)
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

func (p *parser) peek() string {
	if len(p.words) == 0 {
		return ""
	}
	return p.words[0]
}

func (p *parser) next() string {
	w := p.peek()
	if w != "" {
		p.words = p.words[1:]
	}
	return w
}

func (p *parser) accept(w string) bool {
	if len(p.words) > 0 && p.words[0] == w {
		p.words = p.words[1:]
		return true
	}
	return false
}

// parseLine reads a line; nil is one that is empty.
func parseLine(text string) (*Func, error) {
	words, err := split(text)
	if err != nil || len(words) == 0 {
		return nil, err
	}
	p := &parser{words: words, f: &Func{}}
	if p.f.Name = p.next(); !isName(p.f.Name) {
		return nil, fmt.Errorf("%q is no name of a function; a line starts with one, as in f(p) consumes p", p.f.Name)
	}
	if err := p.params(); err != nil {
		return nil, err
	}
	if p.accept("as") {
		if p.f.Display, err = strconv.Unquote(p.next()); err != nil {
			return nil, fmt.Errorf(`as wants a string: as "operator new"`)
		}
	}
	o := Outcome{Result: ResultAny}
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
		case "noreturn":
			p.f.NoReturn = true
		case "throws":
			p.f.Throws = true
		default:
			err = p.effect(w, &o)
		}
	}
	return nil, err
}

func (p *parser) params() error {
	if !p.accept("(") {
		return fmt.Errorf("%s: want ( after the name, as in %s(p)", p.f.Name, p.f.Name)
	}
	for first := true; !p.accept(")"); first = false {
		if !first && !p.accept(",") {
			return fmt.Errorf("want a comma or ) among the parameters; they are names only, without types: f(p, n)")
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
			return fmt.Errorf("%q is no name of a parameter; use another, such as p", w)
		case slices.Contains(p.f.Params, w):
			return fmt.Errorf("parameter %s is there twice; each needs a name of its own", w)
		}
		p.f.Params = append(p.f.Params, w)
	}
	return nil
}

// reserved words cannot name parameters.
var reserved = []string{"as", "consumes", "keeps", "borrows", "reads", "makes", "fills", "empties", "calls", "noreturn", "throws", "fresh", "zeroed", "null", "any", "nonzero", "if",
	"for", "each", "like", "counted", "later", "_"}

func isName(w string) bool {
	return w != "" && (w[0] == '_' || w[0] >= 'a' && w[0] <= 'z' || w[0] >= 'A' && w[0] <= 'Z') && !slices.Contains(reserved, w)
}

func (p *parser) result() (Outcome, error) {
	switch w := p.next(); w {
	case "":
		return Outcome{}, fmt.Errorf("a result is missing; write any when nothing is known of it")
	case "fresh":
		return p.fresh()
	case "null":
		return Outcome{Result: ResultNull}, nil
	case "any":
		return Outcome{Result: ResultAny}, nil
	default:
		if n, ok := number(w); ok {
			return Outcome{Result: ResultNum, Num: n}, nil
		}
		if i := slices.Index(p.f.Params, w); i >= 0 {
			return Outcome{Result: ResultArg, Arg: i}, nil
		}
		return Outcome{}, fmt.Errorf("%q is no result%s; a result is fresh, null, any, a number (0, -1, >=0, <0, nonzero) or a parameter of %s",
			w, meant(w, append(slices.Clone(p.f.Params), "fresh", "null", "any", "nonzero")), p.f.Name)
	}
}

func (p *parser) fresh() (Outcome, error) {
	o := Outcome{Result: ResultFresh}
	var err error
	if o.Fresh, err = p.object(); err != nil || !p.accept("if") {
		return o, err
	}
	i, err := p.param("if")
	o.IfNull = i + 1
	if err == nil && !p.accept("null") {
		err = fmt.Errorf("want null after if and a parameter: fresh if %s null", p.f.Params[i])
	}
	return o, err
}

// object reads what is said of something fresh.
func (p *parser) object() (Object, error) {
	var o Object
	var err error
	if strings.HasPrefix(p.peek(), `"`) {
		if o.Noun, err = strconv.Unquote(p.next()); err != nil || o.Noun == "" {
			return o, fmt.Errorf(`a string after fresh or makes says what it is: "stream"`)
		}
	}
	o.Zeroed = p.accept("zeroed")
	if p.accept("for") {
		o.For, err = p.function("for")
	}
	if err == nil && p.accept("each") {
		o.Each, err = p.function("each")
	}
	return o, err
}

// function reads the name of a function that releases.
func (p *parser) function(word string) (string, error) {
	w := p.next()
	if !isName(w) {
		return "", fmt.Errorf("%s wants the name of the function that releases it: %s free", word, word)
	}
	return w, nil
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
