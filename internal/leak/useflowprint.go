// This file writes use-flow graphs.

package leak

import (
	"fmt"
	"io"
	"strings"

	"github.com/plumb-project/plumb/internal/report"
)

// write prints a graph as text.
//
//	a.c:6:15: allocated by malloc in f
//	  1  6:15  allocated by malloc           held by a value  to 2
//	  2  6:9   copied to b                   held by b        to 3
//	  3  7:7   branch                        held by b        to 4 if n > 2, 5 if n <= 2
//	  4  8:3   returns without releasing it  leak-forgotten
func (g *flow) write(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintln(&b, g.title)
	rows := make([][3]string, len(g.spots))
	var wide [3]int
	for i, p := range g.spots {
		rows[i] = [3]string{g.place(p), p.text, strings.Join(p.holds, " | ")}
		for k, s := range rows[i] {
			wide[k] = max(wide[k], len(s))
		}
	}
	for i, p := range g.spots {
		line := fmt.Sprintf("%3d  %-*s  %-*s  %-*s", p.id, wide[0], rows[i][0], wide[1], rows[i][1], wide[2], rows[i][2])
		for k, e := range p.to {
			line += [...]string{"  to ", ", "}[min(k, 1)] + fmt.Sprint(e.to.id)
			if e.when != "" {
				line += " if " + e.when
			}
		}
		fmt.Fprintln(&b, strings.TrimRight(line, " "))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// place is the position of p, without the file that the title has.
func (g *flow) place(p *spot) string {
	if p.pos.File == g.file {
		return fmt.Sprintf("%d:%d", p.pos.Line, p.pos.Col)
	}
	return p.pos.String()
}

// writeDot draws graphs in the language of graphviz.
func writeDot(out io.Writer, all []*flow) error {
	var b strings.Builder
	b.WriteString("digraph useflow {\n\tnode [shape=box, fontname=\"monospace\", fontsize=10];\n\tedge [fontname=\"monospace\", fontsize=9];\n")
	for i, g := range all {
		fmt.Fprintf(&b, "\tsubgraph cluster_%d {\n\t\tlabel=%s;\n", i, quote(g.title))
		for _, p := range g.spots {
			label := g.place(p) + "\n" + p.text
			if len(p.holds) > 0 {
				label += "\n" + strings.Join(p.holds, "\n")
			}
			fmt.Fprintf(&b, "\t\tn%d_%d [label=%s%s];\n", i, p.id, quote(label), p.style())
		}
		for _, p := range g.spots {
			for _, e := range p.to {
				fmt.Fprintf(&b, "\t\tn%d_%d -> n%d_%d", i, p.id, i, e.to.id)
				if e.when != "" {
					fmt.Fprintf(&b, " [label=%s]", quote(e.when))
				}
				b.WriteString(";\n")
			}
		}
		b.WriteString("\t}\n")
	}
	b.WriteString("}\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// style sets ends apart: what is lost, what is released, and branches.
func (p *spot) style() string {
	if !p.changes {
		return ", shape=diamond"
	}
	for _, h := range p.holds {
		for _, k := range report.Kinds {
			if h == k.String() {
				return ", color=red"
			}
		}
		if h == "released" {
			return ", color=darkgreen"
		}
	}
	return ""
}

// quote makes a string of dot.
func quote(s string) string {
	r := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	return `"` + r.Replace(s) + `"`
}
