package runtest

import (
	"os/exec"
	"testing"
)

// TestOracle holds the comments of each program against valgrind.
func TestOracle(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs each program, with valgrind; not with -short")
	}
	v, err := Valgrind()
	if err != nil {
		t.Skip(err)
	}
	clang, err := exec.LookPath("clang-19")
	if err != nil {
		t.Skip("clang-19 is not installed: scripts/setup.sh test")
	}
	programs, err := Programs("testdata/programs")
	if err != nil {
		t.Fatal(err)
	}
	// Two at a time: others are at work on the same machine.
	free := make(chan bool, 2)
	t.Run("programs", func(t *testing.T) {
		for _, p := range programs {
			t.Run(p.Name, func(t *testing.T) {
				if p.Oracle != "" {
					t.Skip(p.Oracle)
				}
				t.Parallel()
				free <- true
				defer func() { <-free }()
				plain, err := p.Plain(t.Context(), clang, t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range p.Runs {
					truth, err := p.Ask(t.Context(), v, plain, r)
					if err != nil {
						t.Fatal(err)
					}
					for _, problem := range p.Truth(r, truth) {
						t.Error(problem)
					}
				}
			})
		}
	})
}
