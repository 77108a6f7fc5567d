package cc

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/capture"
	"github.com/plumb-project/plumb/internal/toolchain"
)

var kit = &toolchain.Kit{Host: &toolchain.Host{Path: "clang"}, Plugin: "/kit/plumb_pass.so", Dir: "/kit"}

// added names what is added to a command line: pass, include, -g, rt, static.
func added(dir string, args []string) string {
	l := look(capture.Options(dir, args))
	if !l.instruments() {
		return ""
	}
	words := l.words(kit, args)
	var out []string
	for _, w := range words[:slices.Index(words, "--end-no-unused-arguments")] {
		switch w {
		case "-fpass-plugin=/kit/plumb_pass.so":
			out = append(out, "pass")
		case "/kit/include":
			out = append(out, "include")
		case "-g":
			out = append(out, w)
		case "/kit/libplumb_rt.so":
			out = append(out, "rt")
		case "/kit/libplumb_rt.a":
			out = append(out, "static")
		}
	}
	return strings.Join(out, " ")
}

func TestAdded(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "args"), []byte("-c 'a b.c'\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ args, want string }{
		{"a.c -o a", "include -g pass rt"},
		{"-c a.c", "include -g pass"},
		{"-S -O2 a.cpp", "include -g pass"},
		{"-c a.c -emit-llvm", "include -g pass"},
		{"@args", "include -g pass"},
		{"-c -- a.c", "include -g pass"},
		{"-x c - -o a", "include -g pass rt"},
		{"-xc++ -c -", "include -g pass"},
		{"-c -x c a.h", "include -g pass"},

		// What debug information the user asks for.
		{"-c -ggdb3 a.c", "include pass"},
		{"-c -gline-tables-only a.c", "include pass"},
		{"-c -gsplit-dwarf -gno-column-info a.c", "include -g pass"},
		{"-c -g0 a.c", "include pass"},

		// No code is made.
		{"-E a.c", "include"},
		{"-E -c a.c", "include"},
		{"-MM a.c", "include"},
		{"-fsyntax-only a.c", "include"},
		{"-E -dM -x c /dev/null", "include"},
		{"-x c-header a.h", "include"},
		{"a.h", "include"},
		{"-c a.S", "include"},
		{"-c a.s", ""},
		{"-x assembler-with-cpp -c a.c", "include"},

		// Linking.
		{"a.o -o a", "rt"},
		{"-o a -lfoo", "rt"},
		{"-shared -fPIC a.o b.o -o liba.so", "rt"},
		{"-static a.o", "static"},
		{"-static-pie a.c", "include -g pass static"},
		{"-static -shared a.o", ""},
		{"-r a.o b.o -o c.o", ""},
		{"-Wl,-r a.o b.o -o c.o", ""},
		{"-nostdlib -r a.o", ""},
		{"-nostdlib start.o", ""},
		{"-shared -nostdlib crti.o a.o -lstdc++ -lc", "rt"}, // as libtool does
		{"a.s", "rt"},

		// No C library, not this machine.
		{"-ffreestanding -c a.c", ""},
		{"-ffreestanding -fhosted -c a.c", "include -g pass"},
		{"-nostdlib a.c", ""},
		{"-m32 a.c", ""},
		{"--target=aarch64-linux-gnu -c a.c", ""},
		{"-target x86_64-pc-linux-gnu -c a.c", "include -g pass"},
		{"--target=x86_64-linux-musl -c a.c", ""},
		{"-c a.cu", ""},
		{"-x cuda -c a.c", ""},

		// Sanitizers.
		{"-fsanitize=undefined a.c", "include -g pass rt"},
		{"-fsanitize=undefined,address a.c", ""},
		{"-fsanitize=thread -fno-sanitize=all a.c", "include -g pass rt"},

		// Questions.
		{"", ""},
		{"-v", ""},
		{"--version", ""},
		{"--version a.c", ""},
		{"-dumpmachine", ""},
		{"-print-prog-name=ld", ""},
		{"--print-search-dirs", ""},
		{"-qversion", ""},
		{"-Wall -O2 -o a", ""},
		{"-cc1 -version", ""},
	} {
		if got := added(dir, strings.Fields(test.args)); got != test.want {
			t.Errorf("%s: added %q, want %q", test.args, got, test.want)
		}
	}
}

// TestUserWordsStay makes sure that the user's words are all there, in order, and
// that -g0 leaves lines.
func TestUserWordsStay(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"@x -g0 -c -- a.c", "@x -g0 -c -gline-tables-only -- a.c"},
		{"-g0 -c a.c", "-g0 -c a.c -gline-tables-only"},
		{"-O3 a.c -lm", "-O3 a.c -lm"},
	} {
		args := strings.Fields(test.args)
		l := look(capture.Options(".", args))
		words := l.words(kit, args)
		end := slices.Index(words, "--end-no-unused-arguments")
		if got := strings.Join(words[end+1:], " "); got != test.want {
			t.Errorf("%s: user's words are %q, want %q", test.args, got, test.want)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string][2]bool{"/x/plumb-cc": {false, true}, "plumb-c++": {true, true}, "plumb": {false, false}} {
		if cxx, ok := DriverName(name); cxx != want[0] || ok != want[1] {
			t.Errorf("DriverName(%s): %v, %v", name, cxx, ok)
		}
	}
	for name, want := range map[string][2]bool{"/x/clang++": {true, true}, "gcc": {false, true}, "gcc-ar": {false, false}, "plumb": {false, false}} {
		if cxx, ok := CompilerName(name); cxx != want[0] || ok != want[1] {
			t.Errorf("CompilerName(%s): %v, %v", name, cxx, ok)
		}
	}
}
