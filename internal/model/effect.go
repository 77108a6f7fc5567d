// This file reads what happens to parameters.

package model

import (
	"fmt"
	"slices"
)

var effects = []string{"consumes", "empties", "makes", "fills", "keeps", "borrows", "reads", "calls", "noreturn", "throws"}

// effect reads what follows verb, and adds it to o.
func (p *parser) effect(verb string, o *Outcome) error {
	switch verb {
	case "consumes", "empties":
		r := Release{Inside: verb == "empties"}
		r.Held = !r.Inside && p.accept("*")
		var err error
		if r.Param, err = p.param(verb); err == nil && p.accept("like") {
			r.Like, err = p.function("like")
		}
		r.Counted = p.accept("counted")
		o.Consumes = append(o.Consumes, r)
		return err
	case "makes", "fills":
		i, err := p.param(verb)
		if err != nil {
			return err
		}
		m := Make{Param: i, Inside: verb == "fills"}
		m.Object, err = p.object()
		o.Makes = append(o.Makes, m)
		return err
	case "keeps", "borrows", "reads":
		if verb == "borrows" && p.accept("*") {
			i, err := p.param(verb)
			o.Lends = append(o.Lends, i)
			return err
		}
		i, err := len(p.f.Params), error(nil)
		if !p.f.Variadic || !p.accept("...") {
			i, err = p.param(verb)
		}
		switch verb {
		case "keeps":
			o.Keeps = append(o.Keeps, i)
		case "reads":
			o.Reads = append(o.Reads, i)
		}
		return err
	case "calls":
		return p.callback(o)
	}
	return fmt.Errorf("unknown word %q%s; what happens is one of consumes, empties, makes, fills, keeps, borrows, reads, calls with a parameter, or noreturn, throws",
		verb, meant(verb, effects))
}

// callback reads cmp(p, _) later.
func (p *parser) callback(o *Outcome) error {
	i, err := p.param("calls")
	if err != nil {
		return err
	}
	c := Callback{Func: i}
	want := fmt.Errorf("calls wants the arguments: calls %s(_), with parameters of %s or _ between the brackets", p.f.Params[i], p.f.Name)
	if !p.accept("(") {
		return want
	}
	for first := true; !p.accept(")"); first = false {
		if !first && !p.accept(",") {
			return want
		}
		a := -1
		if !p.accept("_") {
			if a, err = p.param("calls"); err != nil {
				return err
			}
		}
		c.Args = append(c.Args, a)
	}
	c.Later = p.accept("later")
	o.Calls = append(o.Calls, c)
	return nil
}

// param reads the name of a parameter, after word.
func (p *parser) param(word string) (int, error) {
	w := p.next()
	i := slices.Index(p.f.Params, w)
	switch {
	case i >= 0:
		return i, nil
	case w == "":
		return 0, fmt.Errorf("%s wants a parameter of %s", word, p.f.Name)
	}
	return 0, fmt.Errorf("%s has no parameter %q%s", p.f.Name, w, meant(w, p.f.Params))
}

// meant guesses which of the words someone meant by w.
func meant(w string, words []string) string {
	best, at := len(w)/2+1, -1
	for i, x := range words {
		if d := distance(w, x); d < best {
			best, at = d, i
		}
	}
	if at < 0 {
		return ""
	}
	return " (did you mean " + words[at] + "?)"
}

// distance counts the letters to add, take away or change to turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diag
			if a[i] != b[j] {
				change++
			}
			diag = row[j+1]
			row[j+1] = min(change, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
