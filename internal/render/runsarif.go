// This file writes what runs saw as SARIF.

package render

import (
	"github.com/plumb-project/plumb/internal/report"
)

type sarifStack struct {
	Message sarifMessage      `json:"message"`
	Frames  []sarifStackFrame `json:"frames"`
}

type sarifStackFrame struct {
	Location sarifLocation `json:"location"`
	Module   string        `json:"module,omitempty"`
}

// sarifRunProperties is how much a run saw.
type sarifRunProperties struct {
	Check       string `json:"check,omitempty"`
	Blocks      int64  `json:"blocks"`
	Bytes       int64  `json:"bytes"`
	OwnedBlocks int64  `json:"ownedBlocks,omitempty"`
	OwnedBytes  int64  `json:"ownedBytes,omitempty"`
}

// addRun adds what a run saw to a result: stacks, the place of the loss, and the
// allocations of what was lost with it.
func (d *document) addRun(res *sarifResult, f *finding) {
	r := f.Run
	if r == nil {
		return
	}
	p := &sarifRunProperties{Check: r.Check.String(), Blocks: r.Blocks, Bytes: r.Bytes}
	p.OwnedBlocks, p.OwnedBytes = r.OwnedBlocks()
	res.Properties.Run = p
	if r.Check == report.Confirmed && r.Loss.Pos.IsValid() && r.Loss.Pos != f.Loss {
		res.Related = append(res.Related, d.sarifStep(r.Loss.Step))
	}
	for _, s := range f.owned() {
		if s.Pos.IsValid() {
			res.Related = append(res.Related, d.sarifStep(s))
		}
	}
	for _, t := range f.traces() {
		s := sarifStack{Message: sarifMessage{Text: t.Text}}
		for _, x := range t.Frames {
			s.Frames = append(s.Frames, d.sarifFrame(x))
		}
		res.Stacks = append(res.Stacks, s)
	}
}

func (d *document) sarifFrame(f report.Frame) sarifStackFrame {
	l := d.sarifLocation(f.Pos)
	if f.Function != "" {
		l.Logical = []sarifLogical{{Name: f.Function, Kind: "function"}}
	}
	return sarifStackFrame{Location: l, Module: f.Module}
}
