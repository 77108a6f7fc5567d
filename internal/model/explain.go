// This file says in prose what a model means.

package model

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Explain says what f does, one sentence a line, with what s knows of the functions
// that release what it makes, or make what it releases.
func (s *Set) Explain(f *Func) []string {
	var out []string
	for i := range f.Outcomes {
		if t := f.way(i); t != "" {
			out = append(out, t)
		}
	}
	switch {
	case f.NoReturn && f.Throws:
		out = append(out, "It does not return: it throws.")
	case f.NoReturn:
		out = append(out, "It does not return.")
	case f.Throws:
		out = append(out, "It may throw.")
	}
	if f.hasUntouched() && !f.NoReturn {
		if len(out) == 0 {
			out = append(out, "It looks at what it is given, and may write there; all of it stays with the caller.")
		} else {
			out = append(out, "All else that it is given stays with the caller.")
		}
	}
	if read := f.read(); len(read) > 0 {
		out = append(out, "It does not write what is pointed to by "+list(read, "and")+".")
	}
	for _, family := range f.makes() {
		if fit := s.releasers(family); len(fit) > 1 {
			out = append(out, fmt.Sprintf("What it makes for %s, these release: %s.", s.display(family), list(fit, "and")))
		}
	}
	for _, family := range f.families() {
		if makers := s.makers(family); len(makers) > 0 {
			out = append(out, fmt.Sprintf("It releases what these make: %s.", list(makers, "and")))
		}
	}
	return out
}

// way says what happens on outcome i.
func (f *Func) way(i int) string {
	o := &f.Outcomes[i]
	var clauses []string
	if t := f.resultClause(o); t != "" {
		clauses = append(clauses, t)
	}
	clauses = append(clauses, f.effectClauses(o)...)
	fails := f.fails(o)
	if left := f.taken(); fails && len(left) > 0 {
		clauses = append(clauses, "leaves "+list(left, "and")+" to the caller")
	}
	switch t := strings.TrimSuffix(list(clauses, "and"), ",") + "."; {
	case len(clauses) == 0:
		return ""
	case fails:
		return "On failure it " + t
	case i > 0:
		return "Or it " + t
	default:
		return "It " + t
	}
}

// fails reports whether o is how f says that it could not do its work: it makes
// and takes nothing, as it does otherwise.
func (f *Func) fails(o *Outcome) bool {
	return (o.Result == ResultNull || o.Result == ResultNum) && !o.acts() &&
		slices.ContainsFunc(f.Outcomes, func(x Outcome) bool { return x.acts() || x.Result == ResultFresh })
}

func (o *Outcome) acts() bool { return len(o.Consumes)+len(o.Makes)+len(o.Keeps) > 0 }

func (f *Func) resultClause(o *Outcome) string {
	switch o.Result {
	case ResultFresh:
		if o.IfNull > 0 {
			return "returns, if " + f.Params[o.IfNull-1] + " is null, " + o.Fresh.prose()
		}
		return "returns " + o.Fresh.prose()
	case ResultNull:
		return "returns null"
	case ResultArg:
		return "returns a pointer into what " + f.Params[o.Arg] + " points to"
	case ResultNum:
		return "returns " + o.Num.prose()
	}
	return ""
}

func (n Number) prose() string {
	switch {
	case n.NonZero:
		return "anything but 0"
	case n.Lo == n.Hi:
		return n.String()
	case n.Hi == math.MaxInt64:
		return fmt.Sprintf("%d or more", n.Lo)
	}
	return fmt.Sprintf("less than %d", n.Hi+1)
}

// prose describes something fresh.
func (o Object) prose() string {
	t := "new memory"
	if o.Noun != "" {
		t = "a new " + o.Noun
	}
	if o.Zeroed {
		t += ", all zeros"
	}
	switch {
	case o.Each != "":
		return fmt.Sprintf("%s, an array, to be released by %s after all that is in it was released by %s,", t, o.For, o.Each)
	case o.For != "":
		return t + ", to be released by " + o.For + ","
	}
	return t
}

