package capture

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const goodC = "#include \"h.h\"\nint f(void) { return H; }\n"

func TestPlainFiles(t *testing.T) {
	needClang(t)
	p := newProject(t,
		"a.c", goodC, "inc/h.h", "#define H 1\n",
		"b.cpp", "#include \"h.h\"\nnamespace n { int g() { return H; } }\n",
		"odd", "int k = H2;\n")
	cfg := Config{Files: []string{"b.cpp", "a.c"}, Flags: []string{"-Iinc", "-O2", "-Werror", "-D_FORTIFY_SOURCE=2"}}
	res, names := p.mustRun(cfg)
	equal(t, "units", names, []string{"b.cpp", "a.c"})
	counts(t, res, 2, 0)
	if res.Clang == nil || len(res.Skipped) > 0 {
		t.Errorf("clang %v, skipped %v", res.Clang, res.Skipped)
	}
	b, err := res.Units[1].Bitcode()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(b, []byte("optnone")) || !bytes.Contains(b, []byte("a.c")) {
		t.Error("not the bitcode that was asked for")
	}
	equal(t, "flags", res.Units[1].Flags, []string{"-Iinc"})
	equal(t, "arguments", res.Units[1].Args(), []string{"-Iinc", "a.c"})
	equal(t, "files read", res.Units[1].Reads, []string{p.path("a.c"), p.path("inc/h.h")})

	res, names = p.mustRun(Config{Files: []string{"odd"}, Flags: []string{"-xc", "-DH2=3"}})
	equal(t, "arguments", res.Units[0].Args(), []string{"-x", "c", "-DH2=3", "odd"})
	equal(t, "units", names, []string{"odd"})
	p.leftovers()
}

func TestRefusedFlagsAreDropped(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int f(int x) { return undeclared(x); }\n", "b.c", "int b;\n")
	cfg := Config{
		Files: []string{"a.c", "b.c"},
		Flags: []string{"-fipa-pta", "-mno-such=3", "-fconserve-stack", "-march=bogus", "-std=gnu23", "-Wno-such", "--param=ssp-buffer-size=4"},
	}
	for range 2 { // compiled and cached say the same
		p.mustRun(cfg)
		p.wantNote("-fipa-pta: clang refuses this flag, dropped (2 units)")
		p.wantNote("-mno-such=3")
		p.wantNote("-march=bogus")
	}
}

func TestCache(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", goodC, "b.c", "int b;\n", "h.h", "#define H 1\n")
	cfg := Config{Files: []string{"a.c", "b.c"}}
	step := func(what string, cfg Config, compiled, cached int) {
		t.Helper()
		t.Log(what)
		res, _ := p.mustRun(cfg)
		counts(t, res, compiled, cached)
		p.leftovers()
	}
	step("first", cfg, 2, 0)
	step("second", cfg, 0, 2)
	step("other flags", Config{Files: cfg.Files, Flags: []string{"-DX"}}, 2, 0)
	p.write("h.h", "#define H 2\n")
	step("header changed", cfg, 1, 1)
	p.write("h.h", "#define H 1\n")
	step("and back", cfg, 0, 2)
	now := time.Now()
	if err := os.Chtimes(p.path("a.c"), now, now); err != nil {
		t.Fatal(err)
	}
	step("only touched", cfg, 0, 2)
	step("no cache", Config{Files: cfg.Files, NoCache: true}, 2, 0)
	t.Setenv("CPATH", p.dir)
	step("include path in the environment", cfg, 2, 0)
}

func TestBrokenCacheIsRebuilt(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int a;\n")
	cfg := Config{Files: []string{"a.c"}}
	damage := map[string]func(b []byte) []byte{
		"truncated": func(b []byte) []byte { return b[:len(b)/2] },
		"empty":     func([]byte) []byte { return nil },
		"flipped":   func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
	}
	for _, ext := range []string{"*.bc", "*.unit"} {
		for name, do := range damage {
			p.mustRun(cfg)
			files, err := filepath.Glob(filepath.Join(p.cache, "bitcode", "*", ext))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			b, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(files[0], do(b), 0o666); err != nil {
				t.Fatal(err)
			}
			res, _ := p.mustRun(cfg)
			if res.Compiled != 1 {
				t.Errorf("%s %s: not rebuilt", name, ext)
			}
			res, _ = p.mustRun(cfg)
			counts(t, res, 0, 1)
		}
	}
}

