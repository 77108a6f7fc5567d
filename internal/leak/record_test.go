package leak_test

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/leak"
	"github.com/plumb-project/plumb/internal/report"
)

// samePlaces makes sure that to tell all paths changes nothing else.
func samePlaces(t *testing.T, one, all []report.Finding) {
	t.Helper()
	places := func(fs []report.Finding) []string {
		var out []string
		for _, f := range fs {
			out = append(out, fmt.Sprintf("%s: %s from %s", f.Loss, f.Kind, f.Alloc))
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	if d := cmp.Diff(places(one), places(all)); d != "" {
		t.Errorf("with all paths: %s", d)
	}
}

// drawn makes sure that the use-flow graph of the first leak shows it.
func drawn(t *testing.T, p *ir.Program, fs []report.Finding) {
	t.Helper()
	for _, f := range fs {
		if !f.Kind.IsLeak() || f.Kind.Asked() {
			continue
		}
		want := leak.Watch{Line: f.Alloc.Line}
		if f.Steps[len(f.Steps)-1].Depth == 0 { // else it is lost in a callee
			want.Func = regexp.MustCompile("^" + regexp.QuoteMeta(f.Function) + "$")
		}
		var b bytes.Buffer
		if err := leak.PrintUseflow(context.Background(), &b, p, leak.Config{}, want, "text"); err != nil {
			t.Errorf("%s: %v", f.Loss, err)
		}
		if !bytes.Contains(b.Bytes(), []byte(f.Kind.String())) {
			t.Errorf("%s: %s is not in the graph:\n%s", f.Loss, f.Kind, &b)
		}
		return
	}
}
