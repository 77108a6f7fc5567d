package lower

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/ir"
)

// A linked program and the modules it came from.
type linked struct {
	*ir.Program
	mods  []*module
	notes []string
}

// linkSources compiles each source as a unit of its own and lowers them together.
// C++ sources start with a // c++ line.
func linkSources(t *testing.T, jobs int, sources ...string) linked {
	t.Helper()
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19 is not installed: scripts/setup.sh test")
	}
	var units []Unit
	dir := t.TempDir()
	for i, src := range sources {
		ext := ".c"
		if strings.HasPrefix(src, "// c++") {
			ext = ".cpp"
		}
		name := filepath.Join(dir, string(rune('a'+i))+ext)
		if err := os.WriteFile(name, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		out := name + ".bc"
		cmd := exec.Command("clang-19", "-c", "-emit-llvm", "-O0", "-g", "-Xclang", "-disable-O0-optnone", "-fcommon", "-w", "-o", out, name)
		if msg, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, msg)
		}
		units = append(units, Unit{Name: name, Data: func() ([]byte, error) { return os.ReadFile(out) }})
	}
	opened, failed, err := openAll(context.Background(), units, jobs)
	if err != nil {
		t.Fatal(err)
	}
	l := newLinker(units)
	for i := range units {
		if failed[i] != nil {
			t.Fatal(failed[i])
		}
		l.mods = append(l.mods, opened[i]...)
	}
	l.link()
	if err := l.bodies(context.Background(), jobs, failed); err != nil {
		t.Fatal(err)
	}
	l.globals()
	l.canonical()
	if err := ir.Verify(l.prog); err != nil {
		t.Fatal(err)
	}
	return linked{l.prog, l.mods, l.notes}
}

// find returns the functions of a name.
func (p linked) find(name string) []*ir.Func {
	var out []*ir.Func
	for i := range p.Funcs {
		if p.Funcs[i].Name == name {
			out = append(out, &p.Funcs[i])
		}
	}
	return out
}

// one returns the only function of a name.
func (p linked) one(t *testing.T, name string) *ir.Func {
	t.Helper()
	fs := p.find(name)
	if len(fs) != 1 {
		t.Fatalf("%d functions named %s, want 1", len(fs), name)
	}
	return fs[0]
}

func (p linked) global(t *testing.T, name string) *ir.Global {
	t.Helper()
	var found *ir.Global
	for i := range p.Globals {
		if p.Globals[i].Name == name {
			if found != nil {
				t.Fatalf("two globals named %s", name)
			}
			found = &p.Globals[i]
		}
	}
	if found == nil {
		t.Fatalf("no global named %s", name)
	}
	return found
}

// calls lists the names of functions that f calls directly, in order.
func (p linked) calls(f *ir.Func) string {
	var out []string
	for v := range f.Values {
		if id := f.Callee(ir.ValueID(v)); id != 0 {
			out = append(out, p.Funcs[id].Name)
		}
	}
	return strings.Join(out, " ")
}

// returns gives the constant that f returns.
func returns(t *testing.T, f *ir.Func) int64 {
	t.Helper()
	for v := range f.Values {
		if f.Values[v].Op == ir.OpRet {
			n, ok := f.ConstInt(f.ArgsOf(ir.ValueID(v))[0])
			if !ok {
				t.Fatalf("%s returns no constant", f.Name)
			}
			return n
		}
	}
	t.Fatalf("%s does not return", f.Name)
	return 0
}

func TestExternalMeetsDefinition(t *testing.T) {
	p := linkSources(t, 1, `int f(int); int g(void) { return f(1); }`, `int f(int x) { return x; }`)
	f := p.one(t, "f")
	if f.IsDecl() || p.Units[f.Unit].Name[len(p.Units[f.Unit].Name)-3:] != "b.c" {
		t.Errorf("f: declaration %v, unit %v", f.IsDecl(), p.Units[f.Unit])
	}
	if got := p.calls(p.one(t, "g")); got != "f" {
		t.Errorf("g calls %q", got)
	}
}

func TestStaticsStayApart(t *testing.T) {
	p := linkSources(t, 1,
		`static int n = 1; static int f(void) { return 1; } int a(void) { return f() + n; }`,
		`static int n = 2; static int f(void) { return 2; } int b(void) { return f() + n; }`)
	if got := len(p.find("f")); got != 2 {
		t.Fatalf("%d functions f, want 2", got)
	}
	for i, caller := range []string{"a", "b"} {
		g := p.one(t, caller)
		for v := range g.Values {
			if id := g.Callee(ir.ValueID(v)); id != 0 {
				if got := returns(t, &p.Funcs[id]); got != int64(i+1) {
					t.Errorf("%s calls the f that returns %d", caller, got)
				}
			}
		}
	}
}

func TestWeakYields(t *testing.T) {
	p := linkSources(t, 1,
		`__attribute__((weak)) int f(void) { return 1; } int g(void) { return f(); }`,
		`int f(void) { return 2; }`)
	if got := returns(t, p.one(t, "f")); got != 2 {
		t.Errorf("f returns %d, want that of the strong definition", got)
	}
	p = linkSources(t, 1,
		`__attribute__((weak)) int f(void) { return 1; }`,
		`__attribute__((weak)) int f(void) { return 2; }`)
	if got := returns(t, p.one(t, "f")); got != 1 {
		t.Errorf("f returns %d, want that of the first weak definition", got)
	}
}

