package ast

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// source writes a source file and loads the function in a line of it.
func source(t *testing.T, clang, name, text string, line int) *Func {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	u, err := Load(context.Background(), Command{Clang: clang, Dir: dir, Args: []string{name}}, nil, []Want{{File: file, Line: line}})
	if err != nil {
		t.Fatal(err)
	}
	if u.Errs[0] != nil {
		t.Fatal(u.Errs[0])
	}
	return u.Funcs[0]
}

// at returns the line and column of the nth occurrence of a text.
func at(t *testing.T, f *Func, text string, n int) (line, col int) {
	t.Helper()
	off := -1
	for ; n > 0; n-- {
		i := strings.Index(string(f.Text.Src[off+1:]), text)
		if i < 0 {
			t.Fatalf("the source has no %q", text)
		}
		off += 1 + i
	}
	return f.Text.Line(off), off - f.Text.LineBegin(off) + 1
}

// TestFind leads from positions, as debug information has them, to nodes.
func TestFind(t *testing.T) {
	clangs(t, func(t *testing.T, clang string) {
		f := load(t, clang, "statements.c", Want{Name: "statements", Line: 12}).Funcs[0]
		for _, test := range []struct {
			find string
			text string
			n    int
			want string // "" is none
		}{
			{"stmt", "return -1;", 3, "return -1;"}, // the first two are of macros
			{"stmt", "CHECK(n", 1, `CHECK(n && printf("x"));`},
			{"stmt", "RET", 2, "RET;"},
			{"stmt", "!p", 1, "if (!p) return -1;"},
			{"stmt", "make(n)", 1, "char *p = make(n), *z = NULL;"},
			{"stmt", "k + 1", 1, "k + 1;"},
			{"stmt", "i < n", 1, "for (int i = 0; i < n; i++)\n\t\tp[i] = ({ int k = i; k + 1; });"},
			{"stmt", "out;", 1, "goto out;"},
			{"stmt", "free((p))", 1, "free((p));"},
			{"stmt", "void free", 1, ""},
			{"at", "= N;", 1, "q[0] = N;"},
			{"at", "> 3", 1, "n > 3"},
			{"at", "->a++", 1, "sp->a"},
			{"call", "printf(\"%s", 1, `printf("%s \"%d\"", p, -n)`},
			{"call", "return printf", 1, ""},
			{"call", "CHECK(n", 1, `CHECK(n && printf("x"))`},
			{"free", "free((p))", 1, "free((p));"},
			{"free", "printf(\"%s", 1, ""},
		} {
			line, col := at(t, f, test.text, test.n)
			var n *Node
			switch test.find {
			case "stmt":
				n = f.StmtAt(line, col)
			case "at":
				n = f.At(line, col)
			case "call":
				n = f.CallAt(line, col, "")
			case "free":
				n = f.CallAt(line, col, "free")
			}
			got := f.Source(n)
			if n == f.Node {
				got = ""
			}
			if got != test.want {
				t.Errorf("%s at %q is %q, want %q", test.find, test.text, got, test.want)
			}
		}
	})
}

func TestEnclosing(t *testing.T) {
	clangs(t, func(t *testing.T, clang string) {
		f := source(t, clang, "a.c", `int g(int);
int f(int n) {
	while (n) {
		for (int i = 0; i < 3; i++)
			if (g(i))
				break;
		do g(2); while (g(3));
	}
	switch (n) { case 1: case 2: g(7); g(8); }
	return n ? g(4) : g(5);
}
`, 2)
		node := func(text string) *Node {
			line, col := at(t, f, text, 1)
			n := f.CallAt(line, col, "g")
			if n == nil {
				n = f.StmtAt(line, col)
			}
			return n
		}
		is := func(what string, n *Node, want string) {
			t.Helper()
			if got := f.Source(n); n == nil && want != "" || n != nil && (want == "" || !strings.HasPrefix(got, want)) {
				t.Errorf("%s: %q, want %q", what, got, want)
			}
		}
		is("loop of g(i)", node("g(i)").EnclosingLoop(), "for")
		is("loop of g(3)", node("g(3)").EnclosingLoop(), "do")
		is("loop of for", node("for").EnclosingLoop(), "while")
		is("loop of g(4)", node("g(4)").EnclosingLoop(), "")
		is("block of g(2)", node("g(2)").EnclosingBlock(), "{\n\t\tfor")
		is("condition of do", node("do g").Cond(), "g(3)")
		is("condition of for", node("for").Cond(), "i < 3")
		is("body of do", node("do g").Sub(), "g(2);")
		is("then", node("if (").Then(), "break;")
		is("else", node("if (").Else(), "")
		if !node("g(2)").IsBody() || node("return").IsBody() || !node("break").IsBody() {
			t.Error("bodies are not told from lists")
		}
		list, i := node("g(7)").EnclosingStmt().List()
		if len(list) != 2 || i != 0 {
			t.Errorf("g(7) is %d of %d", i, len(list))
		}
		if got := node("g(4)").EnclosingFunc(); got != f.Node {
			t.Error("g(4) is in no function")
		}
	})
}

