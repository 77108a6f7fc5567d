package capture

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// fakeCC puts a compiler on PATH that writes its arguments to log and then
// does what a compiler does with -o.
func fakeCC(t *testing.T, p *project, dir string, names ...string) {
	t.Helper()
	script := "#!/bin/sh\necho \"$(basename $0) $*\" >> '" + p.path("log") + "'\nfor a; do last=$a; done\ntest ! -f \"$last.fail\"\n"
	for _, n := range names {
		p.write(filepath.Join(dir, n), script)
		if err := os.Chmod(p.path(filepath.Join(dir, n)), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", p.path(dir)+":"+os.Getenv("PATH"))
}

func (p *project) log() string {
	b, _ := os.ReadFile(p.path("log"))
	_ = os.Remove(p.path("log"))
	return string(b)
}

// build runs a shell script as the intercepted build.
func (p *project) build(script string, cfg Config) (*Result, error) {
	cfg.Build = []string{"sh", "-ec", script}
	return p.run(cfg)
}

func (p *project) mustBuild(script string) (*Result, []string) {
	p.t.Helper()
	return p.mustRun(Config{Build: []string{"sh", "-ec", script}})
}

func TestIntercept(t *testing.T) {
	needClang(t)
	p := newProject(t,
		"a.c", "int a = X;\n", "sub/b.c", "int b;\n", "p.cc", "int p;\n", "plus.c", "class c {};\n",
		"z.S", "", "deps.c", "int d;\n", "gone.c", "int gone;\n", "rsp.c", "int r = R;\n")
	fakeCC(t, p, "bin", "cc", "gcc", "g++", "clang-99", "x86_64-linux-gnu-gcc", "ccache")
	res, names := p.mustBuild(`
		cc -E a.c >/dev/null; cc -M a.c; echo 'int x;' | cc -xc - -o probe; cc --version
		echo 'int main;' > conftest.c; cc -c conftest.c; rm conftest.c
		mkdir -p CMakeFiles/CMakeScratch/T; (cd CMakeFiles/CMakeScratch/T; cc -c ../../../deps.c)
		mkdir -p CMakeFiles/3.25.1/CompilerIdC; echo > CMakeFiles/3.25.1/CompilerIdC/id.c; cc -c CMakeFiles/3.25.1/CompilerIdC/id.c
		g++ -c plus.c & cc -DX=2 -c a.c & cc -DX=1 -c a.c & wait
		cd sub; x86_64-linux-gnu-gcc -c b.c; cd ..
		cc -DX=1 -c a.c
		ccache gcc -c p.cc; clang-99 -c z.S
		cc -c gone.c; rm gone.c
		echo -DR=1 rsp.c > r.rsp; cc -c @r.rsp; rm r.rsp
		cc a.o b.o -o prog`)
	equal(t, "units", names, []string{"a.c", "a.c", "p.cc", "plus.c", "rsp.c", "sub/b.c"})
	if len(res.Skipped) != 0 {
		t.Errorf("skipped %v", res.Skipped)
	}
	p.wantNote("no longer there, not analysed: " + p.path("gone.c"))
	p.wantNote("z.S: assembler source")
	log := p.log()
	for _, want := range []string{"cc -E a.c\n", "cc a.o b.o -o prog\n", "ccache gcc -c p.cc\n", "cc -c @r.rsp\n"} {
		if !strings.Contains(log, want) {
			t.Errorf("the real compiler did not see %q:\n%s", want, log)
		}
	}
	p.leftovers()
}

func TestInterceptWritesDB(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int a = X;\n", "b.c", "int b;\n")
	fakeCC(t, p, "bin", "cc")
	if _, err := p.build("cc -c b.c; cc -c -DX=1 a.c", Config{WriteDB: "db.json"}); err != nil {
		t.Fatal(err)
	}
	res, names := p.mustRun(Config{CompileDB: "db.json"})
	equal(t, "units", names, []string{"a.c", "b.c"})
	counts(t, res, 0, 2)
}

func TestFailingBuild(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int a;\n", "b.c", "int b;\n", "a.c.fail", "")
	fakeCC(t, p, "bin", "cc")
	_, names := p.mustBuild("cc -c b.c; cc -c a.c; cc -c c.c")
	equal(t, "units", names, []string{"a.c", "b.c"})
	p.wantNote("the build ended with exit status 1")
	_, err := p.build("exit 3", Config{})
	wantError(t, err, true, "exit status 3")
}

// TestCompilerByPath: CC holds an absolute path, which PATH cannot catch.
func TestCompilerByPath(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int a = X;\n")
	fakeCC(t, p, "opt", "odd-compiler")
	t.Setenv("CC", p.path("opt/odd-compiler")+" -DX=1")
	_, names := p.mustBuild(`$CC -c a.c; echo "$CC" > cc-was`)
	equal(t, "units", names, []string{"a.c"})
	if got := p.log(); got != "odd-compiler -DX=1 -c a.c\n" {
		t.Errorf("the real compiler saw %q", got)
	}
	// What a build remembers as its compiler still works without plumb.
	b, err := os.ReadFile(p.path("cc-was"))
	if err != nil {
		t.Fatal(err)
	}
	cc, _, _ := strings.Cut(string(b), " ")
	if out, err := exec.Command(cc, "later").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := p.log(); got != "odd-compiler later\n" {
		t.Errorf("the real compiler saw %q", got)
	}
}

// TestCcacheAsCompiler: a program called gcc that looks for the next gcc on
// PATH must not find the shim again.
func TestCcacheAsCompiler(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int a;\n")
	fakeCC(t, p, "bin", "gcc")
	p.write("masq/gcc", "#!/bin/sh\necho masquerade >> '"+p.path("log")+"'\nPATH=${PATH#*masq:}\nexec gcc \"$@\"\n")
	if err := os.Chmod(p.path("masq/gcc"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", p.path("masq")+":"+os.Getenv("PATH"))
	_, names := p.mustBuild("gcc -c a.c")
	equal(t, "units", names, []string{"a.c"})
	if got := p.log(); got != "masquerade\ngcc -c a.c\n" {
		t.Errorf("ran %q", got)
	}
}

// TestDirectCompiler: the build command is itself a compiler.
func TestDirectCompiler(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int a;\n")
	fakeCC(t, p, "bin", "cc")
	_, names := p.mustRun(Config{Build: []string{"cc", "-c", "a.c"}})
	equal(t, "units", names, []string{"a.c"})
}

func TestShimsSurviveBadRecordDir(t *testing.T) {
	p := newProject(t, "a.c", "int a;\n")
	fakeCC(t, p, "bin", "cc")
	var out bytes.Buffer
	_, err := p.build("PLUMB_CAPTURE_DIR=/no/such/dir cc -c a.c && echo built", Config{Stdout: &out, Stderr: &out})
	wantError(t, err, true, "called no compiler")
	if got := out.String(); !strings.Contains(got, "built") || !strings.Contains(got, "plumb: this compilation is not recorded") {
		t.Errorf("the build said %q", got)
	}
}

func TestShimWithoutEnvironment(t *testing.T) {
	p := newProject(t, "a.c", "int a;\n")
	fakeCC(t, p, "bin", "cc")
	_, err := p.build("unset PLUMB_CAPTURE_DIR; cc -c a.c", Config{})
	wantError(t, err, true, "called no compiler")
	if got := p.log(); got != "cc -c a.c\n" {
		t.Errorf("the real compiler saw %q", got)
	}
}

func TestOnlyExistingCompilersGetShims(t *testing.T) {
	p := newProject(t)
	fakeCC(t, p, "bin", "gcc-7", "gcc-ar", "clang-format")
	got := compilersOn(p.path("bin") + ":/no/such/dir")
	if !slices.Equal(got, []string{"gcc-7"}) {
		t.Errorf("shims for %q", got)
	}
}

func TestUnitOrderIgnoresSchedule(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int a = X;\n", "b.c", "int b;\n", "d/c.c", "int c;\n")
	fakeCC(t, p, "bin", "cc")
	describe := func(script string) []string {
		res, _ := p.mustBuild(script)
		var out []string
		for _, u := range res.Units {
			out = append(out, filepath.Base(u.Name)+" "+strings.Join(u.Flags, " "))
		}
		return out
	}
	want := []string{"a.c -DX=0", "a.c -DX=1", "b.c ", "c.c "}
	equal(t, "units", describe("cc -DX=1 -c a.c; cc -c b.c; cc -DX=0 -c a.c; cd d; cc -c c.c"), want)
	equal(t, "units", describe("(cd d; cc -c c.c); cc -DX=0 -c a.c; cc -c b.c; cc -DX=1 -c a.c"), want)
}

func TestCancelledBuild(t *testing.T) {
	p := newProject(t)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for !exists(p.path("started")) {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	_, err := Run(ctx, Config{Dir: p.dir, CacheDir: p.cache, Build: []string{"sh", "-c", "touch started; sleep 1000"}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestNoTemporaryDirectory(t *testing.T) {
	p := newProject(t, "file", "")
	t.Setenv("TMPDIR", p.path("file"))
	_, err := p.build("true", Config{})
	wantError(t, err, false, "temporary directory", "TMPDIR")
}

func TestInterceptWithoutCache(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int a;\n", "file", "")
	fakeCC(t, p, "bin", "cc")
	_, names := p.mustRun(Config{Build: []string{"cc", "-c", "a.c"}, CacheDir: p.path("file/cache")})
	equal(t, "units", names, []string{"a.c"})
	p.wantNote("the build's compilers are temporary")
}
