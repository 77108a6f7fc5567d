// This file asks valgrind what a program loses.

package runtest

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/plumb-project/plumb/internal/oracle"
)

//go:embed testdata/wipe.c
var wipe []byte

// Valgrind finds valgrind, set up to count as plumb does. Definedness is followed,
// so that what calls left behind on the stack is not taken for pointers; stacks of
// threads that ended are given back, for the same reason.
func Valgrind() (*oracle.Valgrind, error) {
	path, err := exec.LookPath("valgrind")
	if err != nil {
		return nil, fmt.Errorf("valgrind is not installed: scripts/setup.sh test")
	}
	return &oracle.Valgrind{
		Path: path,
		Flags: []string{"--leak-check=full", "--show-leak-kinds=all", "--errors-for-leak-kinds=none", "--num-callers=40", "--read-inline-info=no",
			"--keep-debuginfo=yes", "--child-silent-after-fork=yes"},
		Env: []string{"GLIBC_TUNABLES=glibc.pthread.stack_cache_size=0"},
	}, nil
}

// plainFlags build for valgrind. The directory is left out of debug information;
// valgrind 3.19 stumbles over version 5 of DWARF.
var plainFlags = []string{"-g", "-gdwarf-4", "-O0", "-fdebug-compilation-dir=."}

// buildPlain makes a program for valgrind, with the file that wipes dead stack.
func (p *Program) buildPlain(ctx context.Context, clang, dir string) (string, error) {
	src, object := filepath.Join(dir, "wipe.c"), filepath.Join(dir, "wipe.o")
	if err := os.WriteFile(src, wipe, 0o666); err != nil {
		return "", err
	}
	cc := []string{clang}
	if err := run(ctx, nil, cc, []string{"-c", "-O1", "-fno-builtin", "-o", object, src}); err != nil {
		return "", err
	}
	return p.Build(ctx, Tools{
		C: cc, CXX: []string{clang, "--driver-mode=g++"}, Plain: cc, Flags: plainFlags,
		Link: []string{object, "-Wl,--wrap=main", "-Wl,--wrap=exit"},
	}, dir)
}

// Plain is a program as valgrind gets it, built when it is needed.
type Plain struct {
	key []byte
	exe func() (string, error)
}

// Plain prepares to build the program in dir by clang.
func (p *Program) Plain(ctx context.Context, clang, dir string) (*Plain, error) {
	key, err := p.key(clang)
	return &Plain{key, sync.OnceValues(func() (string, error) { return p.buildPlain(ctx, clang, dir) })}, err
}

// key is all that what valgrind says of the program depends on, but for the run.
func (p *Program) key(clang string) ([]byte, error) {
	info, err := os.Stat(clang)
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d %s %q %q\n%s", info.Size(), info.ModTime().UTC(), plainFlags, p.Flags, wipe)
	files := p.Units
	if filepath.Base(p.Dir) == p.Name {
		if files, err = filepath.Glob(filepath.Join(p.Dir, "*")); err != nil {
			return nil, err
		}
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(h, "%s %d\n%s", filepath.Base(f), len(src), src)
	}
	return h.Sum(nil), nil
}

// Ask lets valgrind watch a run of the program. Plain is what makes it for that.
func (p *Program) Ask(ctx context.Context, v *oracle.Valgrind, plain *Plain, r Run) ([]Observation, error) {
	complaints, err := v.Run(ctx, plain.key, plain.exe, r.Args, r.Stdin)
	if err != nil {
		return nil, err
	}
	var out []Observation
	files := p.files()
	for i := range complaints {
		c := &complaints[i]
		if !strings.HasPrefix(c.Kind, "Leak_") {
			return nil, fmt.Errorf("%s: %s %v", c.Kind, c.What, c.Frames)
		}
		// Pointers into the middle hold a block: possibly lost is not lost.
		o := Observation{Lost: c.Kind == "Leak_DefinitelyLost" || c.Kind == "Leak_IndirectlyLost", Amount: Amount{c.XWhat.Blocks, c.Bytes()}}
		for _, f := range c.Frames {
			if files[f.File] {
				o.Alloc = Place{f.File, f.Line}
				break
			}
		}
		out = append(out, o)
	}
	return out, nil
}

// Truth compares what a tool saw with what a run is said to lose and to hold.
func (p *Program) Truth(r Run, seen []Observation) []string {
	got := map[bool]map[Place]Amount{true: {}, false: {}}
	for _, o := range seen {
		if o.Alloc.File != "" || o.Lost {
			got[o.Lost][o.Alloc] = got[o.Lost][o.Alloc].plus(o.Amount)
		}
	}
	var out []string
	for _, lost := range []bool{true, false} {
		want, word := r.Lost, "lost"
		if !lost {
			want, word = r.Held, "held"
		}
		for _, name := range sortedKeys(want) {
			var sum Amount
			for _, at := range p.Labels[name].Alloc {
				sum = sum.plus(got[lost][at])
				delete(got[lost], at)
			}
			if any := (Amount{-1, -1}); !want[name].is(sum) || sum.Blocks == 0 && (want[name] != any || lost) {
				out = append(out, fmt.Sprintf("%v: %s: %v %s, not %v", r.Args, name, sum, word, want[name]))
			}
		}
		for _, at := range sortedPlaces(got[lost]) {
			out = append(out, fmt.Sprintf("%v: %v %s that was allocated at %v", r.Args, got[lost][at], word, at))
		}
	}
	return out
}
