// This file lets the user's tests decide about mends.

package driver

import (
	"context"
	"fmt"
	"io"

	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/trial"
)

// Test runs a command of the shell in a copy of the project with the mends in it, and
// gives up those with which it fails; their findings say so, and name a file with what
// the command printed. out hears it as well, unless it is nil. What is left is proved
// once more if it is less than before. An error means that the command says nothing of
// the mends: above all, that it fails without any.
func (f *Fixes) Test(ctx context.Context, command string, out io.Writer) error {
	var patches []*patch.Patch
	var which []int
	for i, m := range f.Mends {
		if !m.Patch.Empty() {
			patches = append(patches, m.Patch)
			which = append(which, i)
		}
	}
	cfg := &f.session.base.cfg
	res, err := trial.Run(ctx, trial.Config{Root: f.session.root, Dir: cfg.Dir, Command: command, Output: out, Note: cfg.note}, patches)
	if err != nil {
		return err
	}
	var left []*patch.Patch
	var kept, gone []int
	for k, i := range which {
		if res.Failed[k] != nil {
			f.drop(i, res.Failed[k].Error())
			continue
		}
		left = append(left, patches[k])
		kept = append(kept, i)
		gone = append(gone, f.Mends[i].Findings...)
	}
	if len(kept) == len(which) {
		return nil
	}
	f.Patch = nil
	if len(kept) == 0 {
		return nil
	}
	p, err := patch.Merge(left...)
	if err != nil {
		return err
	}
	if err := f.Prove(ctx, p, gone); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, i := range kept {
			f.drop(i, fmt.Sprintf("it holds only together with changes that the test fails with: %v", err))
		}
		return nil
	}
	f.Patch = p
	return nil
}

// drop gives a mend up.
func (f *Fixes) drop(i int, why string) {
	m := &f.Mends[i]
	m.Outcome, m.Reason, m.Text, m.Patch = report.NotFixed, why, "", nil
	for _, k := range m.Findings {
		f.Report.Findings[k].Fix = &report.Fix{Outcome: report.NotFixed, Reason: why}
	}
}
