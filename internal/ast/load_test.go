package ast

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write trees into testdata")

// clangs calls test with each clang that is installed, of those the dumps of
// which differ.
func clangs(t *testing.T, test func(t *testing.T, clang string)) {
	n := 0
	for _, v := range []string{"19", "14", "22"} {
		if clang, err := exec.LookPath("clang-" + v); err == nil {
			t.Run("clang-"+v, func(t *testing.T) { test(t, clang) })
			n++
		}
	}
	if n == 0 {
		t.Skip("clang is not installed: scripts/setup.sh test")
	}
}

// load loads functions of a file of testdata, by the line of their definition.
func load(t *testing.T, clang, file string, wants ...Want) *Unit {
	t.Helper()
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for i := range wants {
		wants[i].File = filepath.Join(dir, file)
	}
	u, err := Load(context.Background(), Command{Clang: clang, Dir: dir, Args: []string{file}}, nil, wants)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestTree holds trees against those in testdata, whatever clang makes them.
func TestTree(t *testing.T) {
	clangs(t, func(t *testing.T, clang string) {
		for file, name := range map[string]string{"statements.c": "statements", "cxx.cc": "cxx"} {
			u := load(t, clang, file, Want{Name: name, Line: 10})
			if u.Errs[0] != nil {
				t.Fatal(u.Errs[0])
			}
			if u.CXX != (name == "cxx") {
				t.Errorf("%s: C++ is %v", file, u.CXX)
			}
			var b bytes.Buffer
			u.Funcs[0].Print(&b)
			golden := filepath.Join("testdata", name+".tree")
			if *update && strings.HasSuffix(clang, "19") {
				if err := os.WriteFile(golden, b.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if b.String() != string(want) {
				t.Errorf("%s:\n%s", golden, difference(b.String(), string(want)))
			}
		}
	})
}

// difference returns the first line in which two texts differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got  " + g[i] + "\nwant " + w[i]
		}
	}
	return "one ends early"
}

// TestLoadManyWays makes sure that a function is the same whether it is dumped
// alone, with few others, or with the whole unit.
func TestLoadManyWays(t *testing.T) {
	clangs(t, func(t *testing.T, clang string) {
		print := func(wants ...Want) string {
			u := load(t, clang, "cxx.cc", wants...)
			var b bytes.Buffer
			for i, f := range u.Funcs {
				if u.Errs[i] != nil {
					t.Fatal(u.Errs[i])
				}
				f.Print(&b)
			}
			return b.String()
		}
		ctor, dtor, get, twice, cxx := Want{Name: "A::A", Line: 3}, Want{Name: "~A", Line: 4}, Want{Name: "A::get", Line: 5}, Want{Name: "twice<A>", Line: 8}, Want{Name: "cxx", Line: 10}
		single := print(ctor) + print(dtor) + print(get) + print(twice) + print(cxx)
		if all := print(ctor, dtor, get, twice, cxx); all != single {
			t.Errorf("all at once:\n%s", difference(all, single))
		}
		if lambda := print(Want{Name: "operator()", Line: 12}); lambda != print(cxx) {
			t.Errorf("the function of a lambda is\n%s", lambda)
		}
	})
}

func TestLoadErrors(t *testing.T) {
	clangs(t, func(t *testing.T, clang string) {
		dir := t.TempDir()
		file := filepath.Join(dir, "a.c")
		text := "#define F(n) int n(void) { return 1; }\nF(made)\nint declared(void);\n#line 100\nint moved(void)\n{ return 2; }\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := Command{Clang: clang, Dir: dir, Args: []string{"a.c"}}
		u, err := Load(context.Background(), cmd, nil, []Want{{"made", file, 2}, {"declared", file, 3}, {"moved", file, 5}, {"none", file, 1}})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{"made by a macro", "no function declared in line 3", "other numbers", "no function none in line 1"} {
			if u.Errs[i] == nil || !strings.Contains(u.Errs[i].Error(), want) {
				t.Errorf("error %d is %v, want %q", i, u.Errs[i], want)
			}
		}
		cxx := filepath.Join(dir, "b.cc")
		text = "struct B { virtual ~B() {} };\nstruct A : B {\n  int n = 0;\n};\nstruct C {\n  C();\n};\nC::C() = default;\nvoid f() { A a; C c; }\n"
		if err := os.WriteFile(cxx, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		u, err = Load(context.Background(), Command{Clang: clang, Dir: dir, Args: []string{"b.cc"}}, nil, []Want{{"A::~A", cxx, 2}, {"C::C", cxx, 8}})
		if err != nil {
			t.Fatal(err)
		}
		for i, err := range u.Errs {
			if err == nil || !strings.Contains(err.Error(), "made by the compiler") {
				t.Errorf("error %d is %v", i, err)
			}
		}
		if err := os.WriteFile(file, []byte("int f(void) { return x; }\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(context.Background(), cmd, nil, []Want{{"f", file, 1}}); err == nil || !strings.Contains(err.Error(), "undeclared") {
			t.Errorf("a unit that does not compile gives %v", err)
		}
		cmd.Clang = filepath.Join(dir, "none")
		if _, err := Load(context.Background(), cmd, nil, []Want{{"f", file, 1}}); err == nil {
			t.Error("no clang, and no error")
		}
	})
}
