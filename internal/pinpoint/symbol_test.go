package pinpoint

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/event"
)

// where.cc prints the address of a call that was inlined twice, from where its module is
// loaded.
const where = `#include <dlfcn.h>
#include <stdio.h>
extern "C" __attribute__((noinline)) void here(void) {
	Dl_info d;
	void *pc = __builtin_return_address(0);
	dladdr(pc, &d);
	printf("%lx %lx\n", (unsigned long)pc - (unsigned long)d.dli_fbase, (unsigned long)pc);
	asm volatile("" ::: "memory");
}
namespace app {
struct Box {
	__attribute__((always_inline)) void fill() {
		here();
		asm volatile("" ::: "memory");
	}
};
static inline __attribute__((always_inline)) void twice(Box &b) {
	b.fill();
}
__attribute__((noinline)) void run(int n) {
	Box b;
	if (n)
		twice(b);
}
}
int main(int argc, char **argv) { app::run(argc); return 0; }
`

// build compiles where.cc and returns the program, the offset of the call, and its
// address.
func build(t *testing.T, flags ...string) (prog string, offset, address uint64) {
	t.Helper()
	cxx, err := exec.LookPath("c++")
	if err != nil {
		if cxx, err = exec.LookPath("clang++-19"); err != nil {
			t.Skip("there is no C++ compiler")
		}
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "where.cc")
	if err := os.WriteFile(file, []byte(where), 0o600); err != nil {
		t.Fatal(err)
	}
	prog = filepath.Join(dir, "where")
	args := append([]string{"-O2", "-rdynamic", "-Wl,--build-id", "-o", prog, file, "-ldl"}, flags...)
	run(t, cxx, args...)
	words := strings.Fields(run(t, prog))
	offset, err1 := strconv.ParseUint(words[0], 16, 64)
	address, err2 := strconv.ParseUint(words[1], 16, 64)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	return prog, offset, address
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

// frames prints the frames at an offset.
func framesAt(t *testing.T, prog, id string, offset uint64, dirs ...string) string {
	t.Helper()
	r := &event.Report{
		Modules: map[event.ID]event.Module{1: {BuildID: id, Path: prog}},
		Frames:  map[event.ID]event.Frame{1: {Module: 1, Offset: offset, Symbol: "known"}},
		Nodes:   map[event.ID]event.Node{1: {Frame: 1}},
	}
	var out []string
	for _, f := range newSymbols(Config{DebugDirs: append([]string{"/nowhere"}, dirs...)}).frames(r).stack(0, 1) {
		text := f.Function
		if f.Pos.IsValid() {
			text += fmt.Sprintf(" %s:%d", filepath.Base(f.Pos.File), f.Pos.Line)
		}
		if f.Inlined {
			text += " inlined"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

const whole = "_ZN3app3Box4fillEv where.cc:13 inlined, twice where.cc:18 inlined, _ZN3app3runEi where.cc:23"

func TestInlined(t *testing.T) {
	for _, flags := range [][]string{{"-g"}, {"-g", "-gdwarf-4"}, {"-g", "-gz"}, {"-g", "-no-pie"}} {
		prog, offset, address := build(t, flags...)
		want := strings.Replace(whole, "twice", "_ZN3appL5twiceERNS_3BoxE", 1)
		got := framesAt(t, prog, idOf(t, prog), offset)
		if got != want && got != whole { // compilers differ in naming what is static
			t.Errorf("%v: %s\nwant %s", flags, got, want)
		}
		if flags[len(flags)-1] == "-no-pie" {
			if again := framesAt(t, prog, "", address); again != got {
				t.Errorf("by address %s", again)
			}
		}
	}
}

// Without debug information in the file, there is the separate file, the dynamic
// symbol, what the process knew, and the offset.
func TestStripped(t *testing.T) {
	prog, offset, _ := build(t, "-g")
	if _, err := exec.LookPath("objcopy"); err != nil {
		t.Skip("there is no objcopy")
	}
	full, id := framesAt(t, prog, "", offset), idOf(t, prog)
	dir := filepath.Dir(prog)
	debug := filepath.Join(dir, "where.debug")
	run(t, "objcopy", "--only-keep-debug", prog, debug)

	run(t, "objcopy", "--strip-all", prog)
	if got := framesAt(t, prog, id, offset); got != "_ZN3app3runEi" {
		t.Errorf("stripped: %s", got)
	}
	if got := framesAt(t, prog, "0123", offset); got != "known" {
		t.Errorf("another build: %s", got)
	}
	linked := filepath.Join(dir, "linked")
	run(t, "objcopy", "--add-gnu-debuglink="+debug, prog, linked)
	if got := framesAt(t, linked, id, offset); got != full {
		t.Errorf("by link: %s", got)
	}
	store := filepath.Join(dir, "store", ".build-id", id[:2])
	if err := os.MkdirAll(store, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(debug, filepath.Join(store, id[2:]+".debug")); err != nil {
		t.Fatal(err)
	}
	if got := framesAt(t, prog, id, offset, filepath.Join(dir, "store")); got != full {
		t.Errorf("by build id: %s", got)
	}
	if got := framesAt(t, linked, id, offset); got != "_ZN3app3runEi" {
		t.Errorf("the linked file is gone: %s", got)
	}
	if err := os.Remove(prog); err != nil {
		t.Fatal(err)
	}
	if got := framesAt(t, prog, id, offset); got != "known" {
		t.Errorf("the file is gone: %s", got)
	}
}

func idOf(t *testing.T, prog string) string {
	t.Helper()
	f, err := elf.Open(prog)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	id := buildIDOf(f)
	if len(id) != 40 {
		t.Fatalf("build id %q", id)
	}
	return id
}

// Of several modules with sites, the one with the function has the site.
func TestSiteModule(t *testing.T) {
	prog, _, _ := build(t, "-g")
	r := &event.Report{
		Code:   []event.Code{{Instrumented: true, Path: "/nowhere/lib.so"}, {Instrumented: true, Path: prog}, {Path: "/lib/libc.so.6"}},
		Frames: map[event.ID]event.Frame{1: {What: event.Call, File: "/a.c", Line: 1, Function: "_ZN3app3runEi"}, 2: {What: event.Call, File: "/a.c", Line: 2, Function: "other"}},
		Nodes:  map[event.ID]event.Node{1: {Frame: 1}, 2: {Frame: 2}},
	}
	x := newSymbols(Config{}).frames(r)
	if got := x.stack(0, 1)[0].Module; got != prog {
		t.Errorf("module %q", got)
	}
	if got := x.stack(0, 2)[0].Module; got != "" {
		t.Errorf("module %q of a function that none has", got)
	}
}

func TestAlias(t *testing.T) {
	m := &module{symbols: []symbol{{10, 90, "outer"}, {20, 30, "__dup"}, {20, 30, "dup"}, {20, 30, "_dup"}, {30, 31, "f.constprop.0"}, {40, 40 + 2*maxFunction, "big"}}}
	for pc, want := range map[uint64]string{9: "", 10: "outer", 20: "dup", 29: "dup", 30: "f", 31: "outer", 41: "big", 41 + maxFunction: ""} {
		if got := m.symbol(pc); got != want {
			t.Errorf("%d is in %q, want %q", pc, got, want)
		}
	}
}
