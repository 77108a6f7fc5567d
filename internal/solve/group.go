// This file splits the conditions of a path into groups that share nothing.

package solve

import "github.com/plumb-project/plumb/internal/cond"

// groups returns the conditions of path, each once, in groups that share no variable.
// Groups and what is in them are in the order of the path. Applications of one function
// hang together: their arguments may be equal.
//
// Two groups may still have something to say to each other, if each binds the address
// of an object to a number. Nothing does that.
func groups(p *cond.Pool, path []cond.Term) [][]cond.Term {
	var (
		parent []int                  // of conditions: which group they are in
		owner  = map[any]int{}        // a condition with this leaf or function
		seen   = map[cond.Term]bool{} // conditions
		kept   []cond.Term
	)
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	join := func(i int, key any) {
		if j, ok := owner[key]; ok {
			a, b := find(i), find(j)
			parent[max(a, b)] = min(a, b) // the oldest stands for all
			return
		}
		owner[key] = i
	}
	for _, t := range path {
		if v, ok := p.ConstValue(t); seen[t] || ok && v == 1 {
			continue
		}
		seen[t] = true
		i := len(kept)
		kept = append(kept, t)
		parent = append(parent, i)
		for _, leaf := range p.Vars(t) {
			join(i, leaf)
			if p.Kind(leaf) == cond.Application {
				join(i, p.Name(leaf))
			}
		}
	}
	var out [][]cond.Term
	at := map[int]int{}
	for i, t := range kept {
		root := find(i)
		k, ok := at[root]
		if !ok {
			k = len(out)
			at[root] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], t)
	}
	return out
}
