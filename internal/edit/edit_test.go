package edit

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/ast"
	"github.com/plumb-project/plumb/internal/patch"
)

var update = flag.Bool("update", false, "write what the operations give into testdata")

// A testCase is one file of testdata:
//
//	op: before | return -1; | free(p);
//	flags: -std=c89
//	-- in.c --
//	the source
//	-- out.c --
//	the source as it is to be
//
// An operation names its statement by text that stands at its beginning; #2 behind
// it is the second such place. "refused: why" stands for the second part when the
// operation is to be refused. "crlf: yes" and "bom: yes" change how the source is
// stored.
type testCase struct {
	name    string
	ops     [][]string
	flags   []string
	refused string
	crlf    bool
	bom     bool
	cut     bool // no line break at the end
	lang    string
	in, out string
	raw     string // the file up to the second part
}

func readCase(t *testing.T, file string) *testCase {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := &testCase{name: strings.TrimSuffix(filepath.Base(file), ".txt")}
	head, rest, ok := strings.Cut(string(data), "-- in.")
	if !ok {
		t.Fatalf("%s has no source", file)
	}
	for line := range strings.Lines(head) {
		key, val, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch key {
		case "op":
			fields := strings.Split(val, " | ")
			for i := range fields {
				fields[i] = strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(strings.TrimSpace(fields[i]))
			}
			c.ops = append(c.ops, fields)
		case "flags":
			c.flags = strings.Fields(val)
		case "refused":
			c.refused = val
		case "crlf":
			c.crlf = true
		case "bom":
			c.bom = true
		case "cut":
			c.cut = true
		case "", "#":
		default:
			t.Fatalf("%s: what is %q?", file, line)
		}
	}
	c.lang, rest, _ = strings.Cut(rest, " --\n")
	c.in, c.out, _ = strings.Cut(rest, "-- out."+c.lang+" --\n")
	c.raw, _, _ = strings.Cut(string(data), "-- out."+c.lang+" --\n")
	c.in, c.out = c.stored(c.in), c.stored(c.out)
	return c
}

// stored returns the source as the file has it.
func (c *testCase) stored(s string) string {
	if c.cut {
		s = strings.TrimSuffix(s, "\n")
	}
	if c.crlf {
		s = strings.ReplaceAll(s, "\n", "\r\n")
	}
	if c.bom {
		s = "\ufeff" + s
	}
	return s
}

func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data")
	}
	first := true
	for v, version := range []string{"19", "14", "22"} {
		clang, err := exec.LookPath("clang-" + version)
		if err != nil {
			continue
		}
		for i, file := range files {
			if !first && i%2 == v%2 {
				continue // the trees are the same, see package ast: half of the cases each
			}
			c, first := readCase(t, file), first
			t.Run(c.name+"/"+version, func(t *testing.T) {
				t.Parallel()
				c.test(t, clang, file, first)
			})
		}
		first = false
	}
	if first {
		t.Skip("clang is not installed: scripts/setup.sh test")
	}
}

func (c *testCase) test(t *testing.T, clang, file string, first bool) {
	dir := t.TempDir()
	path := filepath.Join(dir, "in."+c.lang)
	write(t, path, c.in)
	cmd := ast.Command{Clang: clang, Dir: dir, Args: append([]string{path}, c.flags...)}
	got, err := c.apply(cmd, path, c.in, c.ops)
	if err != nil {
		if got := strings.ReplaceAll(err.Error(), path, "FILE"); c.refused == "" || got != c.refused {
			t.Fatalf("got %q, want %q", got, c.refused)
		}
		return
	}
	if c.refused != "" {
		t.Fatalf("not refused, but:\n%s", got)
	}
	if *update && first {
		plain := strings.TrimPrefix(strings.ReplaceAll(got, "\r\n", "\n"), "\ufeff")
		if c.cut {
			plain += "\n"
		}
		write(t, file, c.raw+"-- out."+c.lang+" --\n"+plain)
	} else if got != c.out {
		t.Fatalf("got:\n%s\nwant:\n%s", got, c.out)
	}
	if !first {
		return // the text is the same, and so is what it means
	}
	out := filepath.Join(dir, "out."+c.lang)
	write(t, out, got)
	if after := warnings(t, clang, c.flags, out); len(after) > 0 {
		before := warnings(t, clang, c.flags, path)
		for _, w := range after {
			if !slices.Contains(before, w) {
				t.Errorf("a new warning: %s\n%s", w, got)
			}
		}
	}
	c.neutral(t, cmd, path)
}

// neutral makes the same changes with empty statements, which must leave the tree
// as it is but for blocks.
func (c *testCase) neutral(t *testing.T, cmd ast.Command, path string) {
	var ops [][]string
	for _, op := range c.ops {
		switch op[0] {
		case "before", "after", "end":
			ops = append(ops, []string{op[0], op[1], ";"})
		default:
			return
		}
	}
	got, err := c.apply(cmd, path, c.in, ops)
	if err != nil {
		t.Fatal(err)
	}
	want := shape(t, cmd, path)
	write(t, path, got)
	if is := shape(t, cmd, path); !slices.Equal(is, want) {
		t.Errorf("the tree is another:\n%s\nwas:\n%s\n%s", strings.Join(is, " "), strings.Join(want, " "), got)
	}
}

