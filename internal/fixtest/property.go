// This file holds plumb fix against random programs.

package fixtest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/driver"
	"github.com/plumb-project/plumb/internal/fix"
	"github.com/plumb-project/plumb/internal/report"
)

// RandomProgram writes the random program of a seed into a directory. Of its runs
// about half have a call fail.
func RandomProgram(seed uint64, runs int, dir string) (*Program, error) {
	p := &Program{Name: fmt.Sprintf("random%d.c", seed), Dir: dir, Units: []string{fmt.Sprintf("random%d.c", seed)}, Runs: []Run{{}}}
	r := rand.New(rand.NewPCG(seed, 1))
	for len(p.Runs) < runs {
		var b strings.Builder
		for range 8 + r.IntN(60) {
			b.WriteByte(byte('0' + r.IntN(10)))
		}
		p.Runs = append(p.Runs, Run{Args: []string{b.String()}, Fail: max(0, r.IntN(24)-12)})
	}
	return p, os.WriteFile(filepath.Join(dir, p.Units[0]), []byte(Random(seed)), 0o666)
}

// A Claim is what plumb says of a leak.
type Claim struct {
	Alloc   string // where the object is made, as file:line
	Outcome report.FixOutcome
	Text    string // what was done, or why nothing was
}

// Open checks the program in dir within this process.
func (p *Program) Open(ctx context.Context, dir string) (*driver.Session, *report.Report, error) {
	return driver.Open(ctx, driver.Config{Files: p.Units, Flags: append([]string{p.standard()}, p.Flags...), Dir: dir, NoCache: true, Jobs: 1})
}

// Inside mends a program within this process; what is said of each leak is
// added to claims.
func Inside(cfg fix.Config, claims *[]Claim) Maker {
	return func(ctx context.Context, p *Program, dir string) (*Patch, error) {
		s, rep, err := p.Open(ctx, dir)
		if err != nil {
			return nil, err
		}
		res, err := fix.Run(ctx, s, rep, cfg)
		if err != nil {
			return nil, err
		}
		for _, m := range res.Mends {
			for _, i := range m.Findings {
				f := &rep.Findings[i]
				*claims = append(*claims, Claim{fmt.Sprintf("%s:%d", filepath.Base(f.Alloc.File), f.Alloc.Line), m.Outcome, m.Text + m.Reason})
			}
		}
		if res.Patch == nil {
			return &Patch{}, nil
		}
		var b bytes.Buffer
		err = res.Patch.Diff(&b, dir)
		return &Patch{Diff: b.Bytes()}, err
	}
}

// Liars are the claims that a leak is mended though runs still lose memory
// that was allocated there.
func Liars(claims []Claim, left []string) []string {
	all := map[string]bool{} // whether all leaks of an allocation are said to be mended
	for _, c := range claims {
		ok := c.Outcome != report.NotFixed
		if was, seen := all[c.Alloc]; seen {
			ok = ok && was
		}
		all[c.Alloc] = ok
	}
	var out []string
	for _, calls := range left {
		// What a function hands out may be lost by its caller, for whom the call
		// is the allocation.
		places := strings.Split(calls, " < ")
		open := slices.ContainsFunc(places, func(at string) bool { mended, told := all[at]; return told && !mended })
		if all[places[0]] && !open {
			out = append(out, "said to be mended, still lost: "+calls)
		}
	}
	return out
}
