// This file finds warnings of the compiler that a patch brings.

package driver

import (
	"context"
	"fmt"
	"slices"

	"github.com/plumb-project/plumb/internal/capture"
	"github.com/plumb-project/plumb/internal/patch"
	"golang.org/x/sync/errgroup"
)

// warnings lists those that units have with a patch and not without it, at their
// positions in the original.
func (s *Session) warnings(ctx context.Context, p *patch.Patch, units []int, over map[string][]byte) ([]string, error) {
	found := make([][]string, len(units))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, s.base.cfg.Jobs))
	for k, i := range units {
		g.Go(func() error {
			before, err := s.base.captured.Warnings(ctx, i, nil)
			if err != nil {
				return err
			}
			after, err := s.base.captured.Warnings(ctx, i, over)
			found[k] = newWarnings(p, before, after)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var out []string
	for _, w := range slices.Concat(found...) {
		if !slices.Contains(out, w) { // a header may be in several units
			out = append(out, w)
		}
	}
	return out, nil
}

// newWarnings lists those of after that are not in before. Each one of before stands
// for one of after with the same text, for one in text of the patch last: a patch may
// move what clang warns of.
func newWarnings(p *patch.Patch, before, after []capture.Warning) []string {
	type key struct{ file, text string }
	known := map[key]int{}
	for _, w := range before {
		known[key{w.File, w.Text}]++
	}
	added := func(w capture.Warning) bool { return p.Added(w.File, w.Line, w.Col) }
	fresh := make([]bool, len(after))
	for _, second := range []bool{false, true} {
		for i, w := range after {
			if added(w) != second {
				continue
			}
			k := key{w.File, w.Text}
			fresh[i] = known[k] == 0
			known[k] = max(0, known[k]-1)
		}
	}
	var out []string
	for i, w := range after {
		if fresh[i] {
			line, col := p.Old(w.File, w.Line, w.Col)
			out = append(out, fmt.Sprintf("%s:%d:%d: %s", w.File, line, col, w.Text))
		}
	}
	return out
}