func TestLinkOnceIsReadOnce(t *testing.T) {
	const header = "// c++\ntemplate <typename T> struct Box { T v; T get() { return v; } };\n"
	p := linkSources(t, 2,
		header+"int a(Box<int> &b) { return b.get(); }",
		header+"int b(Box<int> &b) { return b.get(); }")
	f := p.one(t, "_ZN3BoxIiE3getEv")
	if f.IsDecl() || f.Linkage != ir.LinkOnce || f.Display != "Box<int>::get" {
		t.Errorf("get: declaration %v, linkage %v, display %q", f.IsDecl(), f.Linkage, f.Display)
	}
	owners := 0
	for _, m := range p.mods {
		for i := range m.Funcs {
			if m.Funcs[i].Name == f.Name && m.owned[i] {
				owners++
			}
		}
	}
	if owners != 1 {
		t.Errorf("%d bodies are decoded, want 1", owners)
	}
}

func TestCommonTakesTheLargest(t *testing.T) {
	p := linkSources(t, 1, `int buf[2]; int *a(void) { return buf; }`, `int buf[8]; int *b(void) { return buf; }`)
	if g := p.global(t, "buf"); g.Size != 32 || g.Linkage != ir.Common {
		t.Errorf("buf: size %d, linkage %v", g.Size, g.Linkage)
	}
	p = linkSources(t, 1, `int n; int a(void) { return n; }`, `int n = 5; int b(void) { return n; }`)
	if g := p.global(t, "n"); len(g.Init) != 1 || g.Init[0].Int != 5 {
		t.Errorf("n: initialiser %v, want 5", g.Init)
	}
}

func TestAliases(t *testing.T) {
	p := linkSources(t, 1,
		`static int real(void) { return 7; } int other(void) __attribute__((alias("real")));
		 int here(void) { return other(); }`,
		`int other(void); int there(void) { return other(); }`)
	for _, caller := range []string{"here", "there"} {
		if got := p.calls(p.one(t, caller)); got != "real" {
			t.Errorf("%s calls %q, want the alias' target", caller, got)
		}
	}
	p = linkSources(t, 1,
		`static int real(void) { return 7; } int other(void) __attribute__((weak, alias("real")));
		 int here(void) { return other(); }`,
		`int other(void) { return 8; }`)
	if got := p.calls(p.one(t, "here")); got != "other" {
		t.Errorf("here calls %q: a weak alias gives way to a definition", got)
	}
}

func TestInlineOfC99(t *testing.T) {
	p := linkSources(t, 1,
		`inline int f(void) { return 3; } int a(void) { return f(); }`,
		`inline int f(void) { return 3; } extern int f(void);`)
	if f := p.one(t, "f"); f.IsDecl() || f.Linkage != ir.External {
		t.Errorf("f: declaration %v, linkage %v", f.IsDecl(), f.Linkage)
	}
}

func TestTwoPrograms(t *testing.T) {
	p := linkSources(t, 1,
		`int helper(void) { return 1; } int main(void) { return helper(); }`,
		`int helper(void) { return 2; } int main(void) { return helper(); }`)
	if got := len(p.find("main")); got != 2 {
		t.Fatalf("%d functions main, want 2", got)
	}
	for i, m := range p.find("main") {
		for v := range m.Values {
			if id := m.Callee(ir.ValueID(v)); id != 0 {
				if got := returns(t, &p.Funcs[id]); got != int64(i+1) {
					t.Errorf("main %d calls the helper of the other program", i)
				}
			}
		}
	}
	if len(p.notes) != 1 || !strings.Contains(p.notes[0], "helper is defined in") {
		t.Errorf("notes: %q", p.notes)
	}
}

func TestPromisesOfDeclarations(t *testing.T) {
	p := linkSources(t, 1,
		`__attribute__((noreturn)) void die(void); void a(void) { die(); }`,
		`void die(void) { for (;;) ; }`)
	if f := p.one(t, "die"); f.Flags&ir.NoReturn == 0 {
		t.Error("die is not noreturn, though a declaration says so")
	}
}

func TestStructsMeetAcrossUnits(t *testing.T) {
	const header = "struct ops { int id; void (*open)(int); void (*close)(int); };\n"
	p := linkSources(t, 2,
		header+`static void shut(int n) {} struct ops table = {1, 0, shut};`,
		header+`extern struct ops table; void g(struct ops *o) { o->close(1); table.close(2); }`)
	g := p.one(t, "g")
	var steps []string
	for _, s := range g.Steps {
		st := p.Structs[s.Struct]
		steps = append(steps, st.Name+"."+st.Fields[s.Field].Name)
	}
	if got := strings.Join(steps, " "); got != "ops.close ops.close" {
		t.Errorf("steps of g: %q", got)
	}
	gl := p.global(t, "table")
	if p.Structs[gl.Struct].Name != "ops" || gl.Struct != g.Steps[0].Struct {
		t.Errorf("table is a %q, struct %d; g goes through struct %d", p.Structs[gl.Struct].Name, gl.Struct, g.Steps[0].Struct)
	}
	last := gl.Init[len(gl.Init)-1]
	if last.Off != 16 || last.Kind != ir.CellFunc || p.Funcs[last.Func].Name != "shut" {
		t.Errorf("initialiser: %+v", gl.Init)
	}
}

func TestIfunc(t *testing.T) {
	p := linkSources(t, 1, `static int one(void) { return 1; } static void *pick(void) { return one; }
		int f(void) __attribute__((ifunc("pick"))); int g(void) { return f(); }`)
	if f := p.one(t, "f"); !f.IsDecl() {
		t.Error("f has a body, though which one is chosen at run time")
	}
	if got := p.calls(p.one(t, "g")); got != "f" {
		t.Errorf("g calls %q", got)
	}
}
