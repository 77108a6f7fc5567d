// This file finds the calls that patches put into a program.

package fix

import (
	"bytes"

	"github.com/plumb-project/plumb/internal/ir"
	"github.com/plumb-project/plumb/internal/patch"
)

// An added is a call in text that a patch put in.
type added struct {
	fn   ir.FuncID
	call ir.ValueID
	edit patch.Edit // the edit that put it in
	name string     // of the callee
}

// addedCalls lists the calls of a program in the text that a patch put in.
func addedCalls(prog *ir.Program, p *patch.Patch) []added {
	texts := map[string]*newText{}
	for name, text := range p.Overlay() {
		texts[name] = newTextOf(text, name, p)
	}
	var out []added
	for id := ir.FuncID(1); int(id) < len(prog.Funcs); id++ {
		f := &prog.Funcs[id]
		if f.IsDecl() || texts[prog.Files[f.File]] == nil {
			continue
		}
		for v := f.Blocks[1].First; int(v) < len(f.Values); v++ {
			l := f.Values[v].Loc
			if !f.Values[v].Op.IsCall() || l == 0 {
				continue
			}
			t := texts[prog.Files[f.FileOf(l)]]
			if t == nil {
				continue
			}
			e, ok := t.at(int(f.Locs[l].Line), int(f.Locs[l].Col))
			if !ok {
				continue
			}
			a := added{fn: id, call: v, edit: e}
			if c := f.Callee(v); c != 0 {
				a.name = prog.Funcs[c].SourceName()
			}
			out = append(out, a)
		}
	}
	return out
}

// A newText knows which edit each piece of a patched file comes from.
type newText struct {
	lines []int // where they begin
	edits []patch.Edit
	begin []int // where the new text of each edit is
}

func newTextOf(text []byte, name string, p *patch.Patch) *newText {
	t := &newText{lines: []int{0}}
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
		t.lines = append(t.lines, at)
	}
	shift := 0
	for _, e := range p.Edits() {
		if e.File == name {
			t.edits, t.begin = append(t.edits, e), append(t.begin, e.Start+shift)
			shift += len(e.New) - (e.End - e.Start)
		}
	}
	return t
}

// at returns the edit that put in what is at a position.
func (t *newText) at(line, col int) (patch.Edit, bool) {
	if line < 1 || line > len(t.lines) {
		return patch.Edit{}, false
	}
	off := t.lines[line-1] + max(col-1, 0)
	for i, e := range t.edits {
		if t.begin[i] <= off && off < t.begin[i]+len(e.New) {
			return e, true
		}
	}
	return patch.Edit{}, false
}
