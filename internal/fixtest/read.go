// This file reads suites of programs.

package fixtest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/runtest"
)

// Suite reads the programs of a directory in order of name: cases with a
// case.json, programs of package runtest, or fixtures with a main().
func Suite(dir string) ([]*Program, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	var out []*Program
	if cases, _ := filepath.Glob(filepath.Join(dir, "*", "case.json")); len(cases) > 0 {
		for _, name := range cases {
			p, err := readCase(name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			out = append(out, p)
		}
		return out, nil
	}
	if filepath.Base(dir) == "programs" {
		return programs(dir)
	}
	return fixtures(dir)
}

// readCase reads a program and what a case.json says of it.
func readCase(name string) (*Program, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	type fix struct {
		File string
		Line int
		Stmt string
	}
	var c struct {
		Lang, Verdict, Stdin string
		Resource             bool
		Files                []string
		Leaks                []struct {
			Fix     fix
			FixMore []fix `json:"fix_more"`
		}
		Runs []struct {
			Args  []string
			Stdin *string
		}
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, err
	}
	dir := filepath.Dir(name)
	p := &Program{Name: filepath.Base(dir), Dir: dir, Units: c.Files, CXX: c.Lang == "c++", Verdict: c.Verdict, Resource: c.Resource}
	for _, l := range c.Leaks {
		for _, f := range append([]fix{l.Fix}, l.FixMore...) {
			if f.File != "" {
				p.Fix = append(p.Fix, Insertion(f))
			}
		}
	}
	for _, r := range c.Runs {
		run := Run{Args: r.Args, Stdin: c.Stdin}
		if r.Stdin != nil {
			run.Stdin = *r.Stdin
		}
		p.Runs = append(p.Runs, run)
	}
	return p, p.headers()
}

// headers finds the headers beside the units.
func (p *Program) headers() error {
	files, err := filepath.Glob(filepath.Join(p.Dir, "*.h"))
	for _, f := range files {
		p.Headers = append(p.Headers, filepath.Base(f))
	}
	return err
}

// programs reads those of package runtest that are linked from their sources alone.
func programs(dir string) ([]*Program, error) {
	all, err := runtest.Programs(dir)
	if err != nil {
		return nil, err
	}
	var out []*Program
	for _, q := range all {
		if len(q.Libs)+len(q.Plugins)+len(q.Outside)+len(q.Models) > 0 || q.Oracle != "" {
			continue
		}
		p := &Program{Name: q.Name, Dir: q.Dir, CXX: q.CXX, Flags: append([]string{"-pthread"}, q.Flags...)}
		for _, u := range q.Units {
			p.Units = append(p.Units, filepath.Base(u))
		}
		for _, r := range q.Runs {
			p.Runs = append(p.Runs, Run{Args: r.Args, Stdin: r.Stdin})
		}
		if err := p.headers(); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

var (
	mainFunction = regexp.MustCompile(`(?m)^int main\(`)
	runLine      = regexp.MustCompile(`(?m)^// run:(.*)$`)
	noRun        = regexp.MustCompile(`(?m)^// no-run: `)
	ownFlags     = regexp.MustCompile(`^// clang: (.*)`)
)

// fixtures reads those of package plumbtest that can be run: files, and folders
// with a main.c or main.cpp.
func fixtures(dir string) ([]*Program, error) {
	var out []*Program
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var p *Program
		if d.IsDir() {
			if p = folder(path); p == nil {
				return nil
			}
		} else if isSource(path) {
			p = &Program{Dir: filepath.Dir(path), Units: []string{d.Name()}}
		} else {
			return nil
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		p.Name = filepath.ToSlash(name)
		if ok, err := p.fixture(); err != nil {
			return err
		} else if ok {
			out = append(out, p)
		}
		if d.IsDir() {
			return filepath.SkipDir
		}
		return nil
	})
	slices.SortFunc(out, func(a, b *Program) int { return strings.Compare(a.Name, b.Name) })
	return out, err
}

func isSource(path string) bool {
	ext := filepath.Ext(path)
	return ext == ".c" || ext == ".cpp"
}

// folder is the program that a folder is, or nil.
func folder(dir string) *Program {
	if mains, _ := filepath.Glob(filepath.Join(dir, "main.c*")); len(mains) == 0 {
		return nil
	}
	p := &Program{Dir: dir}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, f := range files {
		switch name := filepath.Base(f); {
		case name == "outside.c":
			p.Other = append(p.Other, name)
		case isSource(f):
			p.Units = append(p.Units, name)
		}
	}
	return p
}

// fixture reads the comments of a fixture, and reports whether it can be run.
func (p *Program) fixture() (bool, error) {
	var main bool
	for _, name := range p.Units {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return false, err
		}
		if noRun.Match(text) {
			return false, nil
		}
		main = main || mainFunction.Match(text)
		p.CXX = p.CXX || filepath.Ext(name) == ".cpp"
		for _, m := range runLine.FindAllSubmatch(text, -1) {
			p.Runs = append(p.Runs, Run{Args: strings.Fields(string(m[1]))})
		}
		if m := ownFlags.FindSubmatch(text); m != nil {
			p.Flags = strings.Fields(string(m[1]))
		}
	}
	if p.Runs == nil {
		p.Runs = []Run{{}}
	}
	return main, p.headers()
}
