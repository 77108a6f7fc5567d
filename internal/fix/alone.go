// This file holds what else is asked about patches.

package fix

import (
	"context"
	"errors"
	"fmt"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/report"
)

// Prove shows that a patch which someone changed, or put together of several, mends
// these findings and breaks nothing: it compiles without new warnings, they are gone,
// nothing new is found, and each release that it puts in is right on every path. The
// error says what stands against it.
func Prove(ctx context.Context, w World, p *patch.Patch, gone []report.Finding) error {
	pl := newPlanner(ctx, w)
	for i := range gone {
		delete(pl.known, keyOf(&gone[i]))
	}
	t := &trial{p: pl, patch: p}
	var err error
	if t.view, err = w.Look(ctx, p); err != nil {
		return err
	}
	if t.judge(); t.loose != "" { // with no candidates, all is
		return errors.New(t.loose)
	}
	view := t.view.Leak.View()
	for _, a := range addedCalls(t.view.Program, p) {
		if len(view.Released(a.fn, a.call)) == 0 {
			continue
		}
		if err := t.check(a.fn, a.call); err != nil {
			return fmt.Errorf("%s in line %d is not safe: %w", a.name, t.view.Leak.Position(a.fn, a.call).Line, err)
		}
	}
	return nil
}

// newPlanner prepares what is asked of the program as it is.
func newPlanner(ctx context.Context, w World) *planner {
	p := &planner{ctx: ctx, w: w, base: w.Base(), known: map[finding]int{}, trees: map[ir.FuncID]*tree{}}
	for i := range p.base.Findings {
		p.known[keyOf(&p.base.Findings[i])]++
	}
	return p
}
