package pinpoint

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/event"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/suppress"
)

// read reads a report that is written with blanks for tabs; _ is an empty field.
func read(t *testing.T, text string) *event.Report {
	t.Helper()
	var b strings.Builder
	b.WriteString("plumb-report\t1\n")
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		for i, f := range fields {
			if f == "_" {
				fields[i] = ""
			}
		}
		if len(fields) > 0 {
			b.WriteString(strings.Join(fields, "\t") + "\n")
		}
	}
	r, err := event.Read(strings.NewReader(b.String() + "end\n"))
	if err != nil || r.Damaged > 0 {
		t.Fatalf("%v, %d lines are damaged", err, r.Damaged)
	}
	return r
}

// lines tells findings in a line each.
func lines(r *report.Report) string {
	var b strings.Builder
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(&b, "%s: %s (%s), in %s, allocated %s, %d processes\n", f.Loss, f.Message(), f.Kind, f.Function, f.Alloc, len(f.Run.Processes))
		for _, s := range f.Steps {
			fmt.Fprintf(&b, "  %s: %s\n", s.Pos, s.Text)
		}
	}
	return b.String()
}

func want(t *testing.T, r *report.Report, text string) {
	t.Helper()
	got := lines(r)
	if strings.TrimSpace(got) != strings.TrimSpace(strings.ReplaceAll(text, "\t", "")) {
		t.Errorf("got\n%s\nwant\n%s", got, strings.ReplaceAll(text, "\t", ""))
	}
}

// sites are shared by tests: main calls load twice, load calls xmalloc and strdup.
const sites = `
	code 1 /src/prog
	site 1 call /src/a.c 50 2 main load
	site 2 call /src/a.c 51 2 main load
	site 3 call /src/a.c 10 8 load xmalloc
	site 4 call /src/x.c 3 9 xmalloc malloc
	site 5 call /src/a.c 11 8 load strdup
	site 6 overwrite /src/a.c 14 4 load cfg->name
	site 7 return /src/a.c 20 2 load buf
	site 8 call /src/a.c 30 3 done free
	site 9 read /src/a.c 13 6 load _
	site 10 call /src/a.c 52 2 main done
	site 11 call /src/b.c 7 2 other xmalloc
	site 12 call /src/a.c 53 2 main other
	node 1 0 1
	node 2 0 2
	node 3 1 3
	node 4 3 4
	node 5 2 3
	node 6 5 4
	node 7 1 5
	node 8 0 10
	node 9 0 12
	node 10 9 11
	node 11 10 4
`

