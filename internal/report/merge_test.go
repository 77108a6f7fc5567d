package report

import (
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
	got := Merge([]Finding{one, other, again})
	if len(got) != 2 || got[0].Alloc.Line != 2 || got[1].Alloc.Line != 3 || got[1].Steps != nil {
		t.Errorf("merged to %+v", got)
	}
}
