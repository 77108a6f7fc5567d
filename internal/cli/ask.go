// This file asks about each change: plumb fix --interactive.

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/fix"
	"github.com/plumb-project/plumb/internal/patch"
	"github.com/plumb-project/plumb/internal/render"
	"github.com/plumb-project/plumb/internal/report"
)

// A dialog asks the user about changes.
type dialog struct {
	in   *lines
	out  io.Writer
	rep  *report.Report
	form render.Config
	dir  string // that names in diffs are relative to

	read  func(string) ([]byte, error)                     // what a file held when it was checked
	prove func(context.Context, *patch.Patch, []int) error // nil if the change holds, and mends these findings
	edit  func(context.Context, []byte) ([]byte, error)

	taken    []*patch.Patch
	changed  bool // some of them were edited
	insisted bool // some of those are known not to hold
}

const askHelp = `y  yes, take this change
n  no, leave this one out
a  take this one and all that follow
e  edit the patch; it is proved again
q  quit: leave out this one and all that follow
?  this help
`

// errQuit says that the user wants to see no more.
var errQuit = errors.New("quit")

// run asks about each mend and returns what was taken, in one patch.
func (d *dialog) run(ctx context.Context, res *fix.Result) (*patch.Patch, error) {
	var mends []*fix.Mend
	for i := range res.Mends {
		if !res.Mends[i].Patch.Empty() {
			mends = append(mends, &res.Mends[i])
		}
	}
	declined := map[string]bool{} // changes, by what they do
	all, quit := false, false
	for i, m := range mends {
		change := fmt.Sprint(m.Patch.Edits())
		p := m.Patch
		if !quit && !all && !declined[change] && !d.made(p) {
			fmt.Fprintf(d.out, "\n%s\n", d.bold(fmt.Sprintf("Change %d of %d", i+1, len(mends))))
			var err error
			p, all, err = d.about(ctx, m)
			if quit = errors.Is(err, errQuit); err != nil && !quit {
				return nil, err
			}
		}
		if quit || p == nil || declined[change] {
			declined[change] = true
			d.decline(m)
			continue
		}
		d.taken = append(d.taken, p)
		d.changed = d.changed || p != m.Patch
	}
	if len(d.taken) == len(mends) && !d.changed {
		return res.Patch, nil
	}
	return d.together(ctx, mends)
}

// made reports whether what was taken makes a change already: several objects may
// need the same release.
func (d *dialog) made(p *patch.Patch) bool {
	var edits []patch.Edit
	for _, t := range d.taken {
		edits = append(edits, t.Edits()...)
	}
	return !slices.ContainsFunc(p.Edits(), func(e patch.Edit) bool { return !slices.Contains(edits, e) })
}

// together joins what was taken. It was proved together with what was not: so it is
// proved once more.
func (d *dialog) together(ctx context.Context, mends []*fix.Mend) (*patch.Patch, error) {
	p, err := d.merge(d.taken, d.changed)
	if err != nil || p.Empty() || d.insisted {
		return p, err
	}
	var mended []int
	for i := range d.rep.Findings {
		if f := d.rep.Findings[i].Fix; f != nil && f.Outcome != report.NotFixed {
			mended = append(mended, i)
		}
	}
	if err := d.prove(ctx, p, mended); ctx.Err() != nil {
		return nil, ctx.Err()
	} else if err != nil {
		fmt.Fprintf(d.out, "What was taken is not proved together, without the rest: %v\n", err)
		ok, err := d.confirm(ctx, "Take it all the same?")
		if err != nil {
			return nil, err
		}
		if !ok {
			for _, m := range mends {
				d.decline(m)
			}
			return nil, nil
		}
	}
	return p, nil
}

// merge joins patches. One that was edited has whole lines as edits: the others then
// need them too, so that what they have in common is made once.
func (d *dialog) merge(ps []*patch.Patch, edited bool) (*patch.Patch, error) {
	if edited {
		var whole []*patch.Patch
		for _, p := range ps {
			text, err := d.diff(p)
			if err != nil {
				return nil, err
			}
			if p, err = patch.Parse(text, d.dir, d.read); err != nil {
				return nil, err
			}
			whole = append(whole, p)
		}
		if p, err := patch.Merge(whole...); err == nil {
			return p, nil
		}
	}
	return patch.Merge(ps...)
}

// about shows a change and asks about it. It returns the change to make, nil for none.
func (d *dialog) about(ctx context.Context, m *fix.Mend) (p *patch.Patch, all bool, err error) {
	if err := render.FindingsTogether(d.out, d.rep, m.Findings, d.form); err != nil {
		return nil, false, err
	}
	if err := d.show(m.Patch); err != nil {
		return nil, false, err
	}
	for {
		answer, err := d.question(ctx, "Take this change [y,n,a,e,q,?]?", "y")
		if err != nil {
			return nil, false, err
		}
		switch answer {
		case "y", "yes":
			return m.Patch, false, nil
		case "n", "no":
			return nil, false, nil
		case "a", "all":
			return m.Patch, true, nil
		case "q", "quit":
			return nil, false, errQuit
		case "e", "edit":
			if p, err := d.edited(ctx, m); err != nil || p != nil {
				return p, false, err
			}
		default:
			io.WriteString(d.out, askHelp)
		}
	}
}

