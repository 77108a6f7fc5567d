// Package pinpoint turns what the runtime saw into findings: where memory was
// allocated, and where the last reference to it went away.
//
// The runtime has decided what is lost; here it is said in the words of the
// source. Addresses in code without sites become frames by debug information, then
// by symbols, then as an offset in a module (symbol.go). The
// place of a finding is the first frame in the user's own code: strdup allocates
// inside the library, but the line of interest is the one that calls it.
//
// Blocks are one finding when they are allocated and lost alike, in all processes.
// Lost alike is lost at the same place. Allocated alike is allocated by the same
// calls, counted from the function that has both the allocation and the loss below
// it: what calls that function makes no difference, what it calls does. So a
// wrapper of malloc is told apart by who calls it, and a function that leaks is told
// once however often it is called.
package pinpoint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/plumb-project/plumb/internal/event"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/suppress"
)

// Config says where to look.
type Config struct {
	DebugDirs []string       // of separate debug files; nil for /usr/lib/debug
	Suppress  *suppress.List // what is only counted; nil for nothing
}

// Findings makes one report of the reports of all processes of a run, in the order
// of event.ReadDir.
func Findings(rs []*event.Report, cfg Config) *report.Report {
	a := &assembler{symbols: newSymbols(cfg), suppress: cfg.Suppress, groups: map[string]*group{}}
	var found []map[string]*group // by process
	for _, life := range lives(rs) {
		found = append(found, a.life(life))
	}
	inheritance(a.out.Processes, found)
	for _, groups := range found {
		a.add(groups)
	}
	a.notes(rs)
	for _, key := range slices.Sorted(maps.Keys(a.groups)) {
		g := a.groups[key]
		if !g.suppressed {
			a.out.Findings = append(a.out.Findings, g.finding())
			continue
		}
		s, owned := &a.out.Suppressed, g.ownedTotal()
		s.Findings++
		s.Blocks += g.blocks + owned.Blocks
		s.Bytes += g.bytes + owned.Bytes
	}
	report.SortRun(a.out.Findings)
	return &a.out
}

// lives splits reports by process. One that reports when asked reports the same
// blocks again later; one that calls exec goes on under the same number as another.
func lives(rs []*event.Report) [][]*event.Report {
	var out [][]*event.Report
	for i, r := range rs {
		if i == 0 || r.PID != rs[i-1].PID || rs[i-1].Reason.Final() || r.Program != rs[i-1].Program {
			out = append(out, nil)
		}
		n := len(out) - 1
		out[n] = append(out[n], r)
	}
	return out
}

// An assembler collects findings.
type assembler struct {
	out      report.Report
	symbols  *symbols
	suppress *suppress.List
	groups   map[string]*group
}

// A group is the blocks of one finding.
type group struct {
	state   event.State
	loss    event.Frame // the event itself
	use     event.Frame
	alloc   stack
	lost    stack
	used    stack
	most    int64 // bytes of the block line whose stacks these are
	blocks  int64
	bytes   int64
	owned   map[string]*report.Owned
	process []int

	suppressed bool
	inherited  tally // of these, what the process had from its parent
}

// life returns what one process reported. Of what is lost the report that has most
// counts, since what was lost once stays so; of what is held the last report.
func (a *assembler) life(rs []*event.Report) map[string]*group {
	last := rs[len(rs)-1]
	p := len(a.out.Processes)
	a.out.Processes = append(a.out.Processes, report.Process{PID: last.PID, Parent: last.PPID, Program: last.Program, End: ending(last)})
	best := map[string]*group{}
	for _, r := range rs {
		for key, g := range a.read(r) {
			if g.state == event.Forgotten && r != last {
				continue
			}
			g.process = []int{p}
			if b := best[key]; b == nil || b.blocks < g.blocks || b.blocks == g.blocks && b.ownedTotal().Bytes <= g.ownedTotal().Bytes {
				best[key] = g
			}
		}
	}
	return best
}

// add adds what one process reported to what others did.
func (a *assembler) add(groups map[string]*group) {
	for key, g := range groups {
		if a.groups[key] == nil {
			a.groups[key] = g
		} else {
			a.groups[key].add(g)
		}
	}
}

func (g *group) ownedTotal() (sum report.Owned) {
	for _, o := range g.owned {
		sum.Blocks += o.Blocks
		sum.Bytes += o.Bytes
	}
	return sum
}

// add adds the same blocks of another process.
func (g *group) add(h *group) {
	if h.most > g.most {
		g.loss, g.use, g.alloc, g.lost, g.used, g.most = h.loss, h.use, h.alloc, h.lost, h.used, h.most
	}
	g.blocks += h.blocks
	g.bytes += h.bytes
	g.inherited.blocks += h.inherited.blocks
	g.inherited.bytes += h.inherited.bytes
	g.process = append(g.process, h.process...)
	for key, o := range h.owned {
		g.own(key, *o)
	}
}

func (g *group) own(key string, o report.Owned) {
	if g.owned == nil {
		g.owned = map[string]*report.Owned{}
	}
	if was := g.owned[key]; was != nil {
		was.Blocks += o.Blocks
		was.Bytes += o.Bytes
		return
	}
	g.owned[key] = &o
}

