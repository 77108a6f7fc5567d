// This file says what of a program a run must follow, in JSON and for the compiler's
// pass.

package render

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/plumb-project/plumb/internal/report"
)

type jsonSlice struct {
	Functions   []int       `json:"functions"` // indices of the report's functions
	Allocations []jsonPlace `json:"allocations"`
}

type jsonFunction struct {
	File string `json:"file"`
	Name string `json:"name"`
}

// addSlices says of each finding what a run must follow. Functions are listed once
// for all findings: slices have many in common. Paths are absolute: compilers read them
// in other directories.
func (d *document) addSlices(out *jsonReport) {
	number := map[report.SliceFunction]int{}
	for i := range d.findings {
		s := d.findings[i].Slice
		if s == nil {
			continue
		}
		j := &jsonSlice{Functions: []int{}, Allocations: []jsonPlace{}}
		for _, f := range s.Functions {
			n, ok := number[f]
			if !ok {
				n = len(out.Functions)
				number[f] = n
				out.Functions = append(out.Functions, jsonFunction{filepath.ToSlash(f.File), f.Name})
			}
			j.Functions = append(j.Functions, n)
		}
		for _, a := range s.Allocs {
			j.Allocations = append(j.Allocations, jsonPlace{filepath.ToSlash(a.File), a.Line, a.Col})
		}
		out.Findings[i].Slice = j
	}
}

func (x *restorer) slice(j *jsonSlice, functions []jsonFunction) *report.Slice {
	if j == nil {
		return nil
	}
	s := &report.Slice{}
	for _, n := range j.Functions {
		if n >= 0 && n < len(functions) {
			f := functions[n]
			s.Functions = append(s.Functions, report.SliceFunction{File: x.file(filepath.FromSlash(f.File)), Name: f.Name})
		}
	}
	for _, a := range j.Allocations {
		s.Allocs = append(s.Allocs, x.pos(a))
	}
	return s
}

// WriteOnly writes what the pass must instrument to follow the leaks of a report,
// each line once and in order: functions that memory flows through, and lines with
// calls whose next allocation is to be tracked. It returns how many of the latter
// there are; a report without slices has none.
//
//	alloc /src/conf.c 30
//	function /src/conf.c load
func WriteOnly(w io.Writer, r *report.Report) (allocs int, err error) {
	lines := map[string]bool{}
	for i := range r.Findings {
		s := r.Findings[i].Slice
		if s == nil {
			continue
		}
		for _, a := range s.Allocs {
			text := fmt.Sprintf("alloc %s %d\n", a.File, a.Line)
			if !lines[text] {
				allocs++
			}
			lines[text] = true
		}
		for _, f := range s.Functions {
			lines[fmt.Sprintf("function %s %s\n", f.File, f.Name)] = true
		}
	}
	out := bufio.NewWriter(w)
	for _, l := range slices.Sorted(maps.Keys(lines)) {
		out.WriteString(l)
	}
	return allocs, out.Flush()
}
