package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/source"
)

func TestMerge(t *testing.T) {
	at := func(line int) source.Position { return source.Position{File: "/src/a.h", Line: line, Col: 1} }
	one := Finding{Kind: LeakLost, Alloc: at(3), Loss: at(5), Function: "f", Holder: "p", Allocator: "malloc"}
	other := one
	other.Alloc = at(2)
	again := one
	again.Steps = []Step{{Pos: at(4), Text: "seen in another unit"}}
	elsewhere := one
	elsewhere.Loss = at(9)
	inside := elsewhere
	inside.Steps = []Step{{Pos: at(3), Text: "allocated by get"}, {Pos: at(1), Text: "get calls malloc", Depth: 1}}
	for _, test := range []struct {
		level Level
		want  string
	}{
		{EveryPath, "2-5 3-5 3-5(1) 3-9 3-9(2)"},
		{EachLoss, "2-5 3-5 3-9"},
		{0, "2-5 3-5 3-9"},
		{EachAllocation, "2-5 3-5+9 3-9(2)"},
	} {
		got := ""
		for _, f := range Merge([]Finding{inside, one, other, again, one, elsewhere}, test.level) {
			got += fmt.Sprintf(" %d-%d", f.Alloc.Line, f.Loss.Line)
			for _, a := range f.Also {
				got += fmt.Sprintf("+%d", a.Pos.Line)
			}
			if n := len(f.Steps); n > 0 {
				got += fmt.Sprintf("(%d)", n)
			}
		}
		if got[1:] != test.want {
			t.Errorf("level %d: %s, want %s", test.level, got[1:], test.want)
		}
	}
	for n := -1; n <= 3; n++ {
		if l, err := ParseLevel(n); (err == nil) != (n >= 0 && n <= 2) || err == nil && l != Level(n+1) {
			t.Errorf("level %d: %d, %v", n, l, err)
		}
	}
}

// A finding is left out if it is not sure enough, and is counted unless a surer one
// tells the same.
func TestSelect(t *testing.T) {
	at := func(line int) source.Position { return source.Position{File: "/src/a.c", Line: line, Col: 1} }
	finding := func(loss int, c Confidence) Finding {
		return Finding{Kind: LeakLost, Alloc: at(1), Loss: at(loss), Function: "f", Allocator: "malloc", Confidence: c}
	}
	fs := []Finding{finding(5, Latent), finding(5, Possible), finding(5, Certain), finding(7, Latent), finding(7, Latent), finding(9, Possible)}
	for _, test := range []struct {
		level Level
		low   Confidence
		want  string
		left  int
	}{
		{EachLoss, Certain, "5-certain", 2},
		{EachLoss, Possible, "5-certain 9-possible", 1},
		{EachLoss, 0, "5-certain 9-possible", 1},
		{EachLoss, Latent, "5-certain 7-latent 9-possible", 0},
		{EveryPath, Latent, "5-certain 7-latent 9-possible", 0},
		{EachAllocation, Certain, "5-certain", 0},
	} {
		kept, left := Select(slices.Clone(fs), test.level, test.low)
		var got []string
		for _, f := range kept {
			got = append(got, fmt.Sprintf("%d-%s", f.Loss.Line, f.Confidence))
		}
		if s := strings.Join(got, " "); s != test.want || left != test.left {
			t.Errorf("level %d, %d: %s and %d left out, want %s and %d", test.level, test.low, s, left, test.want, test.left)
		}
	}
	for _, c := range Confidences {
		if got, err := ParseConfidence(c.String()); err != nil || got != c || c.Meaning() == "" {
			t.Errorf("%s: %v, %v", c, got, err)
		}
	}
	if _, err := ParseConfidence("sure"); err == nil {
		t.Error("sure is a confidence")
	}
	seen := map[string]bool{}
	for _, r := range Reasons {
		if seen[r.String()] || r.Meaning() == "" {
			t.Errorf("reason %d: %s, %s", r, r, r.Meaning())
		}
		seen[r.String()] = true
	}
}
