// This file reads programs and their comments.

package runtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Programs returns the programs of a directory in order of name.
func Programs(dir string) ([]*Program, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []*Program
	for _, e := range entries {
		p := &Program{Name: e.Name(), Dir: dir, Labels: map[string]*Label{}}
		if e.IsDir() {
			p.Dir = filepath.Join(dir, e.Name())
			err = p.list()
		} else if ext := filepath.Ext(e.Name()); ext == ".c" || ext == ".cpp" {
			p.Units = []string{filepath.Join(dir, e.Name())}
		} else {
			continue
		}
		if err == nil {
			err = p.read()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, e.Name()), err)
		}
		out = append(out, p)
	}
	return out, nil
}

// list sorts the files of a directory by what they are.
func (p *Program) list() error {
	entries, err := os.ReadDir(p.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(p.Dir, e.Name())
		switch ext := filepath.Ext(path); {
		case ext == ".model":
			p.Models = append(p.Models, path)
		case ext != ".c" && ext != ".cpp":
		case strings.HasPrefix(e.Name(), "lib"):
			p.Libs = append(p.Libs, path)
		case strings.HasPrefix(e.Name(), "plugin"):
			p.Plugins = append(p.Plugins, path)
		case strings.HasPrefix(e.Name(), "outside"):
			p.Outside = append(p.Outside, path)
		default:
			p.Units = append(p.Units, path)
		}
	}
	return nil
}

var (
	markComment   = regexp.MustCompile(`^(alloc|leak|forgotten|known@(\S+)): (\w+)(?: (.*))?$`)
	runComment    = regexp.MustCompile(`^// run:(.*)=>(.*)$`)
	amountComment = regexp.MustCompile(`^(~?)(\w+)=(\d+|\?)/(\d+|\?)$`)
)

// read reads all comments.
func (p *Program) read() error {
	for _, list := range [][]string{p.Units, p.Libs, p.Plugins, p.Outside} {
		for _, f := range list {
			src, err := os.ReadFile(f)
			if err != nil {
				return err
			}
			p.CXX = p.CXX || filepath.Ext(f) == ".cpp"
			at := Place{File: filepath.Base(f)}
			for text := range strings.Lines(string(src)) {
				at.Line++
				if err := p.line(at, strings.TrimRight(text, "\n")); err != nil {
					return fmt.Errorf("%s: %w", at, err)
				}
			}
		}
	}
	return p.check()
}

func (p *Program) line(at Place, text string) error {
	if flags, ok := strings.CutPrefix(text, "// clang: "); ok && at.Line == 1 {
		p.Flags = strings.Fields(flags)
	} else if why, ok := strings.CutPrefix(text, "// oracle: none, because "); ok {
		p.Oracle = why
	} else if m := runComment.FindStringSubmatch(text); m != nil {
		r, err := readRun(m[1], m[2])
		p.Runs = append(p.Runs, r)
		return err
	}
	_, remarks, _ := strings.Cut(text, "//")
	for s := range strings.SplitSeq(remarks, ";") {
		m := markComment.FindStringSubmatch(strings.TrimSpace(s))
		if m == nil {
			continue
		}
		l := p.Labels[m[3]]
		if l == nil {
			l = &Label{}
			p.Labels[m[3]] = l
		}
		switch m[1] {
		case "alloc":
			l.Alloc = append(l.Alloc, at)
		case "leak":
			l.Loss = append(l.Loss, at)
		case "forgotten":
			l.Use = append(l.Use, at)
		default:
			l.Known, l.Why = append(l.Known, strings.Split(m[2], ",")...), m[4]
		}
	}
	return nil
}

// readRun reads what is before and after the => of a run.
func readRun(args, amounts string) (Run, error) {
	r := Run{Args: strings.Fields(args), Lost: map[string]Amount{}, Held: map[string]Amount{}}
	for _, s := range strings.Fields(amounts) {
		m := amountComment.FindStringSubmatch(s)
		if m == nil {
			return r, fmt.Errorf("%q is no amount", s)
		}
		to := r.Lost
		if m[1] != "" {
			to = r.Held
		}
		if _, ok := to[m[2]]; ok {
			return r, fmt.Errorf("%s is there twice", m[2])
		}
		to[m[2]] = Amount{number(m[3]), number(m[4])}
	}
	return r, nil
}

// number is -1 for any number.
func number(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// check finds what is forgotten in the comments themselves.
func (p *Program) check() error {
	if len(p.Runs) == 0 {
		return fmt.Errorf("there is no run")
	}
	lost, held := map[string]bool{}, map[string]bool{}
	for _, r := range p.Runs {
		for name := range r.Lost {
			lost[name] = true
		}
		for name := range r.Held {
			held[name] = true
		}
	}
	for _, names := range []map[string]bool{lost, held} {
		for name := range names {
			if l := p.Labels[name]; l == nil || len(l.Alloc) == 0 {
				return fmt.Errorf("there is no alloc: %s", name)
			}
		}
	}
	for name, l := range p.Labels {
		switch {
		case lost[name] != (len(l.Loss) > 0):
			return fmt.Errorf("%s is lost in a run, or there is a leak: %s, but not both", name, name)
		case len(l.Use) > 0 && !held[name]:
			return fmt.Errorf("there is a forgotten: %s, but no run holds it", name)
		}
	}
	if clean := strings.HasSuffix(base(p.Name), "_clean"); clean != (len(lost) == 0) {
		return fmt.Errorf("it is named wrongly: a program that loses nothing is called _clean")
	}
	return nil
}
