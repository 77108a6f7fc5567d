// This file counts blocks once that several processes have, because one forked the
// others.

package pinpoint

import (
	"github.com/plumb-project/plumb/internal/event"
	"github.com/plumb-project/plumb/internal/report"
)

// A tally is a number of blocks.
type tally struct{ blocks, bytes int64 }

func inherited(b *event.Block) tally {
	if !b.Inherited {
		return tally{}
	}
	return tally{b.Count, b.Bytes}
}

// inheritance takes out of each process what it has from an ancestor that reports
// the same: a block that was lost before a fork is lost in both. What a process
// inherits and loses by itself stays. found is by process.
func inheritance(ps []report.Process, found []map[string]*group) {
	byPID := map[int][]int{}
	for i, p := range ps {
		byPID[p.PID] = append(byPID[p.PID], i)
	}
	counts := make([]map[string]int64, len(found)) // as reported
	for i, groups := range found {
		counts[i] = map[string]int64{}
		for key, g := range groups {
			counts[i][key] = g.blocks
		}
	}
	for i, groups := range found {
		above := ancestors(ps, byPID, i)
		for key, g := range groups {
			if g.inherited.blocks == 0 {
				continue
			}
			most := int64(0)
			for _, p := range above {
				most = max(most, counts[p][key])
			}
			if g.leave(min(most, g.inherited.blocks)); g.blocks == 0 {
				delete(groups, key)
			}
		}
	}
}

// leave takes n inherited blocks out of a group; what they owned goes with the last.
func (g *group) leave(n int64) {
	if n == 0 {
		return
	}
	bytes := g.inherited.bytes
	if n < g.inherited.blocks {
		bytes = int64(float64(bytes) * float64(n) / float64(g.inherited.blocks))
	}
	g.blocks -= n
	g.bytes -= bytes
}

// maxForks ends chains of parents: a number may have been given out again.
const maxForks = 100

// ancestors returns the processes that process i descends from.
func ancestors(ps []report.Process, byPID map[int][]int, i int) []int {
	var out []int
	for pid, n := ps[i].Parent, 0; n < maxForks && len(byPID[pid]) > 0; n++ {
		out = append(out, byPID[pid]...)
		next := ps[byPID[pid][0]].Parent
		if next == pid {
			break
		}
		pid = next
	}
	return out
}