func TestUnitThatDoesNotCompile(t *testing.T) {
	needClang(t)
	p := newProject(t,
		"bad.c", "\nint f(void) { return nowhere; }\nint g(void) { return nor_here; }\n",
		"missing.c", "#include \"none.h\"\n",
		"crash.c", "#pragma clang __debug crash\n",
		"abort.c", "#pragma clang __debug llvm_fatal_error\n",
		"good.c", "int good;\n")
	res, names := p.mustRun(Config{Files: []string{"bad.c", "good.c", "missing.c", "crash.c", "abort.c"}})
	equal(t, "units", names, []string{"good.c"})
	counts(t, res, 1, 0)
	want := []struct{ unit, reason string }{
		{"bad.c", "bad.c:2:22: error: use of undeclared identifier 'nowhere'"},
		{"missing.c", "fatal error: 'none.h' file not found"},
		{"crash.c", "clang crashed: "},
		{"abort.c", "clang crashed: "},
	}
	if len(res.Skipped) != len(want) {
		t.Fatalf("skipped %+v", res.Skipped)
	}
	for i, w := range want {
		s := res.Skipped[i]
		if s.Unit != p.path(w.unit) || !strings.Contains(s.Reason, w.reason) || strings.Contains(s.Reason, "\n") {
			t.Errorf("got %+v, want %+v", s, w)
		}
	}
	res, err := p.run(Config{Files: []string{"bad.c"}})
	wantError(t, err, true, "none of 1 unit has bitcode", "bad.c", "nowhere")
	if res == nil || len(res.Skipped) != 1 {
		t.Errorf("result %+v", res)
	}
}

func TestMisuse(t *testing.T) {
	p := newProject(t, "x.h", "", "text", "hello\n", "a.c", "int a;\n")
	tests := []struct {
		cfg     Config
		nothing bool
		parts   string
	}{
		{Config{}, true, "-p DIR"},
		{Config{Files: []string{"none.c"}}, false, "none.c: no such file"},
		{Config{Files: []string{"."}}, false, "is a directory"},
		{Config{Files: []string{"x.h"}}, false, "header"},
		{Config{Files: []string{"text"}}, false, "neither C or C++ source"},
		{Config{Files: []string{"a.c"}, Clang: "/no/such/clang"}, false, "/no/such/clang"},
		{Config{CompileDB: "."}, false, "CMAKE_EXPORT_COMPILE_COMMANDS"},
		{Config{Build: []string{"no-such-build-tool"}}, false, "cannot run the build command"},
		{Config{Build: []string{"true"}}, true, "called no compiler"},
		{Config{Build: []string{"false"}}, true, "the build ended with exit status 1"},
	}
	for _, tt := range tests {
		_, err := p.run(tt.cfg)
		wantError(t, err, tt.nothing, tt.parts)
	}
}

func TestMissingClang(t *testing.T) {
	p := newProject(t, "a.c", "int a;\n")
	t.Setenv("PATH", t.TempDir())
	_, err := p.run(Config{Files: []string{"a.c"}})
	wantError(t, err, false, "apt-get install clang")
}

func TestUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	p := newProject(t, "d/a.c", "int a;\n", "b.c", "int b;\n")
	for _, path := range []string{"b.c", "d"} {
		if err := os.Chmod(p.path(path), 0); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(p.path(path), 0o777)
	}
	_, err := p.run(Config{Files: []string{"b.c"}})
	wantError(t, err, false, "b.c: permission denied")
	_, err = p.run(Config{Files: []string{"d/a.c"}})
	wantError(t, err, false, "a.c: permission denied", "directories above")
}