func TestFindings(t *testing.T) {
	r := read(t, `process 7 1 /src/prog exit 0`+sites+`
	block lost 2 32 4 7 1 0 0 0
	block lost 1 16 6 7 2 0 0 0
	block lost 1 9 7 6 1 9 1 0
	block indirect 3 300 11 0 0 0 0 3
	block indirect 1 7 11 0 0 0 0 4
	block forgotten 1 1000 7 6 1 9 1 0
	block forgotten 1 2000 4 7 1 0 0 0
	block forgotten 1 3000 4 0 0 0 0 0
	block lost 1 5 11 8 8 0 0 0
	block lost 1 6 11 0 0 0 0 0
`)
	want(t, Findings([]*event.Report{r}, Config{}), `
	/src/a.c:14:4: memory allocated by strdup and held by 'cfg->name' is lost here: 1 block, 9 bytes, and 4 blocks, 307 bytes it owned (leak-lost), in load, allocated /src/a.c:11:8, 1 processes
	  /src/a.c:11:8: allocated by strdup
	  /src/a.c:13:6: last read here
	  /src/a.c:14:4: 'cfg->name' is overwritten
	/src/a.c:20:2: memory allocated by malloc and held by 'buf' is forgotten here: 3 blocks, 48 bytes (leak-forgotten), in load, allocated /src/x.c:3:9, 1 processes
	  /src/x.c:3:9: allocated by malloc
	  /src/a.c:20:2: returns without releasing 'buf'
	/src/x.c:3:9: memory allocated by malloc is lost in or after this call: 1 block, 6 bytes (leak-lost), in xmalloc, allocated /src/x.c:3:9, 1 processes
	  /src/x.c:3:9: allocated by malloc
	/src/a.c:30:3: memory allocated by malloc is lost here: 1 block, 5 bytes (leak-lost), in done, allocated /src/x.c:3:9, 1 processes
	  /src/x.c:3:9: allocated by malloc
	  /src/a.c:30:3: the memory that held it is released
	/src/x.c:3:9: memory allocated by malloc is not released by the end of the run: 1 block, 3,000 bytes (still-held), in xmalloc, allocated /src/x.c:3:9, 1 processes
	  /src/x.c:3:9: allocated by malloc
	/src/a.c:20:2: memory allocated by malloc is not released by the end of the run, last seen here: 1 block, 2,000 bytes (still-held), in load, allocated /src/x.c:3:9, 1 processes
	  /src/x.c:3:9: allocated by malloc
	/src/a.c:13:6: memory allocated by strdup is not released by the end of the run, last used here: 1 block, 1,000 bytes (still-held), in load, allocated /src/a.c:11:8, 1 processes
	  /src/a.c:11:8: allocated by strdup
	  /src/a.c:13:6: last read here
	`)
}

func TestWords(t *testing.T) {
	for _, test := range []struct {
		line, kind, want string
	}{
		{"overwrite q", "leak-lost", "'q' is overwritten"},
		{"overwrite _", "leak-lost", "what held it is overwritten"},
		{"scope q", "leak-forgotten", "'q' goes out of scope"},
		{"scope _", "leak-forgotten", "what held it goes out of scope"},
		{"return q", "leak-forgotten", "returns without releasing 'q'"},
		{"return _", "leak-forgotten", "returns without releasing it"},
		{"jump q", "leak-forgotten", "jumps out of the scope of 'q'"},
		{"jump _", "leak-forgotten", "jumps out of the scope of what held it"},
		{"dropped make", "leak-lost", "the result of make is kept nowhere"},
		{"dropped _", "leak-lost", "the result is kept nowhere"},
		{"clear q", "leak-lost", "'q', which held it, is overwritten"},
		{"clear _", "leak-lost", "the memory that held it is overwritten"},
		{"unwind q", "leak-forgotten", "an exception or a long jump leaves the function that has 'q'"},
		{"unwind _", "leak-forgotten", "an exception or a long jump leaves the function that held it"},
		{"release q", "leak-lost", "the memory that held it in 'q' is released"},
		{"release _", "leak-lost", "the memory that held it is released"},
		{"thread-end q", "leak-forgotten", "the thread that held it ends"},
		{"call free", "leak-lost", "the memory that held it is released"},
		{"call _ZdlPvm", "leak-lost", "the memory that held it is released"},
		{"call _", "leak-lost", "the memory that held it is released"},
		{"call done", "leak-lost", "the memory that held it is released in the call of done"},
	} {
		what, holder, _ := strings.Cut(test.line, " ")
		r := read(t, "process 7 1 /src/prog exit 0"+sites+"site 90 "+what+" /src/a.c 99 1 load "+holder+"\nblock lost 1 8 4 90 1 0 0 0\n")
		f := Findings([]*event.Report{r}, Config{}).Findings[0]
		if f.Run.Loss.Text != test.want || f.Kind.String() != test.kind || f.Loss.Line != 99 {
			t.Errorf("%s: %s, %q at %s", test.line, f.Kind, f.Run.Loss.Text, f.Loss)
		}
		if wantHolder := holder == "q"; wantHolder != (f.Holder == "q") || !wantHolder && f.Holder != "" {
			t.Errorf("%s: held by %q", test.line, f.Holder)
		}
	}
	for what, want := range map[string]string{"read": "last read here", "write": "last written to here", "pass": "last passed to a function here", "give": "last returned here"} {
		r := read(t, "process 7 1 /src/prog exit 0"+sites+"site 90 "+what+" /src/a.c 99 1 load _\nblock forgotten 1 8 4 0 0 90 1 0\n")
		if f := Findings([]*event.Report{r}, Config{}).Findings[0]; f.Run.Use.Text != want || f.Loss.Line != 99 {
			t.Errorf("%s: %q at %s", what, f.Run.Use.Text, f.Loss)
		}
	}
}

