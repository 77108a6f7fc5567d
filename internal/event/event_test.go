package event

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sample = "plumb-report\t1\n" +
	"process\t71\t70\t/src/a b\texit\t0\n" +
	"module\t1\t7f0000000000\t7f0000001000\tabcdef01\t/lib/libc.so.6\n" +
	"code\t1\t/src/a b\n" +
	"code\t0\t/lib/libc.so.6\n" +
	"site\t10\tcall\t/src/a.c\t3\t12\tload\tstrdup\n" +
	"site\t11\toverwrite\t/src/a.c\t9\t2\tload\ts\\tt\\\\n\\n\n" +
	"pc\t12\t1\t1f2a\tfputs\n" +
	"node\t1\t0\t12\n" +
	"node\t2\t1\t10\n" +
	"block\tlost\t2\t64\t2\t11\t1\t0\t0\t0\n" +
	"block\tindirect\t1\t8\t2\t0\t0\t0\t0\t1\t1\n" +
	"total\t5\t500\t3\t72\n" +
	"note\ta thread did not stop\n" +
	"end\n"

func TestRead(t *testing.T) {
	got, err := Read(strings.NewReader(sample))
	if err != nil {
		t.Fatal(err)
	}
	want := &Report{
		PID: 71, PPID: 70, Program: "/src/a b", Reason: Exit,
		Modules: map[ID]Module{1: {0x7f0000000000, 0x7f0000001000, "abcdef01", "/lib/libc.so.6"}},
		Code:    []Code{{true, "/src/a b"}, {false, "/lib/libc.so.6"}},
		Frames: map[ID]Frame{
			10: {What: Call, File: "/src/a.c", Line: 3, Col: 12, Function: "load", Holder: "strdup"},
			11: {What: Overwrite, File: "/src/a.c", Line: 9, Col: 2, Function: "load", Holder: "s\tt\\n\n"},
			12: {Module: 1, Offset: 0x1f2a, Symbol: "fputs"},
		},
		Nodes: map[ID]Node{1: {0, 12}, 2: {1, 10}},
		Blocks: []Block{
			{State: Lost, Count: 2, Bytes: 64, Alloc: 2, Loss: 11, LossNode: 1},
			{State: Indirect, Count: 1, Bytes: 8, Alloc: 2, Owner: 1, Inherited: true},
		},
		Total: Total{5, 500, 3, 72},
		Notes: []string{"a thread did not stop"},
		Whole: true,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if s := got.Stack(2); !slices.Equal(s, []ID{10, 12}) {
		t.Errorf("stack %v", s)
	}
}

// However a file is cut off, what is in it counts, and no number is read that has
// lost a digit.
func TestCutOff(t *testing.T) {
	for n := range len(sample) {
		r, err := Read(strings.NewReader(sample[:n]))
		if n < len("plumb-report\t1\n") {
			if !errors.Is(err, ErrNotReport) {
				t.Fatalf("%d bytes: %v", n, err)
			}
			continue
		}
		if err != nil || r.Whole {
			t.Fatalf("%d bytes: %v, whole %v", n, err, r.Whole)
		}
		cut := 0
		if sample[n-1] != '\n' {
			cut = 1
		}
		if r.Damaged != cut {
			t.Fatalf("%d bytes: %d lines are damaged, want %d", n, r.Damaged, cut)
		}
		for _, b := range r.Blocks {
			if b.Bytes != 64 && b.Bytes != 8 {
				t.Fatalf("%d bytes: a block of %d bytes", n, b.Bytes)
			}
		}
	}
}

func TestDamage(t *testing.T) {
	head := "plumb-report\t1\n"
	for _, line := range []string{
		"block\tlost\t2\t64\t2\t11\t1\t0\t0",      // a field is missing
		"block\tlost\t0\t64\t2\t11\t1\t0\t0\t0",   // no block
		"block\tlost\t-1\t64\t2\t11\t1\t0\t0\t0",  // less
		"block\tgone\t1\t64\t2\t11\t1\t0\t0\t0",   // no such state
		"block\tlost\t1\t64\tx\t11\t1\t0\t0\t0",   // no number
		"site\t1\tfly\ta.c\t1\t1\tf\t",            // no such event
		"site\t99999999999\tcall\ta.c\t1\t1\tf\t", // no id
		"node\t0\t0\t1",                              // none is defined
		"pc\t1\t1\t0x10\t",                           // 0x is not written
		"process\t1\t2\tp\tsleep\t0",                 // no such reason
		"", "rubbish\t1", strings.Repeat("x", 3<<20), // longer than a buffer
	} {
		r, err := Read(strings.NewReader(head + line + "\nnote\tstill read\nend\n"))
		if err != nil {
			t.Errorf("%.40q: %v", line, err)
			continue
		}
		if r.Damaged != 1 || len(r.Notes) != 1 || !r.Whole || len(r.Frames)+len(r.Nodes) > 0 || r.PID != 0 {
			t.Errorf("%.40q: %+v", line, r)
		}
		if strings.HasPrefix(line, "block") != (len(r.Blocks) == 1) || len(r.Blocks) == 1 && r.Blocks[0] != (Block{}) {
			t.Errorf("%.40q: blocks %+v", line, r.Blocks)
		}
	}
	r, err := Read(strings.NewReader(head + "node\t1\t2\t7\nnode\t2\t1\t8\nnode\t1\t0\t9\nnode\t3\t3\t5\n"))
	if err != nil || r.Damaged != 1 {
		t.Fatalf("an id twice: %v, %+v", err, r)
	}
	if n := len(r.Stack(1)); n != maxDepth {
		t.Errorf("a ring of nodes has %d frames", n)
	}
	if n := len(r.Stack(3)); n != 1 {
		t.Errorf("a node that is its own parent has %d frames", n)
	}
	for _, text := range []string{"", "\n", "hello\n", "plumb-report\t1", strings.Repeat("x", 3<<20)} {
		if _, err := Read(strings.NewReader(text)); !errors.Is(err, ErrNotReport) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	if _, err := Read(strings.NewReader("plumb-report\t2\nend\n")); err == nil || errors.Is(err, ErrNotReport) {
		t.Errorf("a later form: %v", err)
	}
}

func TestReadDir(t *testing.T) {
	dir := t.TempDir()
	for name, pid := range map[string]string{"9-1.plumb": "9", "10-2.plumb": "12", "10-10.plumb": "13", "10-1.plumb": "11", "other.txt": "1"} {
		text := "plumb-report\t1\nprocess\t" + pid + "\t1\tp\tcheck\t0\nend\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "7-1.plumb"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	rs, err := ReadDir(dir)
	if !errors.Is(err, ErrNotReport) || !strings.Contains(err.Error(), "7-1.plumb") {
		t.Errorf("the empty file: %v", err)
	}
	var got []int
	for _, r := range rs {
		got = append(got, r.PID)
	}
	if !slices.Equal(got, []int{9, 11, 12, 13}) {
		t.Errorf("order %v", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("plumb-report\t1\nnode\t1\t1\t1\nblock\tlost\t1\t1\t1\t1\t1\t1\t1\t1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, b := range r.Blocks {
			if b.State == 0 && b != (Block{}) || b.State != 0 && b.Count <= 0 || b.Bytes < 0 {
				t.Errorf("block %+v", b)
			}
			r.Stack(b.Alloc)
		}
	})
}
