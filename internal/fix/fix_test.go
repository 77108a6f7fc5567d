package fix_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/driver"
	"github.com/plumb-project/plumb/internal/fix"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/toolchain"
)

var update = flag.Bool("update", false, "write the golden files")

// mend checks a program in its own directory and returns what became of its findings.
func mend(t *testing.T, file string, cfg fix.Config) (*report.Report, *fix.Result) {
	t.Helper()
	if _, err := toolchain.FindClang(t.Context(), ""); err != nil {
		t.Skip("needs clang:", err)
	}
	path, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	s, rep, err := driver.Open(t.Context(), driver.Config{Files: []string{path}, Dir: filepath.Dir(path), CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	res, err := fix.Run(t.Context(), s, rep, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return rep, res
}

// TestShapes mends the programs in testdata. What is in the golden file next to each
// is the source afterwards; its comments say what was not mended and why. The mended
// program is run under AddressSanitizer and LeakSanitizer: it must say what it said
// before, and lose nothing unless the golden file says so.
func TestShapes(t *testing.T) {
	files, err := filepath.Glob("testdata/*.c*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if ext := filepath.Ext(file); ext != ".c" && ext != ".cpp" {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			rep, res := mend(t, file, fix.Config{})
			before, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			after := before
			if res.Patch != nil {
				over := res.Patch.Overlay()
				if len(over) != 1 {
					t.Fatalf("%d files are changed", len(over))
				}
				for _, text := range over {
					after = text
				}
			}
			var got bytes.Buffer
			got.Write(after)
			left := false
			for _, m := range res.Mends {
				f := &rep.Findings[m.Findings[0]]
				if m.Outcome == report.NotFixed {
					left = true
					got.WriteString("// " + f.Function + ": not fixed: " + m.Reason + "\n")
				} else {
					got.WriteString("// " + f.Function + ": " + m.Text + "\n")
				}
			}
			golden := file + ".golden"
			if *update {
				if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("got\n%s\nwant\n%s", got.Bytes(), want)
			}
			runs(t, file, before, after, left)
		})
	}
}

// runs builds a program before and after, and runs both.
func runs(t *testing.T, file string, before, after []byte, leaks bool) {
	dir := t.TempDir()
	ext := filepath.Ext(file)
	build := func(name string, text []byte) string {
		src, exe := filepath.Join(dir, name+ext), filepath.Join(dir, name)
		if err := os.WriteFile(src, text, 0o600); err != nil {
			t.Fatal(err)
		}
		cc := "gcc"
		if ext == ".cpp" {
			cc = "g++"
		}
		out, err := exec.CommandContext(t.Context(), cc, "-g", "-O0", "-fsanitize=address", "-o", exe, src).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return exe
	}
	was, is := build("before", before), build("after", after)
	for line := range strings.Lines(string(before)) {
		args, ok := strings.CutPrefix(line, "// run:")
		if !ok {
			continue
		}
		a, _ := start(t.Context(), was, strings.Fields(args), false)
		b, err := start(t.Context(), is, strings.Fields(args), !leaks)
		if err != nil {
			t.Errorf("run %s: %v\n%s", strings.TrimSpace(args), err, b)
		}
		if a != b {
			t.Errorf("run %s says\n%s\nand said before\n%s", strings.TrimSpace(args), b, a)
		}
	}
}

func start(ctx context.Context, exe string, args []string, leaks bool) (string, error) {
	cmd := exec.CommandContext(ctx, exe, args...)
	opt := "ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0"
	if leaks {
		opt = "ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1"
	}
	cmd.Env = append(os.Environ(), opt)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if err != nil && leaks {
		return stdout.String() + stderr.String(), err
	}
	return stdout.String(), err
}
