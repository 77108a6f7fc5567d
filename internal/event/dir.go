// This file reads the reports of one run.

package event

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// suffix ends the names of report files.
const suffix = ".plumb"

// ReadDir reads the reports in a directory, ordered by process and, within one
// process, by when they were written: files are called PID-N.plumb. It returns those
// it can read, with an error that tells of the others.
func ReadDir(dir string) ([]*Report, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) && !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		p, n := numbers(a)
		q, m := numbers(b)
		return cmp.Or(cmp.Compare(p, q), cmp.Compare(n, m), cmp.Compare(a, b))
	})
	var out []*Report
	var bad []error
	for _, name := range names {
		r, err := ReadFile(filepath.Join(dir, name))
		if err != nil {
			bad = append(bad, err)
			continue
		}
		out = append(out, r)
	}
	return out, errors.Join(bad...)
}

// ReadFile reads one report.
func ReadFile(name string) (*Report, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// numbers returns the numbers in the name of a report file.
func numbers(name string) (pid, n int) {
	p, q, _ := strings.Cut(strings.TrimSuffix(name, suffix), "-")
	pid, _ = strconv.Atoi(p)
	n, _ = strconv.Atoi(q)
	return pid, n
}
