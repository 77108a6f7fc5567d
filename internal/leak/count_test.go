package leak_test

import (
	"testing"

	"github.com/plumb-project/plumb/internal/leak"
)

func TestHistogram(t *testing.T) {
	h := leak.Histogram{0, 6, 3, 0, 1} // six times 1, three times 2, once 4
	if h.N() != 10 || h.Mean() != 1.6 || h.Max() != 4 {
		t.Errorf("n %d, mean %g, max %d", h.N(), h.Mean(), h.Max())
	}
	for _, c := range []struct {
		q    float64
		want int
	}{{0.5, 1}, {0.6, 1}, {0.61, 2}, {0.9, 2}, {0.99, 4}, {1, 4}} {
		if got := h.Quantile(c.q); got != c.want {
			t.Errorf("quantile %g is %d, want %d", c.q, got, c.want)
		}
	}
}

// Two conditions that are asked again make four states of an object where they
// are known; counting does not change what is found.
func TestCounts(t *testing.T) {
	p := parse(t, "many", []byte(many(2)))
	stats := leak.Stats{Counts: &leak.Counts{}}
	counted := find(t, p, leak.Config{Stats: &stats})
	if story(counted) != story(find(t, p, leak.Config{})) {
		t.Error("counting changes the findings")
	}
	c := stats.Counts
	if stats.Objects != 1 || c.States.N() != 1 || c.Pairs.Max() != 4 {
		t.Errorf("%d objects, %d counted, at most %d pairs", stats.Objects, c.States.N(), c.Pairs.Max())
	}
	if sum := c.Pairs.Mean() * float64(c.Pairs.N()); int(sum+0.5) != c.States.Max() {
		t.Errorf("%g pairs, %d states", sum, c.States.Max())
	}
}
