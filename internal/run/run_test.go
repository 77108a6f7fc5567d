package run

import (
	"slices"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/event"
)

// own knows -v, -o FILE and --kinds KINDS.
func own(args []string) int {
	switch {
	case args[0] == "-v" || strings.HasPrefix(args[0], "--kinds="):
		return 1
	case args[0] == "-o" || args[0] == "--kinds":
		return 2
	}
	return 0
}

func TestSplit(t *testing.T) {
	for _, test := range []struct{ line, ours, build, program string }{
		{"./prog -v --kinds x a.c", "", "", "./prog -v --kinds x a.c"},
		{"-v --kinds lost ./prog", "-v --kinds lost", "", "./prog"},
		{"-v -- ./prog -- x", "-v", "", "./prog -- x"},
		{"make test", "", "", "make test"},
		{"a.c", "", "a.c", ""},
		{"a.c b.cpp -- x -v y", "", "a.c b.cpp", "x -v y"},
		{"-O2 -I inc -Dx a.c -lm -v -- -v", "-v", "-O2 -I inc -Dx a.c -lm", "-v"},
		{"-o out --kinds=lost a.c util.o libx.a -L . -l x --", "-o out --kinds=lost", "a.c util.o libx.a -L . -l x", ""},
		{"-v -- a.c -- x", "-v", "a.c", "x"},
		{"-std=c99 a.c -- b.c", "", "-std=c99 a.c", "b.c"},
		{"", "", "", ""},
	} {
		ours, w, err := Split(strings.Fields(test.line), own)
		if err != nil {
			t.Errorf("%s: %v", test.line, err)
			continue
		}
		for _, c := range []struct {
			what, want string
			got        []string
		}{{"ours", test.ours, ours}, {"build", test.build, w.Build}, {"program", test.program, w.Program}} {
			if got := strings.Join(c.got, " "); got != c.want {
				t.Errorf("%s: %s is %q, want %q", test.line, c.what, got, c.want)
			}
		}
	}
	for line, want := range map[string]string{
		"a.c input.txt": "arguments of the program go behind --",
		"-O2 ./prog":    "-O2 is for the compiler, but ./prog is no source file",
		"-O2":           "-O2 is for the compiler, but no source file is named",
		"-O2 -- a":      "-O2 is for the compiler, but no source file is named",
	} {
		if _, _, err := Split(strings.Fields(line), own); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", line, err, want)
		}
	}
}

func TestPlan(t *testing.T) {
	p := readPlan(strings.Fields("-O2 -std=c++17 -I inc a.c x.o b.cpp -L lib -lx -Wl,-z,now -pthread"), "/s")
	if !p.cxx || !slices.Equal(p.sources, []string{"a.c", "b.cpp"}) {
		t.Errorf("plan %+v", p)
	}
	if got := strings.Join(p.link, " "); got != "/s/0.o x.o /s/1.o -L lib -lx -Wl,-z,now" {
		t.Errorf("link: %s", got)
	}
	if got := strings.Join(p.flagsFor("a.c"), " "); got != "-O2 -I inc -pthread" {
		t.Errorf("flags for C: %s", got)
	}
	if got := strings.Join(p.flagsFor("b.cpp"), " "); got != "-O2 -std=c++17 -I inc -pthread" {
		t.Errorf("flags for C++: %s", got)
	}
}

func TestOptions(t *testing.T) {
	o := Options{}
	if got := o.String("/d"); got != "out=/d" {
		t.Error(got)
	}
	o = Options{Kinds: []string{"lost", "forgotten"}, OnLeak: "exit", AfterBytes: 5, ExitCode: 7, Signal: 10, FastExit: true, Mmap: true, Only: true, Depth: 3}
	if got, want := o.String("/d"), "out=/d:kinds=lost,forgotten:on_leak=exit:after_bytes=5:exit_code=7:signal=10:exit=1:mmap=1:only=1:depth=3"; got != want {
		t.Errorf("options %s, want %s", got, want)
	}
}

func TestParseSignal(t *testing.T) {
	for s, want := range map[string]int{"10": 10, "USR1": 10, "SIGUSR2": 12, "term": 15} {
		if got, err := ParseSignal(s); got != want || err != nil {
			t.Errorf("%s: %d, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "0", "65", "KILL", "FOO"} {
		if got, err := ParseSignal(s); err == nil {
			t.Errorf("%q is signal %d", s, got)
		}
	}
}

// TestChoose: of a shell that runs programs, the shell does not count.
func TestChoose(t *testing.T) {
	rep := func(pid int, program string, built bool) *event.Report {
		return &event.Report{PID: pid, Program: program, Code: []event.Code{{Instrumented: built}}, Total: event.Total{LostBlocks: 1}}
	}
	sh, prog, forked, plain := rep(1, "/bin/sh", false), rep(2, "/p/prog", true), rep(3, "/p/prog", true), rep(4, "/p/plain", false)
	for _, test := range []struct {
		name   string
		in     []*event.Report
		whose  Whose
		want   []*event.Report
		others string
	}{
		{"instrumented ones only", []*event.Report{sh, prog, forked, plain}, Instrumented, []*event.Report{prog, forked}, "plain sh"},
		{"all", []*event.Report{sh, prog, plain}, Everyone, []*event.Report{sh, prog, plain}, ""},
		{"none is instrumented", []*event.Report{sh, plain}, Instrumented, []*event.Report{sh}, "plain"},
		{"the program did not report", []*event.Report{plain}, Instrumented, []*event.Report{plain}, ""},
	} {
		got, others := choose(test.in, 1, test.whose)
		if !slices.Equal(got, test.want) || strings.Join(others, " ") != test.others {
			t.Errorf("%s: %v, %v", test.name, got, others)
		}
	}
}
