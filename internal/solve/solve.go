// Package solve says whether a path can be taken: whether the conditions on it can
// all hold.
//
// It asks three solvers, the cheapest first. The first two are cond.Facts: atoms that
// contradict each other, then bounds, equalities and differences; where these find no
// contradiction, a short search for values, then a harder look. What is left goes to an external
// solver, z3 or any other that speaks SMT-LIB 2, as a child process that lives as long
// as the Solver.
//
// Conditions that share no variable are answered separately, so a path that grows by
// one branch asks again only for what the branch is about. Answers are kept under the
// text of the question, in which variables are numbers: equal questions of different
// functions, pools and workers are asked once. Each question starts the solver from
// nothing and has a limit in its own unit of work, not in seconds, so the answers do
// not depend on the order of questions, nor on how busy the machine is.
//
// A solver that is missing, dies, never answers or answers nonsense costs answers, not
// the run: they are Unknown, with a reason, and Note says what was not checked.
package solve

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/plumb-project/plumb/internal/cond"
)

// A Config chooses the external solver and what a question may cost. The zero value is
// z3 with the limits below.
type Config struct {
	Command string        // "" is z3 on PATH, "none" is none, else a command line
	Timeout time.Duration // of one question, against a solver that hangs; 0 is DefaultTimeout
	Limit   int           // of one question, in z3's unit of work; 0 is DefaultLimit
}

// The limits of one question. DefaultLimit is about 0.2 s of work; the time is many
// times that, so that a busy machine does not change the answers.
const (
	DefaultTimeout = 5 * time.Second
	DefaultLimit   = 1_000_000
)

// An Answer says whether conditions can hold together.
type Answer uint8

// The answers.
const (
	Unknown Answer = iota
	Sat            // they can
	Unsat          // they cannot
)

func (a Answer) String() string {
	switch a {
	case Unknown:
		return "unknown"
	case Sat:
		return "sat"
	case Unsat:
		return "unsat"
	}
	panic(fmt.Sprintf("solve: bad answer %d", a))
}

// A Result is the answer to one Check.
type Result struct {
	Answer Answer
	By     cond.Stage           // who found it; for Sat the last that was needed; 0 if Unknown
	Model  map[cond.Term]uint64 // Sat: values under which all conditions hold
	Reason string               // Unknown: why
}

// A Solver answers questions. It is safe for concurrent use, each caller with its
// own pool.
type Solver struct {
	timeout time.Duration
	limit   int
	argv    []string // empty: none

	mu        sync.Mutex
	answers   map[string]*answer // by question
	stats     Stats
	gone      string // why there is no external solver; "" if there is one
	answered  bool   // it has answered a question
	deaths    int    // since the last answer
	timeouts  int    // since the last answer
	unchecked int    // questions that it should have answered

	slots chan *child // one for each child that may run; nil until it is started
}

// An answer is kept for the next who asks the same.
type answer struct {
	done   chan struct{} // closed when the rest is set
	answer Answer
	by     cond.Stage
	values []uint64 // Sat: by number of the leaf
	reason string
	failed bool // nothing was found out: ask again
}

// New returns a solver. It does not fail: without an external solver it answers what
// it can, and Note says so.
func New(cfg Config) *Solver {
	s := &Solver{
		timeout: cfg.Timeout,
		limit:   cfg.Limit,
		answers: map[string]*answer{},
		slots:   make(chan *child, min(4, runtime.GOMAXPROCS(0))),
	}
	for range cap(s.slots) {
		s.slots <- nil
	}
	if s.timeout == 0 {
		s.timeout = DefaultTimeout
	}
	if s.limit == 0 {
		s.limit = DefaultLimit
	}
	s.argv = strings.Fields(cfg.Command)
	switch {
	case cfg.Command == "none":
		s.argv = nil
		s.gone = "no solver"
		return s
	case len(s.argv) == 0:
		s.argv = []string{"z3"}
	}
	if len(s.argv) == 1 && strings.HasPrefix(filepath.Base(s.argv[0]), "z3") {
		s.argv = append(s.argv, "-in") // without it z3 waits for a file
	}
	if _, err := exec.LookPath(s.argv[0]); err != nil {
		s.gone = fmt.Sprintf("no solver: %s was not found", s.argv[0])
	}
	return s
}

