// This file reads suites that describe each program in a case.json.

package runtest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Suite returns the programs of a suite in order of name, without those whose
// defect is not a leak. What a case says:
//
//	leaks   alloc_all and lost_all: places, any of which is right; alloc_also: places that go with it
//	runs    args, and how many of the leaks such a run shows
func Suite(dir string) ([]*Program, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*", "case.json"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: there are no cases", dir)
	}
	var out []*Program
	for _, name := range names {
		p, err := readCase(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if p != nil {
			out = append(out, p)
		}
	}
	return out, nil
}

func readCase(name string) (*Program, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var c struct {
		Lang    string
		Verdict string
		Files   []string
		Stdin   string
		Leaks   []struct {
			ID        int
			AllocAll  []string `json:"alloc_all"`
			AllocAlso []string `json:"alloc_also"`
			LostAll   []string `json:"lost_all"`
		}
		Runs []struct {
			Args  []string
			Stdin *string
			Leaks int
		}
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, err
	}
	if c.Verdict != "leak" && c.Verdict != "clean" {
		return nil, nil
	}
	dir := filepath.Dir(name)
	p := &Program{Name: filepath.Base(dir), Dir: dir, CXX: c.Lang == "c++", Labels: map[string]*Label{}}
	for _, f := range c.Files {
		p.Units = append(p.Units, filepath.Join(dir, f))
	}
	for _, l := range c.Leaks {
		label := &Label{}
		for to, from := range map[*[]Place][]string{&label.Alloc: l.AllocAll, &label.Also: l.AllocAlso, &label.Loss: l.LostAll} {
			for _, s := range from {
				at, err := readPlace(s)
				if err != nil {
					return nil, err
				}
				*to = append(*to, at)
			}
		}
		p.Labels[strconv.Itoa(l.ID)] = label
	}
	for _, r := range c.Runs {
		run := Run{Args: r.Args, Stdin: c.Stdin, Any: r.Leaks}
		if r.Stdin != nil {
			run.Stdin = *r.Stdin
		}
		p.Runs = append(p.Runs, run)
	}
	return p, nil
}

func readPlace(s string) (Place, error) {
	file, line, ok := strings.Cut(s, ":")
	n, err := strconv.Atoi(line)
	if !ok || err != nil {
		return Place{}, fmt.Errorf("%q is no place", s)
	}
	return Place{filepath.Base(file), n}, nil
}