// TestUnwritableCache uses a path below a file: even root cannot write there.
func TestUnwritableCache(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int a;\n", "file", "")
	for range 2 {
		res, _ := p.mustRun(Config{Files: []string{"a.c"}, CacheDir: p.path("file/cache")})
		counts(t, res, 1, 0)
		p.wantNote("working without a cache")
	}
}

// TestForcedInclude: a precompiled header of another compiler lies beside it.
func TestForcedInclude(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int a = H;\n", "h.h", "#define H 1\n", "h.h.gch", "gpch of gcc", "h.h.pch", "junk")
	_, names := p.mustRun(Config{Files: []string{"a.c"}, Flags: []string{"-include", "h.h"}})
	equal(t, "units", names, []string{"a.c"})
	p.write("h.h", "#define H 2\n")
	res, _ := p.mustRun(Config{Files: []string{"a.c"}, Flags: []string{"-include", "h.h"}})
	counts(t, res, 1, 0)
}

func TestTrim(t *testing.T) {
	c := &cache{t.TempDir()}
	now := time.Now()
	ages := map[string]time.Duration{
		"aa/new.bc": 0, "aa/used.unit": keepFor - time.Hour, "bb/old.bc": keepFor + time.Hour,
		"tmp-dead": trimEvery + time.Hour, "tmp-live": time.Hour,
	}
	for name, age := range ages {
		path := filepath.Join(c.dir, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must(t, os.WriteFile(path, nil, 0o666))
		must(t, os.Chtimes(path, now, now.Add(-age)))
	}
	left := func() []string {
		files, err := filepath.Glob(filepath.Join(c.dir, "*", "*"))
		must(t, err)
		tmp, err := filepath.Glob(filepath.Join(c.dir, "tmp-*"))
		must(t, err)
		var out []string
		for _, f := range append(files, tmp...) {
			out = append(out, strings.TrimPrefix(f, c.dir+"/"))
		}
		return out
	}
	c.trim(now)
	equal(t, "left", left(), []string{"aa/new.bc", "aa/used.unit", "tmp-live"})
	c.trim(now.Add(trimEvery / 2))
	equal(t, "too early", left(), []string{"aa/new.bc", "aa/used.unit", "tmp-live"})
	used(filepath.Join(c.dir, "aa/used.unit"), now)
	c.trim(now.Add(2 * trimEvery))
	equal(t, "left later", left(), []string{"aa/new.bc", "aa/used.unit"})
}

// A clang that never ends, with a child that never ends either.
const slowClang = `#!/bin/sh
case $1 in --version) echo "clang version 19.1.7"; exit;; esac
echo $$ >> PIDS
sleep 1000 &
wait
`

func TestCancel(t *testing.T) {
	p := newProject(t, "a.c", "int a;\n", "b.c", "int b;\n")
	pids := p.path("pids")
	clang := p.path("clang")
	if err := os.WriteFile(clang, []byte(strings.Replace(slowClang, "PIDS", pids, 1)), 0o777); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for !exists(pids) {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	_, err := Run(ctx, Config{Files: []string{"a.c", "b.c"}, Dir: p.dir, CacheDir: p.cache, Clang: clang})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	p.leftovers()
}

type progressLog struct{ events []string }

func (l *progressLog) Start(n int)      { l.events = append(l.events, "start "+plural(n, "unit")) }
func (l *progressLog) Unit(name string) { l.events = append(l.events, "unit "+filepath.Base(name)) }
func (l *progressLog) Done(name string) { l.events = append(l.events, "done "+filepath.Base(name)) }
func (l *progressLog) Finish()          { l.events = append(l.events, "finish") }

func TestProgress(t *testing.T) {
	needClang(t)
	p := newProject(t, "a.c", "int a;\n", "b.c", "b;\n")
	var log progressLog
	p.mustRun(Config{Files: []string{"a.c", "b.c"}, Jobs: 1, Progress: &log})
	equal(t, "progress", log.events, []string{"start 2 units", "unit a.c", "done a.c", "unit b.c", "done b.c", "finish"})
}
