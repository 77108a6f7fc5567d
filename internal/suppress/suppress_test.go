package suppress

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

func list(t *testing.T, text string) *List {
	t.Helper()
	l := &List{}
	if err := l.add("test.supp", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return l
}

// alloc is strdup called by app::load, which is inlined into run.
var alloc = Allocation{
	Allocator: "strdup",
	Frames: []report.Frame{
		{Function: "_ZN3app4loadEPKc", Pos: source.Position{File: "/src/load.cc", Line: 12}, Inlined: true},
		{Function: "run", Module: "/opt/lib/libfoo.so.2", Offset: 0x10},
		{Function: "main", Pos: source.Position{File: "/src/main.c", Line: 40}},
	},
}

func TestLSan(t *testing.T) {
	for text, want := range map[string]bool{
		"leak:load":                     true, // anywhere in the name
		"leak:app::load":                true,
		"leak:app::load(char const*)":   true,
		"leak:_ZN3app4load":             true,
		"leak:libfoo.so":                true,
		"leak:main.c":                   true,
		"leak:strdup":                   true,
		"leak:^run$":                    true,
		"leak:^un":                      false,
		"leak:ru$":                      false,
		"leak:m*n":                      true,
		"leak:/src/*.cc":                true,
		"leak:m.in":                     false, // no regular expression
		"leak:other":                    false,
		"# leak:main\n\nleak:other":     false,
		"race:main":                     false, // another tool's
		"race:x\n  leak:main  \nleak:y": true,
		"":                              false,
	} {
		if got := list(t, text).Matches(alloc); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestValgrind(t *testing.T) {
	block := func(lines ...string) string {
		return "{\n   name\n   Memcheck:Leak\n   " + strings.Join(lines, "\n   ") + "\n}\n"
	}
	for _, test := range []struct {
		text       string
		want, held bool
	}{
		{block("fun:malloc", "fun:strdup", "fun:_ZN3app4loadEPKc"), true, true},
		{block("fun:malloc", "fun:strdup", "fun:run", "fun:main"), true, true}, // without the inlined call
		{block("fun:strdup", "fun:_ZN3app4loadEPKc"), true, true},
		{block("fun:calloc", "fun:strdup"), true, true},
		{block("fun:fopen", "fun:strdup"), false, false},
		{block("fun:main"), false, false}, // not the innermost
		{block("...", "fun:main"), true, true},
		{block("...", "fun:r?n", "...", "fun:m*"), true, true},
		{block("...", "fun:main", "fun:run"), false, false},
		{block("...", "fun:run", "fun:run"), false, false},
		{block("...", "obj:*/libfoo.so*"), true, true},
		{block("...", "src:main.c:40"), true, true},
		{block("...", "src:main.c:41"), false, false},
		{block("...", "src:load.cc"), true, true},
		{block("...", "fun:ru"), false, false}, // all of the name
		{block("match-leak-kinds: definite", "...", "fun:main"), true, false},
		{block("match-leak-kinds: reachable,possible", "...", "fun:main"), false, true},
		{block("match-leak-kinds: all", "...", "fun:main"), true, true},
		{block("match-leak-kinds: none", "...", "fun:main"), false, false},
		{"{\nname\nMemcheck:Cond\nfun:main\n}\n{\nname\nMemcheck:Param\nwrite(buf)\n...\nfun:main\n}\n", false, false},
		{"{\nname\nDRD,Memcheck:Leak\n...\nfun:main\n}\n", true, true},
		{"# comment\nleak:nothing\n" + block("...", "fun:main"), true, true}, // both forms
	} {
		l := list(t, test.text)
		lost, held := alloc, alloc
		held.Held = true
		if got := l.Matches(lost); got != test.want {
			t.Errorf("%s: lost: %v", test.text, got)
		}
		if got := l.Matches(held); got != test.held {
			t.Errorf("%s: held: %v", test.text, got)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"main":                            `test.supp:1: "main" is no suppression`,
		"leak:a\nleak:":                   "test.supp:2: leak: without a pattern",
		"{\nname\nMemcheck:Leak\n":        "test.supp:1: the brace is never closed",
		"{\nname\n}":                      "test.supp:3: a suppression without a kind",
		"{\nname\nMemcheck:Leak\n}":       "test.supp:4: a suppression without a call",
		"{\nname\nLeak\n}":                `test.supp:3: "Leak" is no kind`,
		"{\nname\nMemcheck:Leak\nmain\n}": `test.supp:4: "main": write fun:NAME`,
		"{\nname\nMemcheck:Leak\nmatch-leak-kinds: bad\nfun:x": `test.supp:4: " bad" is no kind of leaks`,
	} {
		err := (&List{}).add("test.supp", strings.NewReader(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.supp")
	if err := os.WriteFile(file, []byte("leak:a\nleak:b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if l, err := Read([]string{file, file}); err != nil || l.Len() != 4 {
		t.Errorf("%v, %v", l, err)
	}
	if _, err := Read([]string{filepath.Join(dir, "none")}); err == nil {
		t.Error("a file that is not there was read")
	}
}
