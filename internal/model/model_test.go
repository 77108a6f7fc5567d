package model

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestLibc(t *testing.T) {
	s := Libc()
	for name, want := range map[string]string{
		"malloc":  "malloc(n) -> fresh | null",
		"free":    "free(p) consumes p",
		"realloc": "realloc(p, n) -> fresh consumes p | null",
		"strchr":  "strchr(s, c) -> s | null",
		"printf":  "printf(f, ...)",
		"_Znam":   `_Znam(n) as "operator new[]" -> fresh`,
		"_ZdlPvm": `_ZdlPvm(p, n) as "operator delete" consumes p`,
		"exit":    "exit(n) noreturn",
		"strtol":  "strtol(s, end, b)",
	} {
		f := s.Lookup(name)
		if f == nil {
			t.Errorf("no %s", name)
			continue
		}
		if got := f.String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if s.Lookup("nobody") != nil {
		t.Error("nobody is known")
	}
}

// Every line prints as it was read.
func TestRoundTrip(t *testing.T) {
	for text := range strings.Lines(string(libc)) {
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			continue
		}
		s, err := Parse("x", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range s.funcs {
			if f.String() != text {
				t.Errorf("got  %s\nwant %s", f, text)
			}
		}
	}
}

func TestParse(t *testing.T) {
	s, err := Parse("x", []byte("# nothing\n\n f(a, b, ...) -> fresh consumes a | b keeps ... borrows b # a remark\n"))
	if err != nil {
		t.Fatal(err)
	}
	f := s.Lookup("f")
	if !f.Fresh() || !f.Variadic || len(f.Outcomes) != 2 || f.Outcomes[1].Result != ResultArg || f.Outcomes[1].Arg != 1 ||
		!slices.Equal(f.Outcomes[0].Consumes, []int{0}) {
		t.Errorf("%+v", f)
	}
	if f.KeepsParam(0) || f.KeepsParam(1) || !f.KeepsParam(2) || !f.KeepsParam(7) {
		t.Error("KeepsParam")
	}
	if g := Libc().Lookup("strlen"); g.KeepsParam(0) || !g.KeepsParam(1) {
		t.Error("an argument past the parameters is not known to be borrowed")
	}
}

func TestParseNumbers(t *testing.T) {
	s, err := Parse("x", []byte("f(out) -> >=0 makes out | <0\ng(out) -> 0 makes out | nonzero\nh(b) -> fresh \"log\" if b null | -1\n"))
	if err != nil {
		t.Fatal(err)
	}
	all := Number{Lo: math.MinInt64, Hi: math.MaxInt64}
	atLeast0, below0, nonzero := all, all, all
	atLeast0.Lo, below0.Hi, nonzero.NonZero = 0, -1, true
	for _, c := range []struct {
		name string
		want [2]Number
	}{{"f", [2]Number{atLeast0, below0}}, {"g", [2]Number{{}, nonzero}}} {
		f := s.Lookup(c.name)
		if got := [2]Number{f.Outcomes[0].Num, f.Outcomes[1].Num}; got != c.want || !slices.Equal(f.Outcomes[0].Makes, []int{0}) {
			t.Errorf("%s: %+v", c.name, f.Outcomes)
		}
	}
	h := s.Lookup("h")
	if h.Object() != "log" || h.Outcomes[0].IfNull != 1 || h.Outcomes[1].Num != (Number{Lo: -1, Hi: -1}) {
		t.Errorf("h: %+v", h.Outcomes)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"f", "x:1: f: want ( after the name"},
		{"f(p) -> fresh if q null", "x:1: f has no parameter \"q\""},
		{"f(p) -> fresh if p", "x:1: want null after if and a parameter"},
		{"f(p) -> 0 makes q", "x:1: f has no parameter \"q\""},
		{"f(makes)", "x:1: \"makes\" is no name of a parameter"},
		{"\nf(a", "x:2: want a comma"},
		{"f(a a)", "x:1: want a comma"},
		{"f(a, a)", "x:1: parameter a is there twice"},
		{"f(..., a)", "x:1: ... must be the last parameter"},
		{"f(fresh)", `x:1: "fresh" is no name`},
		{"f(a) -> c", `x:1: f has no parameter "c"`},
		{"f(a) eats a", `x:1: unknown word "eats"`},
		{"f(a) consumes", `x:1: f has no parameter ""`},
		{"f(a) as b", "x:1: as wants a string"},
		{"f(a) !", `x:1: cannot read "!"`},
		{"f(a)\nf(b)", "x:2: f is there twice"},
	} {
		_, err := Parse("x", []byte(c.src))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.src, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(libc)
	f.Fuzz(func(t *testing.T, src []byte) {
		s, err := Parse("fuzz", src)
		if err != nil {
			return
		}
		for _, x := range s.funcs {
			if again, err := Parse("again", []byte(x.String())); err != nil || again.Lookup(x.Name).String() != x.String() {
				t.Fatalf("%s: %v", x, err)
			}
		}
	})
}
