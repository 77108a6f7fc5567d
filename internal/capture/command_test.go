package capture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSplitShell(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{`gcc -c a.c`, []string{"gcc", "-c", "a.c"}},
		{`  gcc	-DX=\"a\ b\"  'it''s' `, []string{"gcc", `-DX="a b"`, "its"}},
		{`"-DS=\"x y\"" "\n" "a\$b" ''`, []string{`-DS="x y"`, `\n`, "a$b", ""}},
		{"a\\\nb \"c\\\nd\"", []string{"ab", "cd"}},
		{``, nil},
	}
	for _, tt := range tests {
		got, err := splitShell(tt.in)
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
		}
		equal(t, tt.in, got, tt.want)
	}
	for _, bad := range []string{`gcc "a`, `gcc 'a`} {
		if _, err := splitShell(bad); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

func TestResponseFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("a.rsp", "-DA=1\n'-DB=x y' \"-DC=\\\"q\\\"\" -D\\ E '\\'' @b.rsp")
	write("b.rsp", "last")
	write("loop.rsp", "@loop.rsp")
	got, err := expandResponse(dir, []string{"gcc", "@a.rsp", "@none"})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "expanded", got, []string{"gcc", "-DA=1", "-DB=x y", `-DC="q"`, "-D E", "'", "last", "@none"})
	if _, err := expandResponse(dir, []string{"@loop.rsp"}); err == nil {
		t.Error("a response file in itself: no error")
	}
}

func TestDriverNames(t *testing.T) {
	for name, want := range map[string]driver{
		"gcc": {}, "/usr/bin/cc": {}, "clang-19": {}, "gcc-12": {},
		"g++": {cxx: true}, "clang++-22": {cxx: true}, "c++": {cxx: true}, "em++": {cxx: true},
		"aarch64-linux-gnu-g++-12": {cxx: true, target: "aarch64-linux-gnu"},
		"x86_64-linux-gnu-gcc":     {target: "x86_64-linux-gnu"},
		"musl-gcc":                 {}, "c99": {std: "-std=c99"}, "c89-gcc": {std: "-std=c89"},
	} {
		if got := driverOf(name); got != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, name := range []string{"gcc-ar", "gcc-nm-12", "clang-format", "clang-cpp-19", "cpp", "gcov", "ccache", "clang-tidy-19", "plumb", "clang-cl"} {
		if isDriver(name) {
			t.Errorf("%s is no compiler driver", name)
		}
	}
}

func TestStripLaunchers(t *testing.T) {
	for in, want := range map[string]string{
		"ccache gcc -c a.c":                                              "gcc -c a.c",
		"/usr/bin/ccache /usr/bin/g++-12 -c a.c":                         "/usr/bin/g++-12 -c a.c",
		"/usr/bin/env LC_ALL=C CCACHE_X=1 distcc gcc -c a":               "gcc -c a",
		"/bin/bash ./libtool --tag=CC --mode=compile gcc -c a.c -o a.lo": "gcc -c a.c -o a.lo",
		"libtool --silent --mode=compile ccache clang -c a.c":            "clang -c a.c",
		"mycc -c a.c":                 "mycc -c a.c",
		"cd sub && gcc -c a.c":        "gcc -c a.c",
		"gcc -DX=1 -c sh":             "gcc -DX=1 -c sh",
		"CCACHE_DISABLE=1 gcc -c a.c": "gcc -c a.c",
	} {
		equal(t, in, stripLaunchers(strings.Fields(in)), strings.Fields(want))
	}
}

func TestParseCommand(t *testing.T) {
	tests := []struct {
		in    string
		units string // sources
		flags string // kept
	}{
		{"gcc -O2 -g3 -Wall -Werror -flto=auto -c a.c -o a.o", "a.c", ""},
		{"gcc -DA -D B=1 -UC -I inc -Iinc2 -isystem s -std=gnu99 -m32 -fno-strict-aliasing -pthread -c a.c", "a.c",
			"-DA -D B=1 -UC -I inc -Iinc2 -isystem s -std=gnu99 -m32 -fno-strict-aliasing -pthread"},
		{"gcc -MD -MF a.d -MT a.o -MP -MMD -Wp,-MD,x.d,-DQ -c a.c", "a.c", "-Xpreprocessor -DQ"},
		{"gcc -D_FORTIFY_SOURCE=2 -Wp,-D_FORTIFY_SOURCE=3 -U_FORTIFY_SOURCE -D _FORTIFY_SOURCE -c a.c", "a.c", "-U_FORTIFY_SOURCE"},
		{"gcc -ftrapv -fsanitize=address -fprofile-arcs -ftest-coverage --coverage -pg -save-temps -pipe -c a.c", "a.c", ""},
		{"gcc -ffile-prefix-map=/a=/b -fdebug-prefix-map=/a=/b -gsplit-dwarf -gdwarf-4 -c a.c", "a.c", ""},
		{"gcc -include cfg.h -c a.c", "a.c", "-Xclang -include -Xclang cfg.h"},
		{"clang -Xclang -include-pch -Xclang p.pch -Xclang -include -Xclang p.h -c a.c", "a.c", "-Xclang -include -Xclang p.h"},
		{"clang -Xclang -load -Xclang x.so -Xclang -fmerge-functions -c a.c", "a.c", "-Xclang -fmerge-functions"},
		{"gcc a.c b.c sub/c.c -lm -Ldir -o prog lib.a x.o", "a.c b.c sub/c.c", ""},
		{"gcc -c a.s b.S c.c", "c.c", ""},
		{"gcc -E a.c", "", ""},
		{"gcc -M a.c", "", ""},
		{"gcc -MM -c a.c", "", ""},
		{"gcc a.o b.o -o prog", "", ""},
		{"gcc -x c -", "", ""},
		{"gcc --version", "", ""},
		{"gcc -c -x c /dev/null", "", ""},
		{"gcc -xc++ -c odd.inc", "odd.inc", ""},
		{"g++ -x c++-header -o p.h.gch p.h", "", ""},
		{"gcc -S a.c", "a.c", ""},
		{"c99 -c a.c", "a.c", "-std=c99"},
		{"c99 -ansi -c a.c", "a.c", "-ansi"},
		{"aarch64-linux-gnu-gcc -c a.c", "a.c", "--target=aarch64-linux-gnu"},
		{"gcc -c -- -a.c", "-a.c", ""},
		{"gcc -o prog.c x.o", "", ""},
		{"gcc -print-prog-name=ld a.c", "", ""},
	}
	for _, tt := range tests {
		p, err := command{dir: "/src", argv: strings.Fields(tt.in)}.parse()
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
		}
		var units []string
		flags := []string(nil)
		for _, j := range p.jobs {
			units = append(units, j.source)
			flags = words(j.flags)
			if j.name != absolute("/src", j.source) {
				t.Errorf("%s: name %s", tt.in, j.name)
			}
		}
		equal(t, tt.in, units, strings.Fields(tt.units))
		equal(t, tt.in, flags, strings.Fields(tt.flags))
	}
}

