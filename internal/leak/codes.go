// This file finds the numbers that functions return, through all that call one
// another: an error code that is handed up is one of those made below.

package leak

import (
	"slices"

	"github.com/plumb-project/plumb/internal/callgraph"
	"github.com/plumb-project/plumb/internal/ir"
)

// codes returns, by function, all that it can return as far as constants and the
// functions that it calls tell. In a cycle of calls that is the least that all its
// members agree on, which rounds of summaries, that begin with anything, do not find.
func codes(g *callgraph.Graph) []interval {
	p := g.Program
	all := make([]interval, len(p.Funcs))
	for i := range all {
		all[i] = everything
		if !p.Funcs[i].IsDecl() && p.Funcs[i].Result.Kind() == ir.Int {
			all[i] = nothing
		}
	}
	g.Components(func(_ int, members []ir.FuncID) {
		sources := make([]codeSource, len(members))
		for i, id := range members {
			if all[id] == nothing {
				sources[i] = returnedCodes(g, id)
			}
		}
		for changed := true; changed; {
			changed = false
			for i, id := range members {
				was := all[id]
				all[id] = sources[i].from(all, was)
				changed = changed || all[id] != was
			}
			changed = changed && len(members) > 1
		}
	})
	return all
}

// A codeSource is where what a function returns comes from.
type codeSource struct {
	known   interval // constants, or everything
	callees []ir.FuncID
}

// from returns what is returned if all functions return what is said of them, and
// what was known before.
func (s *codeSource) from(all []interval, was interval) interval {
	r := was.or(s.known)
	for _, c := range s.callees {
		r = r.or(all[c])
	}
	return r
}

// or is hull, for intervals that may be empty.
func (r interval) or(s interval) interval {
	switch {
	case r.empty():
		return s
	case s.empty():
		return r
	}
	return r.hull(s)
}

// returnedCodes finds where what a function returns comes from.
func returnedCodes(g *callgraph.Graph, id ir.FuncID) codeSource {
	f := &g.Program.Funcs[id]
	s := codeSource{known: nothing}
	var work []ir.ValueID
	for b := 1; b < len(f.Blocks); b++ {
		if t := f.Terminator(ir.BlockID(b)); f.Values[t].Op == ir.OpRet {
			work = append(work, f.ArgsOf(t)...)
		}
	}
	seen := map[ir.ValueID]bool{}
	for len(work) > 0 && s.known != everything {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		n, isConst := f.ConstInt(v)
		switch x := &f.Values[v]; {
		case isConst:
			s.known = s.known.or(point(n))
		case x.Op == ir.OpPhi:
			work = append(work, f.ArgsOf(v)...)
		case x.Op == ir.OpSelect:
			work = append(work, f.ArgsOf(v)[1:]...)
		case x.Op.IsCall():
			if targets := targetsOf(g, id, v); targets != nil {
				s.callees = append(s.callees, targets...)
				continue
			}
			s.known = everything
		default:
			s.known = everything
		}
	}
	return s
}

// targetsOf returns what call v of a function may lead to; nil when that is not known.
func targetsOf(g *callgraph.Graph, id ir.FuncID, v ir.ValueID) []ir.FuncID {
	calls := g.CallsOf(id)
	i, ok := slices.BinarySearchFunc(calls, v, func(c callgraph.Call, v ir.ValueID) int { return int(c.Site) - int(v) })
	switch {
	case !ok:
		return nil
	case calls[i].Callee != 0:
		return []ir.FuncID{calls[i].Callee}
	}
	return calls[i].Targets
}