// What a wrapper allocates is told apart by who calls it, not by who calls that.
func TestMerge(t *testing.T) {
	r := read(t, `process 7 1 /src/prog exit 0`+sites+`
	site 20 scope /src/l.c 4 1 drop l
	site 21 call /src/a.c 18 1 load drop
	site 22 call /src/b.c 9 1 other drop
	node 21 1 21
	node 22 9 22
	block lost 1 1 4 20 21 0 0 0
	block lost 1 2 11 20 22 0 0 0
	block lost 1 4 4 20 21 0 0 0
`)
	out := Findings([]*event.Report{r}, Config{})
	if len(out.Findings) != 2 || out.Findings[0].Run.Bytes != 5 || out.Findings[1].Run.Bytes != 2 {
		t.Errorf("%s", lines(out))
	}
	if got := out.Findings[0].Run.Alloc.Frames; len(got) != 3 || got[1].Function != "load" || got[2].Pos.Line != 50 {
		t.Errorf("stack of the allocation: %+v", got)
	}
	if got := out.Findings[0].Run.Loss.Frames; len(got) != 3 || got[0].Function != "drop" || got[1].Pos.Line != 18 {
		t.Errorf("stack of the loss: %+v", got)
	}
}

// Processes are added up; reports of one process are not, since what is lost is
// reported each time.
func TestProcesses(t *testing.T) {
	early := read(t, `process 7 1 /src/prog check 0`+sites+`
	block lost 2 32 4 7 1 0 0 0
	block lost 1 9 7 6 1 0 0 0
	block forgotten 9 900 7 6 1 0 0 0`)
	late := read(t, `process 7 1 /src/prog exit 3`+sites+`
	block lost 3 48 4 7 1 0 0 0
	block forgotten 1 100 4 6 1 0 0 0`)
	exec := read(t, `process 7 1 /src/prog crash 11`+sites+`
	block lost 1 16 4 7 1 0 0 0`)
	child := read(t, `process 8 7 /src/prog exit -1`+sites+`
	note a-thread-did-not-stop
	block lost 1 16 6 7 2 0 0 0`)
	out := Findings([]*event.Report{early, late, exec, child}, Config{})
	want(t, out, `
	/src/a.c:20:2: memory allocated by malloc and held by 'buf' is forgotten here: 5 blocks, 80 bytes (leak-forgotten), in load, allocated /src/x.c:3:9, 3 processes
	  /src/x.c:3:9: allocated by malloc
	  /src/a.c:20:2: returns without releasing 'buf'
	/src/a.c:14:4: memory allocated by strdup and held by 'cfg->name' is lost here: 1 block, 9 bytes (leak-lost), in load, allocated /src/a.c:11:8, 1 processes
	  /src/a.c:11:8: allocated by strdup
	  /src/a.c:14:4: 'cfg->name' is overwritten
	/src/a.c:14:4: memory allocated by malloc is not released by the end of the run, last seen here: 1 block, 100 bytes (still-held), in load, allocated /src/x.c:3:9, 1 processes
	  /src/x.c:3:9: allocated by malloc`)
	var ends []string
	for _, p := range out.Processes {
		ends = append(ends, fmt.Sprintf("%d %s", p.PID, p.End))
	}
	if got := strings.Join(ends, ", "); got != "7 exit 3, 7 crash 11, 8 exit" {
		t.Errorf("processes: %s", got)
	}
	if len(out.Notes) != 1 || out.Notes[0] != "/src/prog: a-thread-did-not-stop" {
		t.Errorf("notes %q", out.Notes)
	}
}