// Close ends the children. No Check may be running.
func (s *Solver) Close() {
	for range cap(s.slots) {
		if c := <-s.slots; c != nil {
			c.kill()
		}
		s.slots <- nil
	}
}

// Command is how the external solver is called; "" if there is none.
func (s *Solver) Command() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone != "" {
		return ""
	}
	return strings.Join(s.argv, " ")
}

// Note says what was not checked and why; it is empty if all was.
func (s *Solver) Note() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.unchecked == 0:
		return ""
	case s.gone != "":
		return fmt.Sprintf("%s; conditions not checked: %d", s.gone, s.unchecked)
	}
	return fmt.Sprintf("conditions to which the solver gave no answer: %d", s.unchecked)
}

// Stats returns what was done so far.
func (s *Solver) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stats
}

// Check says whether all conditions of a path can hold.
func (s *Solver) Check(ctx context.Context, p *cond.Pool, path []cond.Term) Result {
	r := s.check(ctx, p, path)
	s.count(func(st *Stats) { st.result(r) })
	return r
}

func (s *Solver) check(ctx context.Context, p *cond.Pool, path []cond.Term) Result {
	var facts cond.Facts
	for _, t := range path {
		if stage := facts.Assume(p, t); stage != 0 {
			return Result{Answer: Unsat, By: stage}
		}
	}
	r := Result{Answer: Sat, By: cond.Interval, Model: map[cond.Term]uint64{}}
	unknown := ""
	for _, g := range groups(p, path) {
		one := s.group(ctx, p, g)
		switch one.Answer {
		case Unsat:
			return one
		case Unknown:
			if unknown == "" {
				unknown = one.Reason
			}
		default:
			r.By = max(r.By, one.By)
			maps.Copy(r.Model, one.Model)
		}
	}
	if unknown != "" {
		return Result{Reason: unknown}
	}
	return r
}

// group answers for conditions that hang together.
func (s *Solver) group(ctx context.Context, p *cond.Pool, conds []cond.Term) Result {
	q := render(p, conds)
	s.count(func(st *Stats) { st.Groups++ })
	a := s.lookUp(ctx, q, func(a *answer) { s.find(ctx, a, p, conds, q) })
	r := Result{Answer: a.answer, By: a.by, Reason: a.reason}
	if a.answer == Sat {
		r.Model = q.model(a.values)
	}
	return r
}

// lookUp returns the answer to q. If nobody has asked before, find is called; those who
// ask meanwhile wait.
func (s *Solver) lookUp(ctx context.Context, q question, find func(*answer)) *answer {
	for {
		s.mu.Lock()
		a, ok := s.answers[q.text]
		if !ok {
			a = &answer{done: make(chan struct{})}
			s.answers[q.text] = a
		}
		s.mu.Unlock()
		if !ok {
			find(a)
			if a.failed {
				s.mu.Lock()
				delete(s.answers, q.text)
				s.mu.Unlock()
			}
			close(a.done)
			return a
		}
		select {
		case <-ctx.Done():
			return &answer{reason: "cancelled"}
		case <-a.done:
		}
		if !a.failed {
			s.count(func(st *Stats) { st.Cached++ })
			return a
		}
	}
}

// find fills in a.
func (s *Solver) find(ctx context.Context, a *answer, p *cond.Pool, conds []cond.Term, q question) {
	// From these conditions alone: others must not change what is found here.
	var facts cond.Facts
	for _, t := range conds {
		if stage := facts.Assume(p, t); stage != 0 {
			a.answer, a.by = Unsat, stage
			return
		}
	}
	if values, ok := facts.Search(p, conds, q.leaves); ok {
		a.answer, a.by, a.values = Sat, cond.Interval, values
		s.count(func(st *Stats) { st.Searched++ })
		return
	}
	if stage := facts.Probe(p); stage != 0 {
		a.answer, a.by = Unsat, stage
		return
	}
	s.ask(ctx, a, q)
	if a.answer == Sat && !cond.Satisfies(p, conds, q.model(a.values)) {
		*a = answer{done: a.done, reason: "the values that the solver gave do not satisfy the conditions"}
	}
	if a.answer == Unknown {
		s.mu.Lock()
		s.unchecked++
		s.mu.Unlock()
	}
}

func (s *Solver) count(f func(*Stats)) {
	s.mu.Lock()
	f(&s.stats)
	s.mu.Unlock()
}
