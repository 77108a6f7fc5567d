package model

import (
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBuiltin(t *testing.T) {
	s := Builtin()
	for name, want := range map[string]string{
		"malloc":  "malloc(n) -> fresh for free | null",
		"free":    "free(p) consumes p",
		"realloc": "realloc(p, n) -> fresh for free consumes p like free | null",
		"strchr":  "strchr(s, c) -> s | null",
		"printf":  "printf(f, ...) reads ...",
		"_Znam":   `_Znam(n) as "operator new[]" -> fresh for _ZdaPv`,
		"_ZdlPvm": `_ZdlPvm(p, n) as "operator delete" consumes p like _ZdlPv`,
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

// Every line of the files prints as it was read, and is the only one of its name.
func TestRoundTrip(t *testing.T) {
	seen := map[string]string{}
	for text := range builtinLines(t) {
		s, err := Parse("x", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range s.All() {
			if f.String() != text {
				t.Errorf("got  %s\nwant %s", f, text)
			}
			if seen[f.Name] != "" {
				t.Errorf("%s is there twice:\n%s\n%s", f.Name, seen[f.Name], text)
			}
			seen[f.Name] = text
		}
	}
	if len(seen) != Builtin().Len() {
		t.Errorf("%d lines, %d models", len(seen), Builtin().Len())
	}
}

// builtinLines yields the lines of the models that come with plumb.
func builtinLines(t testing.TB) iter.Seq[string] {
	t.Helper()
	return func(yield func(string) bool) {
		files, err := embedded.ReadDir(".")
		if err != nil || len(files) == 0 {
			t.Fatal(err, files)
		}
		for _, f := range files {
			src, err := embedded.ReadFile(f.Name())
			if err != nil {
				t.Fatal(err)
			}
			for text := range strings.Lines(string(src)) {
				text = strings.TrimSpace(text)
				if text != "" && text[0] != '#' && !yield(text) {
					return
				}
			}
		}
	}
}

func TestParse(t *testing.T) {
	s, err := Parse("x", []byte("# nothing\n\n f(a, b, ...) -> fresh consumes a keeps ... | b keeps ... borrows b # a remark\n"))
	if err != nil {
		t.Fatal(err)
	}
	f := s.Lookup("f")
	if _, ok := f.Fresh(); !ok || !f.Variadic || len(f.Outcomes) != 2 || f.Outcomes[1].Result != ResultArg || f.Outcomes[1].Arg != 1 ||
		!slices.Equal(f.Outcomes[0].Consumes, []Release{{Param: 0}}) {
		t.Errorf("%+v", f)
	}
	if f.KeepsParam(0) || f.KeepsParam(1) || !f.KeepsParam(2) || !f.KeepsParam(7) {
		t.Error("KeepsParam")
	}
	if g := Builtin().Lookup("strlen"); g.KeepsParam(0) || !g.KeepsParam(1) {
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
		if got := [2]Number{f.Outcomes[0].Num, f.Outcomes[1].Num}; got != c.want || !slices.Equal(f.Outcomes[0].Makes, []Make{{Param: 0}}) {
			t.Errorf("%s: %+v", c.name, f.Outcomes)
		}
	}
	h := s.Lookup("h")
	if o, _ := h.Fresh(); o.Noun != "log" || h.Outcomes[0].IfNull != 1 || h.Outcomes[1].Num != (Number{Lo: -1, Hi: -1}) {
		t.Errorf("h: %+v", h.Outcomes)
	}
}

func TestParseEffects(t *testing.T) {
	s, err := Parse("x", []byte("f(p, q, g, a) -> 0 consumes *p like free counted empties a makes q \"log\" for close_log each free fills p keeps a borrows *q reads a calls g(a, _) later | nonzero calls g()\n"))
	if err != nil {
		t.Fatal(err)
	}
	f := s.Lookup("f")
	want := Outcome{Result: ResultNum, Consumes: []Release{{Param: 0, Held: true, Like: "free", Counted: true}, {Param: 3, Inside: true}},
		Makes: []Make{{Param: 1, Object: Object{Noun: "log", For: "close_log", Each: "free"}}, {Param: 0, Inside: true}}, Keeps: []int{3}, Lends: []int{1}, Reads: []int{3}, Calls: []Callback{{Func: 2, Args: []int{3, -1}, Later: true}}}
	if d := cmp.Diff(want, f.Outcomes[0]); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Callback{{Func: 2, Args: []int{3, -1}, Later: true}, {Func: 2}}, f.Calls()); d != "" {
		t.Error(d)
	}
	if f.KeepsParam(3) || f.File != "x" || f.Line != 1 {
		t.Errorf("%+v", f)
	}
	if c := Builtin().Lookup("bsearch").Calls(); len(c) != 1 {
		t.Errorf("bsearch calls %+v", c)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"f", "x:1: f: want ( after the name"},
		{"(a)", "x:1: \"(\" is no name of a function"},
		{"f(p) -> fresh if q null", "x:1: f has no parameter \"q\""},
		{"f(p) -> fresh if p", "x:1: want null after if and a parameter"},
		{"f(p) -> fresh for", "x:1: for wants the name of the function that releases it: for free"},
		{"f(p) consumes p like", "x:1: like wants the name of the function"},
		{"f(p) -> fresh \"\"", "x:1: a string after fresh or makes says what it is"},
		{"f(p) -> 0 makes q", "x:1: f has no parameter \"q\""},
		{"f(makes)", "x:1: \"makes\" is no name of a parameter"},
		{"\nf(a", "x:2: want a comma"},
		{"f(a a)", "x:1: want a comma"},
		{"f(a, a)", "x:1: parameter a is there twice"},
		{"f(..., a)", "x:1: ... must be the last parameter"},
		{"f(fresh)", `x:1: "fresh" is no name`},
		{"f(a) -> c", `x:1: "c" is no result; a result is fresh, null, any, a number`},
		{"f(a) -> frash", `x:1: "frash" is no result (did you mean fresh?)`},
		{"f(a) -> null |", "x:1: a result is missing; write any"},
		{"f(a) eats a", `x:1: unknown word "eats"`},
		{"f(a) consume a", `x:1: unknown word "consume" (did you mean consumes?)`},
		{"f(path) consumes pth", `x:1: f has no parameter "pth" (did you mean path?)`},
		{"f(a) consumes", "x:1: consumes wants a parameter of f"},
		{"f(a) consumes ...", `x:1: f has no parameter "..."`},
		{"f(a) calls a", "x:1: calls wants the arguments: calls a(_)"},
		{"f(a) calls a(_", "x:1: calls wants the arguments: calls a(_)"},
		{"f(a) calls a(b)", `x:1: f has no parameter "b"`},
		{"f(a) as b", "x:1: as wants a string"},
		{"f(a) !", `x:1: cannot read "!"`},
		{"f(a)\nf(b)", "x:2: f is there twice, first in line 1"},
	} {
		_, err := Parse("x", []byte(c.src))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.src, err, c.want)
		}
	}
}

// One mistake does not hide the next, nor the lines that are right.
func TestParseAllErrors(t *testing.T) {
	s, err := Parse("x", []byte("f(a) eats a\ng(b) consumes b\nh(c"))
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || len(joined.Unwrap()) != 2 {
		t.Fatalf("%v", err)
	}
	var e *Error
	if !errors.As(joined.Unwrap()[1], &e) || e.File != "x" || e.Line != 3 {
		t.Errorf("%+v", e)
	}
	if s.Lookup("g") == nil {
		t.Error("no g")
	}
}

func FuzzParse(f *testing.F) {
	for text := range builtinLines(f) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		s, err := Parse("fuzz", src)
		if err != nil {
			return
		}
		for _, x := range s.All() {
			if again, err := Parse("again", []byte(x.String())); err != nil || again.Lookup(x.Name).String() != x.String() {
				t.Fatalf("%s: %v", x, err)
			}
		}
	})
}

// What the models of plumb make, one of them releases.
func TestBuiltinFamilies(t *testing.T) {
	for _, e := range Builtin().Doubts(&Set{}, Builtin()) {
		t.Error(e)
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		load()
	}
}
