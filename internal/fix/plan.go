// This file holds what a candidate is made of, and which one comes next.

package fix

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/guard"
	"github.com/plumb-project/plumb/internal/own"
	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/source"
)

// An option is one way to end the life of an object at one of its losses.
type option struct {
	what  string // the release, as it is written: "free(buf)"
	where []place
	edits []patch.Edit
	how   *own.Release
	calls []source.Position // releases that are there already, and that more paths come by now
	init  string            // the variable that gets a value from the start, for this
}

// A place is where something is put: "before the return" in a line; 0 for none.
type place struct {
	text string
	line int
}

// A plan has, for each loss, the options that there are, the most natural first. One
// of each makes a candidate.
type plan struct {
	slots  [][]option
	choice []int
}

// A candidate is a change that may mend an object.
type candidate struct {
	o       *object
	options []option
	patch   *patch.Patch

	guard *guard.Guard // nil if it is right without
}

// next returns the candidate that is to be tried, or nil if none is left.
func (p *planner) next(o *object) *candidate {
	for o.at < len(o.plans) {
		pl := &o.plans[o.at]
		if pl.choice == nil {
			pl.choice = make([]int, len(pl.slots))
		}
		c := &candidate{o: o, guard: o.guard}
		ok := true
		var edits []patch.Edit
		for i, k := range pl.choice {
			if k >= len(pl.slots[i]) {
				ok = false
				break
			}
			c.options = append(c.options, pl.slots[i][k])
			edits = append(edits, pl.slots[i][k].edits...)
		}
		if !ok {
			o.at++
			continue
		}
		var err error
		if o.guard != nil {
			// A record that is closed before a return is closed behind the release.
			edits = append(edits, o.guard.Edits()...)
		}
		if c.patch, err = patch.New(edits, p.w.Read); err != nil {
			o.blame(nil, err.Error())
			continue
		}
		return c
	}
	return nil
}

// blame takes the next option for the losses that a candidate failed at; with none
// named, for all of them.
func (o *object) blame(slots []int, why string) {
	if o.failed == "" {
		o.failed = why
	}
	if o.at >= len(o.plans) {
		return
	}
	pl := &o.plans[o.at]
	if len(slots) == 0 {
		for i := range pl.choice {
			slots = append(slots, i)
		}
	}
	for _, i := range slots {
		pl.choice[i]++
	}
}

// clause says what a candidate does.
//
//	free(buf) before the return in lines 17 and 19 and at the end of the function
func (c *candidate) clause() string {
	var whats []string
	places := map[string][]place{}
	for i := range c.options {
		x := &c.options[i]
		if !slices.Contains(whats, x.what) {
			whats = append(whats, x.what)
		}
		for _, w := range x.where {
			if !slices.Contains(places[x.what], w) {
				places[x.what] = append(places[x.what], w)
			}
		}
	}
	var parts []string
	for _, w := range whats {
		parts = append(parts, strings.TrimSpace(w+" "+spell(places[w])))
	}
	return strings.Join(parts, "; ")
}

// spell lists places; those with the same text share it.
func spell(places []place) string {
	var texts, parts []string
	lines := map[string][]string{}
	for _, w := range places {
		if !slices.Contains(texts, w.text) {
			texts = append(texts, w.text)
		}
		if w.line > 0 {
			lines[w.text] = append(lines[w.text], fmt.Sprint(w.line))
		}
	}
	for _, t := range texts {
		switch l := lines[t]; len(l) {
		case 0:
		case 1:
			t += " in line " + l[0]
		default:
			t += " in lines " + join(l)
		}
		parts = append(parts, t)
	}
	return join(parts)
}

// join lists phrases: "a, b and c".
func join(list []string) string {
	if n := len(list); n > 1 {
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
	return strings.Join(list, "")
}