// names returns the names of variables.
func names(vs []*Node) string {
	var out []string
	for _, v := range vs {
		out = append(out, v.Name+":"+v.Type)
	}
	return strings.Join(out, " ")
}

func TestScope(t *testing.T) {
	clangs(t, func(t *testing.T, clang string) {
		f := source(t, clang, "a.cc", `int g(int);
int f(int n, char *s) {
	int a = n, b = a;
	for (int i = 0; i < b; i++) {
		long n = i;
		g(1);
		int c = g(2), d = g(3);
		g(c + d + n);
	}
	if (int e = g(4)) { static int z; g(z + e); }
	try { g(5); } catch (int x) { g(6); }
	for (char c : "abc") g(c);
	auto l = [&](int k) { return g(7) + k; };
	return l(*s);
}
`, 2)
		for text, want := range map[string]string{
			"g(1)": "n:long i:int b:int a:int s:char *",
			"g(2)": "n:long i:int b:int a:int s:char *",
			"g(3)": "c:int n:long i:int b:int a:int s:char *",
			"g(4)": "b:int a:int n:int s:char *",
			"g(z":  "z:int e:int b:int a:int n:int s:char *",
			"g(5)": "b:int a:int n:int s:char *",
			"g(6)": "x:int b:int a:int n:int s:char *",
			"g(c)": "c:char b:int a:int n:int s:char *",
			"g(7)": "k:int b:int a:int n:int s:char *",
		} {
			line, col := at(t, f, text, 1)
			call := f.CallAt(line, col, "g")
			if call == nil {
				t.Errorf("there is no %s", text)
				continue
			}
			got := names(f.Scope(call))
			// The order of parameters is theirs, all else is from the inside out.
			if got != want && got != strings.Replace(want, "n:int s:char *", "s:char * n:int", 1) {
				t.Errorf("at %s there are %s, want %s", text, got, want)
			}
		}
		if got, want := names(f.ScopeAtEnd(f.Body)), "l:"; !strings.HasPrefix(got, want) {
			t.Errorf("at the end there are %s", got)
		}
		line, col := at(t, f, "g(1)", 1)
		call := f.CallAt(line, col, "g")
		if v := f.Lookup(call, "n"); v == nil || v.Type != "long" || f.Usable(call, f.Params[0]) || !f.Usable(call, f.Params[1]) {
			t.Errorf("n is %v", v)
		}
		stmt := call.EnclosingStmt()
		if got := f.Fresh(stmt, "tmp") + f.Fresh(stmt, "n") + f.Fresh(stmt, "g"); got != "tmpn2g2" {
			t.Errorf("fresh names are %s", got)
		}
		line, col = at(t, f, "g(c + d", 1)
		sibling := f.StmtAt(line, col)
		line, col = at(t, f, "return l", 1)
		if got := f.Fresh(sibling, "tmp") + f.Fresh(stmt, "tmp") + f.Fresh(f.StmtAt(line, col), "tmp"); got != "tmp2tmptmp" {
			t.Errorf("then fresh names are %s", got)
		}
	})
}

