package solve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/plumb-project/plumb/internal/cond"
)

// A loop that talks like a solver. What $check holds is done at each question.
const loop = `
echo $$ >> "$0.pids"
while read -r line; do
	case $line in
	'(get-info :name)') echo '(:name "fake")' ;;
	'(echo '*) line=${line#'(echo '}; echo "${line%')'}" ;;
	'(check-sat)') check ;;
	'(get-value '*) values ;;
	esac
done
`

// fake returns a solver that runs a shell script.
func fake(t *testing.T, timeout time.Duration, script string) (*Solver, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "fake")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	s := New(Config{Command: file, Timeout: timeout})
	t.Cleanup(func() {
		s.Close()
		nothingLeft(t, before, file)
	})
	return s, file
}

// nothingLeft fails if a process of the script is alive, or a goroutine more than before.
func nothingLeft(t *testing.T, before int, file string) {
	text, _ := os.ReadFile(file + ".pids")
	for _, word := range strings.Fields(string(text)) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("process %d is still there: %v", pid, err)
		}
	}
	// What the script started is not ours to bury: dead is enough.
	text, _ = os.ReadFile(file + ".more")
	for _, word := range strings.Fields(string(text)) {
		for i := 0; ; i++ {
			stat, err := os.ReadFile("/proc/" + word + "/stat")
			if err != nil || strings.Contains(string(stat), ") Z ") {
				break
			}
			if i == 1000 {
				t.Errorf("process %s is still there: %s", word, stat)
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

const long = time.Hour // no fake that answers is ever late

// ask checks n different paths that only a solver can answer.
func ask(s *Solver, n int) []Result {
	var rs []Result
	for i := range n {
		p := cond.NewPool()
		cs := hard(p, false)
		cs = append(cs, p.Compare(cond.ULT, p.Vars(cs[0])[0], p.Const(32, uint64(900-i))))
		rs = append(rs, s.Check(context.Background(), p, cs))
	}
	return rs
}

func answers(rs []Result) string {
	var words []string
	for _, r := range rs {
		words = append(words, r.Answer.String())
	}
	return strings.Join(words, " ")
}

func TestFakeAnswers(t *testing.T) {
	s, _ := fake(t, long, "check() { echo unsat; }"+loop)
	if got := answers(ask(s, 3)); got != "unsat unsat unsat" {
		t.Errorf("got %s", got)
	}
	if n := s.Note(); n != "" {
		t.Errorf("note: %s", n)
	}
	if got := answers(ask(s, 3)); got != "unsat unsat unsat" {
		t.Errorf("got %s", got)
	}
	if st := s.Stats(); st.Asked != 3 || st.Cached != 3 || st.SMT != 6 || st.Restarts != 0 {
		t.Errorf("got %+v", st)
	}
}

// A solver that never answers is killed each time, and given up.
func TestNeverAnswers(t *testing.T) {
	s, _ := fake(t, 20*time.Millisecond, `echo $$ >> "$0.pids"; sleep 1000 & echo $! >> "$0.more"; wait`)
	rs := ask(s, 5)
	if got := answers(rs); got != "unknown unknown unknown unknown unknown" {
		t.Errorf("got %s", got)
	}
	if rs[0].Reason != errTimeout.Error() {
		t.Errorf("reason: %s", rs[0].Reason)
	}
	if st := s.Stats(); st.Timeouts != maxFirstTimeouts || st.Asked != 3 || st.Unknown != 5 {
		t.Errorf("got %+v", st)
	}
	if n := s.Note(); !strings.Contains(n, "given up after 3 questions in a row without an answer; conditions not checked: 5") {
		t.Errorf("note: %s", n)
	}
}

// A solver that dies once is started again, and no answer is lost.
func TestDiesOnce(t *testing.T) {
	s, _ := fake(t, long, `check() { n=$((n+1)); if [ $n = 2 ] && [ ! -e "$0.died" ]; then touch "$0.died"; exit 1; fi; echo unsat; }`+loop)
	if got := answers(ask(s, 4)); got != "unsat unsat unsat unsat" {
		t.Errorf("got %s", got)
	}
	if st := s.Stats(); st.Restarts != 1 {
		t.Errorf("got %+v", st)
	}
	if n := s.Note(); n != "" {
		t.Errorf("note: %s", n)
	}
}

// A solver that always fails is given up after three times.
func TestAlwaysFails(t *testing.T) {
	tests := []struct{ name, script, reason string }{
		{"dies", "check() { exit 1; }" + loop, "the solver died"},
		{"dies at once", "exit 1", "the solver died"},
		{"kills itself", "check() { kill -9 $$; }" + loop, "the solver died"},
		{"garbage", "check() { echo ') what ('; }" + loop, "no SMT-LIB"},
		{"word", "check() { echo maybe; }" + loop, "answered maybe"},
		{"error", `check() { echo '(error "line 1: no")'; }` + loop, `(error "line 1: no")`},
		{"flood", "check() { tr '\\0' ' ' < /dev/zero; }" + loop, "no SMT-LIB"},
		{"no values", "check() { echo sat; }; values() { echo '(error \"none\")'; }" + loop, "gave no value"},
		{"odd values", "check() { echo sat; }; values() { echo '((a b) (c d))'; }" + loop, "gave the value b"},
		{"complains", `echo '(:name "x")'; echo '(error "what?")'` + "\ncheck() { echo unsat; }" + loop, "what?"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := fake(t, long, tt.script)
			rs := ask(s, 4)
			if got := answers(rs); got != "unknown unknown unknown unknown" {
				t.Errorf("got %s", got)
			}
			if !strings.Contains(rs[0].Reason, tt.reason) {
				t.Errorf("reason: %s", rs[0].Reason)
			}
			if n := s.Note(); !strings.Contains(n, "was given up after it failed 3 times in a row") || !strings.HasSuffix(n, "conditions not checked: 4") {
				t.Errorf("note: %s", n)
			}
			if st := s.Stats(); st.Restarts != maxDeaths {
				t.Errorf("got %+v", st)
			}
		})
	}
}

// Values that do not satisfy the conditions are not passed on.
func TestWrongValues(t *testing.T) {
	s, _ := fake(t, long, "check() { echo sat; }; values() { echo '((v0 #x00000001) (v1 #b1))'; }"+loop)
	rs := ask(s, 1)
	if rs[0].Answer != Unknown || !strings.Contains(rs[0].Reason, "do not satisfy") {
		t.Errorf("got %+v", rs[0])
	}
	if n := s.Note(); n != "conditions to which the solver gave no answer: 1" {
		t.Errorf("note: %s", n)
	}
}

// Unknown is an answer like others.
func TestSaysUnknown(t *testing.T) {
	s, _ := fake(t, long, "check() { echo unknown; }"+loop)
	rs := ask(s, 5)
	if got := answers(rs); got != "unknown unknown unknown unknown unknown" || rs[4].Reason == "" {
		t.Errorf("got %s (%s)", got, rs[4].Reason)
	}
	if st := s.Stats(); st.Restarts != 0 || st.Asked != 5 {
		t.Errorf("got %+v", st)
	}
}

func TestMissing(t *testing.T) {
	for command, want := range map[string]string{
		"none":                  "no solver; conditions not checked: 2",
		"/nowhere/z3 -in":       "no solver: /nowhere/z3 was not found; conditions not checked: 2",
		"plumb-has-none-such":   "no solver: plumb-has-none-such was not found; conditions not checked: 2",
		os.TempDir() + " --foo": fmt.Sprintf("no solver: %s was not found; conditions not checked: 2", os.TempDir()),
	} {
		s := New(Config{Command: command})
		if n := s.Note(); n != "" {
			t.Errorf("%s: there was nothing to check: %s", command, n)
		}
		rs := ask(s, 2)
		if got := answers(rs); got != "unknown unknown" || !strings.HasPrefix(rs[0].Reason, "no solver") {
			t.Errorf("%s: got %s (%s)", command, got, rs[0].Reason)
		}
		if n := s.Note(); n != want {
			t.Errorf("note %q, want %q", n, want)
		}
		s.Close()
	}
}

// A cancelled context ends the question, and what was not found out is not kept.
func TestCancel(t *testing.T) {
	s, file := fake(t, long, `check() { if [ -e "$0.go" ]; then echo unsat; else touch "$0.asked"; sleep 1000; fi; }`+loop)
	ctx, cancel := context.WithCancel(context.Background())
	p := cond.NewPool()
	path := hard(p, false)
	done := make(chan Result)
	go func() { done <- s.Check(ctx, p, path) }()
	for {
		if _, err := os.Stat(file + ".asked"); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	cancel()
	if r := <-done; r.Answer != Unknown || r.Reason != "cancelled" {
		t.Errorf("got %+v", r)
	}
	if r := s.Check(ctx, p, path); r.Answer != Unknown || r.Reason != "cancelled" {
		t.Errorf("cancelled before: got %+v", r)
	}
	if err := os.WriteFile(file+".go", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if r := s.Check(context.Background(), p, path); r.Answer != Unsat {
		t.Errorf("asked again: got %+v", r)
	}
}
