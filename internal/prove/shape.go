// This file holds what is computed of a function once: its loops, what is live, what
// its branches depend on.

package prove

import (
	"slices"

	"github.com/plumb-project/plumb/internal/graph"
	"github.com/plumb-project/plumb/internal/ir"
)

// A shape is what is computed of a function once.
type shape struct {
	rpo   []uint32              // by block
	idom  []ir.BlockID          // by block: the last that comes before it on every path; 0 for the first
	first []ir.ValueID          // by block: the first instruction that is no phi
	loops map[ir.BlockID][]bool // by head: the blocks of the loop
	tells []bool                // by value: a branch, or what is returned, is computed from it
	live  [][]ir.ValueID        // by block: values that are used in it or later, and the phis of it
}

func (m *machine) shape(f *ir.Func) *shape {
	if s := m.shapes[f]; s != nil {
		return s
	}
	s := &shape{rpo: make([]uint32, len(f.Blocks)), first: make([]ir.ValueID, len(f.Blocks)), loops: map[ir.BlockID][]bool{}, tells: make([]bool, len(f.Values))}
	var edges []graph.Edge
	for b := ir.BlockID(1); int(b) < len(f.Blocks); b++ {
		for _, t := range f.SuccsOf(b) {
			edges = append(edges, graph.Edge{From: uint32(b), To: uint32(t)})
		}
		v := f.Blocks[b].First
		for f.Values[v].Op == ir.OpPhi {
			v++
		}
		s.first[b] = v
	}
	var cfg, pred graph.CSR
	var dom graph.Dom
	cfg.Build(len(f.Blocks), edges)
	cfg.Reverse(&pred)
	dom.Build(&cfg, &pred, 1)
	s.idom = make([]ir.BlockID, len(f.Blocks))
	for i, b := range dom.RPO {
		s.rpo[b] = uint32(i)
		if d := dom.Idom[b]; d != ^uint32(0) {
			s.idom[b] = ir.BlockID(d)
		}
	}
	for _, e := range edges {
		if s.rpo[e.To] > s.rpo[e.From] {
			continue
		}
		body := s.loops[ir.BlockID(e.To)]
		if body == nil {
			body = make([]bool, len(f.Blocks))
			body[e.To] = true
			s.loops[ir.BlockID(e.To)] = body
		}
		for work := []uint32{e.From}; len(work) > 0; {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if !body[b] {
				body[b] = true
				work = append(work, pred.Succs(b)...)
			}
		}
	}
	s.findTells(f)
	m.shapes[f] = s
	s.findLive(f)
	return s
}

// findTells finds the values that branches and results are computed from.
func (s *shape) findTells(f *ir.Func) {
	var work []ir.ValueID
	add := func(v ir.ValueID) {
		if !s.tells[v] {
			s.tells[v] = true
			work = append(work, v)
		}
	}
	for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
		switch args := f.ArgsOf(v); f.Values[v].Op {
		case ir.OpCondBr, ir.OpSwitch, ir.OpRet:
			if len(args) > 0 {
				add(args[0])
			}
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if op := f.Values[v].Op; op >= ir.OpAdd && op <= ir.OpPhi || op == ir.OpExtractValue {
			for _, a := range f.ArgsOf(v) {
				add(a)
			}
		}
	}
}

// findLive finds the values that are live at the start of each block, its phis
// included.
func (s *shape) findLive(f *ir.Func) {
	n := len(f.Values)/64 + 1
	in := make([][]uint64, len(f.Blocks))
	has := func(set []uint64, v ir.ValueID) bool { return set[v/64]&(1<<(v%64)) != 0 }
	add := func(set []uint64, v ir.ValueID) { set[v/64] |= 1 << (v % 64) }
	for b := range in {
		in[b] = make([]uint64, n)
	}
	order := make([]ir.BlockID, 0, len(f.Blocks))
	for b := ir.BlockID(1); int(b) < len(f.Blocks); b++ {
		order = append(order, b)
	}
	slices.SortFunc(order, func(a, b ir.BlockID) int { return int(s.rpo[b]) - int(s.rpo[a]) })
	set := make([]uint64, n)
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			clear(set)
			for _, t := range f.SuccsOf(b) {
				for i, w := range in[t] {
					set[i] |= w
				}
				for v := f.Blocks[t].First; v < s.first[t]; v++ {
					set[v/64] &^= 1 << (v % 64)
				}
				for v := f.Blocks[t].First; v < s.first[t]; v++ {
					for k, p := range f.PredsOf(t) {
						if p == b {
							add(set, f.ArgsOf(v)[k])
						}
					}
				}
			}
			for v := f.Blocks[b].End; v > s.first[b]; v-- {
				set[(v-1)/64] &^= 1 << ((v - 1) % 64)
				for _, a := range f.ArgsOf(v - 1) {
					add(set, a)
				}
			}
			if !slices.Equal(set, in[b]) {
				copy(in[b], set)
				changed = true
			}
		}
	}
	s.live = make([][]ir.ValueID, len(f.Blocks))
	for b := range in {
		for v := ir.ValueID(1); int(v) < len(f.Values); v++ {
			if has(in[b], v) && !f.Values[v].Op.IsConst() {
				s.live[b] = append(s.live[b], v)
			}
		}
	}
}

func (m *machine) liveAt(f *ir.Func, b ir.BlockID) []ir.ValueID { return m.shape(f).live[b] }
