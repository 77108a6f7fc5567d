// This file shows the graph as text and in the language of Graphviz.

package callgraph

import (
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/plumb-project/plumb/internal/ir"
)

// matches reports whether f is one that the reader asked for; nil asks for all.
func (g *Graph) matches(f ir.FuncID, re *regexp.Regexp) bool {
	x := &g.Program.Funcs[f]
	return re == nil || re.MatchString(x.Name) || re.MatchString(x.SourceName())
}

// Print writes the functions with a body whose name matches, callees first, and
// what each calls.
//
//	parse  component 3 of 2 functions
//	  parse.c:8:15   malloc
//	  parse.c:9:3    qsort, which calls argument 4: by_name
//	  parse.c:10:3   through a pointer, by field: file_close, string_close
//	  parse.c:12:3   ?
func (g *Graph) Print(w io.Writer, re *regexp.Regexp) error {
	var b strings.Builder
	g.Components(func(comp int, funcs []ir.FuncID) {
		for _, f := range funcs {
			x := &g.Program.Funcs[f]
			if x.IsDecl() || !g.matches(f, re) {
				continue
			}
			fmt.Fprintf(&b, "%s  component %d", x.SourceName(), comp)
			if len(funcs) > 1 {
				fmt.Fprintf(&b, " of %d functions", len(funcs))
			}
			b.WriteString("\n")
			for _, c := range g.CallsOf(f) {
				fmt.Fprintf(&b, "  %-14s %s%s\n", g.place(c), g.calleeName(c), last(c))
			}
		}
	})
	_, err := io.WriteString(w, b.String())
	return err
}

func (g *Graph) calleeName(c Call) string {
	switch {
	case c.Callee != 0:
		return g.Program.Funcs[c.Callee].SourceName() + g.passed(c)
	case c.Way == TooMany:
		return fmt.Sprintf("? one of %d functions", len(c.Many))
	case c.Way == Outside:
		return "? from outside the program"
	case len(c.Targets) == 0:
		return "?"
	}
	return fmt.Sprintf("through a pointer, by %s: %s", c.Way, g.names(c.Targets))
}

func last(c Call) string {
	if c.Last {
		return " (then the process ends)"
	}
	return ""
}

func (g *Graph) names(list []ir.FuncID) string {
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = g.Program.Funcs[f].SourceName()
	}
	return strings.Join(names, ", ")
}

// passed names what the callee is given to call.
func (g *Graph) passed(c Call) string {
	text := ""
	for _, p := range c.Passed {
		if len(p.Targets) == 0 {
			text += fmt.Sprintf(", which calls argument %d: ?", p.Arg+1)
		} else {
			text += fmt.Sprintf(", which calls argument %d: %s", p.Arg+1, g.names(p.Targets))
		}
	}
	return text
}

// place returns the position of a call for a reader: the file without its directory.
func (g *Graph) place(c Call) string {
	f := &g.Program.Funcs[c.Caller]
	loc := f.Values[c.Site].Loc
	if loc == 0 {
		return "-"
	}
	return fmt.Sprintf("%s:%d:%d", path.Base(g.Program.Files[f.FileOf(loc)]), f.Locs[loc].Line, f.Locs[loc].Col)
}

// Dot writes the functions whose name matches and what they call as a Graphviz
// digraph. A component of more than one function is a cluster.
func (g *Graph) Dot(w io.Writer, re *regexp.Regexp) error {
	var b strings.Builder
	b.WriteString("digraph calls {\n  node [shape=box];\n")
	shown := g.shown(re)
	g.Components(func(comp int, funcs []ir.FuncID) {
		funcs = slices.DeleteFunc(slices.Clone(funcs), func(f ir.FuncID) bool { return !shown[f] })
		indent := "  "
		cluster := len(g.Scc.Members.Succs(uint32(comp))) > 1 && len(funcs) > 0
		if cluster {
			fmt.Fprintf(&b, "  subgraph cluster_%d {\n    label=\"component %d\";\n", comp, comp)
			indent = "    "
		}
		for _, f := range funcs {
			b.WriteString(indent + g.node(f))
		}
		if cluster {
			b.WriteString("  }\n")
		}
	})
	for f := range ir.FuncID(len(g.Program.Funcs)) {
		if f != 0 && g.matches(f, re) {
			g.dotEdges(&b, f)
		}
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// shown says which functions appear: those with a body that match, and what they call.
func (g *Graph) shown(re *regexp.Regexp) []bool {
	shown := make([]bool, len(g.Program.Funcs))
	for f := range ir.FuncID(len(shown)) {
		if f == 0 || !g.matches(f, re) || g.Program.Funcs[f].IsDecl() {
			continue
		}
		shown[f] = true
		for _, c := range g.CallsOf(f) {
			for callee := range c.All() {
				shown[callee] = true
			}
		}
	}
	return shown
}

// node writes one function: dashed without a body, with the number of its calls through pointers.
func (g *Graph) node(f ir.FuncID) string {
	x := &g.Program.Funcs[f]
	label := x.SourceName()
	n := 0
	for _, c := range g.CallsOf(f) {
		if c.Callee == 0 {
			n++
		}
	}
	if n > 0 {
		label += fmt.Sprintf("\n%d through pointers", n)
	}
	style := ""
	if x.IsDecl() {
		style = ", style=dashed"
	}
	return fmt.Sprintf("f%d [label=%s%s];\n", f, strconv.Quote(label), style)
}

// dotEdges writes one edge for each function f calls, with the number of calls;
// dashed if all of them go through a pointer.
func (g *Graph) dotEdges(b *strings.Builder, f ir.FuncID) {
	count, direct := map[ir.FuncID]int{}, map[ir.FuncID]bool{}
	var order []ir.FuncID
	for _, c := range g.CallsOf(f) {
		for callee := range c.All() {
			if count[callee] == 0 {
				order = append(order, callee)
			}
			count[callee]++
			direct[callee] = direct[callee] || callee == c.Callee
		}
	}
	for _, c := range order {
		var marks []string
		if count[c] > 1 {
			marks = append(marks, fmt.Sprintf("label=\"%d\"", count[c]))
		}
		if !direct[c] {
			marks = append(marks, "style=dashed")
		}
		text := ""
		if len(marks) > 0 {
			text = " [" + strings.Join(marks, ", ") + "]"
		}
		fmt.Fprintf(b, "  f%d -> f%d%s;\n", f, c, text)
	}
}
