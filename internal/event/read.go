// This file reads the lines of one report.

package event

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// version is that of the form; the first line of a file names it.
const version = "1"

// ErrNotReport is wrapped by the error about a file that is no report.
var ErrNotReport = errors.New("not a report of plumb's runtime")

// maxLine is longer than any line the runtime writes: paths and names have their
// bounds. What is longer is damage.
const maxLine = 1 << 20

// Read reads one report.
func Read(in io.Reader) (*Report, error) {
	r := &reader{
		Report: &Report{Modules: map[ID]Module{}, Frames: map[ID]Frame{}, Nodes: map[ID]Node{}},
		texts:  map[string]string{},
	}
	lines := bufio.NewReaderSize(in, maxLine)
	for n := 0; ; n++ {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) && n > 0 {
			r.Damaged++
			err = skipLine(lines)
			line = nil
		}
		switch {
		case errors.Is(err, io.EOF):
			if n == 0 {
				return nil, fmt.Errorf("%w: its first line is missing", ErrNotReport)
			}
			// A line without its end may lack a part of its last number.
			if len(line) > 0 {
				r.Damaged++
			}
			return r.Report, nil
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, fmt.Errorf("%w: its first line is too long", ErrNotReport)
		case err != nil:
			return nil, err
		case n == 0:
			if err := first(string(line[:len(line)-1])); err != nil {
				return nil, err
			}
		case line != nil:
			r.line(string(line[:len(line)-1]))
		}
	}
}

// skipLine reads to the end of a line.
func skipLine(in *bufio.Reader) error {
	for {
		if _, err := in.ReadSlice('\n'); !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

func first(line string) error {
	word, v, _ := strings.Cut(line, "\t")
	switch {
	case word != "plumb-report":
		return ErrNotReport
	case v != version:
		return fmt.Errorf("a report in form %s; this version of plumb reads form %s: build the program again with its plumb cc", v, version)
	}
	return nil
}

// A reader reads the lines of a report.
type reader struct {
	*Report
	texts  map[string]string // each text is kept once: many sites are in one file
	fields []string          // of the line, those not yet read
	bad    bool              // something on the line could not be read
}

// line reads one line. A block line counts even if it cannot be read, because
// others name blocks by their number.
func (r *reader) line(line string) {
	r.fields, r.bad = strings.Split(line, "\t"), false
	switch word := r.text(); word {
	case "process":
		pid, ppid, program, reason, number := r.number(), r.number(), r.text(), Reason(r.word(reasons)), r.number()
		if !r.bad {
			r.PID, r.PPID, r.Program, r.Reason, r.Number = int(pid), int(ppid), program, reason, int(number)
		}
	case "module":
		put(r, r.Modules, r.id(), Module{Base: r.hex(), End: r.hex(), BuildID: r.text(), Path: r.text()})
	case "code":
		c := Code{Instrumented: r.number() != 0, Path: r.text()}
		if !r.bad {
			r.Code = append(r.Code, c)
		}
	case "site":
		put(r, r.Frames, r.id(), Frame{What: What(r.word(whats)), File: r.text(), Line: r.count(), Col: r.count(), Function: r.text(), Holder: r.text()})
	case "pc":
		put(r, r.Frames, r.id(), Frame{Module: r.id(), Offset: r.hex(), Symbol: r.text()})
	case "node":
		put(r, r.Nodes, r.id(), Node{Parent: r.id(), Frame: r.id()})
	case "block":
		b := Block{State: State(r.word(states)), Count: int64(r.count()), Bytes: int64(r.count()), Alloc: r.id(),
			Loss: r.id(), LossNode: r.id(), Use: r.id(), UseNode: r.id(), Owner: r.count()}
		if len(r.fields) > 0 { // older runtimes do not say
			b.Inherited = r.count() != 0
		}
		if r.bad || b.Count == 0 {
			b, r.bad = Block{}, true
		}
		r.Blocks = append(r.Blocks, b)
	case "total":
		t := Total{int64(r.count()), int64(r.count()), int64(r.count()), int64(r.count())}
		if !r.bad {
			r.Total = t
		}
	case "note":
		if text := r.text(); !r.bad {
			r.Notes = append(r.Notes, text)
		}
	case "end":
		r.Whole = true
	default:
		r.bad = true
	}
	if r.bad {
		r.Damaged++
	}
}

// put adds what a line defines. An id is defined once; a second line for it is
// damage.
func put[T any](r *reader, m map[ID]T, id ID, x T) {
	if _, twice := m[id]; twice || id == 0 {
		r.bad = true
	}
	if !r.bad {
		m[id] = x
	}
}

// field takes the next field of the line.
func (r *reader) field() string {
	if len(r.fields) == 0 {
		r.bad = true
		return ""
	}
	f := r.fields[0]
	r.fields = r.fields[1:]
	return f
}

var unescape = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n")

func (r *reader) text() string {
	f := r.field()
	if s, ok := r.texts[f]; ok {
		return s
	}
	s := strings.Clone(unescape.Replace(f))
	r.texts[strings.Clone(f)] = s
	return s
}

// word reads one of a list of words, the first of which is none.
func (r *reader) word(words []string) int {
	f := r.field()
	i := slices.Index(words, f)
	if i <= 0 {
		r.bad = true
		return 0
	}
	return i
}

func (r *reader) id() ID {
	n, err := strconv.ParseUint(r.field(), 10, 32)
	r.bad = r.bad || err != nil
	return ID(n)
}

func (r *reader) hex() uint64 {
	n, err := strconv.ParseUint(r.field(), 16, 64)
	r.bad = r.bad || err != nil
	return n
}

func (r *reader) number() int64 {
	n, err := strconv.ParseInt(r.field(), 10, 64)
	r.bad = r.bad || err != nil
	return n
}

// count reads a number that is not below 0. More than fits half of an int is
// damage: sums of such numbers must not overflow.
func (r *reader) count() int {
	n, err := strconv.ParseUint(r.field(), 10, 62)
	r.bad = r.bad || err != nil
	return int(n)
}
