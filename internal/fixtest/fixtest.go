// Package fixtest judges patches of leaks by what the patched program does.
//
// A program is built and run before and after; nothing that plumb believes of it
// counts. It has to compile with clang and gcc without a warning that was not
// there, to print the same and to end with the same status in every run, and not
// to do with memory what it did not do before: under AddressSanitizer, under
// valgrind, and once for each of its first allocations as if that had failed, so
// that releases on ways out of errors are run too. What is lost is told by both
// LeakSanitizer and valgrind, by the calls that led to the allocation, and open
// descriptors are counted at the end.
//
// Programs come from suites that describe each in a case.json, from package
// runtest, from the fixtures of package plumbtest that have a main(), and from
// Random, which writes programs whose ways are chosen by their argument.
package fixtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// A Program is something to patch, build and run.
type Program struct {
	Name     string
	Dir      string   // where its files are
	Units    []string // below Dir: what plumb is shown
	Other    []string // below Dir: what is only linked
	Headers  []string // below Dir: what is included
	CXX      bool
	Flags    []string
	Runs     []Run
	Resource bool        // descriptors that are open at the end are lost
	Verdict  string      // what is wrong in it: leak, clean or another; "" when only runs tell
	Fix      []Insertion // how to mend it by hand, if that is known
}

// A Run is one run of a program.
type Run struct {
	Args  []string
	Stdin string
	Fail  int // which of the calls that may fail does; 0 for none
}

func (r Run) String() string {
	text := fmt.Sprintf("run %q", r.Args)
	if r.Fail > 0 {
		text += fmt.Sprintf(", call %d failing", r.Fail)
	}
	return text
}

// An Insertion is a statement as a new line before a line.
type Insertion struct {
	File string
	Line int
	Stmt string
}

// C reports whether all of it is written in C.
func (p *Program) C() bool { return !p.CXX }

// Copy puts the program's files into a directory.
func (p *Program) Copy(dir string) error {
	for _, name := range slices.Concat(p.Units, p.Other, p.Headers) {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// standard is the version of the language.
func (p *Program) standard() string {
	if p.CXX {
		return "-std=gnu++17"
	}
	return "-std=gnu11"
}
