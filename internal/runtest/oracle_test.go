package runtest

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/plumb-project/plumb/internal/cli"
	"github.com/plumb-project/plumb/internal/oracle"
)

// isPlumb in the environment lets the test be plumb itself, as the compiler and as
// the parent of a program.
const isPlumb = "PLUMB_RUNTEST_IS_PLUMB"

func TestMain(m *testing.M) {
	if os.Getenv(isPlumb) != "" {
		os.Exit(cli.Main())
	}
	os.Setenv(isPlumb, "1")
	os.Exit(m.Run())
}

var all = flag.Bool("all", false, "every optimisation level, and programs that plumb did not build")

// TestOracle holds the comments of each program against valgrind, and plumb run
// against both: every block that valgrind says is lost is reported with the same
// allocation, and nothing else; the line of the loss is the one in the comments.
// Where that is known not to be so, a comment says it.
func TestOracle(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs each program, with valgrind and with plumb; not with -short")
	}
	v, err := Valgrind()
	if err != nil {
		t.Skip(err)
	}
	clang, err := exec.LookPath("clang-19")
	if err != nil {
		t.Skip("clang-19 is not installed: scripts/setup.sh test")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	levels := []string{"O1"}
	if *all {
		levels = []string{"O0", "O1", "O2", "O3", "plain"}
	}
	programs, err := Programs("testdata/programs")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			c := check{T: t, p: p, plumb: []string{self}, clang: clang}
			c.ask(v)
			for _, level := range levels {
				c.level(level)
			}
		})
	}
}

// A check is that of one program.
type check struct {
	*testing.T
	p     *Program
	plumb []string
	clang string
	truth [][]Observation // what valgrind saw, by run; nil if it cannot tell
}

// ask holds the comments against valgrind.
func (c *check) ask(v *oracle.Valgrind) {
	if c.p.Oracle != "" {
		return
	}
	plain, err := c.p.Plain(c.Context(), c.clang, c.TempDir())
	if err != nil {
		c.Fatal(err)
	}
	for _, r := range c.p.Runs {
		seen, err := c.p.Ask(c.Context(), v, plain, r)
		if err != nil {
			c.Fatal(err)
		}
		for _, problem := range c.p.Truth(r, seen) {
			c.Error("valgrind: " + problem)
		}
		c.truth = append(c.truth, seen)
	}
}

// level holds plumb at one level against both.
func (c *check) level(level string) {
	if level == "plain" && c.p.Oracle != "" {
		return // it needs plumb's own headers or models
	}
	exe, err := c.p.Build(c.Context(), PlumbTools(c.plumb, c.clang, level, false), c.TempDir())
	if err != nil {
		c.Fatal(err)
	}
	known := map[string]bool{} // labels of which something wrong is said to be known; true when it was seen
	for name, l := range c.p.Labels {
		if slices.Contains(l.Known, level) {
			known[name] = false
		}
	}
	for i, r := range c.p.Runs {
		seen, err := c.p.Watch(c.Context(), c.plumb, exe, r)
		if err != nil {
			c.Errorf("-%s: %v", level, err)
			continue
		}
		_, remarks := c.p.Judge(r, seen)
		for _, m := range remarks {
			_, is := known[m.Label]
			switch {
			case m.LastUse || level == "plain" && m.WrongLine:
			case is:
				known[m.Label] = true
			default:
				c.Errorf("-%s: %s", level, m.Text)
			}
		}
		if c.truth == nil {
			continue
		}
		if got, want := c.lost(r, seen, known), c.lost(r, c.truth[i], known); got != want {
			c.Errorf("-%s %q: plumb says %s is lost, valgrind says %s", level, r.Args, got, want)
		}
	}
	for name, seen := range known {
		if !seen {
			c.Errorf("-%s: %s is right now: remove the comment that it is known not to be", level, name)
		}
	}
}

// lost is what is lost, by allocation, without labels that are known to be wrong.
// Bytes that the comment leaves open may depend on the compiler: the frame of a
// coroutine is smaller at another level.
func (c *check) lost(r Run, seen []Observation, known map[string]bool) string {
	sum := map[Place]Amount{}
	for _, o := range seen {
		if o.Lost {
			sum[o.Alloc] = sum[o.Alloc].plus(o.Amount)
		}
	}
	for name := range known {
		for _, at := range c.p.Labels[name].Alloc {
			delete(sum, at)
		}
	}
	for name, want := range r.Lost {
		for _, at := range c.p.Labels[name].Alloc {
			if a, ok := sum[at]; ok && want.Bytes < 0 {
				sum[at] = Amount{Blocks: a.Blocks}
			}
		}
	}
	return fmt.Sprint(sum)
}
