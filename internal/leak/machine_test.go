package leak

import (
	"testing"

	"github.com/plumb-project/plumb/internal/report"
)

// Every kind of finding is a transition, and no event has two answers.
func TestMachine(t *testing.T) {
	kinds := map[report.Kind]bool{}
	seen := map[[2]uint8]bool{}
	for _, x := range machine {
		kinds[x.kind] = true
		k := [2]uint8{uint8(x.from), uint8(x.on)}
		if seen[k] {
			t.Errorf("phase %d has two transitions on event %d", x.from, x.on)
		}
		seen[k] = true
		if to, kind := x.from.next(x.on); to != x.to || kind != x.kind {
			t.Errorf("next(%d, %d) = %d, %v", x.from, x.on, to, kind)
		}
	}
	for _, k := range report.Kinds {
		if !kinds[k] && k != report.StillHeld { // that only runs tell of
			t.Errorf("the machine has no %s", k)
		}
	}
	if to, kind := live.next(used); to != live || kind != 0 {
		t.Error("using what is there changes it")
	}
}
