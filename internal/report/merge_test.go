package report

import (
	"fmt"
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
