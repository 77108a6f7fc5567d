package rt_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/event"
	"github.com/plumb-project/plumb/internal/rt"
)

// runtime is where TestMain built the runtime; empty without a clang.
var runtime, clang string

func TestMain(m *testing.M) {
	for _, c := range []string{"clang-19", "clang-22", "clang-16", "clang"} {
		if p, err := exec.LookPath(c); err == nil {
			clang = p
			break
		}
	}
	os.Exit(func() int {
		if clang != "" {
			dir, err := os.MkdirTemp("", "rt")
			if err == nil {
				defer os.RemoveAll(dir)
				runtime, err = dir, build(dir)
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
		}
		return m.Run()
	}())
}

// build makes libplumb_rt.so and libplumb_rt.a of the embedded sources.
func build(dir string) error {
	if err := os.CopyFS(dir, rt.Sources); err != nil {
		return err
	}
	sources, err := filepath.Glob(filepath.Join(dir, "csrc", "*.c"))
	if err != nil {
		return err
	}
	so := slices.Concat(rt.RuntimeFlags, []string{"-Wall", "-Wextra", "-Werror"}, sources, rt.RuntimeLinkFlags, []string{"-o", filepath.Join(dir, "libplumb_rt.so")})
	if out, err := exec.Command(clang, so...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	cmd := exec.Command(clang, slices.Concat(rt.RuntimeFlags, rt.StaticFlags, []string{"-c"}, sources)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	objects, err := filepath.Glob(filepath.Join(dir, "*.o"))
	if err != nil {
		return err
	}
	return exec.Command("ar", append([]string{"rcs", filepath.Join(dir, "libplumb_rt.a")}, objects...)...).Run()
}

// TestPrograms runs each program of testdata and compares the report with what
// its comments say:
//
//	// flags: FLAGS         for the compiler
//	// options: KEY=VALUE   PLUMB_OPTIONS, beside out
//	// args: ARGS
//	// exit: STATUS         0 if not said
//	// stderr: REGEXP       what it says there; nothing if not said
//	// lost 3 96            state, blocks, bytes: a line of the report, in any order
//	// lost 1 8 alloc=12,20 loss=14     lines of the stacks and the loss: needs sites
//	// libraries: a.so b.so built of a.c, b.c (beside, in a directory lib)
//
// Each runs with the runtime preloaded, as uninstrumented programs do; those that
// have sites bring them by hand (sites.h).
func TestPrograms(t *testing.T) {
	if clang == "" {
		t.Skip("no clang")
	}
	files, err := filepath.Glob("testdata/*.c*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimPrefix(file, "testdata/"), func(t *testing.T) {
			t.Parallel()
			p := load(t, file)
			exe := p.compile(t)
			p.check(t, exe, "LD_PRELOAD="+filepath.Join(runtime, "libplumb_rt.so"))
		})
	}
}

// TestStaticPrograms links some of the programs with -static, as plumb cc does: exit
// handlers, destructors and libc's data are in another order and place there.
func TestStaticPrograms(t *testing.T) {
	if clang == "" {
		t.Skip("no clang")
	}
	for _, name := range []string{"graph.c", "order.c", "stale.c", "streams.c"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := load(t, filepath.Join("testdata", name))
			p.check(t, p.compile(t, "-static", "-Wl,@"+filepath.Join(runtime, "csrc", "wraps.txt"),
				"-Wl,--whole-archive", filepath.Join(runtime, "libplumb_rt.a"), "-Wl,--no-whole-archive", "-lpthread", "-ldl"))
		})
	}
}

type program struct {
	file  string
	value map[string]string
	want  []string
}

var directive = regexp.MustCompile(`(?m)^// (?:(flags|options|args|exit|stderr|libraries): (.*)|((?:lost|indirect|forgotten) .*))$`)

func load(t *testing.T, file string) *program {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := &program{file: file, value: map[string]string{"exit": "0"}}
	for _, m := range directive.FindAllStringSubmatch(string(text), -1) {
		if m[3] != "" {
			p.want = append(p.want, m[3])
		} else {
			p.value[m[1]] = m[2]
		}
	}
	slices.Sort(p.want)
	return p
}