// edited lets the user edit a change until it applies, and proves it. It returns nil
// if the user wants to be asked again.
func (d *dialog) edited(ctx context.Context, m *fix.Mend) (*patch.Patch, error) {
	old, added, err := d.split(m.Patch)
	if err != nil {
		return nil, err
	}
	was, err := d.diff(old)
	if err != nil {
		return nil, err
	}
	text := was
	for {
		if text, err = d.edit(ctx, text); ctx.Err() != nil {
			return nil, ctx.Err()
		} else if err != nil {
			fmt.Fprintf(d.out, "The editor failed: %v\n", err)
			return nil, nil
		}
		p, err := patch.Parse(text, d.dir, d.read)
		if err == nil && p.Empty() {
			fmt.Fprintln(d.out, "Nothing is left of the patch.")
			return nil, nil
		}
		if err == nil {
			if now, err := d.diff(p); err != nil || bytes.Equal(now, was) {
				return m.Patch, err
			}
			if p, err = patch.Merge(p, added); err != nil {
				return nil, err
			}
			if _, err = d.merge(append(d.taken[:len(d.taken):len(d.taken)], p), true); err == nil {
				return d.proved(ctx, m, p)
			}
		}
		fmt.Fprintf(d.out, "The patch does not apply: %v\n", err)
		if again, err := d.confirm(ctx, "Edit it again?"); err != nil || !again {
			return nil, err
		}
	}
}

// proved proves an edited change, and asks about one that is not.
func (d *dialog) proved(ctx context.Context, m *fix.Mend, p *patch.Patch) (*patch.Patch, error) {
	fmt.Fprintln(d.out, "Proving it...")
	err := d.prove(ctx, p, m.Findings)
	how := "edited by hand, proved"
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil:
		fmt.Fprintln(d.out, "It holds: the program with it compiles, the leak is gone, nothing new is there.")
	default:
		fmt.Fprintf(d.out, "It is not proved: %v\n", err)
		if ok, err := d.confirm(ctx, "Take it all the same?"); err != nil || !ok {
			return nil, err
		}
		how = "edited by hand, not proved"
		d.insisted = true
	}
	for _, i := range m.Findings {
		f := *d.rep.Findings[i].Fix
		f.Text, f.Changes = how, fix.Changes(p)
		d.rep.Findings[i].Fix = &f
	}
	return p, nil
}

// decline notes that the user did not want a change.
func (d *dialog) decline(m *fix.Mend) {
	for _, i := range m.Findings {
		d.rep.Findings[i].Fix = &report.Fix{Outcome: report.NotFixed, Reason: "the change was declined: " + m.Text}
	}
}

func (d *dialog) diff(p *patch.Patch) ([]byte, error) {
	var b bytes.Buffer
	err := p.Diff(&b, d.dir)
	return b.Bytes(), err
}

func (d *dialog) show(p *patch.Patch) error {
	old, added, err := d.split(p)
	if err != nil {
		return err
	}
	text, err := d.diff(old)
	if err != nil {
		return err
	}
	if err := render.Diff(d.out, text, d.form.Color); err != nil {
		return err
	}
	for _, name := range added.Files() {
		fmt.Fprintf(d.out, "and %s is added: %s\n", render.Path(d.form.Dir, name), report.Count(int64(bytes.Count(added.Overlay()[name], []byte("\n"))), "line"))
	}
	return nil
}

// split takes a patch apart: into what is done to files that are there, and what adds
// files. Nobody wants to read or edit the header of guarded fixes with each of them.
func (d *dialog) split(p *patch.Patch) (old, added *patch.Patch, err error) {
	var there, missing []patch.Edit
	for _, e := range p.Edits() {
		if _, ok := p.Hash(e.File); ok {
			there = append(there, e)
		} else {
			missing = append(missing, e)
		}
	}
	if old, err = patch.New(there, d.read); err != nil {
		return nil, nil, err
	}
	added, err = patch.New(missing, func(string) ([]byte, error) { return nil, fs.ErrNotExist })
	return old, added, err
}

func (d *dialog) bold(s string) string {
	if d.form.Color {
		return "\x1b[1m" + s + "\x1b[0m"
	}
	return s
}

// confirm asks a question that is answered by yes or no; no is what is taken for
// anything else.
func (d *dialog) confirm(ctx context.Context, question string) (bool, error) {
	answer, err := d.question(ctx, question+" [y,n]", "n")
	if errors.Is(err, errQuit) {
		return false, nil
	}
	return answer == "y" || answer == "yes", err
}

// question asks, and returns the answer in small letters; an empty line is the answer
// fallback, the end of input errQuit.
func (d *dialog) question(ctx context.Context, text, fallback string) (string, error) {
	fmt.Fprintf(d.out, "%s (%s) ", d.bold(text), fallback)
	line, err := d.in.next(ctx)
	if err == io.EOF {
		fmt.Fprintln(d.out)
		return "", errQuit
	}
	if err != nil {
		return "", err
	}
	if line = strings.ToLower(strings.TrimSpace(line)); line == "" {
		line = fallback
	}
	return line, nil
}