func (f *Func) effectClauses(o *Outcome) []string {
	var out []string
	for _, r := range o.Consumes {
		switch p := f.Params[r.Param]; {
		case r.Held:
			out = append(out, "releases what *"+p+" points to, or uses it again,")
		case r.Inside:
			out = append(out, "releases what is inside of *"+p)
		default:
			out = append(out, "releases "+p)
		}
	}
	for _, m := range o.Makes {
		in := "leaves in *"
		if m.Inside {
			in = "leaves inside of *"
		}
		out = append(out, in+f.Params[m.Param]+" "+m.prose())
	}
	for _, p := range o.Keeps {
		what := "further arguments"
		if p < len(f.Params) {
			what = f.Params[p]
		}
		out = append(out, "keeps "+what+", for someone else to release later,")
	}
	for _, c := range o.Calls {
		var args []string
		for _, a := range c.Args {
			if a >= 0 {
				args = append(args, f.Params[a])
			}
		}
		t := "calls " + f.Params[c.Func]
		if len(args) > 0 {
			t += " with " + list(args, "and")
		}
		if c.Later {
			t += " later"
		}
		out = append(out, t)
	}
	return out
}

// display returns the name of a function for messages.
func (s *Set) display(name string) string {
	if f := s.Lookup(name); f != nil {
		return f.DisplayName()
	}
	return name
}

// releasers lists the functions that release what is made for family, itself first.
func (s *Set) releasers(family string) []string {
	var out []string
	if f := s.Lookup(family); f != nil {
		out = append(out, f.DisplayName())
	}
	for _, f := range s.All() {
		if slices.Contains(f.families(), family) && !slices.Contains(out, f.DisplayName()) {
			out = append(out, f.DisplayName())
		}
	}
	return out
}

// makers lists the functions that make what family releases.
func (s *Set) makers(family string) []string {
	var out []string
	for _, f := range s.All() {
		if slices.Contains(f.makes(), family) && !slices.Contains(out, f.DisplayName()) {
			out = append(out, f.DisplayName())
		}
	}
	slices.Sort(out)
	return out
}

// families lists what f releases, by the function that it is made for.
func (f *Func) families() []string {
	var out []string
	for _, o := range f.Outcomes {
		for _, r := range o.Consumes {
			like := r.Like
			if like == "" {
				like = f.Name
			}
			if !slices.Contains(out, like) {
				out = append(out, like)
			}
		}
	}
	return out
}

// makes lists what f makes, by the function that releases it.
func (f *Func) makes() []string {
	var out []string
	add := func(o Object) {
		for _, x := range []string{o.For, o.Each} {
			if x != "" && !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	for _, o := range f.Outcomes {
		add(o.Fresh)
		for _, m := range o.Makes {
			add(m.Object)
		}
	}
	return out
}

// taken lists the parameters that some outcome releases or keeps.
func (f *Func) taken() []string {
	var out []string
	for i, p := range f.Params {
		if slices.ContainsFunc(f.Outcomes, func(o Outcome) bool {
			return slices.Contains(o.Keeps, i) || slices.ContainsFunc(o.Consumes, func(r Release) bool { return r.Param == i && !r.Held && !r.Inside })
		}) {
			out = append(out, p)
		}
	}
	return out
}

// read lists the parameters through which f does not write.
func (f *Func) read() []string {
	var out []string
	for _, o := range f.Outcomes {
		for _, p := range o.Reads {
			if p == len(f.Params) {
				out = append(out, "further arguments")
			} else {
				out = append(out, f.Params[p])
			}
		}
	}
	return out
}

// hasUntouched reports whether f has parameters of which nothing is said.
func (f *Func) hasUntouched() bool {
	said := f.taken()
	for _, o := range f.Outcomes {
		if o.Result == ResultArg {
			said = append(said, f.Params[o.Arg])
		}
		for _, r := range o.Consumes {
			said = append(said, f.Params[r.Param])
		}
		for _, m := range o.Makes {
			said = append(said, f.Params[m.Param])
		}
		for _, c := range o.Calls {
			said = append(said, f.Params[c.Func])
		}
	}
	return f.Variadic && !f.KeepsParam(len(f.Params)) ||
		slices.ContainsFunc(f.Params, func(p string) bool { return !slices.Contains(said, p) })
}

// list joins words: a, b and c.
func list(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	n := len(words) - 1
	return strings.ReplaceAll(strings.Join(words[:n], ", "), ",,", ",") + " " + last + " " + words[n]
}
