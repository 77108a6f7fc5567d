// Package source holds what the other packages say about source text: positions
// in files and content hashes.
package source

import (
	"cmp"
	"fmt"
)

// A Position is a place in a source file.
type Position struct {
	File string // path as the compiler knew it, made absolute; "" is unknown
	Line int    // 1-based; 0 is unknown
	Col  int    // 1-based byte column; 0 is unknown
}

// IsValid reports whether the position names a line of a file.
func (p Position) IsValid() bool { return p.File != "" && p.Line > 0 }

// String prints the GCC form.
//
//	parse.c:41:12
func (p Position) String() string {
	switch {
	case p.File == "":
		return "-"
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Compare orders positions by file, line and column.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}
