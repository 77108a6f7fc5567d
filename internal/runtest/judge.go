// This file judges what plumb says of a run.

package runtest

import (
	"fmt"
	"slices"
	"strings"
)

// A Score counts what plumb said of runs.
type Score struct {
	Runs  int
	Leaks int // labels that are lost, over all runs
	Found int // with the line of their allocation
	Exact int // and all their blocks with the line of the loss, and as many as there are
	Wrong int // with another line of loss for some block
	Count int // with the right lines, and another number of blocks or bytes
	Miss  int
	False int // what is said to be lost and is not

	Held      int // labels that are still held
	HeldFound int
	HeldExact int // with the line of the last use
	Noise     int // what is said to be held, in the program's own lines, and is not marked
}

// Add adds the counts of other runs.
func (s *Score) Add(o Score) {
	s.Runs += o.Runs
	s.Leaks += o.Leaks
	s.Found += o.Found
	s.Exact += o.Exact
	s.Wrong += o.Wrong
	s.Count += o.Count
	s.Miss += o.Miss
	s.False += o.False
	s.Held += o.Held
	s.HeldFound += o.HeldFound
	s.HeldExact += o.HeldExact
	s.Noise += o.Noise
}

// Judge compares what plumb saw in a run with its comments. The remarks say what
// is not as it should be, each after the label it is about.
func (p *Program) Judge(r Run, seen []Observation) (Score, []Remark) {
	j := judge{p: p, r: r, score: Score{Runs: 1}}
	want := sortedKeys(r.Lost)
	if r.Lost == nil {
		want = j.any(seen)
	}
	used := make([]bool, len(seen))
	for _, name := range want {
		j.lost(name, seen, used)
	}
	for _, name := range sortedKeys(r.Held) {
		j.held(name, seen, used)
	}
	for i, o := range seen {
		switch {
		case used[i]:
		case o.Lost:
			j.score.False++
			j.say("", "false: %v, allocated at %v, lost at %v", o.Amount, o.Alloc, o.Loss)
		case r.Held != nil && o.Alloc.File != "":
			j.score.Noise++
			j.say(j.p.label(o.Alloc), "held: %v, allocated at %v, is not marked", o.Amount, o.Alloc)
		}
	}
	return j.score, j.remarks
}

// A Remark is something that is not as it should be.
type Remark struct {
	Label     string // "" for what has none
	LastUse   bool   // it is about a last use, which is not recorded unless asked for
	WrongLine bool   // all is right but for the line of the loss
	Text      string
}

type judge struct {
	p       *Program
	r       Run
	score   Score
	remarks []Remark
}

func (j *judge) say(label, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if len(j.r.Args) > 0 {
		text = strings.Join(j.r.Args, " ") + ": " + text
	}
	j.remarks = append(j.remarks, Remark{Label: label, Text: text})
}

// any picks the labels that a run shows when only their number is known: first
// those that were seen.
func (j *judge) any(seen []Observation) []string {
	names := sortedKeys(j.p.Labels)
	slices.SortStableFunc(names, func(a, b string) int {
		shown := func(name string) int {
			if slices.ContainsFunc(seen, func(o Observation) bool { return o.Lost && slices.Contains(j.p.Labels[name].Alloc, o.Alloc) }) {
				return 0
			}
			return 1
		}
		return shown(a) - shown(b)
	})
	return names[:min(j.r.Any, len(names))]
}

func (j *judge) lost(name string, seen []Observation, used []bool) {
	l := j.p.Labels[name]
	var sum Amount
	var wrong []string
	for i, o := range seen {
		if !o.Lost {
			continue
		}
		if slices.Contains(l.Also, o.Alloc) {
			used[i] = true
		}
		if !slices.Contains(l.Alloc, o.Alloc) {
			continue
		}
		used[i] = true
		sum = sum.plus(o.Amount)
		if !slices.Contains(l.Loss, o.Loss) {
			wrong = append(wrong, o.Loss.String())
		}
	}
	j.score.Leaks++
	want, known := j.r.Lost[name]
	switch {
	case sum.Blocks == 0:
		j.score.Miss++
		j.say(name, "missed: %s, allocated at %v", name, l.Alloc)
		return
	case len(wrong) > 0:
		j.score.Wrong++
		j.say(name, "wrong line: %s, allocated at %v, is lost at %v, not %s", name, l.Alloc[0], l.Loss, strings.Join(wrong, ", "))
		j.remarks[len(j.remarks)-1].WrongLine = !known || want.is(sum)
	case known && !want.is(sum):
		j.score.Count++
		j.say(name, "wrong number: %s, allocated at %v: %v are lost, not %v", name, l.Alloc[0], want, sum)
	default:
		j.score.Exact++
	}
	j.score.Found++
}

func (j *judge) held(name string, seen []Observation, used []bool) {
	l, want := j.p.Labels[name], j.r.Held[name]
	var sum Amount
	var wrong []string
	for i, o := range seen {
		if o.Lost || !slices.Contains(l.Alloc, o.Alloc) {
			continue
		}
		used[i] = true
		sum = sum.plus(o.Amount)
		if len(l.Use) > 0 && !slices.Contains(l.Use, o.Use) {
			wrong = append(wrong, o.Use.String())
		}
	}
	if want == (Amount{-1, -1}) {
		return // libc's own, which plumb need not tell of
	}
	j.score.Held++
	switch {
	case !want.is(sum):
		j.say(name, "held: %s, allocated at %v: %v, not %v", name, l.Alloc[0], want, sum)
		return
	case len(wrong) > 0:
		j.say(name, "last use: %s, allocated at %v, is used last at %v, not %s", name, l.Alloc[0], l.Use, strings.Join(wrong, ", "))
		j.remarks[len(j.remarks)-1].LastUse = true
	default:
		j.score.HeldExact++
	}
	j.score.HeldFound++
}

// label is the first label that an allocation may be, or none.
func (p *Program) label(at Place) string {
	for _, name := range sortedKeys(p.Labels) {
		if slices.Contains(p.Labels[name].Alloc, at) {
			return name
		}
	}
	return ""
}
