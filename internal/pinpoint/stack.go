// This file chooses what of a stack of calls matters.

package pinpoint

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plumb-project/plumb/internal/event"
	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// A frame is a frame of the report, with what it was made of.
type frame struct {
	report.Frame
	site   bool   // the code was built by plumb
	calls  string // the function that is called there, if a site says so
	number uint32 // the same for frames that print alike, in all processes
}

// A stack has frames innermost first.
type stack []*frame

// known reports whether there is something to show.
func (s stack) known() bool { return len(s) > 0 }

// primary returns the first frame in the user's own code: with a line if there is
// one, else the first frame in code that is not the system's.
func (s stack) primary() *frame {
	var named *frame
	for _, f := range s {
		switch {
		case f.System:
		case f.Pos.IsValid():
			return f
		case named == nil:
			named = f
		}
	}
	if named == nil {
		for _, f := range s {
			if f.Pos.IsValid() {
				return f
			}
		}
		if len(s) > 0 {
			return s[0]
		}
	}
	return named
}

// inside returns the stack from the first frame of the user's own code on that plumb
// has built: what was called from there did something that nobody saw. It is the
// whole stack if there is none.
func (s stack) inside() stack {
	i := slices.IndexFunc(s, func(f *frame) bool { return f.site && !f.System })
	return s[max(i, 0):]
}

func (s stack) place() source.Position {
	if f := s.primary(); f != nil {
		if f.Pos.IsValid() || f.Module == "" {
			return f.Pos
		}
		return source.Position{File: f.Module}
	}
	return source.Position{}
}

func (s stack) function() string {
	if f := s.primary(); f != nil {
		return f.Function
	}
	return ""
}

// allocator returns the name of what allocated: the function that the innermost
// site calls, or in code without sites that which the place calls.
func (s stack) allocator() string {
	for _, f := range s {
		if f.calls != "" {
			return f.calls
		}
	}
	at := s.primary()
	for i, f := range s {
		if f == at && i > 0 {
			return s[i-1].Function
		}
	}
	return ""
}

func (s stack) trace(text string) report.Trace {
	t := report.Trace{Step: report.Step{Pos: s.place(), Text: text}}
	for _, f := range s {
		t.Frames = append(t.Frames, f.Frame)
	}
	return t
}

// key is the same for blocks that are one finding.
func (g *group) key() string {
	at := g.lost
	if g.state == event.Forgotten && g.used.known() {
		at = g.used
	}
	b := []byte{byte(g.state), byte(g.kind()), 0}
	if g.suppressed {
		b[2] = 1
	}
	if p := at.primary(); p != nil {
		b = binary.BigEndian.AppendUint32(b, p.number)
		b = append(append(b, g.loss.Holder...), 0)
	}
	for _, f := range g.alloc[:len(g.alloc)-common(g.alloc, at)] {
		b = binary.BigEndian.AppendUint32(b, f.number)
	}
	return string(b)
}

// common is how many outermost frames two stacks share.
func common(a, b stack) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n].number == b[len(b)-1-n].number {
		n++
	}
	return n
}

// String names a frame, the same in every process.
func (f *frame) String() string {
	if f.Pos.IsValid() {
		return f.Function + " " + f.Pos.String()
	}
	return fmt.Sprintf("%s %s+%x", f.Function, f.Module, f.Offset)
}

// systemDirs hold what is not the user's own.
var systemDirs = []string{"/usr/include/", "/usr/lib/", "/usr/lib32/", "/usr/lib64/", "/usr/libexec/", "/lib/", "/lib32/", "/lib64/", "/usr/local/include/", "/usr/local/lib/"}

// isSystem reports whether a source file or a module belongs to the system, the
// compiler or the C++ library.
func isSystem(path string) bool {
	path = filepath.Clean(path)
	for _, d := range systemDirs {
		if strings.HasPrefix(path, d) {
			return true
		}
	}
	return strings.Contains(path, "/include/c++/") || strings.Contains(path, "/lib/clang/")
}

// trimmed leaves out what every stack has: how the program itself, or a thread, is
// started.
func (s stack) trimmed() stack {
	n := len(s)
	for n > 0 && (s[n-1].System || s[n-1].Function == "_start") {
		n--
	}
	if n == 0 {
		return s
	}
	return s[:n]
}
