package toolchain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// install puts a clang where Debian has it, below dir, and dir/bin on PATH. It
// does what script says, and makes the file behind -o.
func install(t *testing.T, dir string, major int, headers bool, script string) {
	t.Helper()
	root := filepath.Join(dir, fmt.Sprintf("lib/llvm-%d", major))
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	clang := filepath.Join(root, "bin/clang")
	write(clang, fmt.Sprintf("#!/bin/sh\n[ $1 = --version ] && echo clang version %d.1.7 && exit\n", major)+script+"\nwhile [ $# -gt 0 ]; do if [ \"$1\" = -o ]; then echo made > \"$2\"; fi; shift; done\n")
	write(filepath.Join(dir, "bin/ar"), "#!/bin/sh\necho made > \"$2\"\n")
	if err := os.Symlink(clang, filepath.Join(dir, "bin", fmt.Sprintf("clang-%d", major))); err != nil {
		t.Fatal(err)
	}
	if headers {
		write(filepath.Join(root, "include/llvm/Pass.h"), "")
		write(filepath.Join(root, "include/llvm/Config/llvm-config.h"), fmt.Sprintf("#define LLVM_VERSION_STRING \"%d.1.7\"\n", major))
	}
	t.Setenv("PATH", filepath.Join(dir, "bin")+":/usr/bin:/bin")
}

// onlyHere leaves nothing but dir/bin on PATH: no clang of the machine.
func onlyHere(t *testing.T, dir string) { t.Setenv("PATH", filepath.Join(dir, "bin")) }

func TestFindHost(t *testing.T) {
	dir := t.TempDir()
	onlyHere(t, dir)
	_, err := FindHost(context.Background(), "", true)
	wantError(t, err, "clang-22 to clang-16", "apt-get install clang-19 llvm-19-dev", EnvClang)

	install(t, dir, 14, true, "")
	onlyHere(t, dir)
	_, err = FindHost(context.Background(), "", true)
	wantError(t, err, "clang-14", "instrumented runs need 16 to 22")

	// An LLVM of the machine, at /usr/lib/llvm-N, would lend its headers to these.
	for _, major := range []int{17, 18} {
		if headerVersion(fmt.Sprintf("/usr/lib/llvm-%d/include", major)) != "" {
			t.Skipf("llvm-%d-dev is installed", major)
		}
	}
	install(t, dir, 18, false, "")
	onlyHere(t, dir)
	_, err = FindHost(context.Background(), "", true)
	if !errors.Is(err, ErrNoHeaders) || !strings.Contains(err.Error(), "apt-get install llvm-18-dev") {
		t.Errorf("no headers: %v", err)
	}
	if h, err := FindHost(context.Background(), "", false); err != nil || h.Major != 18 || h.Headers != "" {
		t.Errorf("without headers: %+v, %v", h, err)
	}

	install(t, dir, 17, true, "")
	onlyHere(t, dir)
	for _, need := range []bool{true, false} {
		h, err := FindHost(context.Background(), "", need)
		if err != nil || h.Major != 17 || h.Version != "17.1.7" || h.Path != filepath.Join(dir, "bin/clang-17") {
			t.Errorf("the one with headers: %+v, %v", h, err)
		}
	}
	if _, err := FindHost(context.Background(), "clang-18", true); !errors.Is(err, ErrNoHeaders) {
		t.Errorf("the one that was named has no headers: %v", err)
	}
}

// TestHostByProgram: a name that says nothing makes plumb ask the program.
func TestHostByProgram(t *testing.T) {
	dir := t.TempDir()
	path := fake(t, dir, "wrapped", "clang version 17.0.1")
	h, err := FindHost(context.Background(), path, false)
	if err != nil || h.Major != 17 {
		t.Errorf("found %+v, %v", h, err)
	}
	path = fake(t, dir, "clang-19", "clang version 11.0.1") // as a wrapper could be called
	_, err = FindHost(context.Background(), path, false)
	wantError(t, err, "version 11.0.1")
}

// TestHostIsNotPlumb: plumb under the name of a compiler is not the compiler.
func TestHostIsNotPlumb(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	links, dir := t.TempDir(), t.TempDir()
	if err := os.Symlink(exe, filepath.Join(links, "clang")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", links)
	_, err = FindHost(context.Background(), "", false)
	wantError(t, err, "looked on PATH")
	want := fake(t, dir, "clang", "clang version 17.0.1")
	t.Setenv("PATH", links+":"+dir)
	if h, err := FindHost(context.Background(), "", false); err != nil || h.Path != want {
		t.Errorf("found %+v, %v; want %s", h, err, want)
	}
}

// TestFindKit: of many at once, one builds each part, and all see it whole.
func TestFindKit(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	install(t, dir, 17, true, `case "$*" in *-shared*) echo link >> '`+log+`'; sleep 0.05;; esac`)
	cfg := KitConfig{Clang: "clang-17", CacheDir: filepath.Join(dir, "cache")}
	t.Setenv(EnvKits, "")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			k, err := FindKit(context.Background(), cfg)
			if err != nil {
				t.Error(err)
				return
			}
			for _, file := range []string{k.Plugin, k.Shared(), k.Static(), k.Include()} {
				if _, err := os.Stat(file); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if b, _ := os.ReadFile(log); string(b) != "link\nlink\n" {
		t.Errorf("linked %q, want the runtime and the plugin once", b)
	}
	left, err := filepath.Glob(filepath.Join(dir, "cache/run/.tmp-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	var said bytes.Buffer
	cfg.Say = &said
	if _, err := FindKit(context.Background(), cfg); err != nil || said.Len() > 0 {
		t.Errorf("the second time: %v, said %q", err, &said)
	}
	t.Setenv(EnvKits, filepath.Join(dir, "kits"))
	k, err := FindKit(context.Background(), cfg)
	if err != nil || !strings.HasPrefix(k.Plugin, filepath.Join(dir, "kits")+"/pass-") {
		t.Errorf("%s is not heard: %+v, %v", EnvKits, k, err)
	}
	if !strings.Contains(said.String(), "building the compiler plugin for clang 17.1.7") {
		t.Errorf("said %q", &said)
	}
}

func TestKitErrors(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	if err := os.WriteFile(blocked, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, script, kits, want string }{
		{"no directory", "", filepath.Join(blocked, "x"), blocked},
		{"no C++ headers", `case "$*" in *g++*) echo "plumb.h:1:10: fatal error: 'string' file not found" >&2; exit 1;; esac`, "", "apt-get install g++"},
		{"no C headers", `echo "alloc.c:1:10: fatal error: 'stdlib.h' file not found" >&2; exit 1`, "", "apt-get install libc6-dev"},
		{"no linker", `echo "clang: error: unable to execute command: Executable \"ld\" doesn't exist!" >&2; exit 1`, "", "apt-get install binutils"},
		{"full disk", `echo "error: unable to open output file: No space left on device" >&2; exit 1`, "", "no space left on device"},
		{"anything else", `echo "x.c:1:1: error: odd" >&2; exit 1`, "", "x.c:1:1: error: odd"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			install(t, dir, 17, true, test.script)
			t.Setenv(EnvKits, test.kits)
			_, err := FindKit(context.Background(), KitConfig{Clang: "clang-17", CacheDir: filepath.Join(dir, "cache")})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "cache/run/.tmp-*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
