// This file finds lines and inlined calls in DWARF.

package pinpoint

import (
	"cmp"
	"debug/dwarf"
	"slices"

	"github.com/plumb-project/plumb/internal/report"
	"github.com/plumb-project/plumb/internal/source"
)

// debugInfo reads the debug information of one file, unit by unit as they are
// asked for: of a large program few are.
type debugInfo struct {
	data  *dwarf.Data
	units map[dwarf.Offset]*unit
}

func newDebugInfo(d *dwarf.Data) *debugInfo {
	return &debugInfo{data: d, units: map[dwarf.Offset]*unit{}}
}

// A unit is one compiled file.
type unit struct {
	rows  []row
	files []*dwarf.LineFile
	roots []*code // functions, without order
}

// A row of the line table holds for addresses up to the next row.
type row struct {
	addr      uint64
	file      string // with the directory of the unit, as the reader gives it
	line, col int
	end       bool // of a run of instructions
}

// code is a function, or a call of one that was inlined.
type code struct {
	ranges    [][2]uint64
	origin    dwarf.Offset // entry that has its name
	inlined   bool
	file      int64 // where it is called, when it was inlined
	line, col int64
	inside    []*code // calls that were inlined into it
}

// find returns the frames at an address, innermost first: of calls that were inlined,
// and of the function that is there. name is what the symbol table calls that.
func (d *debugInfo) find(pc uint64, name string) stack {
	u := d.unit(pc)
	if u == nil {
		return nil
	}
	pos := u.position(pc)
	var chain []*code // outermost first
	for list := u.roots; ; {
		i := slices.IndexFunc(list, func(c *code) bool { return c.has(pc) })
		if i < 0 {
			break
		}
		chain = append(chain, list[i])
		list = list[i].inside
	}
	if len(chain) == 0 {
		if !pos.IsValid() {
			return nil
		}
		return stack{{Frame: report.Frame{Pos: pos, Function: name}}}
	}
	var s stack
	for i := len(chain) - 1; i >= 0; i-- {
		c := chain[i]
		fn := d.name(c.origin, 0)
		if !c.inlined {
			fn = cmp.Or(name, fn) // as the linker knows it
		}
		s = append(s, &frame{Frame: report.Frame{Pos: pos, Function: fn, Inlined: c.inlined}})
		if c.inlined {
			pos = source.Position{File: u.file(c.file), Line: int(c.line), Col: int(c.col)}
		}
	}
	return s
}

func (c *code) has(pc uint64) bool {
	return slices.ContainsFunc(c.ranges, func(r [2]uint64) bool { return r[0] <= pc && pc < r[1] })
}

// unit returns the unit that has an address.
func (d *debugInfo) unit(pc uint64) *unit {
	r := d.data.Reader()
	e, err := r.SeekPC(pc)
	if err != nil || e == nil {
		return nil
	}
	if u, ok := d.units[e.Offset]; ok {
		return u
	}
	u := &unit{}
	d.units[e.Offset] = u
	u.readLines(d.data, e)
	if e.Children {
		u.roots = d.children(r, false)
	}
	return u
}

// children reads the entries below one: functions and inlined calls, also those in
// blocks, classes and name spaces.
func (d *debugInfo) children(r *dwarf.Reader, inside bool) []*code {
	var out []*code
	for {
		e, err := r.Next()
		if err != nil || e == nil || e.Tag == 0 {
			return out
		}
		var c *code
		switch {
		case e.Tag == dwarf.TagSubprogram && !inside, e.Tag == dwarf.TagInlinedSubroutine:
			c = d.code(e)
		case e.Tag == dwarf.TagLexDwarfBlock, e.Tag == dwarf.TagNamespace, e.Tag == dwarf.TagStructType, e.Tag == dwarf.TagClassType:
		default:
			if e.Children {
				r.SkipChildren()
			}
			continue
		}
		var below []*code
		if e.Children {
			below = d.children(r, inside || c != nil)
		}
		if c == nil {
			out = append(out, below...)
		} else if len(c.ranges) > 0 {
			c.inside = below
			out = append(out, c)
		}
	}
}

func (d *debugInfo) code(e *dwarf.Entry) *code {
	c := &code{origin: e.Offset, inlined: e.Tag == dwarf.TagInlinedSubroutine}
	c.ranges, _ = d.data.Ranges(e)
	c.file, _ = e.Val(dwarf.AttrCallFile).(int64)
	c.line, _ = e.Val(dwarf.AttrCallLine).(int64)
	c.col, _ = e.Val(dwarf.AttrCallColumn).(int64)
	return c
}

// maxOrigins is more than entries refer to others for their name.
const maxOrigins = 8

// name returns the name of a function: of its own, or of what it was made of.
func (d *debugInfo) name(at dwarf.Offset, depth int) string {
	r := d.data.Reader()
	r.Seek(at)
	e, err := r.Next()
	if err != nil || e == nil || depth > maxOrigins {
		return ""
	}
	if s, ok := e.Val(dwarf.AttrLinkageName).(string); ok {
		return s
	}
	for _, a := range []dwarf.Attr{dwarf.AttrAbstractOrigin, dwarf.AttrSpecification} {
		if o, ok := e.Val(a).(dwarf.Offset); ok {
			if s := d.name(o, depth+1); s != "" {
				return s
			}
		}
	}
	s, _ := e.Val(dwarf.AttrName).(string)
	return s
}

// readLines reads the line table of a unit.
func (u *unit) readLines(d *dwarf.Data, e *dwarf.Entry) {
	lr, err := d.LineReader(e)
	if err != nil || lr == nil {
		return
	}
	u.files = lr.Files()
	var l dwarf.LineEntry
	for lr.Next(&l) == nil {
		x := row{addr: l.Address, line: l.Line, col: l.Column, end: l.EndSequence}
		if l.File != nil {
			x.file = l.File.Name
		}
		u.rows = append(u.rows, x)
	}
	// Where one run of instructions ends another may begin.
	slices.SortStableFunc(u.rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.addr, b.addr), cmp.Compare(boolInt(b.end), boolInt(a.end)))
	})
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// position returns the line of an address. Instructions that belong to no line have
// that of the ones before.
func (u *unit) position(pc uint64) source.Position {
	i, _ := slices.BinarySearchFunc(u.rows, pc+1, func(r row, pc uint64) int { return cmp.Compare(r.addr, pc) })
	if i == 0 || u.rows[i-1].end {
		return source.Position{}
	}
	for i > 1 && u.rows[i-1].line == 0 && !u.rows[i-2].end {
		i--
	}
	r := u.rows[i-1]
	return source.Position{File: r.file, Line: r.line, Col: r.col}
}

// file returns the name of a file by its number.
func (u *unit) file(n int64) string {
	if n < 0 || n >= int64(len(u.files)) || u.files[n] == nil {
		return ""
	}
	return u.files[n].Name
}