// shape returns the kinds of nodes of all functions, blocks and empty statements
// left out.
func shape(t *testing.T, cmd ast.Command, path string) []string {
	t.Helper()
	args := slices.Concat(cmd.Args, []string{"-fsyntax-only", "-w", "-Xclang", "-ast-dump", "-fno-color-diagnostics"})
	out, err := exec.Command(cmd.Clang, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, m := range regexp.MustCompile(`(?m)^[ |]*[|\x60]-(\w+) 0x`).FindAllSubmatch(out, -1) {
		if k := string(m[1]); k != "CompoundStmt" && k != "NullStmt" {
			kinds = append(kinds, k)
		}
	}
	if len(kinds) == 0 {
		t.Fatal("no tree")
	}
	return kinds
}

// apply makes the changes that operations ask for.
func (c *testCase) apply(cmd ast.Command, path, src string, ops [][]string) (string, error) {
	text := ast.NewText([]byte(src))
	var wants []ast.Want
	var at []int
	for _, op := range ops {
		off, err := place(src, op[1])
		if err != nil {
			return "", err
		}
		at = append(at, off)
		wants = append(wants, ast.Want{File: path, Line: text.Line(off)})
	}
	u, err := ast.Load(context.Background(), cmd, nil, wants)
	if err != nil {
		return "", err
	}
	var all []*patch.Patch
	for i, op := range ops {
		if u.Errs[i] != nil {
			return "", u.Errs[i]
		}
		f := u.Funcs[i]
		edits, err := operate(f, node(f, at[i], op), op)
		if err != nil {
			return "", err
		}
		p, err := patch.New(edits, nil)
		if err != nil {
			return "", err
		}
		all = append(all, p)
	}
	p, err := patch.Merge(all...)
	if err != nil {
		return "", err
	}
	contents, err := p.Contents(nil)
	if err != nil {
		return "", err
	}
	return string(contents[path]), nil
}

// place returns where an operation is to be made.
func place(src, what string) (int, error) {
	n := 1
	if text, num, ok := strings.Cut(what, " #"); ok {
		what = text
		n, _ = strconv.Atoi(num)
	}
	off := -1
	for ; n > 0; n-- {
		i := strings.Index(src[off+1:], what)
		if i < 0 {
			return 0, fmt.Errorf("the source has no %q", what)
		}
		off += 1 + i
	}
	return off, nil
}

// node returns what an operation is about.
func node(f *ast.Func, off int, op []string) *ast.Node {
	line, col := f.Text.Line(off), off-f.Text.LineBegin(off)+1
	if line == 1 && bytes.HasPrefix(f.Text.Src, []byte("\ufeff")) {
		col -= 3
	}
	switch n := f.At(line, col); op[0] {
	case "end":
		return n
	case "init", "hoist":
		for n != nil && n.Kind != "VarDecl" {
			n = n.Parent
		}
		return n
	case "hold", "hold maybe":
		return f.CallAt(line, col, "")
	case "temporary", "keep old":
		for n != nil && n.Kind != "BinaryOperator" {
			n = n.Parent
		}
		return n
	case "replace":
		text, _, _ := strings.Cut(op[1], " #")
		for n != nil && f.Source(n) != text {
			n = n.Parent
		}
		return n
	}
	return f.StmtAt(line, col)
}

// operate makes one change.
func operate(f *ast.Func, n *ast.Node, op []string) ([]patch.Edit, error) {
	arg := func(i int) string {
		if op[i] == "-" {
			return ""
		}
		return op[i]
	}
	switch op[0] {
	case "before":
		return Before(f, n, op[2])
	case "after":
		return After(f, n, op[2])
	case "end":
		return AtEndOf(f, n, op[2])
	case "else":
		return AsElseOf(f, n, op[2])
	case "return via":
		return ReturnVia(f, n, arg(2), op[3], op[4])
	case "return to goto":
		return ReturnToGoto(f, n, arg(2), op[3])
	case "retarget":
		return Retarget(f, n, op[2])
	case "init":
		return Initialise(f, n, op[2])
	case "hoist":
		off, err := place(string(f.Text.Src), op[2])
		if err != nil {
			return nil, err
		}
		return Hoist(f, n, f.At(f.Text.Line(off), off-f.Text.LineBegin(off)+1), op[3])
	case "hold":
		return Hold(f, n, arg(2), op[3], arg(4))
	case "hold maybe":
		return HoldMaybe(f, n, arg(2), op[3], op[4], arg(5))
	case "temporary":
		return Temporary(f, n, arg(2), op[3], arg(4))
	case "keep old":
		return KeepOld(f, n, arg(2), op[3], op[4])
	case "replace":
		return Replace(f, n, op[2])
	}
	return nil, fmt.Errorf("there is no operation %q", op[0])
}

// warnings returns the warnings of clang, without their places.
func warnings(t *testing.T, clang string, flags []string, file string) []string {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command(clang, slices.Concat(flags, []string{"-fsyntax-only", "-Wall", "-Wextra", "-fno-color-diagnostics", file})...)
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	var out []string
	for _, m := range regexp.MustCompile(`warning: (.*)`).FindAllStringSubmatch(stderr.String(), -1) {
		out = append(out, m[1])
	}
	return out
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
