// This file makes a use-flow graph of a recorded walk.

package leak

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
)

// flow makes the graph of a recorded walk.
func (w *walker) flow() *flow {
	b := &flowBuilder{w: w, spots: map[spotKey]*spot{}, before: map[*trail][]*trail{}}
	for _, t := range w.rec.nodes {
		b.visit(t)
	}
	pos := w.fn.position(w.site)
	g := &flow{file: pos.File, title: fmt.Sprintf("%s: %s in %s", pos, w.originText(), w.fn.f.SourceName())}
	if w.out != nil {
		if c, ok := w.placeCell(&state{}, w.site, w.out.to); ok {
			g.title += ", left in " + cmp.Or(w.cellName(c), "another object")
		}
	}
	if w.over {
		g.title += ", given up: too many paths"
	}
	root := b.spots[spotKey{w.site, w.originText()}]
	if root == nil {
		return g // the allocation is never reached
	}
	b.contract()
	g.spots = reachable(root)
	return g
}

// originText words the allocation.
func (w *walker) originText() string {
	sum, _ := w.fn.callee(w.site)
	if w.out == nil && sum.object != "" {
		return "opened by " + sum.name
	}
	return "allocated by " + sum.name
}

// A flowBuilder merges the nodes of a recording that are at one spot of the
// program.
type flowBuilder struct {
	w      *walker
	spots  map[spotKey]*spot
	before map[*trail][]*trail // by node: the nearest points and branches on the way to it
}

type spotKey struct {
	at   ir.ValueID
	text string // "" for a branch
}

func compareSpots(a, b spotKey) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.text, b.text))
}

// visit adds node t and all that leads to it.
func (b *flowBuilder) visit(t *trail) {
	for work := []*trail{t}; len(work) > 0; {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		if _, done := b.before[t]; done || t == nil {
			continue
		}
		from := nearest(t)
		b.before[t] = from
		if to := b.spot(t); to != nil {
			for _, f := range from {
				b.connect(f, to)
			}
		}
		work = append(work, from...)
	}
}

// nearest returns the points and branches from which t is reached by joins alone.
func nearest(t *trail) []*trail {
	var out []*trail
	seen := map[*trail]bool{}
	work := []*trail{t.prev}
	if t.more != nil {
		work = append(work, t.more.others...)
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if p == nil || seen[p] {
			continue
		}
		seen[p] = true
		if p.isJoin() {
			work = append(append(work, p.prev), p.more.others...)
			continue
		}
		out = append(out, p)
	}
	return out
}

func (t *trail) isJoin() bool { return t.more != nil && t.more.holds == "" }

// spot returns where node t is, or nil for a join.
func (b *flowBuilder) spot(t *trail) *spot {
	if t.isJoin() {
		return nil
	}
	k := spotKey{t.at, t.text}
	if t.more != nil {
		k.text = t.more.text
	}
	p := b.spots[k]
	if p == nil {
		p = &spot{pos: b.w.fn.position(t.at), at: t.at, text: cmp.Or(k.text, "branch")}
		b.spots[k] = p
	}
	if t.more != nil && !slices.Contains(p.holds, t.more.holds) {
		p.changes = true
		p.holds = append(p.holds, t.more.holds)
		slices.Sort(p.holds)
	}
	return p
}

func (b *flowBuilder) connect(from *trail, to *spot) {
	e := passage{to: to}
	if from.more == nil && from.text == "" {
		e.when = strings.TrimPrefix(b.w.branchText(from.cond, from.truth), "here ")
	}
	if p := b.spot(from); !slices.Contains(p.to, e) {
		p.to = append(p.to, e)
	}
}

// contract takes out the branches that do not matter: whichever way is taken, the
// same happens next.
func (b *flowBuilder) contract() {
	for k, p := range b.spots {
		if k.text == "" { // nor does it matter how often a loop is gone round in which nothing happens
			p.to = slices.DeleteFunc(p.to, func(e passage) bool { return e.to == p })
		}
	}
	for changed := true; changed; {
		changed = false
		for _, k := range slices.SortedFunc(maps.Keys(b.spots), compareSpots) { // in loops of branches it matters which goes first
			p := b.spots[k]
			if k.text != "" || len(p.to) == 0 || slices.ContainsFunc(p.to, func(e passage) bool { return e.to != p.to[0].to || e.to == p }) {
				continue
			}
			next := p.to[0].to
			for _, q := range b.spots {
				for i := range q.to {
					if q.to[i].to == p {
						q.to[i].to = next
					}
				}
			}
			delete(b.spots, k)
			changed = true
		}
	}
	b.carry()
	for _, p := range b.spots {
		slices.SortFunc(p.to, func(a, b passage) int {
			return cmp.Or(cmp.Compare(a.to.at, b.to.at), cmp.Compare(a.to.text, b.to.text), cmp.Compare(a.when, b.when))
		})
		p.to = slices.Compact(p.to)
	}
}

// carry gives branches, which change nothing, the holders of what leads to them.
func (b *flowBuilder) carry() {
	for changed := true; changed; {
		changed = false
		for _, p := range b.spots {
			for _, e := range p.to {
				for _, h := range p.holds {
					if !e.to.changes && !slices.Contains(e.to.holds, h) {
						e.to.holds = append(e.to.holds, h)
						slices.Sort(e.to.holds)
						changed = true
					}
				}
			}
		}
	}
}

// reachable numbers the spots by their distance from the first.
func reachable(root *spot) []*spot {
	root.id = 1
	all := []*spot{root}
	for i := 0; i < len(all); i++ {
		for _, e := range all[i].to {
			if e.to.id == 0 {
				all = append(all, e.to)
				e.to.id = len(all)
			}
		}
	}
	return all
}
