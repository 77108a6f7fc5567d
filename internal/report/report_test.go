package report

import (
	"strings"
	"testing"

	"github.com/plumb-project/plumb/internal/source"
)

func TestMessage(t *testing.T) {
	for _, test := range []struct {
		f    Finding
		want string
	}{
		{Finding{Kind: LeakForgotten, Allocator: "malloc", Holder: "buf"}, "memory allocated by malloc and held by 'buf' is forgotten here"},
		{Finding{Kind: LeakLost, Allocator: "strdup"}, "memory allocated by strdup is lost here"},
		{Finding{Kind: LeakLost, Holder: "cfg->name", Confidence: Possible}, "memory held by 'cfg->name' may be lost here"},
		{Finding{Kind: LeakLost, Holder: "p", Confidence: Latent}, "memory held by 'p' would be lost here"},
		{Finding{Kind: DoubleFree}, "memory is released twice here"},
	} {
		if got := test.f.Message(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestKinds(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Kinds {
		if seen[k.Rule()] || !strings.HasPrefix(k.Rule(), "plumb-") || k.CWE() == 0 || k.Title() == "" {
			t.Errorf("kind %d: rule %q, CWE %d, title %q", k, k.Rule(), k.CWE(), k.Title())
		}
		seen[k.Rule()] = true
		if leak := strings.Contains(k.Rule(), "leak"); leak != k.IsLeak() {
			t.Errorf("%s: IsLeak is %v", k, k.IsLeak())
		}
	}
}

func TestSort(t *testing.T) {
	at := func(line int) source.Position { return source.Position{File: "a.c", Line: line, Col: 1} }
	fs := []Finding{
		{Kind: LeakLost, Loss: at(9), Alloc: at(2), Holder: "q"},
		{Kind: LeakLost, Loss: at(9), Alloc: at(2), Holder: "p"},
		{Kind: LeakLost, Loss: at(3), Alloc: at(2), Holder: "r"},
		{Kind: LeakLost, Loss: at(9), Alloc: at(1), Holder: "s"},
	}
	Sort(fs)
	got := ""
	for _, f := range fs {
		got += f.Holder
	}
	if got != "rspq" {
		t.Errorf("order %s, want rspq", got)
	}
}
