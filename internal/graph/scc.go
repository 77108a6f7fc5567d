// This file finds strongly connected components.

package graph

// An SCC is the partition of a graph into strongly connected components.
//
// Components are numbered bottom up: every edge between two components leads
// to the one with the smaller number.
type SCC struct {
	Comp    []uint32 // by node: its component
	Members CSR      // by component: its nodes, in ascending order

	num, low, next []uint32
	stack, path    []uint32
}

// N returns the number of components.
func (s *SCC) N() int { return s.Members.N() }

// Build partitions g by Tarjan's algorithm.
func (s *SCC) Build(g *CSR) {
	n := g.N()
	s.Comp, s.num = filled(s.Comp, n), filled(s.num, n)
	s.low, s.next = sized(s.low, n), sized(s.next, n)
	count, comps := uint32(0), uint32(0)
	for root := range uint32(n) {
		if s.num[root] == None {
			s.walk(g, root, &count, &comps)
		}
	}
	s.members(int(comps))
}

// walk finds the components of what root reaches and was not seen before.
func (s *SCC) walk(g *CSR, root uint32, count, comps *uint32) {
	enter := func(v uint32) {
		s.num[v], s.low[v] = *count, *count
		*count++
		s.next[v] = g.Off[v]
		s.stack = append(s.stack, v)
		s.path = append(s.path, v)
	}
	enter(root)
	for len(s.path) > 0 {
		v := s.path[len(s.path)-1]
		if s.next[v] < g.Off[v+1] {
			w := g.To[s.next[v]]
			s.next[v]++
			switch {
			case s.num[w] == None:
				enter(w)
			case s.Comp[w] == None: // still on the stack
				s.low[v] = min(s.low[v], s.num[w])
			}
			continue
		}
		s.path = s.path[:len(s.path)-1]
		if len(s.path) > 0 {
			p := s.path[len(s.path)-1]
			s.low[p] = min(s.low[p], s.low[v])
		}
		if s.low[v] != s.num[v] {
			continue
		}
		for {
			w := s.stack[len(s.stack)-1]
			s.stack = s.stack[:len(s.stack)-1]
			s.Comp[w] = *comps
			if w == v {
				break
			}
		}
		*comps++
	}
}

// members lists the nodes of each component.
func (s *SCC) members(comps int) {
	m := &s.Members
	m.Off = zeroed(m.Off, comps+1)
	m.To = sized(m.To, len(s.Comp))
	for _, c := range s.Comp {
		m.Off[c+1]++
	}
	for c := range comps {
		m.Off[c+1] += m.Off[c]
	}
	for v, c := range s.Comp {
		m.To[m.Off[c]] = uint32(v)
		m.Off[c]++
	}
	m.unshift()
}
