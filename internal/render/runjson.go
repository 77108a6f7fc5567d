// This file writes what runs saw as JSON.

package render

import (
	"path/filepath"

	"github.com/plumb-project/plumb/internal/report"
)

type jsonProcess struct {
	PID     int    `json:"pid"`
	Parent  int    `json:"parent"`
	Program string `json:"program"`
	End     string `json:"end"`
}

type jsonSuppressed struct {
	Findings int   `json:"findings"`
	Blocks   int64 `json:"blocks"`
	Bytes    int64 `json:"bytes"`
}

type jsonRun struct {
	Check      string      `json:"check,omitempty"`
	Blocks     int64       `json:"blocks"`
	Bytes      int64       `json:"bytes"`
	Owned      []jsonOwned `json:"owned,omitempty"`
	Processes  []int       `json:"processes"`
	Allocation *jsonTrace  `json:"allocation,omitempty"`
	Use        *jsonTrace  `json:"use,omitempty"`
	Loss       *jsonTrace  `json:"loss,omitempty"`
}

type jsonOwned struct {
	Blocks     int64     `json:"blocks"`
	Bytes      int64     `json:"bytes"`
	Allocator  string    `json:"allocator"`
	Allocation jsonPlace `json:"allocation"`
}

type jsonTrace struct {
	jsonPlace
	Text  string      `json:"text"`
	Stack []jsonFrame `json:"stack"`
}

type jsonFrame struct {
	jsonPlace
	Function string `json:"function"`
	Module   string `json:"module,omitempty"`
	Offset   uint64 `json:"offset,omitempty"`
	Inlined  bool   `json:"inlined,omitempty"`
	System   bool   `json:"system,omitempty"`
}

// jsonRunOf adds what is known of the run as a whole.
func (d *document) jsonRunOf(out *jsonReport) {
	for _, p := range d.processes {
		out.Processes = append(out.Processes, jsonProcess{p.PID, p.Parent, d.path(p.Program), p.End})
	}
	if s := d.suppressed; s.Findings > 0 {
		out.Suppressed = &jsonSuppressed{s.Findings, s.Blocks, s.Bytes}
	}
	out.Notes = d.runNotes
}

func (d *document) jsonRun(r *report.Run) *jsonRun {
	if r == nil {
		return nil
	}
	out := &jsonRun{Check: r.Check.String(), Blocks: r.Blocks, Bytes: r.Bytes, Processes: r.Processes,
		Allocation: d.jsonTrace(r.Alloc), Use: d.jsonTrace(r.Use), Loss: d.jsonTrace(r.Loss)}
	if out.Processes == nil {
		out.Processes = []int{}
	}
	for _, o := range r.Owned {
		out.Owned = append(out.Owned, jsonOwned{o.Blocks, o.Bytes, o.Allocator, d.jsonPlace(o.Alloc)})
	}
	return out
}

func (d *document) jsonTrace(t report.Trace) *jsonTrace {
	if len(t.Frames) == 0 {
		return nil
	}
	out := &jsonTrace{jsonPlace: d.jsonPlace(t.Pos), Text: t.Text}
	for _, f := range t.Frames {
		j := jsonFrame{jsonPlace: d.jsonPlace(f.Pos), Function: f.Function, Offset: f.Offset, Inlined: f.Inlined, System: f.System}
		if f.Module != "" {
			j.Module = filepath.ToSlash(d.path(f.Module))
		}
		out.Stack = append(out.Stack, j)
	}
	return out
}
