// This file counts states, for those who ask: how many are kept apart at a point of
// the program.

package leak

import "github.com/plumb-project/plumb/internal/ir"

// A Histogram says how often each number was seen, by number.
type Histogram []int

func (h *Histogram) add(n, times int) {
	for len(*h) <= n {
		*h = append(*h, 0)
	}
	(*h)[n] += times
}

// N returns how many numbers were seen.
func (h Histogram) N() int {
	n := 0
	for _, times := range h {
		n += times
	}
	return n
}

// Mean returns the mean of the numbers.
func (h Histogram) Mean() float64 {
	sum := 0
	for n, times := range h {
		sum += n * times
	}
	return float64(sum) / float64(max(h.N(), 1))
}

// Quantile returns the number that a share q of the numbers does not exceed.
func (h Histogram) Quantile(q float64) int {
	left := q * float64(h.N())
	for n, times := range h {
		if left -= float64(times); left <= 0 {
			return n
		}
	}
	return h.Max()
}

// Max returns the largest number.
func (h Histogram) Max() int { return max(len(h)-1, 0) }

// Counts says how many there were at a point of the program where there were any:
// of pairs, which are what became of an object and what holds it, and of states,
// which are pairs with what is known of other values. An object counts once, with
// the walk in which such states are kept apart.
type Counts struct {
	Pairs, States           Histogram // of new objects
	GivenPairs, GivenStates Histogram // of objects that functions are given
	Walks                   Histogram // states of new objects, over all points
}

func (c *Counts) all() []*Histogram {
	return []*Histogram{&c.Pairs, &c.States, &c.GivenPairs, &c.GivenStates, &c.Walks}
}

func (c *Counts) add(d *Counts) {
	from := d.all()
	for i, to := range c.all() {
		for n, times := range *from[i] {
			if times > 0 {
				to.add(n, times)
			}
		}
	}
}

// A stop is a point where a state waits to go on.
type stop struct {
	block ir.BlockID
	at    ir.ValueID
}

// A tally is what was seen at one point.
type tally struct {
	states int
	pairs  map[string]bool
}

// count notes a new state.
func (w *walker) count(s *state) {
	if w.points == nil {
		w.points = map[stop]*tally{}
	}
	at := stop{s.block, s.at}
	t := w.points[at]
	if t == nil {
		t = &tally{pairs: map[string]bool{}}
		w.points[at] = t
	}
	t.states++
	t.pairs[string(s.pairKey(nil))] = true
}

// counted adds up the states of a walk that is over.
func (w *walker) counted() {
	c := w.fn.counts
	if c == nil {
		return
	}
	pairs, states := &c.Pairs, &c.States
	if w.given {
		pairs, states = &c.GivenPairs, &c.GivenStates
	}
	sum := 0
	for _, t := range w.points {
		pairs.add(len(t.pairs), 1)
		states.add(t.states, 1)
		sum += t.states
	}
	if !w.given {
		c.Walks.add(sum, 1)
	}
}