// read groups the blocks of one report.
func (a *assembler) read(r *event.Report) map[string]*group {
	x := a.symbols.frames(r)
	groups := map[string]*group{}
	of := make([]*group, len(r.Blocks)) // by block line
	for i := range r.Blocks {
		b := &r.Blocks[i]
		if b.State == 0 || b.State == event.Indirect && owner(r, i) != i {
			continue
		}
		g := &group{inherited: inherited(b), state: b.State, loss: r.Frames[b.Loss], use: r.Frames[b.Use], most: b.Bytes, blocks: b.Count, bytes: b.Bytes}
		if g.state == event.Indirect { // its owner could not be read
			g.state = event.Lost
		}
		g.alloc, g.lost, g.used = x.stack(0, b.Alloc), x.stack(b.Loss, b.LossNode), x.stack(b.Use, b.UseNode)
		g.suppressed = a.suppresses(g)
		key := g.key()
		if was := groups[key]; was != nil {
			was.add(g)
			g = was
		}
		groups[key], of[i] = g, g
	}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		if b.State != event.Indirect || owner(r, i) == i {
			continue
		}
		if g := of[owner(r, i)]; g != nil {
			s := x.stack(0, b.Alloc)
			o := report.Owned{Blocks: b.Count, Bytes: b.Bytes, Alloc: s.place(), Allocator: s.allocator()}
			g.own(fmt.Sprintf("%s\x00%s", o.Alloc, o.Allocator), o)
		}
	}
	return groups
}

// suppresses reports whether the user does not want to hear of a group. It is asked
// before groups are merged, when each still has its own calls.
func (a *assembler) suppresses(g *group) bool {
	return a.suppress.Len() > 0 && a.suppress.Matches(suppress.Allocation{
		Frames: g.alloc.trace("").Frames, Allocator: g.alloc.allocator(), Held: g.state == event.Forgotten,
	})
}

// owner returns the index of the lost block line that owns line i, by owners of
// owners; i itself when there is none.
func owner(r *event.Report, i int) int {
	at := i
	for range len(r.Blocks) {
		n := r.Blocks[at].Owner
		if n <= 0 || n > len(r.Blocks) {
			break
		}
		at = n - 1
		switch r.Blocks[at].State {
		case event.Lost:
			return at
		case event.Indirect:
			continue
		}
		break
	}
	return i
}

// finding is the finding about a group.
func (g *group) finding() report.Finding {
	run := &report.Run{Blocks: g.blocks, Bytes: g.bytes, Processes: g.process}
	for _, key := range slices.Sorted(maps.Keys(g.owned)) {
		run.Owned = append(run.Owned, *g.owned[key])
	}
	slices.SortStableFunc(run.Owned, func(a, b report.Owned) int { return cmp.Compare(b.Bytes, a.Bytes) })
	f := report.Finding{Kind: g.kind(), Alloc: g.alloc.place(), Allocator: g.alloc.allocator(), Confidence: report.Certain, Run: run}
	run.Alloc = g.alloc.trace("allocated")
	if f.Allocator != "" {
		run.Alloc.Text = f.Origin()
	}
	f.Steps = append(f.Steps, run.Alloc.Step)
	f.Loss, f.Function = g.alloc.inside().place(), g.alloc.inside().function()
	if g.lost.known() {
		run.Loss = g.lost.trace(lossText(g.loss))
		f.Loss, f.Function = run.Loss.Pos, g.lost.function()
		if g.state == event.Lost && g.loss.What != event.Call && g.loss.What != event.Dropped {
			f.Holder = g.loss.Holder
		}
	}
	if g.used.known() {
		run.Use = g.used.trace(useText(g.use))
		f.Steps = append(f.Steps, run.Use.Step)
		if g.state == event.Forgotten {
			f.Loss, f.Function = run.Use.Pos, g.used.function()
		}
	}
	if g.state == event.Lost && g.lost.known() {
		f.Steps = append(f.Steps, run.Loss.Step)
	}
	return f
}

// notes adds what is to be known of the run as a whole.
func (a *assembler) notes(rs []*event.Report) {
	add := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !slices.Contains(a.out.Notes, text) {
			a.out.Notes = append(a.out.Notes, text)
		}
	}
	for _, r := range rs {
		if len(r.Code) > 0 && !slices.ContainsFunc(r.Code, func(c event.Code) bool { return c.Instrumented }) {
			add("%s was not built by plumb: its leaks are found, but not where memory is lost; for that build it with plumb cc or plumb c++", r.Program)
		}
		for _, n := range r.Notes {
			add("%s: %s", r.Program, n)
		}
		if !r.Whole || r.Damaged > 0 {
			add("%s: the report of process %d is not whole: some of what it found may be missing", r.Program, r.PID)
		}
	}
}

// ending says how a process ended, or why it reported.
func ending(r *event.Report) string {
	switch {
	case r.Reason == 0:
		return "cut off"
	case r.Reason == event.Exit && r.Number < 0, r.Reason == event.Check, r.Reason == event.Abort:
		return r.Reason.String()
	}
	return fmt.Sprintf("%s %d", r.Reason, r.Number)
}