// What was lost before a fork is counted once; what a child inherits and loses by
// itself is its own.
func TestInherited(t *testing.T) {
	parent := read(t, `process 7 1 /src/prog exit 0`+sites+`
	block lost 2 32 4 7 1 0 0 0 0`)
	child := read(t, `process 8 7 /src/prog exit 0`+sites+`
	block lost 2 32 4 7 1 0 0 0 1
	block lost 1 20 4 7 1 0 0 0 0
	block lost 1 9 7 6 1 0 0 0 1
	block indirect 1 5 7 6 1 0 0 3 1`)
	grandchild := read(t, `process 9 8 /src/prog exit 0`+sites+`
	block lost 4 70 4 7 1 0 0 0 1`)
	want(t, Findings([]*event.Report{parent, child, grandchild}, Config{}), `
	/src/a.c:20:2: memory allocated by malloc and held by 'buf' is forgotten here: 4 blocks, 70 bytes (leak-forgotten), in load, allocated /src/x.c:3:9, 3 processes
	  /src/x.c:3:9: allocated by malloc
	  /src/a.c:20:2: returns without releasing 'buf'
	/src/a.c:14:4: memory allocated by strdup and held by 'cfg->name' is lost here: 1 block, 9 bytes, and 1 block, 5 bytes it owned (leak-lost), in load, allocated /src/a.c:11:8, 1 processes
	  /src/a.c:11:8: allocated by strdup
	  /src/a.c:14:4: 'cfg->name' is overwritten`)
}

// The place is the first line in the user's own code.
func TestPlace(t *testing.T) {
	r := read(t, `process 7 1 /src/prog exit 0
	code 0 /src/prog
	module 1 0 1000 _ /usr/lib/libc.so.6
	module 2 0 1000 _ /src/prog
	module 3 0 1000 _ /opt/gone.so
	module 4 0 1000 _ /x/libplumb_rt.so
	site 1 call /usr/include/c++/14/vector 100 2 _ZNSt6vectorIPcE9push_backEv _Znwm
	site 2 call /src/a.cc 9 3 main _ZNSt6vectorIPcE9push_backEv
	site 3 overwrite /src/a.cc 0 0 main v
	pc 4 1 20 strdup
	pc 5 2 30 main
	pc 6 1 40 __libc_start_main
	pc 7 3 1a2b _
	pc 8 4 50 malloc
	pc 9 2 60 _start
	node 1 0 2
	node 2 1 1
	node 3 0 9
	node 4 3 6
	node 5 4 5
	node 6 5 4
	node 7 6 8
	node 8 5 7
	block lost 1 8 2 3 1 0 0 0
	block lost 1 4 7 0 0 0 0 0
	block lost 1 2 8 0 0 0 0 0
`)
	out := Findings([]*event.Report{r}, Config{})
	want(t, out, `
	/src/a.cc:9:3: memory allocated by _Znwm and held by 'v' is lost here: 1 block, 8 bytes (leak-lost), in main, allocated /src/a.cc:9:3, 1 processes
	  /src/a.cc:9:3: allocated by _Znwm
	  /src/a.cc:9:3: 'v' is overwritten
	/src/prog: memory allocated by strdup is lost in or after this call: 1 block, 4 bytes (leak-lost), in main, allocated /src/prog, 1 processes
	  /src/prog: allocated by strdup
	/opt/gone.so: memory is lost in or after this call: 1 block, 2 bytes (leak-lost), in , allocated /opt/gone.so, 1 processes
	  /opt/gone.so: allocated`)
	if got := out.Findings[1].Run.Alloc.Frames; len(got) != 2 {
		t.Errorf("frames %+v", got)
	}
	if len(out.Notes) != 1 || !strings.Contains(out.Notes[0], "plumb cc") {
		t.Errorf("notes %q", out.Notes)
	}
}

