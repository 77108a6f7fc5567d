// This file joins what plumb check found with what runs of the program saw.

package report

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/source"
)

// Confirm joins a run with the findings of a check. Findings about an allocation that
// the run lost too are marked, and sure; what the run alone saw is added, but for
// memory that is still held. left are findings of the check that are not in r, being
// not sure enough: one that the run confirms is.
func (r *Report) Confirm(run *Report, left []Finding) {
	j := &join{r: r, left: left, first: len(r.Processes)}
	r.Processes = append(r.Processes, run.Processes...)
	for _, n := range run.Notes {
		if !slices.Contains(r.Notes, n) {
			r.Notes = append(r.Notes, n)
		}
	}
	r.Suppressed.Findings += run.Suppressed.Findings
	r.Suppressed.Blocks += run.Suppressed.Blocks
	r.Suppressed.Bytes += run.Suppressed.Bytes
	for i := range run.Findings {
		if run.Findings[i].Run != nil {
			j.add(run.Findings[i])
		}
	}
	Sort(r.Findings)
}

// A join adds the findings of a run to those of a check.
type join struct {
	r     *Report
	left  []Finding
	first int // process of the run, in r
}

// add joins one finding of the run.
func (j *join) add(seen Finding) {
	run := *seen.Run
	run.Processes = nil
	for _, p := range seen.Run.Processes {
		run.Processes = append(run.Processes, p+j.first)
	}
	f := best(j.r.Findings, &seen)
	if f == nil {
		if l := best(j.left, &seen); l != nil {
			j.r.Findings = append(j.r.Findings, *l)
			j.r.LeftOut = max(0, j.r.LeftOut-1)
			f = &j.r.Findings[len(j.r.Findings)-1]
		}
	}
	switch {
	case f != nil && f.Run == nil:
		run.Check = Confirmed
		f.Run, f.Confidence, f.Why = &run, Certain, nil
	case f != nil:
		f.Run = f.Run.plus(&run)
		also := Step{Pos: seen.Loss, Text: "a run lost " + run.Amount() + " here"}
		if seen.Loss != f.Loss && seen.Loss != f.Run.Loss.Pos && !slices.Contains(f.Also, also) {
			f.Also = append(slices.Clip(f.Also), also)
		}
	case seen.Kind != StillHeld:
		run.Check = OnlyRun
		seen.Run = &run
		j.r.Findings = append(j.r.Findings, seen)
	}
}

// plus adds what another run, or the same elsewhere, saw of the finding.
func (r *Run) plus(s *Run) *Run {
	sum := *r
	sum.Blocks += s.Blocks
	sum.Bytes += s.Bytes
	sum.Owned = slices.Clone(r.Owned)
	for _, o := range s.Owned {
		i := slices.IndexFunc(sum.Owned, func(x Owned) bool { return x.Alloc == o.Alloc && x.Allocator == o.Allocator })
		if i < 0 {
			sum.Owned = append(sum.Owned, o)
			continue
		}
		sum.Owned[i].Blocks += o.Blocks
		sum.Owned[i].Bytes += o.Bytes
	}
	sum.Processes = slices.Concat(r.Processes, s.Processes)
	slices.Sort(sum.Processes)
	sum.Processes = slices.Compact(sum.Processes)
	return &sum
}

// best returns the finding that tells most of what a run saw; nil if none is about
// the same allocation.
func best(fs []Finding, seen *Finding) *Finding {
	var out *Finding
	most := 0
	for i := range fs {
		if n := fs[i].agrees(seen); n > most {
			out, most = &fs[i], n
		}
	}
	return out
}

// agrees says how well a finding agrees with what a run saw: 0 if it is about another
// allocation.
func (f *Finding) agrees(seen *Finding) int {
	held := f.Kind == LeakAtExit || f.Kind == LeakReachable
	if !f.Kind.IsLeak() || seen.Kind == StillHeld && !held {
		return 0
	}
	lost := near(f.Loss, seen.Loss) || near(f.Loss, seen.Run.Loss.Pos)
	if f.Run != nil && f.Run.Check == OnlyRun {
		if near(f.Alloc, seen.Alloc) && lost {
			return 1
		}
		return 0
	}
	n := f.allocatedAt(seen, lost)
	switch {
	case n == 0:
		return 0
	case lost:
		n += 4
	case slices.ContainsFunc(seen.Run.Loss.Frames, func(x Frame) bool { return near(f.Loss, x.Pos) }):
		n += 3 // the check tells it as a call of what loses it
	case f.Function != "" && Readable(f.Function) == Readable(seen.Function):
		n++
	}
	return n
}

// allocatedAt says how well the allocations agree. The check may name a call of a
// function that allocates, where the run has all calls down to malloc: that call
// must be there, and lead to that function; or to any, if the memory is lost at the
// same place: through a pointer the check names one of several.
func (f *Finding) allocatedAt(seen *Finding, lost bool) int {
	if near(f.Alloc, seen.Alloc) {
		return 2
	}
	frames := seen.Run.Alloc.Frames
	for i, x := range frames {
		if !near(f.Alloc, x.Pos) {
			continue
		}
		if !lost && i > 0 && f.Allocator != "" && Readable(frames[i-1].Function) != Readable(f.Allocator) {
			continue
		}
		return 1 + f.inner(frames[:i])
	}
	return 0
}

// inner is 1 if the calls inside the allocating function agree, too.
func (f *Finding) inner(frames []Frame) int {
	for _, s := range f.Steps[min(1, len(f.Steps)):] {
		if s.Depth == 0 {
			break
		}
		if !slices.ContainsFunc(frames, func(x Frame) bool { return near(s.Pos, x.Pos) }) {
			return 0
		}
	}
	return 1
}

// near reports whether two positions are in one line. One of the files may be
// known only by the end of its path.
func near(p, q source.Position) bool {
	return p.IsValid() && q.IsValid() && p.Line == q.Line && sameFile(p.File, q.File)
}

func sameFile(a, b string) bool {
	a, b = filepath.Clean(a), filepath.Clean(b)
	if a == b {
		return true
	}
	return !filepath.IsAbs(a) && strings.HasSuffix(b, "/"+a) || !filepath.IsAbs(b) && strings.HasSuffix(a, "/"+b)
}