func (p *program) compile(t *testing.T, extra ...string) string {
	dir := t.TempDir()
	exe := filepath.Join(dir, "program")
	cc := func(args ...string) {
		if strings.HasSuffix(p.file, ".cpp") {
			args = append(args, "-lstdc++")
		}
		args = append([]string{"-g", "-O1", "-fno-builtin", "-w", "-Icsrc", "-Itestdata"}, args...)
		if out, err := exec.Command(clang, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	link := []string{"-L" + runtime, "-lplumb_rt", "-Wl,-rpath," + runtime}
	for _, l := range strings.Fields(p.value["libraries"]) {
		cc(slices.Concat([]string{"-shared", "-fPIC", "-o", filepath.Join(dir, l), filepath.Join("testdata", "lib", strings.TrimSuffix(l, ".so")+".c")}, link)...)
	}
	args := slices.Concat([]string{p.file, "-o", exe, "-Wl,-rpath," + dir}, strings.Fields(p.value["flags"]), extra)
	if !slices.Contains(extra, "-static") && strings.Contains(source(t, p.file), `#include "sites.h"`) {
		args = append(args, link...)
	}
	cc(args...)
	return exe
}

func source(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (p *program) check(t *testing.T, exe string, env ...string) {
	out := t.TempDir()
	cmd := exec.CommandContext(context.Background(), exe, strings.Fields(p.value["args"])...)
	options := "PLUMB_OPTIONS=out=" + out
	if o := p.value["options"]; o != "" {
		options += ":" + o
	}
	cmd.Env = append(os.Environ(), append(env, options)...)
	cmd.Dir = filepath.Dir(exe)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); strconv.Itoa(got) != p.value["exit"] {
		t.Errorf("exit status %v, want %s", cmd.ProcessState, p.value["exit"])
	}
	if ok, err := regexp.MatchString("^(?s:"+p.value["stderr"]+")$", strings.TrimSpace(stderr.String())); err != nil || !ok {
		t.Errorf("stderr:\n%s\nwant %s (%v)", stderr.String(), p.value["stderr"], err)
	}
	got := blocks(t, out, p.want)
	if !slices.Equal(got, p.want) {
		t.Errorf("report:\n\t%s\nwant:\n\t%s", strings.Join(got, "\n\t"), strings.Join(p.want, "\n\t"))
	}
}

// blocks returns the block lines of all reports as the comments of programs
// have them; lines of stacks only where one of want has some.
func blocks(t *testing.T, dir string, want []string) []string {
	var lines []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		r, err := event.Read(f)
		if err != nil {
			return err
		}
		if !r.Whole || r.Damaged > 0 {
			t.Errorf("%s: whole %v, %d damaged lines", path, r.Whole, r.Damaged)
		}
		for _, b := range r.Blocks {
			line := fmt.Sprintf("%v %d %d", b.State, b.Count, b.Bytes)
			if slices.ContainsFunc(want, func(w string) bool { return strings.Contains(w, "=") }) {
				line += " alloc=" + stack(r, b.Alloc, 0)
				if b.Loss != 0 {
					line += " loss=" + stack(r, b.LossNode, b.Loss)
				}
				if b.Use != 0 {
					line += " use=" + stack(r, b.UseNode, b.Use)
				}
			}
			lines = append(lines, line)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	return lines
}

// stack is the lines of a frame and its callers, innermost first.
func stack(r *event.Report, node, frame event.ID) string {
	var lines []string
	add := func(id event.ID) {
		f := r.Frames[id]
		if f.What == 0 {
			lines = append(lines, "pc")
		} else {
			lines = append(lines, strconv.Itoa(f.Line))
		}
	}
	if frame != 0 {
		add(frame)
	}
	for ; node != 0; node = r.Nodes[node].Parent {
		add(r.Nodes[node].Frame)
	}
	return strings.Join(lines, ",")
}
