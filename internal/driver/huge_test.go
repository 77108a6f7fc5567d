package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A cText is a program in the making; want is the line of the one leak in it.
type cText struct {
	strings.Builder
	line, want int
}

// add writes lines; the one that ends in "// leak" is where the leak is.
func (s *cText) add(format string, args ...any) {
	for text := range strings.Lines(fmt.Sprintf(format, args...) + "\n") {
		s.line++
		if strings.HasSuffix(text, "// leak\n") {
			s.want = s.line
		}
		s.WriteString(text)
	}
}

// blocks is a function of n blocks between an allocation and its release.
func blocks(n int) *cText {
	s := &cText{}
	s.add("#include <stdlib.h>\nint f(const int *a)\n{\nint x = 0;\nchar *p = malloc(8);\nif (!p)\nreturn -1;")
	for i := range n / 2 {
		s.add("if (a[%d])\nx += %d;", i, i)
	}
	s.add("if (x == 3)\nreturn x; // leak\nfree(p);\nreturn x;\n}")
	return s
}

// cases is a switch of n cases between an allocation and its release.
func cases(n int) *cText {
	s := &cText{}
	s.add("#include <stdlib.h>\nint f(int k, const char *t)\n{\nint x = 0;\nchar *p = malloc(8);\nif (!p)\nreturn -1;\nswitch (k) {")
	for i := range n {
		if i == n/2 {
			s.add("case %d:\nreturn 7; // leak", i)
		} else {
			s.add("case %d:\nx += t[%d];\nbreak;", i, i%50)
		}
	}
	s.add("}\nfree(p);\nreturn x;\n}")
	return s
}

// machine is a loop around a switch of n cases, some of which replace what is held.
func machine(n int) *cText {
	s := &cText{}
	s.add("#include <stdlib.h>\n#include <string.h>\nint f(const int *code)\n{\nint x = 0;\nchar *reg = NULL;\nfor (int pc = 0;; pc++) {\nswitch (code[pc]) {")
	for i := range n {
		switch {
		case i == 0:
			s.add("case 0:\nfree(reg);\nreturn x;")
		case i == n/2:
			s.add("case %d:\nreg = NULL; // leak\nbreak;", i)
		case i%1000 == 1:
			s.add("case %d:\nfree(reg);\nreg = strdup(\"x\");\nbreak;", i)
		default:
			s.add("case %d:\nx += %d;\nbreak;", i, i)
		}
	}
	s.add("}\n}\n}")
	return s
}

// chain allocates, and releases, n calls down.
func chain(n int) *cText {
	s := &cText{}
	s.add("#include <stdlib.h>\nstatic void *make%d(void) { return malloc(4); }\nstatic void drop%d(void *p) { free(p); }", n, n)
	for i := n - 1; i >= 0; i-- {
		s.add("static void *make%d(void) { return make%d(); }\nstatic void drop%d(void *p) { drop%d(p); }", i, i+1, i, i+1)
	}
	s.add("void good(void) { drop0(make0()); }\nvoid bad(int n)\n{\nvoid *p = make0();\nif (n)\nreturn; // leak\ndrop0(p);\n}")
	return s
}

// deep nests n blocks in one another.
func deep(n int) *cText {
	s := &cText{}
	s.add("#include <stdlib.h>\nint f(const int *a)\n{\nchar *p = malloc(8);\nif (!p)\nreturn -1;")
	for i := range n {
		s.add("if (a[%d]) {", i)
	}
	s.add("return 1; // leak")
	s.add("%s", strings.Repeat("}\n", n))
	s.add("free(p);\nreturn 0;\n}")
	return s
}

// cycle is n functions that call one another, in two circles, and allocate.
func cycle(n int) *cText {
	s := &cText{}
	s.add("#include <stdlib.h>")
	for i := range n {
		s.add("static void *f%d(int n);", i)
	}
	for i := range n {
		s.add("static void *f%d(int n) { return n == %d ? malloc(4) : n & 1 ? f%d(n - 1) : f%d(n - 2); }", i, i, (i+1)%n, (i*7+3)%n)
	}
	s.add("void bad(int n)\n{\nvoid *p = f0(n);\nif (n > 5)\nreturn; // leak\nfree(p);\n}")
	return s
}

// Code of a size that no one writes by hand ends, and a leak in it is found, or it
// is said that something was given up. The day that more is found than it says
// here, this is mended.
func TestHuge(t *testing.T) {
	needClang(t)
	const found, cut, missed = "found", "cut", "missed"
	for _, c := range []struct {
		name string
		src  *cText
		want string
	}{
		{"10 blocks", blocks(10), found},
		{"100 blocks", blocks(100), cut}, // each adds to a number that is tested later
		{"10,000 blocks", blocks(10_000), cut},
		{"100 cases", cases(100), found},
		{"10,000 cases", cases(10_000), cut},
		{"machine of 50 cases", machine(50), found},
		{"machine of 10,000 cases", machine(10_000), cut},
		{"5,000 calls down", chain(5_000), found},
		{"a cycle of 1,000 functions", cycle(1_000), missed}, // as is one of two: recursion_simple.c
		{"200 blocks in one another", deep(200), found},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && c.src.line > 20_000 {
				t.Skip("takes long")
			}
			t.Parallel()
			file := filepath.Join(t.TempDir(), "huge.c")
			if err := os.WriteFile(file, []byte(c.src.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			var notes []string
			r := check(t, Config{Files: []string{file}, Flags: []string{"-fbracket-depth=1000"}, Note: func(msg string) { notes = append(notes, msg) }})
			got := missed
			if strings.Contains(strings.Join(notes, "\n"), "given up") {
				got = cut
			}
			if len(r.Findings) == 1 && r.Findings[0].Loss.Line == c.src.want {
				got = found
			} else if len(r.Findings) > 0 {
				t.Errorf("want line %d alone, got\n%s", c.src.want, places(r.Findings, false))
			}
			if got != c.want {
				t.Errorf("the leak is %s, want it %s", got, c.want)
			}
		})
	}
}
