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
// are known, but one pair: all of them hold it in p. Counting does not change what
// is found.
func TestCounts(t *testing.T) {
	p := parse(t, "many", []byte(many(2)))
	stats := leak.Stats{Counts: &leak.Counts{}}
	counted := find(t, p, leak.Config{Stats: &stats})
	if story(counted) != story(find(t, p, leak.Config{})) {
		t.Error("counting changes the findings")
	}
	c := stats.Counts
	if stats.Objects != 1 || c.Walks.N() != 1 || c.States.Max() != 4 || c.Pairs.Max() != 1 {
		t.Errorf("%d objects, %d counted, at most %d states and %d pairs", stats.Objects, c.Walks.N(), c.States.Max(), c.Pairs.Max())
	}
	if sum := c.States.Mean() * float64(c.States.N()); int(sum+0.5) != c.Walks.Max() {
		t.Errorf("%g states at all points, %d in the walk", sum, c.Walks.Max())
	}
}

// Where a second variable holds the object on one of two paths, there are two
// pairs after them, and they stay two as long as it does.
func TestCountPairs(t *testing.T) {
	p := parse(t, "pairs", []byte(`program ptr64
func @malloc(%1) ptr external decl
func @f(%1: i1) void external {
  var #1 "p" "char *"
  var #2 "q" "char *"
b1:
  %p: ptr = call @malloc(i64 1)
  set p#1 = %p
  condbr %1, b2, b3
b2:
  set q#2 = %p
  br b3
b3:
  br b4
b4:
  ret
}
`))
	stats := leak.Stats{Counts: &leak.Counts{}}
	find(t, p, leak.Config{Stats: &stats})
	if c := stats.Counts; c.Pairs.Max() != 2 {
		t.Errorf("at most %d pairs, want 2: %v", c.Pairs.Max(), c.Pairs)
	}
}