// Suppressions see each block's own calls, also where blocks are merged, and take
// what a block owned with it.
func TestSuppressed(t *testing.T) {
	r := read(t, `process 7 1 /src/prog exit 0`+sites+`
	code 1 /src/libmore.so
	block lost 2 32 4 7 1 0 0 0
	block lost 1 16 6 7 2 0 0 0
	block indirect 1 100 7 0 0 0 0 2
	block lost 1 9 7 6 1 0 0 0
	block forgotten 1 1000 7 6 1 0 0 0
`)
	file := filepath.Join(t.TempDir(), "a.supp")
	text := "{\nname\nMemcheck:Leak\n...\nsrc:a.c:51\n}\n{\nname\nMemcheck:Leak\nmatch-leak-kinds: definite\nfun:strdup\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := suppress.Read([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	out := Findings([]*event.Report{r}, Config{Suppress: list})
	if len(out.Findings) != 2 || out.Findings[0].Run.Size() != 32 || out.Findings[1].Kind != report.StillHeld {
		t.Errorf("%s", lines(out))
	}
	if got, want := out.Suppressed, (report.Suppressed{Findings: 2, Blocks: 3, Bytes: 125}); got != want {
		t.Errorf("suppressed %+v, want %+v", got, want)
	}
}

// What a library that plumb has not built loses is told at the call into it.
func TestOutside(t *testing.T) {
	r := read(t, `process 7 1 /src/prog exit 0`+sites+`
	module 1 0 1000 _ /opt/libfoo.so
	pc 90 1 20 foo_new
	pc 91 1 30 foo_init
	node 90 3 91
	node 91 90 90
	block lost 1 8 91 0 0 0 0 0
`)
	f := Findings([]*event.Report{r}, Config{}).Findings[0]
	if f.Loss.Line != 10 || f.Function != "load" || f.Alloc.Line != 10 || f.Allocator != "xmalloc" {
		t.Errorf("%+v", f)
	}
}

// Owners that are damaged, or own one another, leave the block a loss of its own.
func TestOwners(t *testing.T) {
	r := read(t, `process 7 1 /src/prog exit 0`+sites+`
	block indirect 1 1 4 0 0 0 0 2
	block indirect 1 2 7 0 0 0 0 1
	block indirect 1 4 11 0 0 0 0 99
	block indirect 1 8 4 0 0 0 0 5
	block forgotten 1 16 4 0 0 0 0 0
`)
	var sum int64
	for _, f := range Findings([]*event.Report{r}, Config{}).Findings {
		if f.Kind == report.LeakLost {
			sum += f.Run.Size()
		}
	}
	if sum != 15 {
		t.Errorf("%d bytes are lost, want 15", sum)
	}
}

// A report with many blocks and long stacks is read in seconds, not minutes.
func BenchmarkFindings(b *testing.B) {
	const blocks, depth = 100_000, 60
	r := &event.Report{PID: 1, Reason: event.Exit, Frames: map[event.ID]event.Frame{}, Nodes: map[event.ID]event.Node{}}
	for i := event.ID(1); i <= 2000; i++ {
		r.Frames[i] = event.Frame{What: event.Call, File: "/src/a.c", Line: int(i), Function: "f", Holder: "g"}
	}
	for i := event.ID(1); i <= blocks; i++ {
		r.Nodes[i] = event.Node{Frame: 1 + i*7919%2000}
		if i%depth != 1 {
			r.Nodes[i] = event.Node{Parent: i - 1, Frame: 1 + i*7919%2000}
		}
		r.Blocks = append(r.Blocks, event.Block{State: event.Lost, Count: 1, Bytes: 16, Alloc: i, Loss: 1 + i%2000, LossNode: i / 2})
	}
	for b.Loop() {
		Findings([]*event.Report{r}, Config{})
	}
}
