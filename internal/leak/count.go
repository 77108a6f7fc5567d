// This file counts states, for those who ask: how many pairs of what an object is
// and what holds it are kept apart at a point of the program.

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

// Counts says how many states there were. Each walk of an object counts once.
type Counts struct {
	Pairs  Histogram // of new objects, at each point where there are any
	States Histogram // of new objects, over all points
	Given  Histogram // as Pairs, of objects that functions are given
}

func (c *Counts) add(d *Counts) {
	for _, x := range []struct{ to, from *Histogram }{{&c.Pairs, &d.Pairs}, {&c.States, &d.States}, {&c.Given, &d.Given}} {
		for n, times := range *x.from {
			if times > 0 {
				x.to.add(n, times)
			}
		}
	}
}

// A stop is a point where a state waits to go on.
type stop struct {
	block ir.BlockID
	at    ir.ValueID
}

// count notes a new state.
func (w *walker) count(s *state) {
	if w.points == nil {
		w.points = map[stop]int{}
	}
	w.points[stop{s.block, s.at}]++
}

// counted adds up the states of a walk that is over.
func (w *walker) counted() {
	c := w.fn.counts
	if c == nil {
		return
	}
	pairs, states := &c.Pairs, 0
	if w.given {
		pairs = &c.Given
	}
	for _, n := range w.points {
		pairs.add(n, 1)
		states += n
	}
	if !w.given {
		c.States.add(states, 1)
	}
}
