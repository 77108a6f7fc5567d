// This file builds and runs programs with plumb.

package runtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// PlumbTools build with plumb's compilers at an optimisation level: O0 to O3, or
// plain for a program that plumb did not build.
// Plumb is the first words of its command line, clang the compiler behind it.
func PlumbTools(plumb []string, clang, level string, lastUse bool) Tools {
	if level == "plain" {
		cc := []string{clang}
		return Tools{C: cc, CXX: []string{clang, "--driver-mode=g++"}, Plain: cc, Flags: []string{"-g", "-O0"}}
	}
	with := func(word string) []string { return append(plumb[:len(plumb):len(plumb)], word) }
	t := Tools{C: with("cc"), CXX: with("c++"), Plain: []string{clang}, Flags: []string{"-g", "-" + level}, Env: []string{"PLUMB_CLANG=" + clang}}
	if lastUse {
		t.Env = append(t.Env, "PLUMB_PASS=last-use")
	}
	return t
}

// patience is how long a run may take; all of them are short.
const patience = 60 * time.Second

// Watch runs a program under plumb run and returns what it reports.
func (p *Program) Watch(ctx context.Context, plumb []string, exe string, r Run) ([]Observation, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out := filepath.Join(filepath.Dir(exe), "report.json")
	os.Remove(out)
	words := append(plumb[1:len(plumb):len(plumb)], "run", "--format", "json", "-o", out, "-q", exe)
	cmd := exec.CommandContext(ctx, plumb[0], append(words, r.Args...)...)
	cmd.Stdin = strings.NewReader(r.Stdin)
	cmd.WaitDelay = time.Second
	var msg bytes.Buffer
	cmd.Stderr = &msg
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !(errors.As(err, &exit) && exit.Exited()) {
		return nil, fmt.Errorf("%q: %w\n%s", r.Args, err, msg.Bytes())
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return nil, fmt.Errorf("%q: no report\n%s", r.Args, msg.Bytes())
	}
	return p.observations(data)
}

type jsonPlace struct {
	File string
	Line int
}

// place is that of a position, or none if it is not in the program.
func (p *Program) place(j jsonPlace) Place {
	if at := (Place{filepath.Base(j.File), j.Line}); p.files()[at.File] {
		return at
	}
	return Place{}
}

// observations reads a report of plumb run.
func (p *Program) observations(data []byte) ([]Observation, error) {
	var report struct {
		Processes []struct{ End string }
		Findings  []struct {
			Rule                 string
			Location, Allocation jsonPlace
			Run                  *struct {
				Blocks, Bytes int64
				Loss, Use     jsonPlace
				Owned         []struct {
					Blocks, Bytes int64
					Allocation    jsonPlace
				}
			}
		}
	}
	if err := json.Unmarshal(data, &report); err != nil {
		return nil, err
	}
	if len(report.Processes) == 0 {
		return nil, errors.New("no process reported")
	}
	var out []Observation
	for _, f := range report.Findings {
		if f.Run == nil {
			return nil, fmt.Errorf("a finding without a run: %s", f.Rule)
		}
		o := Observation{Lost: f.Rule != "plumb-still-held", Alloc: p.place(f.Allocation), Amount: Amount{f.Run.Blocks, f.Run.Bytes}}
		// What was never used since it was allocated is told there.
		if o.Use = p.place(f.Run.Use); !o.Lost && f.Run.Use.File == "" {
			o.Use = p.place(f.Location)
		}
		// A loss that no event told of is where the report puts it; but that may be
		// the allocation, for want of anything better.
		if o.Lost && f.Run.Loss.File != "" {
			o.Loss = p.place(f.Run.Loss)
		} else if o.Lost && f.Location != f.Allocation {
			o.Loss = p.place(f.Location)
		}
		out = append(out, o)
		for _, w := range f.Run.Owned {
			o.Alloc, o.Amount = p.place(w.Allocation), Amount{w.Blocks, w.Bytes}
			out = append(out, o)
		}
	}
	return out, nil
}
