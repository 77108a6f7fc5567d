// This file keeps the external solver running and asks it.

package solve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/plumb-project/plumb/internal/cond"
)

// When a solver is given up.
const (
	maxDeaths        = 3       // in a row
	maxTimeouts      = 10      // in a row
	maxFirstTimeouts = 3       // in a row, if it has never answered
	maxQuestion      = 1 << 20 // bytes
)

// A child is a running solver.
type child struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	pipe  *os.File // what out reads
	z3    bool
	asked int // questions so far
	once  sync.Once
}

// start runs the program.
func start(argv []string) (*child, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdout = w
	// Its own process group: what it starts ends with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	w.Close()
	if err != nil {
		r.Close()
		return nil, err
	}
	return &child{cmd: cmd, in: in, out: bufio.NewReader(r), pipe: r}, nil
}

// kill ends the process; a reader of its output wakes up.
func (c *child) kill() {
	c.once.Do(func() {
		_ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL)
		c.in.Close()
		c.pipe.Close()
		_ = c.cmd.Wait() // it was killed: the error says just that
	})
}

// tactic is what z3 is to do: its default for bit vectors takes twice as long on
// questions of this size.
const tactic = "(check-sat-using (then simplify propagate-values solve-eqs smt))"

// exchange asks one question. The values are those of q.values, if the answer is Sat.
func (c *child) exchange(q question, limit int) (Answer, []uint64, string, error) {
	var b strings.Builder
	b.WriteString("(reset)\n(set-option :print-success false)\n(set-option :produce-models true)\n")
	if c.z3 {
		fmt.Fprintf(&b, "(set-option :rlimit %d)\n", limit)
	}
	b.WriteString("(set-logic QF_UFBV)\n")
	b.WriteString(q.text)
	c.asked++
	mark := fmt.Sprintf("question %d", c.asked)
	fmt.Fprintf(&b, "(echo \"%s\")\n", mark)
	if c.z3 {
		b.WriteString(tactic + "\n")
	} else {
		b.WriteString("(check-sat)\n")
	}
	if _, err := io.WriteString(c.in, b.String()); err != nil {
		return Unknown, nil, "", err
	}
	if err := c.sync(mark); err != nil {
		return Unknown, nil, "", err
	}
	reply, err := readReply(c.out)
	if err != nil {
		return Unknown, nil, "", err
	}
	switch reply.word {
	case "unsat":
		return Unsat, nil, "", nil
	case "unknown":
		return Unknown, nil, "the solver did not find out within its limit", nil
	case "sat":
	default:
		return Unknown, nil, "", fmt.Errorf("the solver answered %s", reply.short())
	}
	if q.values == "" {
		return Sat, nil, "", nil
	}
	if _, err := fmt.Fprintf(c.in, "(get-value (%s))\n", q.values); err != nil {
		return Unknown, nil, "", err
	}
	if reply, err = readReply(c.out); err != nil {
		return Unknown, nil, "", err
	}
	values, err := reply.values(len(q.leaves))
	return Sat, values, "", err
}

// sync reads up to the mark: what follows is the answer to this question and no other.
// A complaint before it means that the question was not understood.
func (c *child) sync(mark string) error {
	words := strings.Fields(mark)
	for {
		r, err := readReply(c.out)
		switch {
		case err != nil:
			return err
		case r.word == "unsupported":
			continue // an option
		case r.word == `"`+mark+`"`:
			return nil
		case r.word == words[0]: // z3 leaves out the quotes
			if r, err = readReply(c.out); err != nil || r.word == words[1] {
				return err
			}
		}
		return fmt.Errorf("the solver answered %s", r.short())
	}
}

// greet finds out whether this is z3, which has a limit of its own.
func (c *child) greet() error {
	if _, err := io.WriteString(c.in, "(set-option :print-success false)\n(get-info :name)\n"); err != nil {
		return err
	}
	reply, err := readReply(c.out)
	c.z3 = strings.Contains(strings.ToLower(reply.short()), `"z3"`)
	return err
}

// ask sends q to a child, starts one if there is none, and fills in a.
func (s *Solver) ask(ctx context.Context, a *answer, q question) {
	if len(q.text) > maxQuestion {
		a.reason = "the conditions are too large"
		return
	}
	var c *child
	select {
	case c = <-s.slots:
	case <-ctx.Done():
		a.reason, a.failed = "cancelled", true
		return
	}
	defer func() { s.slots <- c }()
	s.mu.Lock()
	gone := s.gone
	if gone == "" {
		s.stats.Asked++
	}
	s.mu.Unlock()
	if gone != "" {
		a.reason = gone
		return
	}
	began := time.Now()
	defer func() { s.count(func(st *Stats) { st.Time += time.Since(began) }) }()
	for try := range 2 {
		var err error
		c, err = s.tryAsk(ctx, c, a, q)
		switch {
		case ctx.Err() != nil:
			a.answer, a.reason, a.failed = Unknown, "cancelled", true
			return
		case err == nil:
			return
		case errors.Is(err, errTimeout) || try == 1 || s.isGone():
			a.answer, a.reason = Unknown, err.Error()
			a.failed = !errors.Is(err, errTimeout)
			return
		}
	}
}

var errTimeout = errors.New("the solver did not answer in time")

// tryAsk asks once. It returns the child if it can be asked again.
func (s *Solver) tryAsk(ctx context.Context, c *child, a *answer, q question) (*child, error) {
	fresh := c == nil
	if fresh {
		var err error
		if c, err = start(s.argv); err != nil {
			s.failed(err)
			return nil, fmt.Errorf("the solver does not start: %w", err)
		}
	}
	var late atomic.Bool
	kill := c.kill // not of what c is later
	timer := time.AfterFunc(s.timeout, func() {
		late.Store(true)
		kill()
	})
	defer timer.Stop()
	stop := context.AfterFunc(ctx, kill)
	defer stop()
	var err error
	if fresh {
		err = c.greet()
	}
	if err == nil {
		a.answer, a.values, a.reason, err = c.exchange(q, s.limit)
	}
	if err == nil {
		if !timer.Stop() || !stop() { // killed just after it answered
			c.kill()
			c = nil
		}
		s.worked(a)
		return c, nil
	}
	c.kill()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case late.Load():
		s.late()
		return nil, errTimeout
	}
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE) {
		err = errors.New("the solver died")
	}
	s.failed(err)
	return nil, err
}

// worked notes an answer.
func (s *Solver) worked(a *answer) {
	if a.answer != Unknown {
		a.by = cond.SMT
	}
	s.mu.Lock()
	s.answered, s.deaths, s.timeouts = true, 0, 0
	s.mu.Unlock()
}

// failed notes that a child died or talked nonsense.
func (s *Solver) failed(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.Restarts++
	if s.deaths++; s.deaths >= maxDeaths && s.gone == "" {
		s.gone = fmt.Sprintf("the solver %s was given up after it failed %d times in a row: %v", s.argv[0], s.deaths, err)
	}
}

// late notes that a child was killed because it took too long.
func (s *Solver) late() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.Timeouts++
	s.stats.Restarts++
	s.timeouts++
	if most := map[bool]int{true: maxTimeouts, false: maxFirstTimeouts}[s.answered]; s.timeouts >= most && s.gone == "" {
		s.gone = fmt.Sprintf("the solver %s was given up after %d questions in a row without an answer", s.argv[0], s.timeouts)
	}
}

func (s *Solver) isGone() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gone != ""
}
