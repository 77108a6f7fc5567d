// This file finds calls after which the process ends, and not merely the function. What is called there need not
// come before its caller: an allocator that ends the process when there is no
// memory would otherwise form a cycle with all that its last words are made of.

package callgraph

import (
	"slices"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/model"
)

// An ender knows the functions that do not return.
type ender struct {
	g     *Graph
	never []bool // by FuncID
	leaps []bool // by FuncID: it may throw an exception, or make a long jump, and so may what it calls
	stack []ir.BlockID
	seen  []bool // by block
	ends  []bool // by block: all paths from it end the process
}

// findEnds marks the calls after which the process ends.
func (g *Graph) findEnds(models *model.Set) {
	p := g.Program
	e := &ender{g: g, never: make([]bool, len(p.Funcs)), leaps: make([]bool, len(p.Funcs))}
	callers := make([][]ir.FuncID, len(p.Funcs))
	for _, c := range g.Calls {
		for callee := range c.All() {
			callers[callee] = append(callers[callee], c.Caller)
		}
	}
	var work, leaps []ir.FuncID
	for i := 1; i < len(p.Funcs); i++ {
		f := &p.Funcs[i]
		e.never[i] = f.Flags&ir.NoReturn != 0
		if !f.IsDecl() {
			work = append(work, ir.FuncID(i))
			continue
		}
		if models == nil {
			continue
		}
		if m := models.Lookup(f.Name); m != nil {
			e.never[i] = e.never[i] || m.NoReturn
			if m.Throws {
				leaps = append(leaps, ir.FuncID(i))
			}
		}
	}
	for len(leaps) > 0 {
		f := leaps[len(leaps)-1]
		leaps = leaps[:len(leaps)-1]
		if !e.leaps[f] {
			e.leaps[f] = true
			leaps = append(leaps, callers[f]...)
		}
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		if !e.never[f] && e.neverReturns(f) {
			e.never[f] = true
			work = append(work, callers[f]...)
		}
	}
	for i := 1; i < len(p.Funcs); i++ {
		if !p.Funcs[i].IsDecl() {
			e.mark(ir.FuncID(i))
		}
	}
}

// stops reports whether a call in block b does not return. The calls are those of
// the function, in order.
func (e *ender) stops(f *ir.Func, b ir.BlockID, calls []Call) bool {
	first, end := f.Blocks[b].First, f.Blocks[b].End
	i, _ := slices.BinarySearchFunc(calls, first, func(c Call, v ir.ValueID) int { return int(c.Site) - int(v) })
	for ; i < len(calls) && calls[i].Site < end; i++ {
		c := &calls[i]
		if x := &f.Values[c.Site]; x.Op == ir.OpCall && (x.Sub&ir.CallNoReturn != 0 || e.noReturn(c)) {
			return true
		}
	}
	return false
}

func (e *ender) noReturn(c *Call) bool {
	if c.Callee != 0 {
		return e.never[c.Callee]
	}
	return len(c.Targets) > 0 && !slices.ContainsFunc(c.Targets, func(t ir.FuncID) bool { return !e.never[t] })
}

// neverReturns reports whether no return of the function can be reached.
func (e *ender) neverReturns(id ir.FuncID) bool {
	f := &e.g.Program.Funcs[id]
	calls := e.g.CallsOf(id)
	e.start(f)
	for len(e.stack) > 0 {
		b := e.stack[len(e.stack)-1]
		e.stack = e.stack[:len(e.stack)-1]
		if e.stops(f, b, calls) {
			continue
		}
		if op := f.Values[f.Terminator(b)].Op; op == ir.OpRet || op == ir.OpResume {
			return false
		}
		for _, s := range f.SuccsOf(b) {
			if !e.seen[s] {
				e.seen[s] = true
				e.stack = append(e.stack, s)
			}
		}
	}
	return true
}

// start begins a walk through the blocks of f.
func (e *ender) start(f *ir.Func) {
	e.seen = append(e.seen[:0], make([]bool, len(f.Blocks))...)
	e.seen[1] = true
	e.stack = append(e.stack[:0], 1)
}

// mark marks the calls of a function that are in blocks from which all paths end
// the process. A loop is taken to go on.
func (e *ender) mark(id ir.FuncID) {
	f := &e.g.Program.Funcs[id]
	calls := e.g.CallsOf(id)
	if len(calls) == 0 {
		return
	}
	e.ends = append(e.ends[:0], make([]bool, len(f.Blocks))...)
	for _, b := range e.postorder(f) {
		succs := f.SuccsOf(b)
		e.ends[b] = f.Values[f.Terminator(b)].Op == ir.OpUnreachable || e.stops(f, b, calls) ||
			len(succs) > 0 && !slices.ContainsFunc(succs, func(s ir.BlockID) bool { return !e.ends[s] })
	}
	for i := range calls {
		c := &calls[i]
		if !e.ends[f.BlockOf(c.Site)] {
			continue
		}
		last := true
		for t := range c.All() {
			last = last && !e.g.Program.Funcs[t].IsDecl() && !e.leaps[t]
		}
		c.Last, c.NoReturn, c.Doomed = last, e.noReturn(c), true
	}
}

// postorder lists the blocks that can be reached, successors first but for loops.
func (e *ender) postorder(f *ir.Func) []ir.BlockID {
	var out []ir.BlockID
	next := make([]int, len(f.Blocks))
	e.start(f)
	for len(e.stack) > 0 {
		b := e.stack[len(e.stack)-1]
		if succs := f.SuccsOf(b); next[b] < len(succs) {
			s := succs[next[b]]
			next[b]++
			if !e.seen[s] {
				e.seen[s] = true
				e.stack = append(e.stack, s)
			}
			continue
		}
		e.stack = e.stack[:len(e.stack)-1]
		out = append(out, b)
	}
	return out
}