func TestFacts(t *testing.T) {
	clangs(t, func(t *testing.T, clang string) {
		f := source(t, clang, "a.c", `#define NULL ((void *)0)
typedef unsigned long size_t;
void *make(size_t);
int use(void *), v;
struct s { int a[3]; };
int f(int n, struct s *s)
{
	char *p = NULL;
	int rc = -1;
again:
	if (n == 1)
		goto out;
	if (n == 2) { rc = 0; goto done; }
	p = make(3);
	if (s->a[n + v] && sizeof(use(p))) goto again;
	n++;
	rc = use(p) + s->a[n++];
out:
	use(p);
done: use(NULL);
	return rc;
}
`, 6)
		var labels []string
		for _, l := range f.Cleanup() {
			labels = append(labels, l.Name)
			if l.Name == "out" && (len(l.Gotos) != 1 || len(l.Rest) != 3 || f.Target(l.Gotos[0]) != l.Node) {
				t.Errorf("out has %d gotos and %d statements", len(l.Gotos), len(l.Rest))
			}
		}
		if got := strings.Join(labels, " "); got != "out done" || len(f.Labels()) != 3 {
			t.Errorf("labels are %s", got)
		}
		if f.Result != "int" {
			t.Errorf("it returns %q", f.Result)
		}
		for text, want := range map[string]string{"s->a[n + v]": "pure s n v", "use(p) +": "effect p s n", "p = make(3)": "effect p", "n == 2": "pure n"} {
			line, col := at(t, f, text, 1)
			n := f.StmtAt(line, col)
			if n.Kind == "IfStmt" {
				n = n.Cond()
			}
			got := "effect"
			if n.Pure() {
				got = "pure"
			}
			for _, r := range n.Reads() {
				if !strings.Contains("rc", r.Name) {
					got += " " + r.Name
				}
			}
			if strings.HasPrefix(text, "s->") {
				got = strings.Replace(got, " p", "", 1) // in sizeof
				if !n.Children[1].Pure() {
					t.Error("sizeof evaluates what is in it")
				}
			}
			if got != want {
				t.Errorf("%s is %q, want %q", text, got, want)
			}
		}
		ctx := context.Background()
		for name, want := range map[string]bool{"make": true, "size_t": true, "printf": false, "mak": false, "v": true} {
			if _, ok, err := f.Unit.Declared(ctx, name); ok != want || err != nil {
				t.Errorf("%s is declared: %v, %v", name, ok, err)
			}
		}
		if d, _, _ := f.Unit.Declared(ctx, "use"); d.Kind != "FunctionDecl" || d.Type != "int (void *)" || d.Line != 4 {
			t.Errorf("use is %+v", d)
		}
		g := source(t, clang, "c.c", "void a(int);\nvoid later(void);\nint f(int v) {\n\ta(1);\n\treturn v;\n}\nint v(void) { return 1; }\nint behind(void) { return 1; }\nvoid later(void) {}\n", 3)
		for name, want := range map[string]bool{"a": true, "later": true, "v": false, "behind": false, "none": false} {
			if ok, err := g.CanCall(ctx, name); ok != want || err != nil {
				t.Errorf("%s can be called: %v, %v", name, ok, err)
			}
		}
		if null, err := f.Unit.Null(ctx, f.Text); null != "NULL" || err != nil {
			t.Errorf("null is %s, %v", null, err)
		}
		if f := source(t, clang, "b.cc", "void f() {}\n", 1); true {
			if null, err := f.Unit.Null(ctx, f.Text); null != "nullptr" || err != nil {
				t.Errorf("in C++ null is %s, %v", null, err)
			}
		}
		if f := source(t, clang, "b.c", "void f(void) {}\n", 1); true {
			if null, err := f.Unit.Null(ctx, f.Text); null != "0" || err != nil {
				t.Errorf("without NULL null is %s, %v", null, err)
			}
		}
	})
}

func TestResultType(t *testing.T) {
	for typ, want := range map[string]string{
		"int (void)": "int", "char *(int, void (*)(int))": "char *", "const struct a *(void)": "const struct a *",
		"int (*(int))(char)": "", "int () const": "int", "auto (int) const -> int *": "int *", "std::vector<int (*)()> &(int)": "std::vector<int (*)()> &",
	} {
		if got := resultType(typ); got != want {
			t.Errorf("%s returns %q, want %q", typ, got, want)
		}
	}
}
