// Package suppress reads lists of known leaks, as LeakSanitizer and Valgrind
// write them, and says which allocations they mean.
//
// Both name an allocation by the calls that lead to it. A file of LeakSanitizer has
// a pattern in each line, which one of the calls must match; one of Valgrind has
// blocks in braces, with a pattern for each of the innermost calls:
//
//	leak:libfoo.so
//
//	{
//	   a name
//	   Memcheck:Leak
//	   match-leak-kinds: reachable
//	   fun:malloc
//	   ...
//	   obj:*/libfoo.so*
//	}
//
// Entries of either that are about something else than leaks are skipped: such files
// are often shared with other tools.
package suppress

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"github.com/plumb-project/plumb/internal/report"
)

// A List has what is not to be reported; nil is an empty one.
type List struct {
	entries []entry
}

// An entry is one suppression.
type entry interface {
	matches(a *Allocation) bool
}

// An Allocation is what suppressions are about.
type Allocation struct {
	Frames    []report.Frame // innermost first: the first calls the allocator
	Allocator string         // function that is called there; "" if it is not known
	Held      bool           // the memory can still be reached
}

// Len is the number of suppressions.
func (l *List) Len() int {
	if l == nil {
		return 0
	}
	return len(l.entries)
}

// Matches reports whether an allocation is not to be reported.
func (l *List) Matches(a Allocation) bool {
	return l != nil && slices.ContainsFunc(l.entries, func(e entry) bool { return e.matches(&a) })
}

// Read reads files of either form into one list.
func Read(files []string) (*List, error) {
	l := &List{}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		err = l.add(name, f)
		f.Close()
		if err != nil {
			return nil, err
		}
	}
	return l, nil
}

// add reads one file. The first line that is no comment tells its form.
func (l *List) add(name string, in io.Reader) error {
	p := &parser{name: name, lines: bufio.NewScanner(in)}
	p.lines.Buffer(nil, 1<<20)
	for p.next() {
		var e entry
		var err error
		if p.line == "{" {
			e, err = p.valgrind()
		} else {
			e, err = p.lsan()
		}
		if err != nil {
			return err
		}
		if e != nil {
			l.entries = append(l.entries, e)
		}
	}
	if err := p.lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// A parser goes through the lines of a file.
type parser struct {
	name  string
	lines *bufio.Scanner
	n     int
	line  string // without blanks around it
}

// next goes to the next line that says something.
func (p *parser) next() bool {
	for p.lines.Scan() {
		p.n++
		p.line = strings.TrimSpace(p.lines.Text())
		if p.line != "" && !strings.HasPrefix(p.line, "#") {
			return true
		}
	}
	return false
}

func (p *parser) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", p.name, p.n, fmt.Sprintf(format, args...))
}

// names are the names of a function that a pattern may mean: as the linker knows it,
// and as the source has it, with parameters and without.
func names(function string) []string {
	if function == "" {
		return nil
	}
	out := []string{function}
	if strings.HasPrefix(function, "_Z") {
		for _, o := range [][]demangle.Option{nil, {demangle.NoParams}} {
			if s := demangle.Filter(function, o...); s != function {
				out = append(out, s)
			}
		}
	}
	return out
}