func TestAssemblerIsNoted(t *testing.T) {
	p, err := command{dir: "/src", argv: []string{"gcc", "-c", "a.S"}}.parse()
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "notes", p.notes, []string{"/src/a.S: assembler source, not analysed"})
}

func TestRefusedBy(t *testing.T) {
	flags := []flag{
		{"-fipa-pta"}, {"-mabi=ms"}, {"-march=bogus"}, {"-fcf-protection=zz"}, {"-DX=bogus"}, {"-I", "-fipa-pta"},
		{"-std=foo17"}, {"-fno-strict-aliasing"}, {"-mtune=bogus"}, {"-falign-loops=3"},
	}
	tests := []struct{ stderr, want string }{
		{"clang-19: error: unknown argument: '-fipa-pta'", "-fipa-pta"},
		{"clang: error: unknown argument '-fipa-pta'; did you mean '-fpic'?", "-fipa-pta"},
		{"clang-19: error: unsupported option '-mabi=' for target 'x86_64-pc-linux-gnu'", "-mabi=ms"},
		{"clang: error: unsupported argument 'zz' to option 'fcf-protection='", "-fcf-protection=zz"},
		{"error: unknown target CPU 'bogus'\nnote: valid target CPU values are: 'x'", "-march=bogus -mtune=bogus"},
		{"error: invalid value 'foo17' in '-std=foo17'", "-std=foo17"},
		{"clang: error: alignment is not a power of 2 in '-falign-loops=3'", "-falign-loops=3"},
		{"a.c:3:1: error: unknown type name '-fipa-pta'", ""},
		{"clang: error: no such file or directory: 'a.c'", ""},
	}
	for _, tt := range tests {
		equal(t, tt.stderr, words(refusedBy(tt.stderr, flags)), strings.Fields(tt.want))
	}
}

func TestOlderStandards(t *testing.T) {
	var r refusals
	r.add([]flag{{"-std=c23"}, {"-std=gnu++23"}, {"-std=gnu++2b"}, {"-std=weird"}})
	rest, dropped := r.apply([]flag{{"-std=c23"}, {"-std=gnu++23"}, {"-std=weird"}, {"-std=c11"}})
	equal(t, "rest", words(rest), []string{"-std=c2x", "-std=gnu++20", "-std=c11"})
	equal(t, "dropped", dropped, []string{"-std=c23", "-std=gnu++23", "-std=gnu++2b", "-std=weird"})
}

func TestParseDeps(t *testing.T) {
	got := parseDeps("unit: a.c /usr/include/x.h \\\n  dir\\ with/b\\#c.h m$$n.h back\\slash.h\n")
	equal(t, "deps", got, []string{"a.c", "/usr/include/x.h", "dir with/b#c.h", "m$n.h", `back\slash.h`})
}
